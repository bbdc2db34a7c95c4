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

import msgspec

from benchdash.errors import N_
from benchdash.parsers.fio.figures import (
    Totals,
    measure_cpu,
    measure_percentiles,
    measure_side,
    measure_spread,
    uncut,
)
from benchdash.parsers.fio.snapshots import moved, newest, numbered, reports_of
from benchdash.parsers.result import ParseError, Result
from benchdash.parsers.text import doubt_incomplete, unended_line

_LINE = re.compile(r"([0-9]{1,2});(?:fio[- ]?)?([0-9]{1,2}\.[0-9][^;]{0,40};)?", re.ASCII)
_BEGUN = re.compile(r"[1-5](?:;|$)", re.ASCII)
_COMMAS = re.compile(r"[2-5],fio-[0-9]", re.ASCII)
_VERSION = re.compile(r"fio[- ]v?([0-9][0-9A-Za-z.\-+_]{0,40})|([0-9]\.[0-9.]{1,8})", re.ASCII)
_NUMBER = re.compile(r"-?[0-9]{1,20}(?:\.[0-9]{1,9})?%?|[0-9.]{1,12}%=[0-9]{1,20}", re.ASCII)
_NUMBERS = msgspec.json.Decoder(list[float])
_FIGURE = re.compile(r"[0-9]{1,20}(?:\.[0-9]{1,9})?%?")
_SIDES = {
    1: ("mixed",),
    2: ("read", "write"),
    3: ("read", "write", "trim"),
    4: ("read", "write", "trim", "mixed"),
}
_TAIL = 34
_FEWEST = 5  # semicolons, by which a line is known as one
_CODE = re.compile(r"-?[0-9]{1,6}")
_MANY = 1000  # more bad lines than anyone would mend
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


_WIDTHS = {
    20: _Width(iops=0, run=2, latencies=3, percentiles=0, total=11),
    41: _Width(iops=2, run=3, latencies=4, percentiles=12, total=32),
    47: _Width(iops=2, run=3, latencies=4, percentiles=12, total=32),
}


def read_lines(lines: Iterable[tuple[int, str]]) -> tuple[list[Result], list[str]]:
    """Results of all terse lines, snapshots counted once; a clause for each bad line."""
    results: list[Result] = []
    problems: list[tuple[int, str]] = []
    version, versions = "", 0
    for number, line in lines:
        text = line.strip()
        match = _LINE.match(text)
        if match and text.count(";") >= _FEWEST:
            try:
                result = _result(text.split(";"), match, version)
            except ParseError as error:
                problem = N_("terse line {line}: {sentence}", line=number, sentence=error.sentence)
                problems.append((number, problem))
                if len(problems) > _MANY:
                    raise ParseError(
                        "{sentence}, as in {many} later places",
                        sentence=problems[0][1],
                        many=_MANY,
                    ) from None
            else:
                result.lines = number, number
                result.execution = versions
                results.append(result)
        elif _COMMAS.match(text):
            problem = N_("terse line {line}: its semicolons were turned into commas", line=number)
            problems.append((number, problem))
        elif text[:1] in "f123" and (seen := _VERSION.fullmatch(text)):
            version = seen[1] or seen[2]
            versions += 1
    results = numbered(newest(reports_of(results)))
    _doubt(results)
    for number, problem in problems:
        _doubt_beside(results, number, problem)
    return results, [problem for _, problem in problems]


def _doubt_beside(results: list[Result], number: int, problem: str) -> None:
    """A line that cannot be read may be a job, or a later report, of the results before it."""
    before = [result for result in results if result.lines[1] < number]
    if before:
        doubt_incomplete(
            (each for each in results if each.execution == before[-1].execution), problem
        )


def end_of(text: str, results: list[Result]) -> list[str]:
    """What may be missing where the text ends within a terse line: a clause, or a doubt.

    A later snapshot of the run may be, of which the figures are others.
    """
    last = unended_line(text).strip()
    if not results or not _BEGUN.match(last):
        return []
    number = text.count("\n") + 1
    latest = max(results, key=lambda result: result.lines[1])
    if latest.lines[1] < number:
        problem = N_("the text ends within terse line {line}", line=number)
        if last.count(";") < _FEWEST:  # of more than that it is a line that cannot be read
            _doubt_beside(results, number, problem)
        return [problem]
    if not last.endswith("%"):
        doubt = N_(
            "The text ends without a newline within terse line {line}: it may have been cut. "
            "Compare it with the original file.",
            line=number,
        )
        for result in results:
            if result.execution == latest.execution:
                result.doubts.append(doubt)
    return []


def _doubt(results: list[Result]) -> None:
    """Say of lines without the figures of a disk what they are read as.

    Four lines of one name are `numjobs=4`, or four executions that somebody put into one file; and
    two may be snapshots of one job.
    """
    together: dict[tuple[int, int], list[Result]] = {}
    for result in results:
        result.group = result.details["groupid"]
        together.setdefault((result.execution, result.group), []).append(result)
    for jobs in together.values():
        if len(jobs) > 1 and not moved(jobs[0]):
            doubt = N_(
                "Terse lines {first} to {last} do not say whether their {count} jobs ran at the "
                "same time; they are read as if they did. If they did not, put the lines of "
                "each execution into a file of its own.",
                first=jobs[0].lines[0],
                last=jobs[-1].lines[0],
                count=len(jobs),
            )
            for result in jobs:
                result.doubts.append(doubt)
        elif jobs[0].details.get("snapshots") == 2 and not moved(jobs[0]):
            jobs[0].doubts.append(
                N_(
                    "Terse line {line} is read as a later report of the job in the line of that "
                    "name before it (--status-interval), which is not counted. If they are "
                    "two jobs, put each line into a file of its own.",
                    line=jobs[0].lines[0],
                )
            )


class _Layout(NamedTuple):
    """Where the blocks of a line start and end, and which sides they belong to."""

    start: int
    width: int
    sides: tuple[str, ...]
    end: int


def _result(fields: list[str], match: re.Match[str], seen: str) -> Result:
    terse = int(match[1])
    layout = _layout(terse, len(fields), tuple([i for i, f in enumerate(fields) if "%=" in f]))
    name = ";".join(fields[1 if terse == 2 else 2 : layout.start - 2])
    group, code = fields[layout.start - 2 : layout.start]
    if not (group.isascii() and group.isdecimal() and _CODE.fullmatch(code)):
        raise ParseError("no group or error number after the name")
    version = seen if terse == 2 else (match[2] or "").rstrip(";")
    result = Result("fio", version, f"fio/terse-{terse}", name)
    result.details = {"groupid": int(group)}
    values = _values(_without_nan(fields, layout))
    _measure(result, (layout.width, layout.sides), values, fields[layout.end :])
    if int(code):
        result.error = {"code": int(code), "message": os.strerror(abs(int(code)))}
    return result


def _layout(terse: int, count: int, percentiles: tuple[int, ...]) -> _Layout:
    """The layout of a line, from the positions of its percentiles (`99.000000%=120`).

    A `;` in the job's name shifts all fields, the percentiles with them.
    """
    if terse not in (2, 3, 4, 5):
        raise ParseError("terse version {terse} is not known", terse=terse)
    if not percentiles:
        if terse == 2 and count == 78:
            return _Layout(4, 20, _SIDES[2], 78)
        raise ParseError(
            "{count} fields are too few for terse version {terse}", count=count, terse=terse
        )
    width, blocks = 47 if terse == 5 else 41, len(percentiles) // 20
    start = percentiles[0] - _WIDTHS[width].percentiles
    sides = _SIDES.get(blocks, ())
    if terse == 3 and blocks == 3:
        sides = ("read", "write", "mixed")
    expected = [percentiles[0] + width * block + at for block in range(blocks) for at in range(20)]
    end = start + blocks * width + _TAIL
    if list(percentiles) != expected or not sides or start < 4 + (terse > 2) or count < end:
        raise ParseError(
            "its {count} fields are not those of terse version {terse}", count=count, terse=terse
        )
    return _Layout(start, width, sides, end)


def _without_nan(fields: list[str], layout: _Layout) -> list[str]:
    """The numbers of a line; of a job that did no I/O yet, shares are 0/0."""
    numbers = fields[layout.start : layout.end]
    starts = range(0, len(layout.sides) * layout.width, layout.width)
    if any(numbers[at] != "0" for at in starts):
        return numbers
    return ["0%" if text in ("nan%", "-nan%") else text for text in numbers]


def _values(fields: list[str]) -> list[float]:
    """All numbers, a percentile as two; ParseError names the field that is none."""
    text = ",".join(fields).replace("%=", ",").replace("%", "")
    try:
        return _NUMBERS.decode(f"[{text}]")
    except msgspec.DecodeError:
        wrong = next((field for field in fields if not _NUMBER.fullmatch(field)), "a number")
        raise ParseError("expected a number, found {text}", text=repr(wrong[:40])) from None


def _measure(
    result: Result, blocks: tuple[int, tuple[str, ...]], values: list[float], rest: list[str]
) -> None:
    """Give `result` the numbers of its sides and of the whole job, and its details.

    `blocks` are the width and the sides; in `values` a percentile takes two places. `rest` is what
    follows the numbers: disks, errors, description.
    """
    width, sides = blocks
    details = result.details
    step = width + (20 if _WIDTHS[width].percentiles else 0)
    for index, side in enumerate(sides):
        _measure_side(result, (width, side), values[index * step : (index + 1) * step])
    tail = values[len(sides) * step :]
    if result.by_name():
        measure_cpu(result, tail[0], tail[1])
        details |= {"ctx": tail[2], "majf": tail[3], "minf": tail[4]}
    else:
        result.note("run", "bytes", N_("no I/O was done"))
    for name, levels, first in _SHARES:
        shares = zip(levels, tail[first:], strict=False)
        if kept := {level: share for level, share in shares if share}:
            details[name] = kept
    _keep_rest(result, rest)


def _measure_side(result: Result, of: tuple[int, str], block: list[float]) -> None:
    width, side = of
    at = _WIDTHS[width]
    amount, cut, run_s = block[0] * 1024, block[1], block[at.run] / 1000
    if not (amount or cut):
        return
    # 1.x, whose blocks have no iops, divides bytes by ms: its "KiB/s" are 1000 B/s [stat.c]
    rate = uncut(cut, 1024, amount, run_s) if at.iops else cut * 1000
    iops = block[at.iops] if at.iops else None
    measure_side(
        result, side, Totals(rate=rate, iops=iops, amount=amount, operations=None, run_s=run_s)
    )
    for index, metric in enumerate(_SPREADS):
        _measure_latency(result, side, metric, block[at.latencies + 4 * index :])
    total = at.total
    if at.percentiles:
        printed = block[at.percentiles : total + 20]
        percentiles = dict(zip(printed[::2], printed[1::2], strict=True))
        measure_percentiles(result, (side, "completion_latency"), percentiles, 1e6)
        total += 20
    _measure_latency(result, side, "latency", block[total:])
    _keep_samples(result.details, side, block[total + 4 :], 1.0 if at.iops else 1000 / 1024)


def _measure_latency(result: Result, side: str, metric: str, block: list[float]) -> None:
    low, high, mean, deviation = block[:4]
    if high or mean:
        measure_spread(result, (side, metric), (mean, low, high, deviation), 1e6)


def _keep_samples(details: dict[str, Any], side: str, samples: list[float], in_kib: float) -> None:
    """Bandwidth and IOPS of samples, in KiB/s under the names of fio's JSON."""
    if samples[1]:
        kept = dict(zip(_SAMPLES, samples, strict=False))
        for name in ("bw_min", "bw_max", "bw_mean", "bw_dev"):
            kept[name] *= in_kib
        details[side] = kept


def _keep_rest(result: Result, rest: list[str]) -> None:
    """Nine fields for each disk (the last in percent), count and code of errors, the description."""
    details, disks = result.details, []
    while len(rest) > len(_DISK) and rest[8].endswith("%") and _are_numbers(rest[1:9]):
        figures = [float(text.rstrip("%")) for text in rest[1:9]]
        disks.append({"name": rest[0], **dict(zip(_DISK, figures, strict=True))})
        rest = rest[9:]
    if disks:
        details["disk_util"] = disks
    if len(rest) >= 2 and all(f.isascii() and f.isdecimal() and len(f) < 19 for f in rest[:2]):
        result.measure("run", "errors", "total", float(rest[0]))
        details["first_error"] = int(rest[1])
        rest = rest[2:]
    if any(rest):
        details["desc"] = ";".join(rest)


def _are_numbers(fields: list[str]) -> bool:
    return all(_FIGURE.fullmatch(field) for field in fields)
