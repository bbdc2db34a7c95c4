"""The numbers of one terse line, by their places."""

from __future__ import annotations

import re
from typing import Any, NamedTuple

from benchdash.parsers.fio.numbers import Numbers, uncut
from benchdash.parsers.result import Result

_NUMBER = re.compile(r"[0-9]{1,20}(?:\.[0-9]{1,9})?%?")
_SPREADS = ("submission_latency", "completion_latency")
_DEPTHS = ("1", "2", "4", "8", "16", "32", ">=64")
_US = ("2", "4", "10", "20", "50", "100", "250", "500", "750", "1000")
_MS = (*_US, "2000", ">=2000")
_SHARES = (("iodepth_level", _DEPTHS, 5), ("latency_us", _US, 12), ("latency_ms", _MS, 22))
_SAMPLES = (
    *("bw_min", "bw_max", "bw_agg", "bw_mean", "bw_dev", "bw_samples"),
    *("iops_min", "iops_max", "iops_mean", "iops_stddev", "iops_samples"),
)
_DISK = (
    *("read_ios", "write_ios", "read_merges", "write_merges"),
    *("read_ticks", "write_ticks", "in_queue", "util"),
)


class _Width(NamedTuple):
    """Fields of a block from its beginning; 0 for what the version does not print."""

    iops: int
    run: int
    latencies: int
    percentiles: int
    total: int


WIDTHS = {
    20: _Width(iops=0, run=2, latencies=3, percentiles=0, total=11),
    41: _Width(iops=2, run=3, latencies=4, percentiles=12, total=32),
    47: _Width(iops=2, run=3, latencies=4, percentiles=12, total=32),
}


def measure(
    result: Result, blocks: tuple[int, tuple[str, ...]], values: list[float], rest: list[str]
) -> None:
    """Give `result` the numbers of its sides and of the whole job, and its details.

    `blocks` are the width and the sides; in `values` a percentile takes two places. `rest` is what
    follows the numbers: disks, errors, description.
    """
    width, sides = blocks
    numbers, details = Numbers(), result.details
    step = width + (20 if WIDTHS[width].percentiles else 0)
    for index, side in enumerate(sides):
        _measure_side(numbers, details, (width, side), values[index * step : (index + 1) * step])
    tail = values[len(sides) * step :]
    if numbers:
        numbers.cpu(tail[0], tail[1])
        details |= {"ctx": tail[2], "majf": tail[3], "minf": tail[4]}
    else:
        result.note("run", "bytes", "no I/O was done")
    for name, levels, first in _SHARES:
        shares = zip(levels, tail[first:], strict=False)
        if kept := {level: share for level, share in shares if share}:
            details[name] = kept
    _keep_rest(numbers, details, rest)
    numbers.into(result)


def _measure_side(
    numbers: Numbers, details: dict[str, Any], of: tuple[int, str], block: list[float]
) -> None:
    width, side = of
    at = WIDTHS[width]
    amount, cut, run_s = block[0] * 1024, block[1], block[at.run] / 1000
    if not (amount or cut):
        return
    rate = uncut(cut, 1024, amount, run_s) if at.iops else cut * 1000
    iops = block[at.iops] if at.iops else None
    numbers.side(side, (rate, iops, amount, None, run_s))
    for index, metric in enumerate(_SPREADS):
        _measure_latency(numbers, side, metric, block[at.latencies + 4 * index :])
    total = at.total
    if at.percentiles:
        printed = block[at.percentiles : total + 20]
        called = side, "completion_latency", 1e6
        numbers.percentiles(called, tuple(printed[::2]), printed[1::2])
        total += 20
    _measure_latency(numbers, side, "latency", block[total:])
    _keep_samples(details, side, block[total + 4 :], 1.0 if at.iops else 1000 / 1024)


def _measure_latency(numbers: Numbers, side: str, metric: str, block: list[float]) -> None:
    low, high, mean, deviation = block[:4]
    if high or mean:
        numbers.spread((side, metric, 1e6), (mean, low, high, deviation))


def _keep_samples(details: dict[str, Any], side: str, samples: list[float], in_kib: float) -> None:
    """Bandwidth and IOPS of samples, in KiB/s under the names of fio's JSON."""
    if samples[1]:
        kept = dict(zip(_SAMPLES, samples, strict=False))
        for name in ("bw_min", "bw_max", "bw_mean", "bw_dev"):
            kept[name] *= in_kib
        details[side] = kept


def _keep_rest(numbers: Numbers, details: dict[str, Any], rest: list[str]) -> None:
    """Nine fields a disk, the last one in percent; the count of errors and the first; words."""
    disks = []
    while len(rest) > len(_DISK) and rest[8].endswith("%") and _are_numbers(rest[1:9]):
        figures = [float(text.rstrip("%")) for text in rest[1:9]]
        disks.append({"name": rest[0], **dict(zip(_DISK, figures, strict=True))})
        rest = rest[9:]
    if disks:
        details["disk_util"] = disks
    if len(rest) >= 2 and all(f.isascii() and f.isdecimal() and len(f) < 19 for f in rest[:2]):
        numbers.add("run", "errors", "total", float(rest[0]))
        details["first_error"] = int(rest[1])
        rest = rest[2:]
    if any(rest):
        details["desc"] = ";".join(rest)


def _are_numbers(fields: list[str]) -> bool:
    return all(_NUMBER.fullmatch(field) for field in fields)
