"""What a median hides: percentiles of latencies, and measures over time, of groups or runs."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from datetime import datetime
from typing import NamedTuple

import numpy
from django.db.models import F

from benchdash.analysis.drawing import Stretch, stretches
from benchdash.analysis.summary import quantile
from benchdash.prepared import OneOf, Prepared
from benchdash.results.comparison.groups import Group
from benchdash.results.comparison.measures import Numbers, Values
from benchdash.results.comparison.view_curves import (
    Curve,
    Curves,
    OverTime,
    Percentile,
    TraceLine,
    TraceStretch,
)
from benchdash.results.models import Trace
from benchdash.results.traces import points_of
from benchdash.vocabulary.measures import MeasureName, percentile

# more lines than this are not distinguishable
MOST_CURVES = MOST_TRACES = 12
# of each: a chart has about one for every three pixels
MOST_STRETCHES = 200


class DrawnTrace(NamedTuple):
    """A trace as it is drawn: what all its `points` amount to, and its stretches.

    Values are in base units, those of stretches to six digits.
    """

    points: int
    seconds: float
    lowest: float
    mean: float
    highest: float
    stretches: tuple[Stretch, ...]


class RunTrace(NamedTuple):
    """One measure of a run over time; not drawn where others of its kind are enough."""

    run: int
    operation: str
    metric: str
    drawn: DrawnTrace | None


class Behind(NamedTuple):
    """What stands behind the figures of one part."""

    percentiles: tuple[Curves, ...]
    over_time: tuple[OverTime, ...]


def read_behind(
    parts: Sequence[Sequence[Group]], numbers: Numbers, traces: Sequence[RunTrace] | None
) -> tuple[list[Behind], tuple[RunTrace, ...]]:
    """What stands behind the figures of each part, and all traces: read where they are not given."""
    known = read_traces(numbers.shown, parts) if traces is None else traces
    behind = [Behind(curves_of(numbers.beside, part), over_time(known, part)) for part in parts]
    return behind, tuple(known)


def curves_of(values: Values, groups: Sequence[Group]) -> tuple[Curves, ...]:
    """The curves of each latency whose percentiles are in `values`, where a group has two."""
    found = []
    percentiles = [name for name in values if percentile(name.statistic) is not None]
    for operation, metric in dict.fromkeys((one.operation, one.metric) for one in percentiles):
        names = [one for one in percentiles if (one.operation, one.metric) == (operation, metric)]
        every = [_curve(group, names, values) for group in groups]
        drawn = [curve for curve in every if len(curve.points) > 1]
        if drawn:
            shown = tuple(drawn[:MOST_CURVES])
            found.append(Curves(operation, metric, shown, len(drawn) - len(shown)))
    return tuple(found)


def _curve(group: Group, names: Sequence[MeasureName], values: Values) -> Curve:
    points = (_point(group, name, values[name]) for name in names)
    known = sorted((point for point in points if point), key=lambda point: point.percent)
    return Curve(group.label, group.slot, tuple(known))


def _point(group: Group, name: MeasureName, values: dict[int, float]) -> Percentile | None:
    own = sorted(values[run.id] for run in group.runs if run.id in values)
    percent = percentile(name.statistic)
    if not own or percent is None:
        return None
    return Percentile(percent, quantile(own, 0.5), len(own))


def read_traces(shown: Values, parts: Sequence[Sequence[Group]]) -> list[RunTrace]:
    """The traces of what is `shown`; two queries, one where there is none.

    Of each part (groups that are compared with each other) and metric twelve are drawn: the first
    of each group, then the second of each.
    """
    samples = {
        pk: run.id
        for groups in parts
        for group in groups
        for run in group.runs
        for pk in run.members
    }
    kinds = {(measure.operation, measure.metric) for measure in shown}
    by_metric: dict[str, list[tuple[str, Collection[int]]]] = {}
    for measure, values in shown.items():
        by_metric.setdefault(measure.metric, []).append((measure.operation, values.keys()))
    there = []
    for pk, run, side, metric in _TRACES([*samples]):
        own = (one for one, measured in by_metric.get(metric, ()) if samples[run] in measured)
        operation = with_pattern(side, own)
        if (operation, metric) in kinds:
            there.append((pk, run, operation, metric))
    chosen = {pk for groups in parts for pk in _chosen(there, groups)}
    traces = Trace.objects.filter(pk__in=chosen) if chosen else ()
    drawn = {trace.pk: _drawn(trace) for trace in traces}
    return [RunTrace(run, operation, metric, drawn.get(pk)) for pk, run, operation, metric in there]


def with_pattern(side: str, operations: Iterable[str]) -> str:
    """The one of these `operations` that a side is of, else the side: of `write` `rand_write`.

    fio's bare logs name the side alone, the numbers of their run the pattern too.
    """
    found = {operation for operation in operations if operation.partition("_")[2] == side}
    return found.pop() if len(found) == 1 else side


_TRACES = Prepared(
    lambda runs: (
        Trace.objects.filter(OneOf(F("run_id"), runs))
        .order_by("pk")
        .values_list("pk", "run", "measure__operation", "measure__metric")
    )
)


def over_time(traces: Sequence[RunTrace], groups: Sequence[Group]) -> tuple[OverTime, ...]:
    """The traces of `groups`, one figure for each metric of an operation."""
    owners = {pk for group in groups for run in group.runs for pk in run.members}
    by_kind: dict[tuple[str, str], list[RunTrace]] = {}
    for trace in traces:
        if trace.run in owners:
            by_kind.setdefault((trace.operation, trace.metric), []).append(trace)
    figures = []
    for kind, own in by_kind.items():
        drawn: dict[int, list[DrawnTrace]] = {}
        for trace in own:
            if trace.drawn:
                drawn.setdefault(trace.run, []).append(trace.drawn)
        lines = tuple(
            _line(group, pk, each, run.started_at)
            for group in groups
            for run in group.runs
            for pk in run.members
            for each in drawn.get(pk, ())
        )
        if any(line.points > 1 for line in lines):  # a single point is no course
            figures.append(OverTime(*kind, lines, len(own) - len(lines)))
    return tuple(figures)


def _line(group: Group, run: int, drawn: DrawnTrace, began: datetime | None) -> TraceLine:
    numbers = drawn._asdict()
    stretches = tuple(TraceStretch(*stretch) for stretch in numbers.pop("stretches"))
    started = began.timestamp() if began else None
    return TraceLine(group.label, group.slot, run, **numbers, stretches=stretches, started=started)


def _chosen(there: Sequence[tuple[int, int, str, str]], groups: Sequence[Group]) -> Iterable[int]:
    places = {
        pk: (nth, place)
        for place, group in enumerate(groups)
        for nth, run in enumerate(group.runs)
        for pk in run.members
    }
    own = sorted((row for row in there if row[1] in places), key=lambda row: places[row[1]])
    counts: dict[tuple[str, str], int] = {}
    for pk, _run, operation, metric in own:
        before = counts.get((operation, metric), 0)
        counts[operation, metric] = before + 1
        if before < MOST_TRACES:
            yield pk


def _drawn(trace: Trace) -> DrawnTrace | None:
    seconds, values = (numpy.asarray(part) for part in points_of(trace))
    if not len(values):
        return None
    return DrawnTrace(
        points=len(values),
        seconds=float(numpy.ptp(seconds)),
        lowest=float(values.min()),
        mean=float(values.mean()),
        highest=float(values.max()),
        stretches=tuple(
            Stretch(*(float(f"{number:.6g}") for number in stretch))
            for stretch in stretches(seconds, values, MOST_STRETCHES)
        ),
    )
