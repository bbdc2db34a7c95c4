"""Compressed bytes to plain ones within a budget: gz, bz2, xz and zst, recognised by their first bytes."""

from __future__ import annotations

import bz2
import lzma
import tarfile
import zlib
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from io import BytesIO
from typing import NoReturn, Protocol

import zstandard

from benchdash.errors import N_
from benchdash.parsers.result import ParseError

_MAGIC = (
    (b"PK\x03\x04", "zip"),
    (b"PK\x05\x06", "zip"),
    (b"\x1f\x8b\x08", "gz"),
    (b"BZh", "bz2"),
    (b"\xfd7zXZ\x00", "xz"),
    (b"\x28\xb5\x2f\xfd", "zst"),
)
_BLOCK = 512
CHUNK = 2**18
_HEADER = 2**17  # bytes of the headers of one tar member: name, attributes, map of holes
_WINDOW = 2**27  # what xz -9 and zstd --long=27 need
_SLICE = 2**7  # zstd decompresses all of its input at once: so much becomes at most 4 MiB
_FRAMES = 100_000  # bgzip makes one of 64 KiB; millions of empty ones would only cost time


@dataclass(frozen=True, slots=True)
class Limits:
    """What all archives of one request may cost; `ratio` is unpacked to packed, of each of them.

    `depth` is archives in archives, `file_bytes` the largest file in any of them, `results` those
    of all files, packed or not.
    """

    files: int = 5000
    packed_bytes: int = 256 * 2**20
    unpacked_bytes: int = 512 * 2**20
    file_bytes: int = 128 * 2**20
    ratio: int = 200
    depth: int = 3
    results: int = 200_000


class Budget:
    """The remaining limits while the files of one request are read, one by one.

    `beyond` is raised where all of them together are too many files, bytes or results.
    """

    def __init__(self, limits: Limits = Limits(), beyond: type[Exception] = ParseError) -> None:
        self.limits = limits
        self._beyond = beyond
        self._files = limits.files
        self._bytes = limits.unpacked_bytes
        self._results = limits.results
        self._own_bytes = 0
        self._archives = 0

    def open(self, packed_bytes: int) -> None:
        """Begin the next archive of the request; ParseError where it is too large itself."""
        if packed_bytes > self.limits.packed_bytes:
            raise ParseError(
                "the archive is larger than {mebibytes} MiB",
                mebibytes=self.limits.packed_bytes >> 20,
            )
        # small files may pack a thousandfold and do no harm
        self._own_bytes = max(2**20, self.limits.ratio * packed_bytes)
        self._archives += 1

    def count_file(self) -> None:
        """Refuse the first file too many."""
        self.require_files(1)
        self._files -= 1

    def require_files(self, number: int) -> None:
        """Refuse more files than are left."""
        files = self.limits.files
        if number > self._files:
            self._refuse(
                N_(
                    "it and the archives before it hold more than {files} files: send it "
                    "separately",
                    files=files,
                )
                if self._archives > 1
                else N_("the archive holds more than {files} files: split it", files=files)
            )

    def count_results(self, number: int) -> None:
        """Refuse a file with more results than are left."""
        self._results -= number
        if self._results < 0:
            self._refuse(
                N_(
                    "more than {most} results were sent together: split the upload",
                    most=self.limits.results,
                )
            )

    def spend(self, size: int) -> None:
        """Refuse the first byte too many."""
        self._bytes -= size
        self._own_bytes -= size
        mebibytes, ratio = self.limits.unpacked_bytes >> 20, self.limits.ratio
        if self._bytes < 0:
            self._refuse(
                N_(
                    "it and the archives before it unpack to more than {mebibytes} MiB: "
                    "send it separately",
                    mebibytes=mebibytes,
                )
                if self._archives > 1
                else N_(
                    "the archive unpacks to more than {mebibytes} MiB: split it",
                    mebibytes=mebibytes,
                )
            )
        if self._own_bytes < 0:
            raise ParseError(
                "the archive unpacks to more than {ratio} times its size: pack only the results",
                ratio=ratio,
            )

    def _refuse(self, sentence: str) -> NoReturn:
        raise self._beyond(sentence)


class Stream:
    """The unpacked bytes of one compressed file, counted against the budget as they are read."""

    def __init__(self, data: bytes, kind: str, budget: Budget) -> None:
        self._pieces = _pieces(data, kind)
        self._budget = budget
        self._buffer = b""
        self._start = 0
        self._header_bytes: int | None = None

    def is_tar(self) -> bool:
        """True where a tar header comes next; nothing is consumed."""
        self._fill(_BLOCK)
        return is_tar(self._buffer[self._start : self._start + _BLOCK])

    def read(self, size: int) -> bytes:
        """The next `size` bytes, fewer only at the end."""
        if self._header_bytes is not None:
            self._header_bytes -= size
            if self._header_bytes < 0:
                raise ParseError("a header in it is longer than any name: pack it again")
        self._fill(size)
        taken = self._buffer[self._start : self._start + size]
        self._start += len(taken)
        return taken

    @contextmanager
    def in_header(self) -> Iterator[None]:
        """While tarfile reads what comes before a file: names, and holes without an end."""
        outer = self._header_bytes
        self._header_bytes = _HEADER if outer is None else outer
        try:
            yield
        finally:
            if outer is None:
                self._header_bytes = None

    def _fill(self, size: int) -> None:
        missing = size - (len(self._buffer) - self._start)
        if missing <= 0:
            return
        held = [self._buffer[self._start :]]
        while missing > 0 and (piece := next(self._pieces, None)) is not None:
            self._budget.spend(len(piece))
            held.append(piece)
            missing -= len(piece)
        self._buffer, self._start = b"".join(held), 0


def all_of(read: Callable[[int], bytes]) -> bytes:
    """What `read` gives piece by piece, in memory once."""
    whole = BytesIO()
    while piece := read(CHUNK):
        whole.write(piece)
    return whole.getvalue()


def kind_of(data: bytes) -> str | None:
    """zip, gz, bz2, xz, zst or tar; None for a file that is no archive."""
    for magic, kind in _MAGIC:
        if data.startswith(magic):
            return kind
    return "tar" if is_tar(data) else None


def is_tar(data: bytes) -> bool:
    """True where a tar header with a right checksum comes first (v7 has no magic word)."""
    if b"\0" not in data[:_BLOCK]:  # what fills up its fields, and no text has
        return False
    try:
        tarfile.TarInfo.frombuf(data[:_BLOCK], "utf-8", "surrogateescape")
    except (tarfile.HeaderError, ValueError):
        return False
    return True


class _Frame(Protocol):
    """One compressed stream; files of several are read as one, as the tools do."""

    @property
    def eof(self) -> bool: ...
    @property
    def needs_input(self) -> bool: ...
    @property
    def unused_data(self) -> bytes: ...
    def decompress(self, data: bytes, max_length: int) -> bytes: ...


class _Gzip:
    def __init__(self) -> None:
        self._inner = zlib.decompressobj(31)

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def needs_input(self) -> bool:
        return not self._inner.unconsumed_tail

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._inner.decompress(self._inner.unconsumed_tail or data, max_length)


class _Zstandard:
    needs_input = True

    def __init__(self) -> None:
        self._inner = zstandard.ZstdDecompressor(max_window_size=_WINDOW).decompressobj()

    @property
    def eof(self) -> bool:
        return self._inner.eof

    @property
    def unused_data(self) -> bytes:
        return self._inner.unused_data

    def decompress(self, data: bytes, max_length: int) -> bytes:
        return self._inner.decompress(data)


_OPENERS: dict[str, tuple[Callable[[], _Frame], int]] = {
    "gz": (_Gzip, CHUNK),
    "bz2": (bz2.BZ2Decompressor, CHUNK),
    "xz": (lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, _WINDOW), CHUNK),
    "zst": (_Zstandard, _SLICE),
}


def _pieces(data: bytes, kind: str) -> Iterator[bytes]:
    if kind == "tar":
        yield from (data[start : start + CHUNK] for start in range(0, len(data), CHUNK))
        return
    start, end = 0, len(data.rstrip(b"\0"))  # tapes pad with NULs
    opened, step = _OPENERS[kind]
    for _ in range(_FRAMES):
        frame = opened()
        while not frame.eof:
            if frame.needs_input and start >= len(data):
                raise EOFError
            piece = data[start : start + step] if frame.needs_input else b""
            start += len(piece)
            yield frame.decompress(piece, CHUNK)
        start -= len(frame.unused_data)
        if start >= end:
            return
    raise ParseError("the archive consists of more than {most} pieces", most=_FRAMES)
