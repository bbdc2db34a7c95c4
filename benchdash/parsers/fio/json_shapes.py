"""The shape of fio's JSON, all versions in one: what is not named here is skipped undecoded.

JSON begins with fio 2.0.10. Every key may be missing (old versions, cut fixtures). Keys stand in
the order in which fio prints them, where they are found at once.
"""

from __future__ import annotations

from typing import Annotated, Any

from msgspec import Meta, Raw, Struct, field

# 64 bits are the most that fio can mean; no rate, time or amount is below zero.
Number = Annotated[float, Meta(ge=0, le=2.0**64)]


class Latency(Struct, gc=False):
    """`slat`, `clat`, `lat` (µs, up to 2.21) or `…_ns`: N from 3.18, bins in JSON+ only."""

    min: Number | None = None
    max: Number | None = None
    mean: Number | None = None
    stddev: Number | None = None
    samples: Number | None = field(default=None, name="N")
    percentile: dict[str, Number] | None = None
    bins: Raw = Raw()


class Side(Struct, gc=False):
    """`read`, `write`, `trim`, `mixed` or `sync` of a job.

    `io_bytes` is KiB before 2.21 and bytes since, when `io_kbytes` came; `bw` and `bw_min` to
    `bw_dev` are KiB/s always; `bw_bytes` is B/s (3.2); `runtime` is ms.
    """

    io_bytes: Number | None = None
    io_kbytes: Number | None = None
    bw_bytes: Number | None = None
    bw: Number | None = None
    iops: Number | None = None
    runtime: Number | None = None
    total_ios: Number | None = None
    short_ios: float | None = None
    drop_ios: float | None = None
    slat: Latency | None = None
    clat: Latency | None = None
    lat: Latency | None = None
    slat_ns: Latency | None = None
    clat_ns: Latency | None = None
    lat_ns: Latency | None = None
    bw_min: float | None = None
    bw_max: float | None = None
    bw_agg: float | None = None
    bw_mean: float | None = None
    bw_dev: float | None = None
    bw_samples: float | None = None
    iops_min: float | None = None
    iops_max: float | None = None
    iops_mean: float | None = None
    iops_stddev: float | None = None
    iops_samples: float | None = None


class Job(Struct, gc=False):
    """One job, or one reporting group under its first job's name."""

    jobname: str = ""
    groupid: int | None = None
    job_start: Number | None = None
    error: Annotated[int, Meta(ge=-(2**31), lt=2**31)] = 0
    elapsed: Number | None = None
    options: Raw = field(default=Raw(), name="job options")
    joboptions: Raw = Raw()
    read: Side | None = None
    write: Side | None = None
    trim: Side | None = None
    sync: Side | None = None
    job_runtime: Number | None = None
    usr_cpu: Number | None = None
    sys_cpu: Number | None = None
    ctx: float | None = None
    majf: float | None = None
    minf: float | None = None
    iodepth_level: Raw = Raw()
    iodepth_submit: Raw = Raw()
    iodepth_complete: Raw = Raw()
    latency_ns: dict[str, float] | None = None
    latency_us: dict[str, float] | None = None
    latency_ms: dict[str, float] | None = None
    latency_depth: float | None = None
    latency_target: float | None = None
    latency_percentile: float | None = None
    latency_window: float | None = None
    mixed: Side | None = None
    hostname: str | None = None
    port: int | None = None
    desc: str | None = None
    total_err: Number | None = None
    first_error: float | None = None
    steadystate: dict[str, Any] | None = None


class Document(Struct, gc=False):
    """One JSON document of fio; yardstick strips the blanks from its keys."""

    version: str | None = field(default=None, name="fio version")
    fioversion: str | None = None
    timestamp: Number | None = None
    timestamp_ms: Number | None = None
    time: str | None = None
    options: Raw = field(default=Raw(), name="global options")
    globaloptions: Raw = Raw()
    jobs: list[Job] | None = None
    client_stats: list[Job] | None = None
    disk_util: list[dict[str, Any]] | None = None
    cpu_idleness: dict[str, Any] | None = None

    @property
    def number_of_jobs(self) -> int:
        return len(self.jobs or self.client_stats or [])

    @property
    def has_jobs(self) -> bool:
        """False for JSON that is not fio's: no job in it has a side or a name."""
        for job in self.jobs or self.client_stats or []:
            if job.jobname or job.read or job.write or job.trim or job.mixed:
                return True
        return False
