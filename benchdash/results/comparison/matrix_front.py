"""Which groups of a part nothing beats in two or three measures at once."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import median

from benchdash.analysis.pareto import front
from benchdash.results.comparison import matrix_sentences as words
from benchdash.results.comparison.evidence import ByRun
from benchdash.results.comparison.groups import Group
from benchdash.results.comparison.measures import Numbers
from benchdash.results.comparison.view_matrix import Front, FrontMeasure, FrontPoint
from benchdash.results.titles import measure_title
from benchdash.vocabulary.measures import METRICS, MeasureName
from benchdash.vocabulary.prefixes import shown_unit

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
