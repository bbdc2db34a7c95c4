"""Bytes to what can be stored of them, as far as that goes without a database."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Iterator
from dataclasses import dataclass, field

import zstandard

from benchdash import parsers
from benchdash.errors import Refused
from benchdash.parsers.archives import Member, members
from benchdash.parsers.result import Result
from benchdash.results.storable import storable_result


class _Kept(threading.local):
    """A compressor a thread: making one takes longer than a small file."""

    def __init__(self) -> None:
        self.zstd = zstandard.ZstdCompressor(level=3)


_kept = _Kept()


@dataclass(frozen=True, slots=True)
class File:
    """A file as somebody brought it; `name` may be a path in a folder that was dropped."""

    name: str
    data: bytes


@dataclass(slots=True, eq=False)
class Reading:
    """One file, one archive (`is_archive`), or one member of an archive (`outer`).

    `sentence` says why nothing was read, or what of it is incomplete. `compressed` and
    `results` are empty until `read`, which what is stored already is spared.
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

    def read(self) -> None:
        """Parse and compress; the plain bytes are let go."""
        if not (self.is_archive or self.sentence):
            self._parse(self.data, self.name)
        self.compress()

    def read_as(self, name: str) -> None:
        """Parse once more, with more in the name: the hint that fio's logs depend on."""
        self._parse(zstandard.decompress(self.compressed), name)

    def compress(self) -> None:
        """The bytes as they are stored."""
        self.size_bytes = len(self.data)
        self.compressed = _kept.zstd.compress(self.data)
        self.data = b""

    def _parse(self, data: bytes, name: str) -> None:
        try:
            parsed = parsers.parse(data, name)
            self.results = [storable_result(result) for result in parsed.results]
        except Refused as refused:
            self.sentence = refused.sentence
        else:
            self.sentence = parsed.incomplete or ""


def readings_of(file: File) -> Iterator[Reading]:
    """The file, or the archive and then its members; nothing is parsed yet."""
    found = list(members(file.data, file.name))
    outer = Reading(file.name, _digest(file.data), file.data)
    if not any(member.archive for member in found):
        outer.sentence = found[0].error
        yield outer
        return
    outer.is_archive = True
    outer.sentence = next((member.error for member in found if not member.archive), "")
    yield outer
    for member in found:
        if member.archive:
            yield _member(member, outer)


def _member(member: Member, outer: Reading) -> Reading:
    """What cannot be unpacked has no bytes of its own: the archive keeps them."""
    if member.data is None:
        return Reading(member.name, outer.sha256, outer.data, outer, sentence=member.error)
    sentence = member.error
    return Reading(member.name, _digest(member.data), member.data, outer, sentence=sentence)


def _digest(data: bytes) -> str:
    return hashlib.sha256(data).hexdigest()
