"""The samples of one measure over a matrix, and the means of its cells."""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean

from benchdash.analysis.cells import without_rounds
from benchdash.analysis.differences import Difference
from benchdash.analysis.effects import Model
from benchdash.results.comparison.matrix import Varied, Varying

Cell = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Table:
    """The samples of one measure: logarithms, levels of the factors that still vary, rounds, cells.

    `runs` are their ids.
    """

    runs: tuple[int, ...]
    factors: tuple[Varied, ...]
    values: list[float]
    levels: list[list[int]]
    rounds: list[Hashable] | None
    cells: list[tuple[int, ...]]


def table_of(varying: Varying, samples: Mapping[int, float]) -> Table:
    """Of samples that have the measure; a factor that varies no more is left out."""
    ids = list(samples)
    kept, factors, levels = [], [], []
    for place, factor in enumerate(varying.factors):
        codes = [varying.levels[run][place] for run in ids]
        present = sorted(set(codes))
        if len(present) > 1:
            kept.append(place)
            own = tuple(factor.levels[code] for code in present)
            factors.append(Varied(factor.factor, own, factor.stands_for))
            levels.append([present.index(code) for code in codes])
    return Table(
        tuple(ids),
        tuple(factors),
        [math.log(samples[run]) for run in ids],
        levels,
        [varying.rounds[run] for run in ids] if varying.rounds else None,
        [tuple(varying.levels[run][place] for place in kept) for run in ids],
    )


def cell_means(table: Table) -> tuple[dict[Cell, float], dict[Cell, int]]:
    """The mean of each cell, with the effects of rounds taken out, and its samples."""
    values = table.values
    if table.rounds:
        values = without_rounds(values, table.cells, table.rounds)
    own: dict[tuple[int, ...], list[float]] = {}
    for cell, value in zip(table.cells, values, strict=True):
        own.setdefault(cell, []).append(value)
    return {cell: fmean(found) for cell, found in own.items()}, {
        cell: len(found) for cell, found in own.items()
    }


def crossed(table: Table, model: Model, places: Sequence[int]) -> dict[tuple[int, int], Difference]:
    """The mean logarithm where two levels meet, all cells there counting alike."""
    means, counts = cell_means(table)
    met: dict[tuple[int, int], list[tuple[int, ...]]] = {}
    pairs = zip(table.cells, zip(*table.levels, strict=True), strict=True)
    for cell, levels in dict(pairs).items():
        met.setdefault((levels[places[0]], levels[places[1]]), []).append(cell)
    return {
        at: Difference(
            fmean(means[cell] for cell in cells),
            model.sd * math.sqrt(sum(1 / counts[cell] for cell in cells)) / len(cells),
            model.freedom,
        )
        for at, cells in met.items()
    }


def labels_of(table: Table, varying: Varying) -> dict[tuple[int, ...], str]:
    """What the comparison calls a cell where it is one group, else its levels.

    Of the samples that have the measure: a read and a write may differ in nothing that is left.
    """
    own = {*table.runs}
    places = [
        place
        for place, factor in enumerate(varying.factors)
        if factor.factor in {one.factor for one in table.factors}
    ]

    def cell_of(run: int) -> tuple[int, ...]:
        return tuple(varying.levels[run][place] for place in places)

    by_group = [
        (group.label, {cell_of(run.id) for run in group.runs if run.id in own})
        for group in varying.groups
    ]
    named = {next(iter(cells)): label for label, cells in by_group if len(cells) == 1}
    cells = sorted(set(table.cells))
    if len(varying.parts) == 1 and set(named) >= set(cells):
        return {cell: named[cell] for cell in cells}
    whole = dict.fromkeys(at for run, at in varying.levels.items() if run in own)
    labels = varying.labels(whole)
    return {tuple(at[place] for place in places): labels[at] for at in whole}
