"""Compressed bytes to plain ones within a budget: gz, bz2, xz and zst, told by their first bytes."""

from __future__ import annotations

import bz2
import gzip
import io
import lzma
import tarfile
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial

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
        self._chunks = _unpacked(data, kind)
        self._budget = budget
        self._buffer = b""

    def is_tar(self) -> bool:
        """True where a tar header comes next; nothing is consumed."""
        self._fill(_BLOCK)
        return is_tar(self._buffer)

    def read(self, size: int) -> bytes:
        """The next `size` bytes, fewer only at the end."""
        self._fill(size)
        taken, self._buffer = self._buffer[:size], self._buffer[size:]
        return taken

    def _fill(self, size: int) -> None:
        held = [self._buffer]
        length = len(self._buffer)
        while length < size and (chunk := next(self._chunks, b"")):
            self._budget.spend(len(chunk))
            held.append(chunk)
            length += len(chunk)
        self._buffer = b"".join(held)


def kind_of(data: bytes) -> str | None:
    """zip, gz, bz2, xz, zst or tar; None for a file that is no archive."""
    for magic, kind in _MAGIC:
        if data.startswith(magic):
            return kind
    return "tar" if is_tar(data) else None


def is_tar(data: bytes) -> bool:
    """True where a tar header with a right checksum comes first (v7 has no magic word)."""
    try:
        tarfile.TarInfo.frombuf(data[:_BLOCK], "utf-8", "surrogateescape")
    except (tarfile.HeaderError, ValueError):
        return False
    return True


def _unpacked(data: bytes, kind: str) -> Iterator[bytes]:
    packed = io.BytesIO(data)
    if kind == "xz":
        return _unpacked_xz(data)
    if kind == "gz":
        return iter(partial(gzip.GzipFile(fileobj=packed).read, _CHUNK), b"")
    if kind == "bz2":
        return iter(partial(bz2.BZ2File(packed).read, _CHUNK), b"")
    if kind == "zst":
        decompressor = zstandard.ZstdDecompressor(max_window_size=_WINDOW)
        reader = decompressor.stream_reader(packed, read_across_frames=True)
        return iter(partial(reader.read, _CHUNK), b"")
    return iter(partial(packed.read, _CHUNK), b"")


def _unpacked_xz(data: bytes) -> Iterator[bytes]:
    """As lzma.LZMAFile, with a bound on the memory that the file may ask for."""
    while data := data.rstrip(b"\0"):
        decompressor = lzma.LZMADecompressor(lzma.FORMAT_XZ, memlimit=_WINDOW)
        while not decompressor.eof:
            chunk = decompressor.decompress(data, _CHUNK)
            data = b""
            if not chunk and decompressor.needs_input and not decompressor.eof:
                raise EOFError
            yield chunk
        data = decompressor.unused_data
