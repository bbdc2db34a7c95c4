"""When something was measured, how well that is known, and which results of a file ran at the same time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import F, Max, Q

from benchdash.results.models import Run

# A tool's run times and what was looked at are not to the second: their sum may be longer.
_TOLERANCE_S, _TOLERANCE = 2.0, 1.05


def is_rough(tool: str, version: str, started_at: datetime) -> bool:
    """Whether a start may be hours off.

    What bonnie++ prints as its seed is the time XOR its process number [bonnie++.cpp, 2.00a]: in
    whole seconds, which no start that a job recorded has. 1.0x has no seed.
    """
    return tool == "bonnie++" and not version.startswith("1.0") and not started_at.microsecond


@dataclass(slots=True)
class Moment:
    """What ran at the same time: its runs, the first of each of its samples, and for how long."""

    runs: list[int] = field(default_factory=list)
    firsts: list[int] = field(default_factory=list)
    seconds: float | None = None


class Placed(NamedTuple):
    """When a moment was, in seconds of some clock."""

    moment: Moment
    since_s: float
    until_s: float


def moments_of(artifact: int) -> list[Moment]:
    """Those of a file in the order in which they ran; one query."""
    found = (
        Run.objects.filter(artifact=artifact, withdrawn_at=None)
        .order_by("position")
        .annotate(
            seconds=Max("measurements__value", filter=Q(measurements__measure__metric="duration")),
            number=F("execution__number"),
        )
        .values_list("pk", "sample", "number", "details__groupid", "seconds")
    )
    moments: dict[tuple[int, Any], Moment] = {}
    samples = set()
    for pk, sample, number, group, seconds in found:
        moment = moments.setdefault((number, group), Moment())
        moment.runs.append(pk)
        if sample not in samples:
            samples.add(sample)
            moment.firsts.append(pk)
        if seconds:
            moment.seconds = max(seconds, moment.seconds or 0.0)
    return list(moments.values())


def lengths_s(moments: Iterable[Moment]) -> float:
    """How long they took one after the other, as far as that is known."""
    return sum(moment.seconds or 0.0 for moment in moments)


def placed(moments: Sequence[Moment], first_s: float, last_s: float) -> Iterator[Placed]:
    """When each of them was, of which the last one ended at `last_s`.

    Counted back from the end: a tool lays out its files before it measures, and then ends. One of
    unknown length is all of the time; several whose lengths are not known, or do not fit, have no
    place.
    """
    known = [moment.seconds for moment in moments if moment.seconds is not None]
    fits = (
        len(known) == len(moments) and sum(known) <= (last_s - first_s) * _TOLERANCE + _TOLERANCE_S
    )
    if not fits and len(moments) == 1:
        yield Placed(moments[0], first_s, last_s)
    if not fits:
        return
    for place, moment in enumerate(moments):
        until_s = last_s - sum(known[place + 1 :])
        yield Placed(moment, max(first_s, until_s - known[place]), until_s)
