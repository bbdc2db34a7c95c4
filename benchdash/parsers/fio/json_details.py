"""What is kept of a fio JSON job beside its numbers, under fio's own names and in its units.

Distributions, counters, settings, and figures of half-second samples, which are not the run's.
"""

from __future__ import annotations

from functools import lru_cache
from operator import attrgetter
from typing import Any

import msgspec

from benchdash.parsers.fio.json_shapes import Document, Job, Side
from benchdash.parsers.result import ParseError

_PLAIN = ("hostname", "port", "desc", "ctx", "majf", "minf", "first_error", "steadystate")
_TARGET = ("latency_depth", "latency_target", "latency_percentile", "latency_window")
_DEPTHS = ("iodepth_level", "iodepth_submit", "iodepth_complete")
_plain, _depths = attrgetter(*_PLAIN), attrgetter(*_DEPTHS)
_MOST_BINS = 10_000  # fio has 1,856 [stat.h]
_BINS = msgspec.json.Decoder(list[int])
_AS_LIST = bytes.maketrans(b"{:}", b"[,]")
_LEVELS = msgspec.json.Decoder(dict[str, float] | None)
_OLD_BINS = msgspec.json.Decoder(dict[str, int])


def details(document: Document, job: Job, options: dict[str, str]) -> dict[str, Any]:
    """All of a job but its sides; zeros of distributions are left out."""
    kept: dict[str, Any] = {}
    if job.groupid is not None:
        kept["groupid"] = job.groupid
    if options:
        kept["options"] = options
    kept |= _printed(_PLAIN, _plain(job))
    if job.latency_target:
        kept |= {name: getattr(job, name) for name in _TARGET}
    for name, raw in zip(_DEPTHS, map(bytes, _depths(job)), strict=True):
        if filled := _depth(name, raw):
            kept[name] = filled
    times = job.latency_ns, job.latency_us, job.latency_ms
    for name, shares in zip(("latency_ns", "latency_us", "latency_ms"), times, strict=True):
        if shares and (filled := {level: share for level, share in shares.items() if share}):
            kept[name] = filled
    if document.disk_util:
        kept["disk_util"] = document.disk_util
    if document.cpu_idleness:
        kept["cpu_idleness"] = document.cpu_idleness
    return kept


@lru_cache(maxsize=256)
def _depth(name: str, raw: bytes) -> dict[str, float]:
    """Shares of queue depths less the zeros: nearly always like one seen before."""
    if not raw:
        return {}
    try:
        return {level: share for level, share in (_LEVELS.decode(raw) or {}).items() if share}
    except msgspec.DecodeError as error:
        raise ParseError(f"fio JSON with {name} that cannot be measured: {error}") from None


def samples(side: Side) -> dict[str, Any]:
    """Bandwidth and IOPS of the samples of one side, where there were any, and what was dropped."""
    kept: dict[str, Any] = {}
    if side.bw_samples != 0 or side.iops_samples != 0:
        kept = {
            "bw_min": side.bw_min,
            "bw_max": side.bw_max,
            "bw_agg": side.bw_agg,
            "bw_mean": side.bw_mean,
            "bw_dev": side.bw_dev,
            "bw_samples": side.bw_samples,
            "iops_min": side.iops_min,
            "iops_max": side.iops_max,
            "iops_mean": side.iops_mean,
            "iops_stddev": side.iops_stddev,
            "iops_samples": side.iops_samples,
        }
        if None in kept.values():
            kept = {name: value for name, value in kept.items() if value is not None}
    if side.short_ios or side.drop_ios:
        kept |= {"short_ios": side.short_ios, "drop_ios": side.drop_ios}
    return kept


def _printed(names: tuple[str, ...], values: tuple[Any, ...]) -> dict[str, Any]:
    return {name: value for name, value in zip(names, values, strict=True) if value is not None}


def bins(raw: msgspec.Raw) -> dict[str, list[Any]]:
    """JSON+ bins as two lists, a sixth of a dictionary's size: 3.x ns to count.

    Read as one list, which is quicker: two figures for two quotation marks and a colon, or it is
    no such object.
    """
    text = bytes(raw)
    colons = text.count(b":")
    if colons > _MOST_BINS:
        raise ParseError("fio JSON with more latency bins than fio has")
    listed = text.translate(_AS_LIST, b'"')
    try:
        figures = _BINS.decode(listed)
    except msgspec.DecodeError:
        figures = []
    if figures and len(figures) == len(text) - len(listed) == 2 * colons:
        return {"bins": figures[::2], "counts": figures[1::2]}
    counts = _old_bins(raw)
    return {"bins": list(counts), "counts": list(counts.values())}


def _old_bins(raw: msgspec.Raw) -> dict[str, int]:
    """2.x numbers its buckets, prints the empty ones too, and its constants among them."""
    try:
        return {name: count for name, count in _OLD_BINS.decode(raw).items() if count}
    except msgspec.DecodeError as error:
        raise ParseError(f"fio JSON with latency bins that are none: {error}") from None
