"""Measures over time, of several runs over each other: what a mean hides."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from benchdash.analysis.decimation import Stretch, stretches
from benchdash.results.comparison.grouping import Group
from benchdash.results.models import Trace
from benchdash.results.parameters import MeasureName
from benchdash.results.trace_arrays import points_of

# more lines than this cannot be told apart
MOST_TRACES = 12
# of each: a chart has about one for every three pixels
MOST_STRETCHES = 200


class Drawn(NamedTuple):
    """A trace as it is drawn: what all its `points` amount to, and its stretches.

    Values are in base units, those of stretches to six digits.
    """

    points: int
    seconds: float
    lowest: float
    mean: float
    highest: float
    stretches: tuple[Stretch, ...]


class Course(NamedTuple):
    """One measure of a run over time; not drawn where others of its kind are enough."""

    run: int
    operation: str
    metric: str
    drawn: Drawn | None


@dataclass(frozen=True, slots=True)
class Line:
    """One trace in its group; `nth` counts the lines of its colour from 0."""

    label: str
    slot: int
    nth: int
    run: int
    drawn: Drawn


@dataclass(frozen=True, slots=True)
class OverTime:
    """The lines of one metric of one operation; `left_out` counts the traces not drawn."""

    operation: str
    metric: str
    lines: tuple[Line, ...]
    left_out: int


def read_courses(measures: Iterable[MeasureName], parts: Sequence[Sequence[Group]]) -> list[Course]:
    """The traces of what `measures` are about; two queries.

    Of each part (groups that are compared with each other) and metric twelve are drawn: the first
    of each group, then the second of each.
    """
    runs = [run.id for groups in parts for group in groups for run in group.runs]
    kinds = {(measure.operation, measure.metric) for measure in measures}
    rows = Trace.objects.filter(run__in=runs).order_by("pk")
    found = rows.values_list("pk", "run", "measure__operation", "measure__metric")
    there = [row for row in found if row[2:] in kinds]
    chosen = {pk for groups in parts for pk in _chosen(there, groups)}
    drawn = {trace.pk: _drawn(trace) for trace in Trace.objects.filter(pk__in=chosen)}
    return [Course(run, operation, metric, drawn.get(pk)) for pk, run, operation, metric in there]


def overlays(courses: Sequence[Course], groups: Sequence[Group]) -> tuple[OverTime, ...]:
    """The courses of `groups`, one figure for each metric of an operation."""
    owners = {run.id: group for group in groups for run in group.runs}
    kinds = dict.fromkeys((one.operation, one.metric) for one in courses if one.run in owners)
    figures = []
    for kind in kinds:
        own = [one for one in courses if one.run in owners and (one.operation, one.metric) == kind]
        lines = tuple(_lines(own, groups))
        if lines:
            figures.append(OverTime(*kind, lines, len(own) - len(lines)))
    return tuple(figures)


def _chosen(there: Sequence[tuple[int, int, str, str]], groups: Sequence[Group]) -> Iterable[int]:
    places = {
        run.id: (nth, place)
        for place, group in enumerate(groups)
        for nth, run in enumerate(group.runs)
    }
    own = sorted((row for row in there if row[1] in places), key=lambda row: places[row[1]])
    counts: dict[tuple[str, str], int] = {}
    for pk, _run, operation, metric in own:
        before = counts.get((operation, metric), 0)
        counts[operation, metric] = before + 1
        if before < MOST_TRACES:
            yield pk


def _drawn(trace: Trace) -> Drawn | None:
    import numpy  # noqa: PLC0415 - heavy: pages without a trace start without it

    seconds, values = (numpy.asarray(part) for part in points_of(trace))
    if not len(values):
        return None
    return Drawn(
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


def _lines(courses: Sequence[Course], groups: Sequence[Group]) -> Iterable[Line]:
    by_run: dict[int, list[Drawn]] = {}
    for course in courses:
        if course.drawn:
            by_run.setdefault(course.run, []).append(course.drawn)
    counts: dict[int, int] = {}
    for group in groups:
        own = [(run.id, drawn) for run in group.runs for drawn in by_run.get(run.id, ())]
        for run_id, drawn in own:
            nth = counts.get(group.slot, 0)
            counts[group.slot] = nth + 1
            yield Line(group.label, group.slot, nth, run_id, drawn)
