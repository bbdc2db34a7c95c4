"""Points over time as two compressed arrays of little-endian doubles."""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterator

import zstandard

from benchdash.results.models import Trace

_PART_BYTES = 2**16


def packed(values: array[float]) -> bytes:
    """Doubles as they are stored: little-endian, zstd."""
    plain = array("d", values)
    if sys.byteorder == "big":
        plain.byteswap()
    return zstandard.compress(plain.tobytes(), 3)


def points_of(trace: Trace) -> tuple[array[float], array[float]]:
    """(seconds since the start, values in the metric's unit)."""
    return _unpacked(bytes(trace.seconds)), _unpacked(bytes(trace.values))


def points_in_turn(trace: Trace) -> Iterator[tuple[float, float]]:
    """The same as pairs, some thousands at once in memory."""
    return zip(_in_turn(bytes(trace.seconds)), _in_turn(bytes(trace.values)), strict=True)


def _in_turn(data: bytes) -> Iterator[float]:
    with zstandard.ZstdDecompressor().stream_reader(data) as plain:
        while part := plain.read(_PART_BYTES):
            yield from _doubles(part)


def _unpacked(data: bytes) -> array[float]:
    return _doubles(zstandard.decompress(data))


def _doubles(data: bytes) -> array[float]:
    plain = array("d")
    plain.frombytes(data)
    if sys.byteorder == "big":
        plain.byteswap()
    return plain
