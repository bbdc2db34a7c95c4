"""Which samples make a matrix: those that were measured alike while factors were varied; its tables.

What was measured is held equal, as in the figures; settings and layer options are factors, also
where they part the figures. A configuration counts as the layer options that tell it from others.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from statistics import fmean
from typing import TypeAlias

from benchdash.analysis.cells import without_rounds
from benchdash.analysis.differences import Difference
from benchdash.analysis.effects import Model
from benchdash.results.comparison.automatic import Column, fewest
from benchdash.results.comparison.groups import (
    CONFIGURATION,
    RUN,
    Group,
    Grouping,
    points_at,
)
from benchdash.results.comparison.likeness import LikeRuns
from benchdash.results.comparison.names import short_names
from benchdash.results.comparison.records import Records
from benchdash.results.comparison.selected_runs import SelectedRun
from benchdash.results.comparison.values import Value, value_of
from benchdash.results.comparison.view import FactorValue
from benchdash.results.factors import Factor, read_factor
from benchdash.results.titles import factor_title

# of what figures are parted by, these were varied on purpose
_VARIED = ("setting", "layer")
_MOST_LEVELS = 60

Cell: TypeAlias = tuple[int, ...]  # the level of each factor


@dataclass(frozen=True, slots=True)
class Varied:
    """A factor with its levels in their order; `stands_for` are factors that change with it."""

    factor: Factor
    levels: tuple[Value, ...]
    stands_for: tuple[Factor, ...] = ()

    @property
    def title(self) -> str:
        return factor_title(self.factor)

    @property
    def is_number(self) -> bool:
        return all(level.number is not None for level in self.levels)


@dataclass(frozen=True, slots=True)
class Varying:
    """The samples of a matrix: by id of a run its levels, in the order of `factors`, and its round.

    `rounds` is empty where samples were not made in rounds, `blocks` where none shares anything with
    others of its round. `groups` are those of each part of the
    comparison that it holds, `starts` says when runs began.
    """

    differs_by: tuple[FactorValue, ...]
    factors: tuple[Varied, ...]
    runs: tuple[SelectedRun, ...]
    levels: Mapping[int, tuple[int, ...]]
    rounds: Mapping[int, Hashable]
    has_starts: bool
    parts: tuple[int, ...]
    groups: tuple[Group, ...]
    blocks: Mapping[int, Hashable] = field(default_factory=dict)
    cells: frozenset[tuple[int, ...]] = field(default_factory=frozenset)

    @property
    def possible(self) -> int:
        """How many combinations there could be."""
        return math.prod(len(one.levels) for one in self.factors)

    @property
    def looks(self) -> int:
        """How often its plan was looked at."""
        return max((run.look.looks for run in self.runs if run.look), default=1)

    @property
    def is_over(self) -> bool:
        """Whether no job of its plans is to come."""
        return all(run.look.over for run in self.runs if run.look)

    def labels(self, cells: Iterable[tuple[int, ...]]) -> dict[tuple[int, ...], str]:
        """The shortest names that tell these cells apart."""
        ordered = list(cells)
        rows = [
            [one.levels[level] for one, level in zip(self.factors, cell, strict=True)]
            for cell in ordered
        ]
        return dict(
            zip(ordered, short_names(rows, [one.factor for one in self.factors]), strict=True)
        )


def find_matrices(
    parts: Sequence[LikeRuns],
    grouping: Grouping,
    records: Records,
    intended: Sequence[str],
    starts: Mapping[int, float],
) -> Iterator[Varying]:
    """A matrix for each kind of measuring in which a factor varies; `intended` factors come first."""
    if RUN in grouping.factors:
        return
    kinds: dict[tuple[FactorValue, ...], list[int]] = {}
    for number, like in enumerate(parts):
        kinds.setdefault(tuple(filter(_is_held, like.differs_by)), []).append(number)
    for differs_by, numbers in kinds.items():
        own = [parts[number] for number in numbers]
        groups = tuple(group for like in own for group in like.groups)
        runs = [run for group in groups for run in group.runs]
        parted = [one.name for like in own for one in like.differs_by if not _is_held(one)]
        candidates = _candidates(grouping.factors, parted, records, runs)
        factors = _factors(_first(candidates, intended), runs, records)
        if factors:
            yield _varying(differs_by, factors, runs, records, starts, tuple(numbers), groups)


def _is_held(one: FactorValue) -> bool:
    return one.name.partition(".")[0] not in _VARIED


def _candidates(
    grouped: Sequence[Factor], parted: Sequence[str], records: Records, runs: Sequence[SelectedRun]
) -> list[Factor]:
    """What may have been varied: what is grouped by, and what parts the figures on purpose."""
    found: list[Factor] = []
    for factor in grouped:
        options = _options(records, runs) if factor == CONFIGURATION else []
        found += [*options, factor]
    return list(dict.fromkeys([*found, *(read_factor(name, "") for name in parted)]))


def _options(records: Records, runs: Sequence[SelectedRun]) -> list[Factor]:
    """The layer options of these runs' configurations, by name."""
    stacks = {
        records.configurations[run.configuration_id].stack for run in runs if run.configuration_id
    }
    names = {name for stack in stacks for name in records.facets[stack]}
    return [Factor("layer", name) for name in sorted(names)]


def _first(factors: Sequence[Factor], intended: Sequence[str]) -> list[Factor]:
    # settings are what somebody set; of layer options several may follow from one
    return sorted(
        factors,
        key=lambda one: (not {str(one), one.name} & {*intended}, one.kind != "setting"),
    )


def _factors(
    candidates: Sequence[Factor], runs: Sequence[SelectedRun], records: Records
) -> list[Varied]:
    """The fewest that tell the same runs apart, each with those that part them exactly alike."""
    unlike = list({points_at(run): run for run in runs}.values())
    columns = []
    for factor in candidates:
        values = tuple(value_of(run, factor, records).key for run in unlike)
        if 1 < len(set(values)) <= _MOST_LEVELS:
            columns.append(Column(factor, values))
    if _is_named_only(columns):
        columns = [one for one in columns if one.factor.kind != "layer"]
    parts = {column.factor: _parted(column.values) for column in columns}
    found = []
    for column in fewest(columns):
        alike = [
            one.factor
            for one in columns
            if one.factor not in (column.factor, CONFIGURATION)
            and parts[one.factor] == parts[column.factor]
        ]
        levels = {value_of(run, column.factor, records) for run in unlike}
        ordered = tuple(sorted(levels, key=lambda value: value.order))
        found.append(Varied(column.factor, ordered, tuple(alike)))
    return found


def _is_named_only(columns: Sequence[Column]) -> bool:
    """Whether configurations differ in what no option tells: then they are levels by their names."""
    by_name = next((one for one in columns if one.factor == CONFIGURATION), None)
    options = [one.values for one in columns if one.factor.kind == "layer"]
    if by_name is None:
        return False
    by_options = len(set(zip(*options, strict=True))) if options else 0
    return by_options < len(set(by_name.values))


def _parted(values: Sequence[Hashable]) -> tuple[int, ...]:
    known: dict[Hashable, int] = {}
    return tuple(known.setdefault(value, len(known)) for value in values)


def _varying(  # noqa: PLR0913, PLR0917 - all that a matrix is made of
    differs_by: tuple[FactorValue, ...],
    factors: Sequence[Varied],
    runs: Sequence[SelectedRun],
    records: Records,
    starts: Mapping[int, float],
    parts: tuple[int, ...],
    groups: tuple[Group, ...],
) -> Varying:
    places = [{level: number for number, level in enumerate(one.levels)} for one in factors]
    known: dict[object, tuple[int, ...]] = {}
    levels = {}
    for run in runs:
        place = points_at(run)
        if place not in known:
            values = [value_of(run, one.factor, records) for one in factors]
            known[place] = tuple(own[value] for own, value in zip(places, values, strict=True))
        levels[run.id] = known[place]
    return Varying(
        differs_by=differs_by,
        factors=tuple(factors),
        runs=tuple(runs),
        levels=levels,
        rounds=_rounds(runs, levels, starts),
        has_starts=all(run.id in starts for run in runs),
        parts=parts,
        groups=groups,
        blocks=_blocks(runs),
        cells=frozenset(levels.values()),
    )


def _blocks(runs: Sequence[SelectedRun]) -> dict[int, Hashable]:
    """The block of each run, itself where it is alone; empty where all are."""
    if not any(run.look and run.look.block for run in runs):
        return {}
    return {run.id: run.look.block if run.look and run.look.block else run.id for run in runs}


def _rounds(
    runs: Sequence[SelectedRun],
    levels: Mapping[int, tuple[int, ...]],
    starts: Mapping[int, float],
) -> dict[int, Hashable]:
    """The round of each run: of its plan, else the nth time that its cell was measured, if in turns."""
    if all(run.look for run in runs):
        return {run.id: (run.look.plan, run.look.round) for run in runs if run.look}
    if any(run.id not in starts for run in runs):
        return {}
    times: dict[tuple[int, ...], int] = {}
    found: dict[int, Hashable] = {}
    ends: dict[int, tuple[float, float]] = {}
    for run in sorted(runs, key=lambda run: (starts[run.id], run.id)):
        nth = times.get(levels[run.id], 0)
        times[levels[run.id]] = nth + 1
        found[run.id] = nth
        begun = starts[run.id]
        first, _last = ends.get(nth, (begun, begun))
        ends[nth] = first, begun
    in_turns = all(ends[nth][1] <= ends[nth + 1][0] for nth in sorted(ends) if nth + 1 in ends)
    return found if in_turns and len(ends) > 1 else {}


@dataclass(frozen=True, slots=True)
class Table:
    """The samples of one measure: logarithms, levels of the factors that still vary, rounds, cells.

    `runs` are their ids. `blocks` is there where a factor is dear.
    """

    runs: tuple[int, ...]
    factors: tuple[Varied, ...]
    values: list[float]
    levels: list[list[int]]
    rounds: list[Hashable] | None
    cells: list[tuple[int, ...]]
    blocks: list[Hashable] | None = None


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
        [varying.blocks[run] for run in ids] if varying.blocks else None,
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
