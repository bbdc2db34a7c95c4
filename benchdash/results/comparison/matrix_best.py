"""What is best in a matrix: the leading combination in one measure, the Pareto front in several."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from statistics import fmean, median

from msgspec.structs import replace

from benchdash.analysis.cells import leading_cell, meet_in_rounds
from benchdash.analysis.pareto import front
from benchdash.analysis.verdicts import ENOUGH
from benchdash.results.comparison import matrix_sentences as words
from benchdash.results.comparison.evidence import ByRun
from benchdash.results.comparison.groups import Group
from benchdash.results.comparison.judging import Judged
from benchdash.results.comparison.matrix import Cell, Table, Varying, cell_means, labels_of
from benchdash.results.comparison.measures import Numbers
from benchdash.results.comparison.view_matrix import (
    Front,
    FrontMeasure,
    FrontPoint,
    LeadingCell,
    MeasureEffects,
)
from benchdash.results.titles import measure_title
from benchdash.vocabulary.measures import METRICS, MeasureName
from benchdash.vocabulary.prefixes import shown_unit


def leader_of(
    shown: MeasureEffects, judged: Judged, table: Table, varying: Varying
) -> LeadingCell | None:
    """The leading cell and those that do not differ from it significantly.

    Where the figure says which groups may be best, it is these; else by the noise of all cells.
    """
    means, counts = cell_means(table)
    labels = labels_of(table, varying)
    may_be_best = _may_be_best(labels, judged, varying)
    together = not table.rounds or meet_in_rounds(table.cells, table.rounds)
    sign = 1 if shown.higher_is_better else -1
    if may_be_best:
        first, *near = sorted(may_be_best, key=lambda cell: -sign * means[cell])
        firm = not near
    else:
        found = leading_cell(
            table.values,
            table.cells,
            table.rounds if together else None,
            higher=sign > 0,
            delta=math.log1p(judged.delta),
            blocks=table.blocks,
        )
        if found is None:
            return None
        first, near = found.cell, list(found.near)
        firm = (
            together
            and not near
            and found.fewest >= ENOUGH
            and _may_be_firm(judged, table, varying)
        )
    leader = LeadingCell(
        label=labels[first],
        value=math.exp(means[first]),
        n=counts[first],
        near=tuple(labels[cell] for cell in near),
        firm=firm,
        sentence="",
    )
    own = [value for cell, value in zip(table.cells, table.values, strict=True) if cell == first]
    # where some combinations lack a round, the values of a cell alone have another mean
    evened = shown.shown.text(math.exp(fmean(own))) != shown.shown.text(leader.value)
    return replace(leader, sentence=words.of_leader(leader, shown, evened=evened))


def _may_be_best(labels: Mapping[Cell, str], judged: Judged, varying: Varying) -> list[Cell]:
    """The cells that the figure says may be best, where its groups are the cells."""
    if len(varying.parts) > 1:
        return []
    best = {g.label for g in varying.groups if g.key in judged.extremes.best}
    cells = [cell for cell, label in labels.items() if label in best]
    return cells if len(cells) == len(best) else []


def _may_be_firm(judged: Judged, table: Table, varying: Varying) -> bool:
    """Of cells of several figures, where no figure speaks of all: in rounds that are over, once."""
    several = len(varying.parts) > 1 and table.rounds is not None
    return several and judged.primary and varying.looks == 1 and varying.is_over


MOST_MEASURES, MOST_GROUPS = 3, 400
_LEAST_GROUPS = 3  # of two groups a table says as much


def front_of(
    groups: Sequence[Group],
    numbers: Numbers,
    primary: frozenset[MeasureName],
    delta: float,
    *,
    binary: bool,
) -> Front | None:
    """By medians; None where there are not two measures that all of these groups have."""
    values = {**numbers.overview, **numbers.shown}
    names = respects(groups, values, primary)
    points = {
        group.key: found
        for group in groups
        if all(found := [_median(group, values[name]) for name in names])
    }
    counts = {group.key: _samples(group, names, values) for group in groups}
    repeated = [counts[key] for key in points]
    if len(names) < 2 or not _LEAST_GROUPS <= len(points) <= MOST_GROUPS or min(repeated) < 2:
        return None
    higher = [METRICS[name.metric].higher_is_better is True for name in names]
    known = {key: [value or 0.0 for value in own] for key, own in points.items()}
    first, near = set(front(known, higher)), set(front(known, higher, delta))
    measures = tuple(_measure(name, groups, values, binary=binary) for name in names)
    own = [group for group in groups if group.key in known]
    labels = [group.label for group in own if group.key in first]
    return Front(
        measures=measures,
        points=tuple(
            FrontPoint(
                group.key,
                group.label,
                group.slot,
                counts[group.key],
                tuple(known[group.key]),
                "front" if group.key in first else "near" if group.key in near else "behind",
            )
            for group in own
        ),
        sentence=words.of_front(measures, labels, len(own), min(repeated)),
    )


def _samples(
    group: Group, names: Sequence[MeasureName], values: Mapping[MeasureName, ByRun]
) -> int:
    """Of the measure that has fewest."""
    return min((sum(run.id in values[name] for run in group.runs) for name in names), default=0)


def respects(
    groups: Sequence[Group], values: Mapping[MeasureName, ByRun], primary: frozenset[MeasureName]
) -> list[MeasureName]:
    """The measures: a rate, the latency of the same operation, the cost in CPU; else several rates.

    Of all that most groups have, primary ones first.
    """
    runs = [[run.id for run in group.runs] for group in groups]
    there = [
        name
        for name, own in values.items()
        if METRICS[name.metric].higher_is_better is not None
        and own
        and sum(any(run in own for run in each) for each in runs) * 2 > len(runs)
    ]
    there.sort(key=lambda name: name not in primary)
    if not there:
        return []
    first = there[0]
    found = [first]
    by_family: dict[str, MeasureName] = {}
    for name in there[1:]:
        if name.operation in (first.operation, "run"):
            by_family.setdefault(_kind(name), name)
    by_family.pop(_kind(first), None)
    found += by_family.values()
    if len(found) == 1:
        found += [
            name
            for name in there[1:]
            if (name.metric, name.statistic) == (first.metric, first.statistic)
        ]
    return found[:MOST_MEASURES]


def _kind(name: MeasureName) -> str:
    """Rates are one kind: of one block size IOPS and throughput are the same number."""
    metric = METRICS[name.metric]
    return "rate" if metric.higher_is_better else metric.family


def _measure(
    name: MeasureName,
    groups: Sequence[Group],
    values: Mapping[MeasureName, ByRun],
    *,
    binary: bool,
) -> FrontMeasure:
    metric = METRICS[name.metric]
    own = [_median(group, values[name]) for group in groups]
    unit = shown_unit(metric, [one for one in own if one], binary=binary)
    return FrontMeasure(
        str(name), measure_title(name), metric.unit, unit, metric.higher_is_better is True
    )


def _median(group: Group, values: ByRun) -> float | None:
    own = [values[run.id] for run in group.runs if run.id in values]
    return median(own) if own else None
