"""The numbers of one fio JSON job, and what its sides bring for its details."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchdash.parsers.fio.json_details import bins, samples
from benchdash.parsers.fio.json_shapes import Job, Latency, Side
from benchdash.parsers.fio.numbers import Latencies, Numbers, uncut


def numbers_of(job: Job, unit: float, called: Mapping[str, str], kept: dict[str, Any]) -> Numbers:
    """All numbers of a job; samples and bins of its sides are added to `kept`.

    `unit` is that of `io_bytes` in bytes where `io_kbytes` does not stand beside it, `called` are
    the operations of the sides.
    """
    numbers = Numbers()
    longest_ms = 0.0
    read, write, trim, mixed = job.read, job.write, job.trim, job.mixed
    for name, side in (("read", read), ("write", write), ("trim", trim), ("mixed", mixed)):
        if side is None:
            continue
        if side.runtime and side.runtime > longest_ms:
            longest_ms = side.runtime
        if side.io_bytes or side.bw or side.bw_bytes or side.iops:  # idle it is all zeros
            _side(numbers, called[name], side, unit, kept)
            if sampled := samples(side):
                kept[name] = sampled
    sync = job.sync
    if sync is not None and sync.lat_ns is not None and sync.lat_ns.max:  # fsync and its kin, 3.4
        numbers.add("sync", "operations", "total", sync.total_ios)
        _latency(numbers, ("sync", "latency", 1e9), sync.lat_ns, kept)
    _run(numbers, job, longest_ms, kept)
    return numbers


def _side(numbers: Numbers, what: str, side: Side, unit: float, kept: dict[str, Any]) -> None:
    rate, amount, run_ms = side.bw_bytes, side.io_bytes, side.runtime
    if side.io_kbytes is not None or side.clat_ns is not None:
        unit = 1.0
    if rate is None:
        amount_bytes = None if amount is None else amount * unit
        rate = uncut(side.bw, 1024, amount_bytes, None if run_ms is None else run_ms / 1000)
    printed = rate, side.iops, amount, side.total_ios, run_ms
    numbers.side(what, printed, (1.0, 1.0, 1.0 / unit, 1.0, 1000.0))
    for metric, in_ns, in_us in (
        ("submission_latency", side.slat_ns, side.slat),
        ("completion_latency", side.clat_ns, side.clat),
        ("latency", side.lat_ns, side.lat),
    ):
        if in_ns is not None:
            if in_ns.samples != 0:
                _latency(numbers, (what, metric, 1e9), in_ns, kept)
        elif in_us is not None:
            _latency(numbers, (what, metric, 1e6), in_us, kept)


def _latency(numbers: Numbers, called: Latencies, latency: Latency, kept: dict[str, Any]) -> None:
    mean, low, high, stddev = latency.mean, latency.min, latency.max, latency.stddev
    if latency.samples == 0 or not (high or mean):
        return  # zeros stand where nothing was measured
    numbers.spread(called, (mean, low, high, stddev))
    if printed := latency.percentile:
        numbers.percentiles(called, tuple(printed), printed.values())
    if latency.bins:
        kept.setdefault("bins", {})[f"{called[0]} {called[1]}"] = bins(latency.bins)


def _run(numbers: Numbers, job: Job, longest_ms: float, kept: dict[str, Any]) -> None:
    """CPU, errors and run time of the whole job.

    `job_runtime` (ms) is the sum over the jobs of a reporting group: it is a run time only
    where it is that of the longest side, give or take a hundredth.
    """
    if job.total_err is not None:
        numbers.add("run", "errors", "total", job.total_err)
    if not numbers:
        return
    if job.usr_cpu is not None and job.sys_cpu is not None:
        numbers.cpu(job.usr_cpu, job.sys_cpu)
    if job.job_runtime:
        if abs(job.job_runtime - longest_ms) <= 0.01 * longest_ms + 1:
            numbers.add("run", "duration", "total", job.job_runtime / 1000)
        else:
            kept["job_runtime"] = job.job_runtime
