"""The log of a job for those who watch: what its steps printed, in the order in which it came.

A place in it is a number of bytes; each piece knows where it ends, so that a watcher who was cut
off goes on there.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from functools import reduce
from operator import or_
from zlib import crc32

from django.db.models import Max, Q
from django.db.models.functions import Length

from benchdash.jobs.models import Job, JobStep, KnobChange, LogChunk
from benchdash.jobs.progress import ENDED

LOG = (LogChunk.Stream.OUT, LogChunk.Stream.ERR)
EVERYTHING = (*LOG, LogChunk.Stream.CPU)
MOST_BYTES = 2**20
MOST_PIECES = 500


@dataclass(frozen=True, slots=True)
class Place:
    """Behind the chunk `chunk` (0: at the beginning), which ends at byte `offset`."""

    chunk: int = 0
    offset: int = 0

    def __str__(self) -> str:
        return f"{self.chunk}-{self.offset}"

    @classmethod
    def read(cls, text: str) -> Place:
        """What `str` wrote; the beginning for anything else."""
        found = re.fullmatch(r"(\d{1,18})-(\d{1,18})", text, re.ASCII)
        return cls(int(found[1]), int(found[2])) if found else cls()


@dataclass(frozen=True, slots=True)
class Piece:
    """Bytes that one step printed at once; `end` is the place behind them."""

    step: int
    stream: str
    data: bytes
    end: Place


def steps_of(job: int) -> tuple[int, ...]:
    """Ids of a job's steps, which never change."""
    return tuple(JobStep.objects.filter(job=job).values_list("pk", flat=True))


def place_at(job: int, offset: int) -> Place:
    """The last place between two chunks that is not behind `offset`."""
    found = Place()
    for chunk, size in _sizes(job):
        if found.offset + size > offset:
            break
        found = Place(chunk, found.offset + size)
    return found


def last_place(job: int, tail_bytes: int) -> Place:
    """The place from which about the last `tail_bytes` come."""
    total = sum(size for _chunk, size in _sizes(job))
    return place_at(job, max(0, total - tail_bytes))


def pieces_after(job: int, place: Place, streams: Collection[str] = LOG) -> list[Piece]:
    """What came after a place, about MOST_BYTES of it."""
    return news({job: place}, {job: steps_of(job)}, streams).get(job, [])


def news(
    places: Mapping[int, Place],
    steps: Mapping[int, tuple[int, ...]],
    streams: Collection[str] = LOG,
) -> dict[int, list[Piece]]:
    """What came after each job's place, in one query however many are watched.

    Chunks of one job are stored under its lock, so their ids grow in the order in which they are
    seen.
    """
    if not places:
        return {}
    asked = (Q(step__in=steps[job], pk__gt=place.chunk) for job, place in places.items())
    found = LogChunk.objects.filter(reduce(or_, asked), stream__in=streams).order_by("pk")
    job_of = {step: job for job, ids in steps.items() for step in ids}
    grown = dict(places)
    pieces: dict[int, list[Piece]] = {}
    taken = 0
    for chunk in found[:MOST_PIECES].iterator():
        job, data = job_of[chunk.step_id], bytes(chunk.data)
        size = len(data) if chunk.stream in LOG else 0
        grown[job] = Place(chunk.pk, grown[job].offset + size)
        pieces.setdefault(job, []).append(Piece(chunk.step_id, chunk.stream, data, grown[job]))
        taken += len(data)
        if taken >= MOST_BYTES:
            break
    return pieces


def read_log(job: int, offset: int) -> tuple[bytes, int]:
    """(bytes from `offset`, the offset to ask for next); about MOST_BYTES at once."""
    place = place_at(job, offset)
    pieces = pieces_after(job, place)
    data = b"".join(piece.data for piece in pieces)[max(0, offset - place.offset) :]
    return data, (offset + len(data) if data else min(offset, place.offset))


@dataclass(frozen=True, slots=True)
class Standing:
    """`version` changes with all that a job's page shows beside the log."""

    version: str
    ended: bool


def standings(jobs: Iterable[int]) -> dict[int, Standing]:
    """How the jobs stand; three queries however many there are."""
    told: dict[int, list[object]] = {job: [] for job in jobs}
    ended = set()
    states = Job.objects.filter(pk__in=told).annotate(last_event=Max("events__pk"))
    for pk, state, event in states.values_list("pk", "state", "last_event"):
        told[pk] += [state, event]
        ended |= {pk} if state in ENDED else set()
    steps = JobStep.objects.filter(job__in=told).order_by("pk")
    for pk, step in steps.values_list("job", "state"):
        told[pk].append(step)
    changes = KnobChange.objects.filter(step__job__in=told).order_by("pk")
    for pk, *change in changes.values_list("step__job", "changed_at", "restored_at", "trouble"):
        told[pk].append(change)
    return {
        job: Standing(f"{crc32(repr(words).encode()):x}", job in ended)
        for job, words in told.items()
    }


def _sizes(job: int) -> list[tuple[int, int]]:
    """(id, bytes) of every chunk, in order."""
    chunks = LogChunk.objects.filter(step__in=steps_of(job), stream__in=LOG).order_by("pk")
    return list(chunks.annotate(size=Length("data")).values_list("pk", "size"))
