"""One fio JSON document to results: one for each job object."""

from __future__ import annotations

import os
import re
from collections import Counter
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from benchdash.parsers.fio.json_details import bins, details, samples
from benchdash.parsers.fio.json_shapes import Document, Job, Latency, Side
from benchdash.parsers.fio.numbers import SPREAD, Numbers, uncut
from benchdash.parsers.fio.workload import of_options, operation
from benchdash.parsers.result import ParseError, Result

_SIDES = ("read", "write", "trim", "mixed")
_VERSION = re.compile(r"([0-9]{1,4})\.([0-9]{1,4})", re.ASCII)


def results(document: Document, messages: dict[int, str]) -> list[Result]:
    """Results in the order of the document; "All clients" is the sum of the others and left out.

    `messages` are fio's own words for error numbers, from the lines around the JSON. The jobs are
    taken out of the document, so that what was read is let go.
    """
    version = (document.version or document.fioversion or "").removeprefix("fio-")
    kib = 1024.0 if _older_than_2_21(version) else 1.0
    jobs = document.jobs or document.client_stats or []
    jobs[:] = [job for job in jobs if job.jobname != "All clients"] or jobs
    times = Counter(map(_reported, jobs if len(jobs) > 1 else ()))
    results = []
    jobs.reverse()
    while jobs:
        job = jobs.pop()
        result = _result(document, job, (version, kib), messages)
        # of `numjobs` each is reported on its own, unless a group sums them up
        if result.workload and times[_reported(job)] > 1:
            result.workload["jobs"] = 1
        results.append(result)
    return results


def _reported(job: Job) -> tuple[str, int | None, str | None, int | None]:
    return job.jobname, job.groupid, job.hostname, job.port


def began_at(document: Document) -> datetime | None:
    """When fio began, to a second: the report's time less the seconds since the start."""
    elapsed = max((job.elapsed or 0 for job in document.jobs or []), default=0)
    return _date((document.timestamp or 0) - elapsed) if elapsed else None


def _result(
    document: Document, job: Job, printed_by: tuple[str, float], messages: dict[int, str]
) -> Result:
    version, kib = printed_by
    options = _options(document, job)
    workload = of_options(tuple(options.items())) if options else {}
    if workload and not _fits(job, workload, options):
        workload = {}
    measured = _Measured(job, kib, workload.get("pattern"))
    result = Result(
        tool="fio",
        tool_version=version,
        format="fio/json-" + version.partition(".")[0] if version else "fio/json",
        label=f"{job.jobname} @ {job.hostname}" if job.hostname else job.jobname,
        # job_start (ms, 3.36) where it is printed, else when fio reported
        started_at=_date(job.job_start / 1000 if job.job_start else document.timestamp),
        workload=workload,
        details=details(document, job, options) | measured.details,
    )
    measured.numbers.into(result)
    if job.error:
        message = messages.get(job.error) or os.strerror(abs(job.error))
        result.error = {"code": job.error, "message": message}
    elif not measured.numbers:
        result.note("run", "bytes", "no I/O was done")
    return result


def _options(document: Document, job: Job) -> dict[str, str]:
    """The job's options over the global ones."""
    under = document.options or document.globaloptions or {}
    over = job.options or job.joboptions or {}
    if over and not under.keys().isdisjoint(over):  # what is set again was parsed again, later
        under = {name: value for name, value in under.items() if name not in over}
    return {name: value if isinstance(value, str) else "" for name, value in (under | over).items()}


def _fits(job: Job, workload: dict[str, Any], options: dict[str, str]) -> bool:
    """Can these options be those of all that is summed up here?

    A reporting group of several different jobs prints the first one's name and the last one's
    options: then a side is busy that the pattern does not ask for, or the amount is not that of
    so many blocks. A verified write reads on its own.
    """
    pattern, block_bytes = workload.get("pattern"), workload.get("block_bytes")
    for name, side in (("read", job.read), ("write", job.write)):
        if side is None or not side.io_bytes:
            continue
        if pattern and operation(pattern, name) == name and "verify" not in options:
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


class _Measured:
    """The numbers of one job, and what is kept beside them."""

    def __init__(self, job: Job, kib: float, pattern: str | None) -> None:
        self.numbers = Numbers()
        self.details: dict[str, Any] = {}
        for name, side in zip(_SIDES, (job.read, job.write, job.trim, job.mixed), strict=True):
            if side is not None and not side.idle:
                self._side(side, name, operation(pattern, name), kib)
        if job.sync is not None:
            self._sync(job.sync)
        self._run(job)

    def _side(self, side: Side, name: str, what: str, kib: float) -> None:
        unit = kib if side.io_kbytes is None and side.clat_ns is None else 1.0
        amount = None if side.io_bytes is None else side.io_bytes * unit
        run_s = None if side.runtime is None else side.runtime / 1000
        rate = side.bw_bytes if side.bw_bytes is not None else uncut(side.bw, 1024, amount, run_s)
        self.numbers.side(what, rate, side.iops, amount, side.total_ios, run_s)
        self._latency(what, "submission_latency", side.slat_ns, side.slat)
        self._latency(what, "completion_latency", side.clat_ns, side.clat)
        self._latency(what, "latency", side.lat_ns, side.lat)
        if kept := samples(side):
            self.details[name] = kept

    def _latency(
        self, what: str, metric: str, in_ns: Latency | None, in_us: Latency | None
    ) -> None:
        latency, per_second = (in_us, 1e6) if in_ns is None else (in_ns, 1e9)
        if latency is None or latency.samples == 0 or not (latency.max or latency.mean):
            return  # zeros stand where nothing was measured
        mean, low, high, stddev = latency.mean, latency.min, latency.max, latency.stddev
        if mean is None or low is None or high is None or stddev is None:
            for statistic, value in zip(SPREAD, (mean, low, high, stddev), strict=True):
                self.numbers.add(what, metric, statistic, value and value / per_second)
        else:
            spread = mean / per_second, low / per_second, high / per_second, stddev / per_second
            self.numbers.spread(what, metric, spread)
        if printed := latency.percentile:
            values = [value / per_second for value in printed.values()]
            self.numbers.percentiles(what, metric, tuple(printed), values)
        if latency.bins:
            self.details.setdefault("bins", {})[f"{what} {metric}"] = bins(latency.bins)

    def _sync(self, sync: Side) -> None:
        """fsync and its kin, from 3.4."""
        if sync.lat_ns is not None and sync.lat_ns.max:
            self.numbers.add("sync", "operations", "total", sync.total_ios)
            self._latency("sync", "latency", sync.lat_ns, None)

    def _run(self, job: Job) -> None:
        """CPU, errors and run time of the whole job.

        `job_runtime` (ms) is the sum over the jobs of a reporting group: it is a run time only
        where it is that of the longest side, give or take a hundredth.
        """
        numbers = self.numbers
        if job.total_err is not None:
            numbers.add("run", "errors", "total", job.total_err)
        if not numbers:
            return
        if job.usr_cpu is not None and job.sys_cpu is not None:
            numbers.cpu(job.usr_cpu / 100, job.sys_cpu / 100)
        if job.job_runtime:
            sides = [side for side in (job.read, job.write, job.trim, job.mixed) if side]
            longest = max((side.runtime or 0 for side in sides), default=0)
            if abs(job.job_runtime - longest) <= 0.01 * longest + 1:
                numbers.add("run", "duration", "total", job.job_runtime / 1000)
            else:
                self.details["job_runtime"] = job.job_runtime


def _older_than_2_21(version: str) -> bool:
    """Until then `io_bytes` was KiB (and is, where no version tells); `io_kbytes` came with 2.21."""
    match = _VERSION.match(version)
    return match is None or (int(match[1]), int(match[2])) < (2, 21)
