"""Bytes to what can be stored of them, as far as that goes without a database.

Of the files of one request, a spool holds in memory what is little, and the rest on disk.
"""

from __future__ import annotations

import hashlib
import pickle
import threading
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from tempfile import TemporaryFile
from types import TracebackType
from typing import IO, Self

import zstandard

from benchdash import parsers
from benchdash.errors import Refused
from benchdash.parsers.archives import Member, members
from benchdash.parsers.result import Result
from benchdash.parsers.unpacking import Budget, kind_of
from benchdash.results.storable import storable_result

HELD_BYTES = 2 * 2**20  # of files as they were uploaded: what is made of them is a few times that


class _Compressor(threading.local):
    """A compressor a thread: making one takes longer than a small file."""

    def __init__(self) -> None:
        self.zstd = zstandard.ZstdCompressor(level=3)


_compressor = _Compressor()


@dataclass(frozen=True, slots=True)
class File:
    """A file as it was uploaded; `name` may be a path in a folder that was dropped."""

    name: str
    data: bytes


@dataclass(slots=True, eq=False)
class Reading:
    """One file, one archive (`is_archive`), or one member of an archive (`outer`).

    `sentence` tells why nothing was read, or what of it is incomplete. `compressed` and
    `results` are empty until `read`, which what is stored already is spared; `count` is how many
    results there are, also while they are put away. A log (`is_log`) has points over time and
    nothing else.
    """

    name: str
    sha256: str
    data: bytes
    outer: Reading | None = None
    is_archive: bool = False
    sentence: str = ""
    size_bytes: int = 0
    compressed: bytes = b""
    results: list[Result] = field(default_factory=list)
    count: int = 0
    is_log: bool = False

    def read(self, budget: Budget) -> None:
        """Parse and compress."""
        if not (self.is_archive or self.sentence):
            self._parse(self.data, self.name)
            try:
                budget.count_results(self.count)
            except Refused as refused:
                self.sentence, self.results, self.count = refused.sentence, [], 0
        self.compress()

    def read_as(self, name: str) -> None:
        """Parse once more, with more in the name: the hint that fio's logs depend on."""
        self._parse(zstandard.decompress(self.compressed), name)

    def compress(self) -> None:
        """The bytes as they are stored; the plain ones are let go."""
        self.size_bytes = len(self.data)
        self.compressed = _compressor.zstd.compress(self.data)
        self.data = b""

    def _parse(self, data: bytes, name: str) -> None:
        try:
            parsed = parsers.parse(data, name)
            self.results = [storable_result(result) for result in parsed.results]
        except Refused as refused:
            self.sentence = refused.sentence
        else:
            self.sentence = parsed.incomplete or ""
        self.count = len(self.results)
        self.is_log = bool(self.results) and all(
            each.traces and not each.by_name() for each in self.results
        )


def readings_of(file: File, budget: Budget) -> Iterator[Reading]:
    """The file, or the archive and then its members, one by one; nothing is parsed yet.

    Why an archive is incomplete, and whether it is one at all, is known only at its end.
    """
    outer = Reading(file.name, digest(file.data), file.data)
    if kind_of(file.data) is None:
        yield outer
        return
    outer.is_archive = True
    yield outer
    has_members = False
    for member in members(file.data, file.name, budget):
        if member.archive:
            has_members = True
            yield _member(member, outer)
        else:
            outer.sentence = member.error
        del member  # it is not held while the next one is unpacked
    outer.is_archive = has_members


def _member(member: Member, outer: Reading) -> Reading:
    """What cannot be unpacked has no bytes of its own: the archive keeps them."""
    if member.data is None:
        return Reading(member.name, outer.sha256, b"", outer, sentence=member.error)
    sentence = member.error
    return Reading(member.name, digest(member.data), member.data, outer, sentence=sentence)


def digest(data: bytes) -> str:
    """The content's key."""
    return hashlib.sha256(data).hexdigest()


class Spool:
    """Readings whose bytes and results are put away, and taken again a portion at a time."""

    def __init__(self) -> None:
        self._held_bytes = 0
        self._disk: IO[bytes] | None = None
        self._places: dict[Reading, tuple[int, int]] = {}  # where its bytes begin, and how many

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        _kind: type[BaseException] | None,
        _error: BaseException | None,
        _trace: TracebackType | None,
    ) -> None:
        if self._disk:
            self._disk.close()

    def put(self, reading: Reading) -> None:
        """Take what was read into care."""
        if self._held_bytes + reading.size_bytes <= HELD_BYTES:
            self._held_bytes += reading.size_bytes
            return
        self._disk = self._disk or TemporaryFile(prefix="benchdash-")  # noqa: SIM115 - ours till the end
        self._places[reading] = self._disk.seek(0, 2), self._disk.write(reading.compressed)
        pickle.dump(reading.results, self._disk, pickle.HIGHEST_PROTOCOL)
        reading.compressed, reading.results = b"", []

    def portions(
        self, readings: Iterable[Reading], with_results: bool = True
    ) -> Iterator[Sequence[Reading]]:
        """The readings in their order, as many at once as may be in memory; all, while they are few."""
        portion: list[Reading] = []
        size = 0
        for reading in readings:
            if portion and size + reading.size_bytes > HELD_BYTES:
                with self.loaded(portion, with_results):
                    yield portion
                portion, size = [], 0
            portion.append(reading)
            size += reading.size_bytes
        if portion:
            with self.loaded(portion, with_results):
                yield portion

    @contextmanager
    def loaded(self, readings: Sequence[Reading], with_results: bool = True) -> Iterator[None]:
        """While the block runs, the readings have their bytes, and their results if wanted."""
        away = [each for each in readings if each in self._places]
        for reading in away:
            assert self._disk is not None
            start, length = self._places[reading]
            self._disk.seek(start)
            reading.compressed = self._disk.read(length)
            if with_results:
                # only what this process has written is ever read from it
                reading.results = pickle.load(self._disk)  # noqa: S301
        try:
            yield
        finally:
            for reading in away:
                reading.compressed, reading.results = b"", []
