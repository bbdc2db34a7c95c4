"""When storage was not as it should be while a job ran: out of two sources, each outage once."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from benchdash.errors import N_, Sentence, side_by_side

_MOST_NAMED = 6
# states are looked at once a second, each end of a span may be so much late
_TOLERANCE_S = 2.5
# trouble: the sentences where begin and end were seen, and where one of them was not
_SENTENCES = {
    "connection": (
        N_("{name} lost its connection for {seconds} s while the job ran."),
        N_("{name} lost its connection for at least {seconds} s while the job ran."),
    ),
    "degraded": (
        N_("{name} was degraded for {seconds} s while the job ran."),
        N_("{name} was degraded for at least {seconds} s while the job ran."),
    ),
    "resync": (
        N_("{name} ran a resync or a check for {seconds} s while the job ran."),
        N_("{name} ran a resync or a check for at least {seconds} s while the job ran."),
    ),
    "disk": (
        N_("{name} was not up to date for {seconds} s while the job ran."),
        N_("{name} was not up to date for at least {seconds} s while the job ran."),
    ),
    "ceph": (
        N_("{name} was not healthy for {seconds} s while the job ran."),
        N_("{name} was not healthy for at least {seconds} s while the job ran."),
    ),
}
_BEGAN = N_("It began at {times} UTC by the host’s clock.")


@dataclass(frozen=True, slots=True)
class Span:
    """`name` was in a trouble (of `_SENTENCES`) for so long; `whole`: begin and end were both seen.

    `at`: when it began, Unix time by the host's clock.
    """

    name: str
    trouble: str
    seconds: float
    whole: bool = True
    at: float | None = None


def joined(logged: Sequence[Span], seen: Iterable[Span]) -> list[Span]:
    """What the kernel logged, with the times of what was seen of it, and what only was seen.

    The log tells lengths more exactly, unless the end is not in it: nothing need be logged after
    the begin. DRBD 8.4 logs a resource where its state names a volume: there an outage is the same
    one by its length.
    """
    known, rest, names = [*logged], [], dict[str, str]()
    taken: set[tuple[str, int]] = set()  # several volumes share an outage, one volume has each once
    for span in seen:
        same = (
            number
            for number, each in enumerate(known)
            if _is_same(each, span) and (span.name, number) not in taken
        )
        if (number := next(same, None)) is None:
            rest.append(span)
        else:
            taken.add((span.name, number))
            names[span.name] = known[number].name
            one = known[number]
            seconds = one.seconds if one.whole else max(one.seconds, span.seconds)
            known[number] = replace(one, seconds=seconds, at=one.at or span.at)
    return known + [replace(span, name=names.get(span.name, span.name)) for span in rest]


def _is_same(logged: Span, seen: Span) -> bool:
    if logged.trouble != seen.trouble:
        return False
    if logged.name != seen.name and (" " in seen.name or logged.name.count(" ") != 1):
        return False
    if logged.whole and seen.whole:
        return abs(logged.seconds - seen.seconds) <= _TOLERANCE_S
    return not seen.whole and (not logged.whole or logged.seconds >= seen.seconds - _TOLERANCE_S)


def sentence_of(spans: Sequence[Span]) -> str:
    """What befell one name."""
    by_trouble: dict[str, list[Span]] = {}
    for span in spans:
        by_trouble.setdefault(span.trouble, []).append(span)
    sentences = (part for some in by_trouble.values() for part in _sentences(some))
    return side_by_side(sentences, " ")


def _sentences(spans: Sequence[Span]) -> Iterator[str]:
    """Of one name and one trouble."""
    name, trouble = spans[0].name, spans[0].trouble
    template = _SENTENCES[trouble][0 if all(span.whole for span in spans) else 1]
    seconds = [f"{s:.0f}" if s >= 0.95 else f"{s:.1f}" for s in (span.seconds for span in spans)]
    yield Sentence(template, name=name, seconds=_first(seconds))
    times = [datetime.fromtimestamp(span.at, UTC) for span in spans if span.at is not None]
    if times:
        yield Sentence(_BEGAN, times=_first([f"{time:%Y-%m-%d %H:%M:%S}" for time in times]))


def _first(texts: Sequence[str]) -> str:
    more = ["…"] if len(texts) > _MOST_NAMED else []
    return ", ".join([*texts[:_MOST_NAMED], *more])
