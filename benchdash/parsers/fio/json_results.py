"""One fio JSON document to results: one for each job object."""

from __future__ import annotations

import os
import re
from collections import Counter
from datetime import UTC, datetime
from functools import lru_cache
from operator import attrgetter
from typing import Any, NamedTuple

import msgspec

from benchdash.parsers.fio.json_details import details
from benchdash.parsers.fio.json_numbers import numbers_of
from benchdash.parsers.fio.json_shapes import Document, Job
from benchdash.parsers.fio.workload import of_options, operation
from benchdash.parsers.result import ParseError, Result

_SIDES = ("read", "write", "trim", "mixed")
_PLAINLY = {name: name for name in _SIDES}
_NONE = msgspec.Raw(b"{}")
_OPTIONS = msgspec.json.Decoder(dict[str, Any] | None)
_reported = attrgetter("jobname", "groupid", "hostname", "port")
_VERSION = re.compile(r"([0-9]{1,4})\.([0-9]{1,4})", re.ASCII)


def results(document: Document, messages: dict[int, str]) -> list[Result]:
    """Results in the order of the document; "All clients" is the sum of the others and left out.

    `messages` are fio's own words for error numbers, from the lines around the JSON. The jobs are
    taken out of the document, so that what was read is let go.
    """
    printed_by = _versions(document.version or document.fioversion or "")
    jobs = document.jobs or document.client_stats or []
    jobs[:] = [job for job in jobs if job.jobname != "All clients"] or jobs
    times = Counter(map(_reported, jobs)) if len(jobs) > 1 else {}
    results = []
    jobs.reverse()
    while jobs:
        job = jobs.pop()
        result = _result(document, job, printed_by, messages)
        # of `numjobs` each is reported on its own, unless a group sums them up
        if times and result.workload and times[_reported(job)] > 1:
            result.workload["jobs"] = 1
        results.append(result)
    return results


def began_at(document: Document) -> datetime | None:
    """When fio began, to a second: the report's time less the seconds since the start."""
    elapsed = max((job.elapsed or 0 for job in document.jobs or []), default=0)
    return _date((document.timestamp or 0) - elapsed) if elapsed else None


def _result(
    document: Document, job: Job, printed_by: tuple[str, str, float], messages: dict[int, str]
) -> Result:
    version, kind, kib = printed_by
    told = _told(
        bytes(document.options or document.globaloptions or _NONE),
        bytes(job.options or job.joboptions or _NONE),
    )
    fits = _fits(job, told)
    kept = details(document, job, told.options)
    numbers = numbers_of(job, kib, told.called if fits else _PLAINLY, kept)
    result = Result(
        tool="fio",
        tool_version=version,
        format=kind,
        label=f"{job.jobname} @ {job.hostname}" if job.hostname else job.jobname,
        # job_start (ms, 3.36) where it is printed, else when fio reported
        started_at=_date(job.job_start / 1000 if job.job_start else document.timestamp),
        workload=told.axes.copy() if fits else {},
        kept=kept,
    )
    numbers.into(result)
    if job.error:
        message = messages.get(job.error) or os.strerror(abs(job.error))
        result.error = {"code": job.error, "message": message}
    elif not numbers:
        result.note("run", "bytes", "no I/O was done")
    return result


class _Told(NamedTuple):
    """A job's options, what they say as axes, and what the sides are called under them."""

    options: dict[str, str]
    axes: dict[str, Any]
    called: dict[str, str]


@lru_cache(maxsize=256)
def _told(under: bytes, over: bytes) -> _Told:
    """Its own options over the global ones: the same for repeats, in file after file."""
    try:
        given, own = _OPTIONS.decode(under) or {}, _OPTIONS.decode(over) or {}
    except msgspec.DecodeError as error:
        raise ParseError(f"fio JSON with options that are none: {error}") from None
    # what is set again was parsed again, later
    kept = {name: value for name, value in given.items() if name not in own} | own
    options = {name: value if isinstance(value, str) else "" for name, value in kept.items()}
    axes = of_options(options)
    return _Told(options, axes, {name: operation(axes.get("pattern"), name) for name in _SIDES})


def _fits(job: Job, told: _Told) -> bool:
    """Can these options be those of all that is summed up here?

    A reporting group of several different jobs prints the first one's name and the last one's
    options: then a side is busy that the pattern does not ask for, or the amount is not that of
    so many blocks. A verified write reads on its own.
    """
    patterned = "pattern" in told.axes and "verify" not in told.options
    block_bytes = told.axes.get("block_bytes")
    for name, side in (("read", job.read), ("write", job.write)):
        if side is None or not side.io_bytes:
            continue
        if patterned and told.called[name] == name:
            return False
        if block_bytes and side.total_ios and side.io_kbytes is not None:
            blocks = side.io_bytes / block_bytes
            if abs(blocks - side.total_ios) > 0.02 * side.total_ios + 1:
                return False
    return True


@lru_cache(maxsize=16)
def _date(seconds: float | None) -> datetime | None:
    try:
        return datetime.fromtimestamp(seconds, UTC) if seconds else None
    except (OverflowError, OSError, ValueError):
        raise ParseError(f"fio JSON with a timestamp that is none: {seconds}") from None


@lru_cache(maxsize=16)
def _versions(printed: str) -> tuple[str, str, float]:
    """(version, format, bytes of the unit of `io_bytes`).

    Until 2.21 the unit was KiB (and is, where no version tells); then `io_kbytes` came.
    """
    version = printed.removeprefix("fio-")
    match = _VERSION.match(version)
    old = match is None or (int(match[1]), int(match[2])) < (2, 21)
    kind = "fio/json-" + version.partition(".")[0] if version else "fio/json"
    return version, kind, 1024.0 if old else 1.0
