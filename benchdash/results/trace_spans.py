"""A span of traces, in stretches as fine as a chart can show: what comes into sight when one zooms."""

from __future__ import annotations

from collections.abc import Collection
from typing import NamedTuple

import numpy

from benchdash.analysis.drawing import Stretch, stretches
from benchdash.results.models import Run, Trace
from benchdash.results.traces import points_of

# of a request, and of each trace: about one for every other pixel
MOST_TRACES, MOST_STRETCHES = 12, 400


class Span(NamedTuple):
    """From one time to another, in seconds; `by_wall` since 1970, else since each run began."""

    from_s: float
    until_s: float
    by_wall: bool = False


class SpanOfRun(NamedTuple):
    """What a run did in it, by seconds since it began; `points` are those that were measured."""

    run: int
    points: int
    stretches: tuple[Stretch, ...]


def span_of(runs: Collection[Run], operation: str, metric: str, span: Span) -> list[SpanOfRun]:
    """The first twelve traces of `runs`, in the order in which they were stored; one query.

    With the points just before and behind it, so that lines reach both edges. A run without a start
    has no place on the wall clock.
    """
    began = {
        run.pk: run.started_at.timestamp() if span.by_wall and run.started_at else 0.0
        for run in runs
        if run.started_at or not span.by_wall
    }
    traces = Trace.objects.filter(
        run__in=list(began), measure__operation=operation, measure__metric=metric
    )
    found = []
    for trace in traces.order_by("pk")[:MOST_TRACES]:
        start = began[trace.run_id]
        found.append(_cut(trace, span.from_s - start, span.until_s - start))
    return found


def _cut(trace: Trace, from_s: float, until_s: float) -> SpanOfRun:
    seconds, values = (numpy.asarray(part) for part in points_of(trace))
    first = max(0, int(numpy.searchsorted(seconds, from_s)) - 1)
    last = int(numpy.searchsorted(seconds, until_s, side="right")) + 1
    own, numbers = seconds[first:last], values[first:last]
    return SpanOfRun(trace.run_id, len(own), stretches(own, numbers, MOST_STRETCHES))
