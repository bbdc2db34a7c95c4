"""fio's terse output (`--minimal`): one line a job, fields divided by `;`.

| version | start | blocks | fields without disks |
| --- | --- | --- | --- |
| 2, fio 1.x | `2;name;group;err` | read, write of 20 | 78 |
| 2, fio 2.x on | `2;name;group;err` | read, write, trim of 41 | 161 |
| 3 | `3;fio-3.33;name;group;err` | read, write of 41 | 121 |
| 4 (2.1) | `4;…` | read, write, trim of 41 | 162 |
| 5 (3.0) | `5;…` | read, write, trim of 47 | 180 |

A block is amount KiB, bandwidth (KiB/s; in 1.x 1000 B/s), iops, run time ms, then µs: slat, clat,
twenty percentiles, lat, then the bandwidth of samples. Unified reporting prints one block, `both`
one more at the end. Which latency the percentiles are of is not printed: fio's default is clat.
After 34 fields on the whole job (CPU, queue depths, latency shares) follow nine for each disk,
two with continue_on_error, and the description. [fio-1.58 and fio-3.33 stat.c]
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from typing import Any, NamedTuple

from benchdash.parsers.fio.numbers import Numbers, uncut
from benchdash.parsers.fio.once import goes_on
from benchdash.parsers.result import ParseError, Result

_LINE = re.compile(r"([0-9]{1,2});(?:fio[- ]?)?([0-9]{1,2}\.[0-9][^;]{0,40};)?", re.ASCII)
_COMMAS = re.compile(r"[2-5],fio-[0-9]", re.ASCII)
_VERSION = re.compile(r"fio[- ]v?([0-9][0-9A-Za-z.\-+_]{0,40})|([0-9]\.[0-9.]{1,8})", re.ASCII)
_CODE = re.compile(r"-?[0-9]{1,6}")
_NUMBER = re.compile(r"[0-9]{1,20}(?:\.[0-9]{1,9})?%?", re.ASCII)
_NAMES = {
    1: ("mixed",),
    2: ("read", "write"),
    3: ("read", "write", "trim"),
    4: ("read", "write", "trim", "mixed"),
}
_TAIL = 34
_DEPTHS = ("1", "2", "4", "8", "16", "32", ">=64")
_US = ("2", "4", "10", "20", "50", "100", "250", "500", "750", "1000")
_MS = (*_US, "2000", ">=2000")
_DISK = [
    "name",
    "read_ios",
    "write_ios",
    "read_merges",
    "write_merges",
    "read_ticks",
    "write_ticks",
    "in_queue",
    "util",
]


class _Layout(NamedTuple):
    """Where things stand in a block; -1 for what the version does not print."""

    width: int
    iops: int
    run: int
    latencies: int
    percentiles: int
    total: int
    samples: int


_OLD = _Layout(20, iops=-1, run=2, latencies=3, percentiles=-1, total=11, samples=15)
_NEW = _Layout(41, iops=2, run=3, latencies=4, percentiles=12, total=32, samples=36)
_WIDE = _NEW._replace(width=47)


def read_lines(lines: Iterable[tuple[int, str]]) -> tuple[list[Result], list[str]]:
    """Results of all terse lines, snapshots counted once; a clause for each bad line."""
    found: list[Result] = []
    problems: list[str] = []
    version = ""
    for number, line in lines:
        text = line.strip()
        match = _LINE.match(text)
        if match and text.count(";") >= 5:
            try:
                _add(found, _result(text, match, version, number))
            except ParseError as error:
                problems.append(f"terse line {number}: {error.sentence}")
        elif _COMMAS.match(text):
            problems.append(f"terse line {number}: its semicolons were turned into commas")
        elif text[:1] in "f123" and (seen := _VERSION.fullmatch(text)):
            version = seen[1] or seen[2]
    return found, problems


def _add(found: list[Result], result: Result) -> None:
    for index, earlier in enumerate(found):
        if goes_on([earlier], [result], clocks_agree=False):
            found[index] = result
            return
    found.append(result)


def _result(text: str, match: re.Match[str], seen: str, number: int) -> Result:
    fields = text.split(";")
    terse = int(match[1])
    if terse not in (2, 3, 4, 5):
        raise ParseError(f"terse version {terse} is not known")
    head = 2 if terse == 2 else 3
    shape, names, start = _shape(fields, terse, head)
    name, (group, code) = ";".join(fields[head - 1 : start - 2]), fields[start - 2 : start]
    if not (group.isascii() and group.isdigit() and _CODE.fullmatch(code)):
        raise ParseError("no group and error number follow the name")
    version = seen if terse == 2 else (match[2] or "").rstrip(";")
    result = Result("fio", version, f"fio/terse-{terse}", name, lines=(number, number))
    result.details = {"groupid": int(group)}
    numbers = Numbers()
    for index, side in enumerate(names):
        block = fields[start + index * shape.width : start + (index + 1) * shape.width]
        _measure_side(numbers, result.details, shape, side, block)
    _measure_tail(numbers, result.details, fields[start + len(names) * shape.width :], terse)
    numbers.into(result)
    if int(code):
        result.error = {"code": int(code), "message": os.strerror(abs(int(code)))}
    elif not numbers:
        result.note("run", "bytes", "no I/O was done")
    return result


def _shape(fields: list[str], terse: int, head: int) -> tuple[_Layout, tuple[str, ...], int]:
    """(layout, sides, index of the first block): percentiles show where the blocks stand.

    A `;` in the job's name moves everything; the percentiles move along.
    """
    marks = [index for index, field in enumerate(fields) if "%=" in field]
    if not marks:
        if terse == 2 and len(fields) == 78:
            return _OLD, _NAMES[2], 4
        raise ParseError(f"{len(fields)} fields are too few for terse version {terse}")
    shape = _WIDE if terse == 5 else _NEW
    start, count = marks[0] - shape.percentiles, len(marks) // 20
    names = _NAMES.get(count, ())
    if terse == 3 and count == 3:
        names = ("read", "write", "mixed")
    expected = [
        start + block * shape.width + shape.percentiles + place
        for block in range(count)
        for place in range(20)
    ]
    enough = start + count * shape.width + _TAIL
    if marks != expected or not names or start < head + 2 or len(fields) < enough:
        raise ParseError(f"its {len(fields)} fields are not those of terse version {terse}")
    return shape, names, start


def _number(text: str) -> float:
    if not _NUMBER.fullmatch(text):
        raise ParseError(f"{text[:40]!r} stands where a number belongs")
    return float(text.rstrip("%"))


def _measure_side(
    numbers: Numbers, details: dict[str, Any], shape: _Layout, side: str, block: list[str]
) -> None:
    amount, cut, run_s = (
        _number(block[0]) * 1024,
        _number(block[1]),
        _number(block[shape.run]) / 1000,
    )
    if not (amount or cut):
        return
    rate = cut * 1000 if shape is _OLD else uncut(cut, 1024, amount, run_s)
    numbers.add(side, "throughput", "mean", rate)
    if shape.iops >= 0:
        numbers.add(side, "iops", "mean", _number(block[shape.iops]))
    numbers.add(side, "bytes", "total", amount)
    numbers.add(side, "duration", "total", run_s)
    _measure_latency(numbers, side, "submission_latency", block[shape.latencies :])
    _measure_latency(numbers, side, "completion_latency", block[shape.latencies + 4 :])
    if shape.percentiles >= 0:
        pairs = [field.split("%=") for field in block[shape.percentiles : shape.percentiles + 20]]
        printed = {percent: _number(value) / 1e6 for percent, value in pairs}
        numbers.percentiles(side, "completion_latency", tuple(printed), list(printed.values()))
    _measure_latency(numbers, side, "latency", block[shape.total :])
    _keep_samples(details, shape, side, [_number(field) for field in block[shape.samples :]])


def _measure_latency(numbers: Numbers, side: str, metric: str, fields: list[str]) -> None:
    low, high, mean, deviation = (_number(field) / 1e6 for field in fields[:4])
    if high or mean:
        numbers.spread(side, metric, (mean, low, high, deviation))


def _keep_samples(details: dict[str, Any], shape: _Layout, side: str, block: list[float]) -> None:
    """KiB/s (1.x: 1000 B/s) and IOPS of samples, under the names of fio's JSON."""
    if not block[1]:
        return
    unit = 1000 / 1024 if shape is _OLD else 1.0
    low, high, share, mean, deviation, *rest = block
    kept = {"bw_min": low, "bw_max": high, "bw_mean": mean, "bw_dev": deviation}
    kept = {name: value * unit for name, value in kept.items()} | {"bw_agg": share}
    names = ["bw_samples", "iops_min", "iops_max", "iops_mean", "iops_stddev", "iops_samples"]
    details[side] = kept | dict(zip(names, rest, strict=False))


def _measure_tail(numbers: Numbers, details: dict[str, Any], tail: list[str], terse: int) -> None:
    values = [_number(field) for field in tail[:_TAIL]]
    if numbers:
        numbers.cpu(values[0] / 100, values[1] / 100)
        details |= {"ctx": values[2], "majf": values[3], "minf": values[4]}
    for name, levels, first in (
        ("iodepth_level", _DEPTHS, 5),
        ("latency_us", _US, 12),
        ("latency_ms", _MS, 22),
    ):
        shares = zip(levels, values[first:], strict=False)
        if kept := {level: share for level, share in shares if share}:
            details[name] = kept
    rest = _keep_disks(details, tail[_TAIL:])
    if len(rest) >= 2 and rest[0].isdecimal() and rest[1].isdecimal():
        numbers.add("run", "errors", "total", float(rest[0]))
        details["first_error"] = int(rest[1])
        rest = rest[2:]
    if rest and any(rest):
        details["desc"] = ";".join(rest)


def _keep_disks(details: dict[str, Any], rest: list[str]) -> list[str]:
    """Nine fields a disk, the last one in percent; what is left."""
    disks = []
    while len(rest) >= len(_DISK) and rest[8].endswith("%"):
        values = [_number(field) for field in rest[1:9]]
        disks.append(dict(zip(_DISK, [rest[0], *values], strict=True)))
        rest = rest[9:]
    if disks:
        details["disk_util"] = disks
    return rest
