"""The workload axes from fio's options, and the operation of each side under an `rw=` pattern."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from typing import Any

_MOST_BYTES = 2**63
_OPTION_SIZE = re.compile(r"([0-9]{1,18})\s*([kmgtp]?)(ib|b|i)?", re.ASCII)
_OPTION_TIME = re.compile(r"([0-9]{1,18})\s*(us|usec|ms|msec|s|sec|m|h|d)?", re.ASCII)
_SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}

# A side that its pattern does not ask for (the reads of a verified write) keeps its plain name.
_OPERATIONS = {
    "read": {"read": "seq_read"},
    "write": {"write": "seq_write"},
    "randread": {"read": "rand_read"},
    "randwrite": {"write": "rand_write"},
    "rw": {"read": "mixed_read", "write": "mixed_write"},
    "randrw": {"read": "rand_read", "write": "rand_write"},
    "trimwrite": {"write": "seq_write"},
    "randtrimwrite": {"write": "rand_write"},
}
MIXED = ("rw", "randrw")


def operation(pattern: str | None, side: str) -> str:
    """The operation of a side (read, write, trim, mixed) under an `rw=` pattern.

    `randread:8` and `write:64k` are randread and write with holes.
    """
    return _OPERATIONS.get((pattern or "").partition(":")[0], {}).get(side, side)


def of_options(options: Mapping[str, str]) -> dict[str, Any]:
    """The axes in a job's printed options (JSON from fio 2.3), global options already under them.

    fio prints every option that was given, so one that is not there has fio's default: a queue
    depth of 1 and one job. Other defaults are left out: they differ by version and platform.
    """
    if not options:
        return {}
    workload: dict[str, Any] = {"queue_depth": 1, "jobs": 1}
    kb_base = 1024  # of the options after it: fio sorts those of a job file, not of a command line
    for name, text in options.items():
        if name == "kb_base":
            kb_base = 1000 if text == "1000" else 1024
        elif given := axis_of(name, text, kb_base):
            axis, value = given
            workload[axis] = value
    if "rwmixread" in options or "rwmixwrite" in options:
        workload["read_fraction"] = _read_fraction(options, workload.get("pattern"))
    return {axis: value for axis, value in workload.items() if value is not None}


def axis_of(name: str, text: str, kb_base: int = 1024) -> tuple[str, Any] | None:
    """The axis that an option sets, with the value (None: one that the axis cannot hold)."""
    if axis := _SIZES.get(name):
        return axis, _bytes(text, kb_base)
    if reader := _READERS.get(name):
        axis, read = reader
        return axis, read(text)
    return None


def _bytes(text: str, kb_base: int) -> int | None:
    """One size; None for a range, a percentage, or sizes that differ by side."""
    if "," not in text:
        return option_bytes(text, kb_base)
    sizes = {option_bytes(part, kb_base) for part in text.split(",")}
    return sizes.pop() if len(sizes) == 1 else None


def _flag(text: str) -> bool:
    """An option without a value is switched on; `sync` also takes the words none, sync, dsync."""
    return text.strip().lower() not in ("0", "none")


def _read_fraction(options: Mapping[str, str], pattern: str | None) -> float | None:
    if (pattern or "").partition(":")[0] not in MIXED:
        return None
    reads, writes = options.get("rwmixread"), options.get("rwmixwrite")
    percent = option_bytes(reads or writes or "")
    if percent is None or percent > 100:
        return None
    return percent / 100 if reads else (100 - percent) / 100


def option_bytes(text: str, kb_base: int = 1024) -> int | None:
    """Bytes of an option: `4k`, `16m`, `1GB` are 1024-based and `4KiB` is 4000 (fio's `kb_base`).

    fio swaps the IEC names for compatibility with old scripts unless kb_base=1000 [parse.c]. None for
    percentages, ranges and sums.
    """
    if text.isascii() and text.isdecimal():
        return int(text) if len(text) < 19 else None
    match = _OPTION_SIZE.fullmatch(text.strip().lower())
    if match is None:
        return None
    number, prefix, suffix = match.groups(default="")
    number_of_bytes = int(number)
    iec = suffix == "ib"
    base = 1000 if iec == (kb_base == 1024) else 1024
    for _ in range(" kmgtp".index(prefix or " ")):
        number_of_bytes *= base
    return number_of_bytes if number_of_bytes < _MOST_BYTES else None


def option_seconds(text: str) -> float | None:
    """Seconds of a time option: `60`, `60s`, `5m`, `500ms`."""
    if text.isascii() and text.isdecimal() and len(text) < 19:
        return float(text)
    match = _OPTION_TIME.fullmatch(text.strip().lower())
    if match is None:
        return None
    number, unit = match.groups(default="s")
    return int(number) * _SECONDS[unit.removesuffix("ec")]


_SIZES = {
    "bs": "block_bytes",
    "blocksize": "block_bytes",
    "size": "file_bytes",
    "filesize": "file_bytes",
}


def _pattern(text: str) -> str:
    """`readwrite` as `rw`, which fio's text prints for both."""
    return text.replace("readwrite", "rw")


_READERS: dict[str, tuple[str, Callable[[str], Any]]] = {
    "rw": ("pattern", _pattern),
    "readwrite": ("pattern", _pattern),
    "iodepth": ("queue_depth", option_bytes),
    "numjobs": ("jobs", option_bytes),
    "nrfiles": ("files", option_bytes),
    "runtime": ("duration_s", option_seconds),
    "ramp_time": ("ramp_s", option_seconds),
    "ioengine": ("engine", str),
    "direct": ("direct", _flag),
    "buffered": ("direct", lambda text: not _flag(text)),
    "sync": ("sync", _flag),
    "fsync": ("fsync_every", lambda text: option_bytes(text) or None),
    "fdatasync": ("fsync_every", lambda text: option_bytes(text) or None),
}
