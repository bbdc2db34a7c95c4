"""Points over time as two compressed arrays of little-endian doubles."""

from __future__ import annotations

import sys
from array import array

import zstandard

from benchdash.results.models import Trace


def packed(values: array[float]) -> bytes:
    """Doubles as they are stored: little-endian, zstd."""
    plain = array("d", values)
    if sys.byteorder == "big":
        plain.byteswap()
    return zstandard.compress(plain.tobytes(), 3)


def points_of(trace: Trace) -> tuple[array[float], array[float]]:
    """(seconds since the start, values in the metric's unit)."""
    return _unpacked(bytes(trace.seconds)), _unpacked(bytes(trace.values))


def _unpacked(data: bytes) -> array[float]:
    plain = array("d")
    plain.frombytes(zstandard.decompress(data))
    if sys.byteorder == "big":
        plain.byteswap()
    return plain
