"""The output of a job's steps as it came: each byte stored once, in order; and read by those who watch.

A position in a job's log is a number of bytes; each piece knows where it ends, so that a watcher
who was cut off goes on there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from zlib import crc32

from django.conf import settings
from django.db.models import Max, Q, QuerySet
from django.db.models.functions import Length

from benchdash.errors import N_
from benchdash.jobs.job_states import ENDED
from benchdash.jobs.leases import fenced
from benchdash.jobs.models import Job, JobStep, LogChunk, TunableChange

LOG = (LogChunk.Stream.OUT, LogChunk.Stream.ERR)
EVERYTHING = (*LOG, LogChunk.Stream.CPU)
MOST_BYTES = 2**20
MOST_PIECES = 500
PIECE_BYTES = 2**18
_LAST_PIECES = 4  # what a tool prints in one go may come in several
_USAGE = re.compile(r"^\s*usage:", re.IGNORECASE | re.MULTILINE)


class TooMuchOutputError(Exception):
    """A step printed more than may be stored; its text is a sentence."""


def received(step: JobStep, stream: str) -> int:
    """How many bytes of a stream are stored: the offset from which to go on."""
    return int(step.received.get(stream, 0))


def store(job: Job, step: JobStep, stream: str, data: bytes) -> None:
    """Add the bytes that follow what is stored; LeaseLostError where another worker adds them.

    The bytes and the new offset are one transaction: after a crash both are there or neither.
    TooMuchOutputError where not all of them may be kept; those that fit are.
    """
    offset = received(step, stream)
    # bounded here too: the bytes come from a host, and a host may print for ever
    fitting = data[: settings.MAX_UPLOAD_BYTES - offset]
    if fitting:
        _store(job, step, stream, fitting)
    if len(fitting) < len(data):
        raise TooMuchOutputError(N_("The output is too large to be stored."))


def _store(job: Job, step: JobStep, stream: str, data: bytes) -> None:
    offset = received(step, stream)
    after = step.received | {stream: offset + len(data)}
    with fenced(job):
        LogChunk.objects.bulk_create(
            LogChunk(
                step=step, stream=stream, offset=offset + start, data=data[start:][:PIECE_BYTES]
            )
            for start in range(0, len(data), PIECE_BYTES)
        )
        JobStep.objects.filter(pk=step.pk).update(received=after)
    step.received = after


def whole(step: JobStep, stream: str = LogChunk.Stream.OUT) -> bytes:
    """All that is stored of a stream."""
    pieces = step.chunks.filter(stream=stream).order_by("offset").values_list("data", flat=True)
    return b"".join(map(bytes, pieces))


def printed_as(artifacts: Collection[int]) -> QuerySet[LogChunk]:
    """What steps printed where their output is one of these files."""
    return LogChunk.objects.filter(
        step__artifact__in=artifacts, step__result="", stream=LogChunk.Stream.OUT
    )


def purge(artifacts: Collection[int]) -> None:
    """Remove what was printed as one of these files, for good; the log says so in its place."""
    printed = printed_as(artifacts)
    printed.filter(offset=0).update(data=b"[An admin purged this output.]\n")
    printed.exclude(offset=0).delete()


def last_lines(step: JobStep, stream: str, lines: int = 3, most: int = 600) -> str:
    """The end of a stream as text for a sentence: of a tool that then prints its usage, what is before."""
    newest = step.chunks.filter(stream=stream).order_by("-offset").values_list("data", flat=True)
    data = b"".join(map(bytes, reversed(newest[:_LAST_PIECES])))[-PIECE_BYTES:]
    text = data.decode("utf-8", "replace")
    before = _USAGE.split(text, maxsplit=1)[0]
    printed = [line.strip() for line in (before.strip() or text).splitlines() if line.strip()]
    return " / ".join(printed[-lines:])[-most:]


@dataclass(frozen=True, slots=True)
class LogPosition:
    """Behind the chunk `chunk` (0: at the beginning), which ends at byte `offset`."""

    chunk: int = 0
    offset: int = 0

    def __str__(self) -> str:
        return f"{self.chunk}-{self.offset}"

    @classmethod
    def read(cls, text: str) -> LogPosition:
        """What `str` wrote; the beginning for anything else."""
        found = re.fullmatch(r"(\d{1,18})-(\d{1,18})", text, re.ASCII)
        return cls(int(found[1]), int(found[2])) if found else cls()


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes that one step printed at once; `end` is the position behind them."""

    step: int
    stream: str
    data: bytes
    end: LogPosition


def steps_of(job: int) -> tuple[int, ...]:
    """Ids of a job's steps, which never change."""
    return tuple(JobStep.objects.filter(job=job).values_list("pk", flat=True))


def position_at(job: int, offset: int) -> LogPosition:
    """The last position between two chunks that is not behind `offset`."""
    found = LogPosition()
    for chunk, size in _sizes(job):
        if found.offset + size > offset:
            break
        found = LogPosition(chunk, found.offset + size)
    return found


def tail_position(job: int, tail_bytes: int) -> LogPosition:
    """The position from which about the last `tail_bytes` come."""
    total = sum(size for _chunk, size in _sizes(job))
    return position_at(job, max(0, total - tail_bytes))


def pieces_after(job: int, position: LogPosition, streams: Collection[str] = LOG) -> list[Piece]:
    """What came after a position, about MOST_BYTES of it."""
    return new_pieces({job: position}, {job: steps_of(job)}, streams).get(job, [])


def new_pieces(
    positions: Mapping[int, LogPosition],
    steps: Mapping[int, tuple[int, ...]],
    streams: Collection[str] = LOG,
) -> dict[int, list[Piece]]:
    """What came after each job's position, in one query however many are watched.

    Chunks of one job are stored under its lock, so their ids grow in the order in which they are
    seen.
    """
    if not positions:
        return {}
    behind = (Q(step__in=steps[job], pk__gt=position.chunk) for job, position in positions.items())
    found = LogChunk.objects.filter(reduce(or_, behind), stream__in=streams).order_by("pk")
    job_of = {step: job for job, ids in steps.items() for step in ids}
    grown = dict(positions)
    pieces: dict[int, list[Piece]] = {}
    taken = 0
    for chunk in found[:MOST_PIECES].iterator():
        job, data = job_of[chunk.step_id], bytes(chunk.data)
        size = len(data) if chunk.stream in LOG else 0
        grown[job] = LogPosition(chunk.pk, grown[job].offset + size)
        pieces.setdefault(job, []).append(Piece(chunk.step_id, chunk.stream, data, grown[job]))
        taken += len(data)
        if taken >= MOST_BYTES:
            break
    return pieces


def read_log(job: int, offset: int) -> tuple[bytes, int]:
    """(bytes from `offset`, the offset to ask for next); about MOST_BYTES at once."""
    position = position_at(job, offset)
    pieces = pieces_after(job, position)
    data = b"".join(piece.data for piece in pieces)[max(0, offset - position.offset) :]
    return data, (offset + len(data) if data else min(offset, position.offset))


@dataclass(frozen=True, slots=True)
class StateVersion:
    """`version` changes with all that a job's page shows beside the log."""

    version: str
    ended: bool


def state_versions(jobs: Iterable[int]) -> dict[int, StateVersion]:
    """The version of each; three queries however many there are."""
    seen: dict[int, list[object]] = {job: [] for job in jobs}
    ended = set()
    states = Job.objects.filter(pk__in=seen).annotate(last_event=Max("events__pk"))
    for pk, state, event in states.values_list("pk", "state", "last_event"):
        seen[pk] += [state, event]
        ended |= {pk} if state in ENDED else set()
    steps = JobStep.objects.filter(job__in=seen).order_by("pk")
    for pk, step in steps.values_list("job", "state"):
        seen[pk].append(step)
    changes = TunableChange.objects.filter(step__job__in=seen).order_by("pk")
    for pk, *change in changes.values_list("step__job", "changed_at", "restored_at", "trouble"):
        seen[pk].append(change)
    return {
        job: StateVersion(f"{crc32(repr(values).encode()):x}", job in ended)
        for job, values in seen.items()
    }


def _sizes(job: int) -> list[tuple[int, int]]:
    """(id, bytes) of every chunk, in order."""
    chunks = LogChunk.objects.filter(step__in=steps_of(job), stream__in=LOG).order_by("pk")
    return list(chunks.annotate(size=Length("data")).values_list("pk", "size"))
