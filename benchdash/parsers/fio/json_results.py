"""One fio JSON document to results: one for each job object.

Units moved between versions, and each rule stands where it is used: `io_bytes` was KiB until 2.21,
`bw` is KiB/s in all of them, latencies were µs until 2.99 brought `…_ns`, run times are ms.
"""

from __future__ import annotations

import json
import os
import re
from collections import Counter
from collections.abc import Mapping
from datetime import UTC, datetime
from functools import lru_cache
from operator import attrgetter
from typing import Any

import msgspec

from benchdash.errors import N_
from benchdash.parsers.fio.figures import (
    Latencies,
    Totals,
    measure_cpu,
    measure_percentiles,
    measure_side,
    measure_spread,
    uncut,
)
from benchdash.parsers.fio.json_fields import Document, Job, Latency, Side
from benchdash.parsers.fio.options import other_options
from benchdash.parsers.fio.snapshots import Report, newest, reports_of
from benchdash.parsers.fio.workload import of_options, operation
from benchdash.parsers.result import ParseError, Result

_SIDES = ("read", "write", "trim", "mixed")
_NO_OPTIONS = msgspec.Raw(b"{}")
_OPTIONS = msgspec.json.Decoder(dict[str, Any] | None)
_VERSION = re.compile(r"([0-9]{1,4})\.([0-9]{1,4})", re.ASCII)
# kept beside the numbers under fio's own names and in its units
_PLAIN = ("hostname", "port", "desc", "ctx", "majf", "minf", "first_error", "steadystate")
_TARGET = ("latency_depth", "latency_target", "latency_percentile", "latency_window")
_SHARES = (
    *("iodepth_level", "iodepth_submit", "iodepth_complete"),
    *("latency_ns", "latency_us", "latency_ms"),
)
# of half-second samples, which are not the run's rate
_SAMPLES = (
    *("bw_min", "bw_max", "bw_agg", "bw_mean", "bw_dev", "bw_samples"),
    *("iops_min", "iops_max", "iops_mean", "iops_stddev", "iops_samples"),
)
_WAITS = frozenset(("stonewall", "wait_for_previous", "wait_for"))
_BINS, _OLD_BINS = msgspec.json.Decoder(list[int]), msgspec.json.Decoder(dict[str, int])
_AS_LIST = bytes.maketrans(b"{:}", b"[,]")
_MOST_BINS = 10_000  # fio has 1,856 [stat.h]
_AT_ONCE = 1.5  # more than the ticks by which one job outlasts its sides


def report(document: Document, messages: dict[int, str]) -> Report:
    """Results in the order of the document, and when fio began.

    "All clients" is the sum of the others and left out. `messages` are fio's own words for error
    numbers, from the lines around the JSON.
    """
    jobs = document.jobs or document.client_stats or []
    jobs = [job for job in jobs if job.jobname != "All clients"] or jobs
    made = []
    for number, job in enumerate(jobs, 1):
        try:
            made.append((job, _result(document, job, messages)))
        except ParseError as error:
            raise ParseError(
                "job {number} ({name}) in the fio JSON: {sentence}",
                number=number,
                name=repr(job.jobname[:60]),
                sentence=error.sentence,
            ) from None
    if document.client_stats and not document.jobs:
        made = _last_of_clients(made)
    reports = Counter(_reported(job) for job, _ in made)
    groups = _Groups()
    for job, result in made:
        result.group = groups.of(job, result.details.get("options", {}))
        # of `numjobs` each is reported on its own, unless a group sums them up
        if result.workload and reports[_reported(job)] > 1:
            result.workload["jobs"] = 1
    elapsed_s = max((job.elapsed or 0 for job in jobs), default=0)
    began = _date((document.timestamp or 0) - elapsed_s) if elapsed_s else None
    return Report([result for _, result in made], began, elapsed_s)


def _last_of_clients(made: list[tuple[Job, Result]]) -> list[tuple[Job, Result]]:
    """With `--status-interval` one document has every report of each client: its last counts."""
    by_client: dict[tuple[str | None, int | None], list[Result]] = {}
    for job, result in made:
        by_client.setdefault((job.hostname, job.port), []).append(result)
    kept = {
        id(result)
        for results in by_client.values()
        for report in newest(reports_of(results))
        for result in report.results
    }
    return [each for each in made if id(each[1]) in kept]


class _Groups:
    """Which jobs of a document ran at the same time, host by host: numbers from 0.

    A reporting group waits for those before it (`stonewall`), unless its first job is printed with
    `new_group` alone, which waits for nothing; fio before 3.41 prints neither of the two. A job
    with `wait_for` starts later than its reporting group.
    """

    def __init__(self) -> None:
        self._numbers: dict[tuple[int, str], int] = {}
        self._last: dict[tuple[str | None, int | None], tuple[int | None, int]] = {}

    def of(self, job: Job, options: Mapping[str, str]) -> int:
        """The number of this job's group, from its printed options; jobs in reading order."""
        host = job.hostname, job.port
        groupid, started = self._last.get(host, (job.groupid, 0))
        if job.groupid != groupid:
            beside = "new_group" in options and not _WAITS.intersection(options)
            started += not beside
        self._last[host] = job.groupid, started
        key = started, options.get("wait_for", "")
        return self._numbers.setdefault(key, len(self._numbers))


def _reported(job: Job) -> tuple[str, int | None, str | None, int | None]:
    return job.jobname, job.groupid, job.hostname, job.port


def _result(document: Document, job: Job, messages: dict[int, str]) -> Result:
    version = (document.version or document.fioversion or "").removeprefix("fio-")
    given = bytes(document.options or document.globaloptions or _NO_OPTIONS)
    if document.client_stats:
        given = _of_any_client(given)
    own = bytes(job.options or job.joboptions or _NO_OPTIONS)
    options, others, axes, operations = _options(given, own)
    workload = axes.copy()
    # job_start (ms, 3.36) where it is printed, else when fio reported; a client says when it began
    started = job.job_start / 1000 if job.job_start else document.timestamp
    if not _describe(workload, operations, options, job):
        workload, others, operations = {}, {}, {side: side for side in _SIDES}
    result = Result(
        tool="fio",
        tool_version=version,
        format="fio/json-" + version.partition(".")[0] if version else "fio/json",
        label=f"{job.jobname} @ {job.hostname}" if job.hostname else job.jobname,
        started_at=_date(started),
        timed_at_end=not (job.job_start or document.client_stats),
        workload=workload,
        details=_details(document, job, options),
        options=others.copy(),
    )
    _measure(result, job, operations, _bytes_a_unit(version))
    if job.error:
        message = messages.get(job.error) or os.strerror(abs(job.error))
        result.error = {"code": job.error, "message": message}
    elif not result.by_name():
        result.note("run", "bytes", N_("no I/O was done"))
    return result


@lru_cache(maxsize=256)
def _of_any_client(given: bytes) -> bytes:
    """Global options of clients stand one after the other: those that differ as `4k|8k`."""
    try:
        pairs = json.loads(given, object_pairs_hook=list)
        values: dict[str, dict[str, None]] = {}
        for name, text in pairs:
            values.setdefault(name, {})[text] = None
        return msgspec.json.encode({name: "|".join(sorted(of)) for name, of in values.items()})
    except (TypeError, ValueError, RecursionError):  # as `_options` will say
        return given


@lru_cache(maxsize=256)
def _options(
    given: bytes, own: bytes
) -> tuple[dict[str, str], dict[str, str], dict[str, Any], dict[str, str]]:
    """A job's own options over the global ones; the other ones; axes; operations of the sides.

    The same for the repeats of a job, in file after file.
    """
    try:
        under, over = _OPTIONS.decode(given) or {}, _OPTIONS.decode(own) or {}
    except (msgspec.DecodeError, RecursionError) as error:
        raise ParseError(
            "its options cannot be read ({error}): send the file as fio wrote it", error=error
        ) from None
    # what is set again was parsed again, later: its place matters to kb_base
    printed = {name: value for name, value in under.items() if name not in over} | over
    # an option without a value is switched on
    options = {name: value if isinstance(value, str) else "" for name, value in printed.items()}
    axes = of_options(options)
    operations = {side: operation(axes.get("pattern"), side) for side in _SIDES}
    return options, other_options(options, axes), axes, operations


def _describe(
    workload: Mapping[str, Any],
    operations: Mapping[str, str],
    options: Mapping[str, str],
    job: Job,
) -> bool:
    """Can these options be those of all that is summed up here?

    A reporting group of several different jobs prints the first one's name and the last one's
    options: then a side is busy that the pattern does not ask for, or the amount is not that of
    so many blocks. A verified write reads on its own.
    """
    patterned = "pattern" in workload and "verify" not in options
    block_bytes = workload.get("block_bytes")
    for name, side in (("read", job.read), ("write", job.write)):
        if side is None or not side.io_bytes:
            continue
        if patterned and operations[name] == name:
            return False
        if block_bytes and side.total_ios and side.io_kbytes is not None:
            blocks = side.io_bytes / block_bytes
            if abs(blocks - side.total_ios) > 0.02 * side.total_ios + 1:
                return False
    return True


def _date(seconds: float | None) -> datetime | None:
    try:
        return datetime.fromtimestamp(seconds, UTC) if seconds else None
    except (OverflowError, OSError, ValueError):
        raise ParseError(
            "its timestamp {seconds} is not a date: send the file as fio wrote it", seconds=seconds
        ) from None


def _bytes_a_unit(version: str) -> float:
    """What one of `io_bytes` is: a KiB until 2.21 (and where no version is given), then a byte."""
    match = _VERSION.match(version)
    old = match is None or (int(match[1]), int(match[2])) < (2, 21)
    return 1024.0 if old else 1.0


def _measure(result: Result, job: Job, operations: Mapping[str, str], unit: float) -> None:
    """All numbers of a job; samples and bins of its sides go into its details."""
    longest_ms = 0.0
    sides = (("read", job.read), ("write", job.write), ("trim", job.trim), ("mixed", job.mixed))
    for name, side in sides:
        if side is None:
            continue
        longest_ms = max(longest_ms, side.runtime or 0.0)
        if side.io_bytes or side.bw or side.bw_bytes or side.iops:  # idle it is all zeros
            _measure_side(result, operations[name], side, unit)
            if samples := _samples(side):
                result.details[name] = samples
    sync = job.sync
    if sync is not None and sync.lat_ns is not None and sync.lat_ns.max:  # fsync and its kin, 3.4
        result.measure("sync", "operations", "total", sync.total_ios)
        _measure_latency(result, ("sync", "latency"), sync.lat_ns, 1e9)
    _measure_run(result, job, longest_ms)


def _measure_side(result: Result, what: str, side: Side, unit: float) -> None:
    # `io_kbytes` came together with bytes, `…_ns` after them: surer than a version, which may be
    # missing or that of a git build in between
    if side.io_kbytes is not None or side.clat_ns is not None:
        unit = 1.0
    rate = side.bw_bytes
    amount = None if side.io_bytes is None else side.io_bytes * unit
    run_s = None if side.runtime is None else side.runtime / 1000
    if rate is None:  # before 3.2 only whole KiB/s
        rate = uncut(side.bw, 1024, amount, run_s)
    measure_side(
        result,
        what,
        Totals(rate=rate, iops=side.iops, amount=amount, operations=side.total_ios, run_s=run_s),
    )
    for metric, in_ns, in_us in (
        ("submission_latency", side.slat_ns, side.slat),
        ("completion_latency", side.clat_ns, side.clat),
        ("latency", side.lat_ns, side.lat),
    ):
        if in_ns is not None:
            _measure_latency(result, (what, metric), in_ns, 1e9)
        elif in_us is not None:
            _measure_latency(result, (what, metric), in_us, 1e6)


def _measure_latency(result: Result, of: Latencies, latency: Latency, per_second: float) -> None:
    if latency.samples == 0 or not (latency.max or latency.mean):
        return  # fio prints zeros where it measured nothing
    printed = (latency.mean, latency.min, latency.max, latency.stddev)
    measure_spread(result, of, printed, per_second)
    if latency.percentile:
        measure_percentiles(result, of, latency.percentile, per_second)
    if latency.bins:
        result.details.setdefault("bins", {})[" ".join(of)] = _bins(latency.bins)


def _bins(raw: msgspec.Raw) -> dict[str, list[Any]]:
    """JSON+ bins as two lists, a sixth of a dictionary's size: 3.x prints ns to count.

    Read as one list, which makes JSON+ files half as quick again: two figures for two quotation
    marks and a colon, or it is no such object.
    """
    text = bytes(raw)
    colons = text.count(b":")
    if colons > _MOST_BINS:
        raise ParseError("it has more latency bins than fio: send the file as fio wrote it")
    listed = text.translate(_AS_LIST, b'"')
    try:
        figures = _BINS.decode(listed)
    except msgspec.DecodeError:
        figures = []
    if figures and len(figures) == len(text) - len(listed) == 2 * colons:
        return {"bins": figures[::2], "counts": figures[1::2]}
    return _old_bins(raw)


def _old_bins(raw: msgspec.Raw) -> dict[str, list[Any]]:
    """2.x numbers its buckets, prints the empty ones too, and its constants among them."""
    try:
        counts = {name: count for name, count in _OLD_BINS.decode(raw).items() if count}
    except msgspec.DecodeError as error:
        raise ParseError(
            "its latency bins cannot be read ({error}): send the file as fio wrote it", error=error
        ) from None
    return {"bins": list(counts), "counts": list(counts.values())}


def _measure_run(result: Result, job: Job, longest_ms: float) -> None:
    """CPU, errors and run time of the whole job.

    `job_runtime` (ms) is the sum over the jobs of a reporting group: it is a run time only
    where it is that of the longest side, give or take a hundredth.
    """
    result.measure("run", "errors", "total", job.total_err)
    if not result.by_name():
        return
    if job.usr_cpu is not None and job.sys_cpu is not None:
        measure_cpu(result, job.usr_cpu, job.sys_cpu, _jobs_summed_up(result, job, longest_ms))
    if job.job_runtime:
        if abs(job.job_runtime - longest_ms) <= 0.01 * longest_ms + 1:
            result.measure("run", "duration", "total", job.job_runtime / 1000)
        else:
            result.details["job_runtime"] = job.job_runtime


def _jobs_summed_up(result: Result, job: Job, longest_ms: float) -> float:
    """How many jobs ran at once on average, 1 where no reporting group sums up several.

    By the sum of their run times; before fio 3.8, which prints none, by the options.
    """
    options = result.details.get("options", {})
    if job.job_runtime and longest_ms:
        # a verified write reads after it wrote: one job runs longer than its longest side
        at_once = 1.0 if "verify" in options else job.job_runtime / longest_ms
        return at_once if at_once > _AT_ONCE else 1.0
    return result.workload.get("jobs", 1) if "group_reporting" in options else 1.0


def _details(document: Document, job: Job, options: dict[str, str]) -> dict[str, Any]:
    """All of a job but its sides; zeros of distributions are left out."""
    details: dict[str, Any] = {} if job.groupid is None else {"groupid": job.groupid}
    if options:
        details["options"] = options
    details |= _given(job, _PLAIN)
    if job.latency_target:
        details |= {name: getattr(job, name) for name in _TARGET}
    for name, shares in _given(job, _SHARES).items():
        if filled := {level: share for level, share in shares.items() if share}:
            details[name] = filled
    if document.disk_util:
        details["disk_util"] = document.disk_util
    if document.cpu_idleness:
        details["cpu_idleness"] = document.cpu_idleness
    return details


def _given(printed: Job | Side, names: tuple[str, ...]) -> dict[str, Any]:
    values = zip(names, attrgetter(*names)(printed), strict=True)
    return {name: value for name, value in values if value is not None}


def _samples(side: Side) -> dict[str, Any]:
    """Bandwidth and IOPS of the samples of one side, where there were any, and what was dropped."""
    samples = {}
    if side.bw_samples != 0 or side.iops_samples != 0:
        samples = _given(side, _SAMPLES)
    if side.short_ios or side.drop_ios:
        samples |= {"short_ios": side.short_ios, "drop_ios": side.drop_ios}
    return samples
