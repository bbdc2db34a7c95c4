"""fio's bare logs (`write_bw_log` and its kin) as traces, one for each direction.

A line is time in ms, value, direction (0 read, 1 write, 2 trim), block size, then the offset with
`log_offset`, and the I/O priority from 3.20. Values: `bw` KiB/s, `iops` 1/s, `lat`, `slat` and
`clat` ns from 2.99 and µs before. The columns do not say which of the five it is: the name does
(`NAME_bw.1.log`). With `log_unix_epoch` times are Unix ms, of which the first is the start. Nor do they say ns or µs: a priority column does (then it is ns), and a latency
that in µs would be longer than the run so far (ns too). Else the name has to (`fio-2.16_…`).
"""

from __future__ import annotations

import re
from array import array
from dataclasses import dataclass, field
from datetime import UTC, datetime

from benchdash.parsers.result import ParseError, Result, Trace

_LINE = re.compile(
    r"[ \t]*([0-9]{1,15})[ \t]*,[ \t]*([0-9]{1,20})[ \t]*,[ \t]*([0-9]{1,20})"
    r"((?:[ \t]*,[ \t]*(?:0x[0-9a-fA-F]{1,8}|[0-9]{1,20})){0,6})[ \t]*(?:\n+|\Z)",
    re.ASCII,
)
_KIND = re.compile(r"(?<![A-Za-z])(bw|iops|slat|clat|lat)(?![A-Za-z])")
_HISTOGRAM = re.compile(r"clat_hist", re.IGNORECASE)
_FIO = re.compile(r"fio-?([0-9]{1,2})\.([0-9]{1,3})", re.IGNORECASE | re.ASCII)
_NS, _US = 1e-9, 1e-6
_EPOCH_S = 10**9  # no run takes thirty years
_PRIORITIES = (" 0", ",0", " 1", ",1", "x0000", "x0001")
_METRICS = {
    "bw": ("throughput", 1024.0),
    "iops": ("iops", 1.0),
    "slat": ("submission_latency", _NS),
    "clat": ("completion_latency", _NS),
    "lat": ("latency", _NS),
}
_DIRECTIONS = ("read", "write", "trim")


def looks_like_one(text: str, name: str) -> bool:
    """Are the first lines, up to ten, all bare columns? Three of them need a name that says so."""
    position = 0
    matches: list[re.Match[str]] = []
    while len(matches) < 10 and (match := _LINE.match(text, position)):
        matches.append(match)
        position = match.end()
    whole = len(matches) == 10 or (matches and position == len(text))
    named = _KIND.search(_base(name)) is not None
    return bool(whole) and all(named or match[4] for match in matches)


def read_log(text: str, name: str) -> Result:
    """The traces of one log; ParseError where it cannot be told which log it is."""
    base = _base(name)
    kinds = list(_KIND.finditer(base))
    if _HISTOGRAM.search(base):
        raise ParseError(
            "a fio latency histogram log (clat_hist) is not read: send the bw, iops, slat, clat or lat "
            "log of the run, or its JSON+"
        )
    if not kinds:
        raise ParseError(
            "the bare columns of a fio log do not say whether it is a bw, iops, slat, clat "
            "or lat log: name it as in NAME_bw.1.log"
        )
    metric, factor = _METRICS[kinds[-1][0]]
    result = Result("fio", "", "fio/log", base[: kinds[-1].start()].rstrip("-_. "))
    rows = _rows(text, metric)
    if factor == _NS:
        factor = rows.latency_unit(base)
    for trace in rows.traces.values():
        trace.values = array("d", [value * factor for value in trace.values])
    result.traces = list(rows.traces.values())
    if any(trace.seconds[0] > _EPOCH_S for trace in result.traces):
        result.started_at = _from_its_start(result.traces)
    result.details = {"log": kinds[-1][0]}
    result.lines = (1, rows.last_line)
    return result


def _from_its_start(traces: list[Trace]) -> datetime:
    """Unix times to seconds since the first of them, which is returned."""
    start = min(min(trace.seconds) for trace in traces)
    try:
        moment = datetime.fromtimestamp(start, UTC)
    except (OverflowError, OSError, ValueError):
        raise ParseError(
            "the time {seconds} s in this fio log is not a date: send the log as fio wrote it",
            seconds=start,
        ) from None
    for trace in traces:
        trace.seconds = array("d", [round(at - start, 3) for at in trace.seconds])
    return moment


@dataclass(slots=True)
class _Rows:
    """The lines of a log, values as printed."""

    traces: dict[str, Trace] = field(default_factory=dict)
    columns: int = 0
    priorities: bool = True
    too_long_for_us: bool = False
    last_line: int = 0

    def latency_unit(self, base: str) -> float:
        """Seconds of one unit: ns or µs; ParseError where neither is sure."""
        version = _FIO.search(base)
        if version:
            return _NS if (int(version[1]), int(version[2])) >= (2, 99) else _US
        if self.too_long_for_us or self.columns > 5 or (self.columns == 5 and self.priorities):
            return _NS
        raise ParseError(
            "the latencies in this fio log are in ns if fio 3 wrote it and in µs if fio 2 "
            "did; its {columns} columns do not say which: put the version in the name, as "
            "in fio-3.1_{name}",
            columns=self.columns,
            name=base[-60:],
        )


def _rows(text: str, metric: str) -> _Rows:
    rows = _Rows()
    position = 0
    while match := _LINE.match(text, position):
        milliseconds, value, direction = int(match[1]), int(match[2]), int(match[3])
        if direction >= len(_DIRECTIONS):
            break
        position = match.end()
        operation = _DIRECTIONS[direction]
        trace = rows.traces.get(operation)
        if trace is None:
            trace = rows.traces[operation] = Trace(operation, metric)
        trace.add(milliseconds / 1000, value)
        rows.columns = 3 + match[4].count(",")
        rows.too_long_for_us = rows.too_long_for_us or value > (milliseconds + 1) * 1000
        rows.priorities = rows.priorities and match[4].rstrip().endswith(_PRIORITIES)
    rows.last_line = text.count("\n", 0, position)
    if position < len(text):
        line = text[position : position + 60].partition("\n")[0]
        raise ParseError(
            "line {line} is not a line of a fio log: {text}",
            line=rows.last_line + 1,
            text=repr(line),
        )
    return rows


def _base(name: str) -> str:
    return name.replace("\\", "/").rsplit("/", 1)[-1]
