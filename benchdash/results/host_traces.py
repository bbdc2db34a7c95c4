"""What hosts did beside a run: stored with it, on its own clock, and read again."""

from __future__ import annotations

from typing import Any, NamedTuple

import msgspec
import zstandard
from django.db.models import QuerySet

from benchdash.capture.counters import Counters, HostSeries, Spread, host_series
from benchdash.results.models import HostTrace, Run
from benchdash.results.moments import moments_of, placed
from benchdash.results.storable import storable_text

_LONGEST_NAME = 100


class Points(NamedTuple):
    """Values for each of `seconds` since the run began, None where there is none."""

    seconds: list[float]
    by_quantity: dict[str, list[Spread | None]]


def store_host_traces(artifact: int, role: str, counters: Counters) -> None:
    """The traces of what was read from `artifact`, which a host in this role measured."""
    HostTrace.objects.bulk_create(
        _row(run, role, position, series)
        for moment, *span in placed(moments_of(artifact), counters.first_s, counters.last_s)
        for position, series in enumerate(host_series(counters, *span))
        for run in moment.firsts
    )


def _row(run: int, role: str, position: int, series: HostSeries) -> HostTrace:
    return HostTrace(
        run_id=run,
        role=role,
        position=position,
        part=series.kind,
        name=storable_text(series.name, _LONGEST_NAME),
        title=storable_text(series.title, _LONGEST_NAME),
        depth=series.depth,
        points=len(series.seconds),
        quantities={name: list(spread) for name, spread in series.whole.items()},
        series=_packed(series),
    )


def _packed(series: HostSeries) -> bytes:
    """Of each quantity the means alone, where nothing was thinned."""
    columns = {
        name: [None if one is None else one.mean for one in some]
        if all(one is None or one.lowest == one.highest for one in some)
        else some
        for name, some in series.quantities.items()
    }
    return zstandard.compress(msgspec.json.encode([series.seconds, columns]), 9)


def points_of(trace: HostTrace) -> Points:
    """The points as they were stored."""
    seconds, columns = msgspec.json.decode(zstandard.decompress(bytes(trace.series)))
    return Points(seconds, {name: [*map(_spread, some)] for name, some in columns.items()})


def _spread(stored: Any) -> Spread | None:
    if stored is None:
        return None
    return Spread(*stored) if isinstance(stored, list) else Spread(stored, stored, stored)


def host_traces(run: Run) -> QuerySet[HostTrace]:
    """Those of the run's sample, over all hosts that measured it."""
    return HostTrace.objects.filter(run__sample=run.sample_id).order_by("role", "position")
