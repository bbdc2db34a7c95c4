"""What fio was told: the axes of a workload, and what each side of it is called."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchdash.parsers.fio.units import option_bytes, option_seconds
from benchdash.vocabulary.workloads import typed

# A side that its pattern does not ask for (the reads of a verified write) keeps its plain name.
_OPERATIONS = {
    "read": {"read": "seq_read"},
    "write": {"write": "seq_write"},
    "randread": {"read": "rand_read"},
    "randwrite": {"write": "rand_write"},
    "rw": {"read": "mixed_read", "write": "mixed_write"},
    "readwrite": {"read": "mixed_read", "write": "mixed_write"},
    "randrw": {"read": "rand_read", "write": "rand_write"},
    "trimwrite": {"write": "seq_write"},
    "randtrimwrite": {"write": "rand_write"},
}
_MIXED = ("rw", "readwrite", "randrw")


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
    kb_base = 1000 if options.get("kb_base", "").strip() == "1000" else 1024
    pattern = options.get("rw") or options.get("readwrite")
    flushes = options.get("fsync") or options.get("fdatasync")
    return typed(
        {
            "pattern": pattern,
            "block_bytes": _bytes(options, kb_base, "bs", "blocksize"),
            "queue_depth": _number(options.get("iodepth", "1")),
            "jobs": _number(options.get("numjobs", "1")),
            "read_fraction": _read_fraction(options, pattern),
            "file_bytes": _bytes(options, kb_base, "filesize", "size"),
            "files": _number(options.get("nrfiles")),
            "duration_s": _seconds(options.get("runtime")),
            "ramp_s": _seconds(options.get("ramp_time")),
            "engine": options.get("ioengine"),
            "direct": _direct(options),
            "sync": _flag(options.get("sync")),
            "fsync_every": _number(flushes) or None,
        }
    )


def _number(text: str | None) -> int | None:
    return None if text is None else option_bytes(text)


def _seconds(text: str | None) -> float | None:
    return None if text is None else option_seconds(text)


def _bytes(options: Mapping[str, str], kb_base: int, *names: str) -> int | None:
    text = next((options[name] for name in names if name in options), None)
    if text is None:
        return None
    sizes = {option_bytes(part, kb_base) for part in text.split(",")}
    return sizes.pop() if len(sizes) == 1 else None


def _flag(text: str | None) -> bool | None:
    """An option without a value is switched on; `sync` also takes the words none, sync, dsync."""
    return None if text is None else text.strip().lower() not in ("0", "none")


def _direct(options: Mapping[str, str]) -> bool | None:
    if "direct" in options:
        return _flag(options["direct"])
    buffered = _flag(options.get("buffered"))
    return None if buffered is None else not buffered


def _read_fraction(options: Mapping[str, str], pattern: str | None) -> float | None:
    if (pattern or "").partition(":")[0] not in _MIXED:
        return None
    reads, writes = _number(options.get("rwmixread")), _number(options.get("rwmixwrite"))
    if reads is None and writes is not None:
        reads = 100 - writes
    return None if reads is None else min(max(reads, 0), 100) / 100
