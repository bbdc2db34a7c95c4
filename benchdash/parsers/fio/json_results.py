"""One fio JSON document to results: one for each job object."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from typing import Any

import msgspec

from benchdash.parsers.fio.json_shapes import Document, Job, Latency, Side
from benchdash.parsers.fio.numbers import Numbers, uncut
from benchdash.parsers.fio.workload import of_options, operation
from benchdash.parsers.result import ParseError, Result

_VERSION = re.compile(r"([0-9]{1,4})\.([0-9]{1,4})", re.ASCII)
_LATENCIES = (("slat", "submission_latency"), ("clat", "completion_latency"), ("lat", "latency"))
_SIDES = ("read", "write", "trim", "mixed")
# Kept under fio's own names and units: they describe samples or distributions, not the run.
_SAMPLED = tuple(
    f"{what}_{statistic}"
    for what in ("bw", "iops")
    for statistic in ("min", "max", "mean", "dev", "stddev", "agg", "samples")
    if (what, statistic) not in (("bw", "stddev"), ("iops", "dev"), ("iops", "agg"))
)
_SHARES = ("iodepth_level", "iodepth_submit", "iodepth_complete")
_HISTOGRAMS = ("latency_ns", "latency_us", "latency_ms")
_PLAIN = ("hostname", "port", "desc", "ctx", "majf", "minf", "first_error", "steadystate")
_TARGET = ("latency_depth", "latency_target", "latency_percentile", "latency_window")
_BINS = msgspec.json.Decoder(dict[str, int])


def results(document: Document, messages: dict[int, str]) -> list[Result]:
    """Results in the order of the document; "All clients" is the sum of the others and left out.

    `messages` are fio's own words for error numbers, from the lines around the JSON.
    """
    jobs = document.jobs or document.client_stats or []
    version = (document.version or document.fioversion or "").removeprefix("fio-")
    shared = _shared_details(document)
    return [
        _result(document, job, version, shared, messages)
        for job in jobs
        if job.jobname != "All clients" or len(jobs) == 1
    ]


def _shared_details(document: Document) -> dict[str, Any]:
    details: dict[str, Any] = {}
    if document.disk_util:
        details["disk_util"] = document.disk_util
    if document.cpu_idleness:
        details["cpu_idleness"] = document.cpu_idleness
    return details


def _result(
    document: Document, job: Job, version: str, shared: dict[str, Any], messages: dict[int, str]
) -> Result:
    options = _options(document, job)
    workload = of_options(options) if options else {}
    result = Result(
        "fio", version, "fio/json-" + version.split(".", maxsplit=1)[0] if version else "fio/json"
    )
    result.label = f"{job.jobname} @ {job.hostname}" if job.hostname else job.jobname
    result.started_at = _started_at(document, job)
    result.workload = workload
    result.details = _details(job, options) | shared
    numbers = Numbers()
    for name in _SIDES:
        side: Side | None = getattr(job, name)
        if side is not None and not side.idle:
            what = operation(workload.get("pattern"), name)
            _measure(numbers, side, what, _amount_unit(side, version))
            _keep_side(result.details, name, side)
    _measure_sync(numbers, result.details, job.sync)
    _measure_run(numbers, result.details, job)
    numbers.into(result)
    if job.error:
        message = messages.get(job.error) or os.strerror(abs(job.error))
        result.error = {"code": job.error, "message": message}
    elif not numbers:
        result.note("run", "bytes", "no I/O was done")
    return result


def _options(document: Document, job: Job) -> dict[str, str]:
    """The job's options over the global ones."""
    under = document.options or document.globaloptions or {}
    over = job.options or job.joboptions or {}
    return {name: value if isinstance(value, str) else "" for name, value in (under | over).items()}


def began_at(document: Document) -> datetime | None:
    """When fio began, to a second: the report's time less the seconds since the start."""
    elapsed = max((job.elapsed or 0 for job in document.jobs or []), default=0)
    try:
        return datetime.fromtimestamp((document.timestamp or 0) - elapsed, UTC) if elapsed else None
    except (OverflowError, OSError, ValueError):
        return None


def _started_at(document: Document, job: Job) -> datetime | None:
    """`job_start` (ms, 3.36) where it is printed, else `timestamp`, when fio reported."""
    seconds = job.job_start / 1000 if job.job_start else document.timestamp
    try:
        return datetime.fromtimestamp(seconds, UTC) if seconds else None
    except (OverflowError, OSError, ValueError):
        raise ParseError(f"fio JSON of {job.jobname[:60]!r}: the date {seconds} is none") from None


def _amount_unit(side: Side, version: str) -> float:
    """`io_bytes` is KiB before 2.21; `io_kbytes` came with the bytes."""
    match = _VERSION.match(version)
    new = (int(match[1]), int(match[2])) >= (2, 21) if match else side.clat_ns or side.lat_ns
    return 1.0 if new or side.io_kbytes is not None or side.bw_bytes is not None else 1024.0


def _measure(numbers: Numbers, side: Side, what: str, amount_unit: float) -> None:
    amount = None if side.io_bytes is None else side.io_bytes * amount_unit
    run_s = None if side.runtime is None else side.runtime / 1000
    rate = side.bw_bytes if side.bw_bytes is not None else uncut(side.bw, 1024, amount, run_s)
    numbers.add(what, "throughput", "mean", rate)
    numbers.add(what, "iops", "mean", side.iops)
    numbers.add(what, "bytes", "total", amount)
    numbers.add(what, "operations", "total", side.total_ios)
    numbers.add(what, "duration", "total", run_s)
    for name, metric in _LATENCIES:
        new, old = getattr(side, name + "_ns"), getattr(side, name)
        if new is not None:
            _measure_latency(numbers, what, metric, new, 1e9)
        elif old is not None:
            _measure_latency(numbers, what, metric, old, 1e6)


def _measure_latency(
    numbers: Numbers, what: str, metric: str, latency: Latency, per_second: float
) -> None:
    if not latency.measured:
        return
    for statistic in ("mean", "min", "max", "stddev"):
        value: float | None = getattr(latency, statistic)
        if value is not None:
            numbers.add(what, metric, statistic, value / per_second)
    numbers.percentiles(what, metric, per_second, latency.percentile.items())


def _measure_sync(numbers: Numbers, details: dict[str, Any], sync: Side | None) -> None:
    """fsync and its kin, from 3.4."""
    if sync is None or sync.lat_ns is None or not sync.lat_ns.measured:
        return
    numbers.add("sync", "operations", "total", sync.total_ios)
    _measure_latency(numbers, "sync", "latency", sync.lat_ns, 1e9)
    _keep_bins(details, "sync", sync)


def _measure_run(numbers: Numbers, details: dict[str, Any], job: Job) -> None:
    """CPU, errors and run time of the whole job.

    `job_runtime` (ms) is the sum over the jobs of a reporting group: it is a run time only where
    it is that of the longest side, give or take a hundredth.
    """
    if job.total_err is not None:
        numbers.add("run", "errors", "total", job.total_err)
    if not numbers:
        return
    numbers.add("run", "cpu_user", "mean", None if job.usr_cpu is None else job.usr_cpu / 100)
    numbers.add("run", "cpu_system", "mean", None if job.sys_cpu is None else job.sys_cpu / 100)
    if job.job_runtime:
        sides = [side for side in (job.read, job.write, job.trim, job.mixed) if side]
        longest = max((side.runtime or 0 for side in sides), default=0)
        if abs(job.job_runtime - longest) <= 0.01 * longest + 1:
            numbers.add("run", "duration", "total", job.job_runtime / 1000)
        else:
            details["job_runtime"] = job.job_runtime


def _details(job: Job, options: dict[str, str]) -> dict[str, Any]:
    details: dict[str, Any] = {}
    if job.groupid is not None:
        details["groupid"] = job.groupid
    if options:
        details["options"] = options
    for name in _PLAIN:
        if (value := getattr(job, name)) is not None:
            details[name] = value
    if job.latency_target:
        details |= {name: getattr(job, name) for name in _TARGET}
    for name in _SHARES + _HISTOGRAMS:
        if shares := {level: share for level, share in getattr(job, name).items() if share}:
            details[name] = shares
    return details


def _keep_side(details: dict[str, Any], name: str, side: Side) -> None:
    kept = {key: value for key in _SAMPLED if (value := getattr(side, key)) is not None}
    kept |= {key: value for key in ("short_ios", "drop_ios") if (value := getattr(side, key))}
    if kept and (side.bw_samples != 0 or side.iops_samples != 0):
        details[name] = kept
    _keep_bins(details, name, side)


def _keep_bins(details: dict[str, Any], name: str, side: Side) -> None:
    """JSON+ bins that hold anything: 3.x ns to count, 2.x fio's bucket number to count."""
    for key in ("slat_ns", "clat_ns", "lat_ns", "slat", "clat", "lat"):
        latency: Latency | None = getattr(side, key)
        if latency is not None and latency.bins:
            details.setdefault("bins", {}).setdefault(name, {})[key] = _filled(latency.bins)


def _filled(bins: msgspec.Raw) -> dict[str, list[Any]]:
    """Two lists, a sixth of the size of a dictionary."""
    try:
        counts = {name: count for name, count in _BINS.decode(bins).items() if count}
    except msgspec.DecodeError as error:
        raise ParseError(f"fio JSON with latency bins that are none: {error}") from None
    keys = [int(name) if name.isdecimal() else name for name in counts]
    return {"bins": keys, "counts": list(counts.values())}
