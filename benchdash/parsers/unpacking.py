"""Compressed bytes to plain ones within a budget: gz, bz2, xz and zst, told by their first bytes."""

from __future__ import annotations

import bz2
import lzma
import tarfile
import zlib
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import zstandard

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
_CHUNK = 2**18
_WINDOW = 2**27  # what xz -9 and zstd --long=27 need
_SLICE = 2**10  # of zstd, which unpacks all that it is given: at most 32 MiB
_FRAMES = 100_000  # bgzip makes one of 64 KiB; millions of empty ones would only cost time


@dataclass(frozen=True, slots=True)
class Limits:
    """What one archive may cost; `ratio` is unpacked to packed, `depth` archives in archives."""

    files: int = 5000
    packed_bytes: int = 256 * 2**20
    unpacked_bytes: int = 512 * 2**20
    file_bytes: int = 128 * 2**20
    ratio: int = 200
    depth: int = 3


class Budget:
    """What is left of the limits while one archive, with all that is in it, is unpacked."""

    def __init__(self, limits: Limits, packed_bytes: int) -> None:
        """ParseError where the archive itself is too large."""
        if packed_bytes > limits.packed_bytes:
            raise ParseError(f"the archive is larger than {limits.packed_bytes >> 20} MiB")
        self.limits = limits
        self._files = limits.files
        # small files may pack a thousandfold and do no harm
        self._bytes = min(limits.unpacked_bytes, max(2**20, limits.ratio * packed_bytes))
        self._refusal = (
            f"the archive unpacks to more than {limits.unpacked_bytes >> 20} MiB"
            if self._bytes == limits.unpacked_bytes
            else f"the archive unpacks to more than {limits.ratio} times its size"
        )

    def count_file(self) -> None:
        """ParseError with the first file too many."""
        self._files -= 1
        if self._files < 0:
            raise ParseError(f"the archive holds more than {self.limits.files} files")

    def spend(self, size: int) -> None:
        """ParseError with the first byte too many."""
        self._bytes -= size
        if self._bytes < 0:
            raise ParseError(self._refusal)


class Stream:
    """The unpacked bytes of one compressed file, paid for as they are read."""

    def __init__(self, data: bytes, kind: str, budget: Budget) -> None:
        self._pieces = _pieces(data, kind)
        self._budget = budget
        self._buffer = b""
        self._start = 0

    def is_tar(self) -> bool:
        """True where a tar header comes next; nothing is consumed."""
        self._fill(_BLOCK)
        return is_tar(self._buffer[self._start : self._start + _BLOCK])

    def read(self, size: int) -> bytes:
        """The next `size` bytes, fewer only at the end."""
        self._fill(size)
        taken = self._buffer[self._start : self._start + size]
        self._start += len(taken)
        return taken

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
    "gz": (_Gzip, _CHUNK),
    "bz2": (bz2.BZ2Decompressor, _CHUNK),
    "xz": (lambda: lzma.LZMADecompressor(lzma.FORMAT_XZ, _WINDOW), _CHUNK),
    "zst": (_Zstandard, _SLICE),
}


def _pieces(data: bytes, kind: str) -> Iterator[bytes]:
    if kind == "tar":
        yield from (data[start : start + _CHUNK] for start in range(0, len(data), _CHUNK))
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
            yield frame.decompress(piece, _CHUNK)
        start -= len(frame.unused_data)
        if start >= end:
            return
    raise ParseError(f"the archive consists of more than {_FRAMES} pieces")
