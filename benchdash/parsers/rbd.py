"""`rbd bench` of Ceph (`bench-write` before 12.x): a line a second, and the line at the end.

    rbd bench POOL/IMAGE --io-type write|read|rw [--io-size 4K] [--io-threads 16]
        [--io-total 1G] [--io-pattern seq|rand|full-seq]

Until 15.x bytes a second are plain numbers, since 16.x a rounded figure with an IEC unit
(`93 MiB/s`): there operations a second times the size of one are the same with more digits. `rw`
prints reads and writes on lines of their own below the sum. `elapsed` is cut to whole seconds, so
the run time follows from operations and their rate. There is no JSON form.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from benchdash.parsers.result import LineReader, Parsed, ParseError, Point, Result, Trace
from benchdash.parsers.source import Source
from benchdash.parsers.text import Findings, numbered_lines
from benchdash.vocabulary.units import BINARY
from benchdash.vocabulary.workloads import typed

TOOL = "rbd"
VERSION = 3

_SIGNS = (b"bytes/sec:", b"bench  type ", b"bench-write ", b"OPS/SEC")
_NUMBER = r"[0-9]{1,18}(?:\.[0-9]{1,6})?(?:e[+-]?[0-9]{1,3})?"
_RATE = rf"({_NUMBER})(?: ([KMGTP]i)?B(?:/s)?)?"
# `bench  type write io_size 4096 io_threads 16 bytes 1073741824 pattern sequential`; bench-write
# of 0.94 to 10.x prints no type, and 15.x and later `read:write=70:30` behind a type of rw
_HEAD = re.compile(
    r"bench(?:-write)? +(?:type (?P<type>write|read|readwrite|rw) (?:read:write=(?P<mix>\d{1,3}):\d{1,3} )?)?"
    r"io_size (?P<size>\d{1,15}) io_threads (?P<threads>\d{1,9}) bytes (?P<bytes>\d{1,18}) "
    r"pattern (?P<pattern>[a-z -]{1,30}?)\s*$"
)
_SECOND = re.compile(
    rf"(?P<at>\d{{1,9}})\s+\d{{1,15}}\s+(?P<ops>{_NUMBER})\s+(?P<rate>{_RATE})(?=\s|$)"
)
_END = re.compile(
    rf"(?P<what>elapsed|read_ops|write_ops): +(?P<first>{_NUMBER}) +"
    rf"(?:ops: +(?P<count>\d{{1,18}}) +ops/sec|read_ops/sec|write_ops/sec): +(?P<ops>{_NUMBER}) +"
    rf"(?:bytes/sec|read_bytes/sec|write_bytes/sec): +(?P<rate>{_RATE})(?=\s|$)"
)
_PATTERNS = {
    "sequential": "seq",
    "seq": "seq",
    "full sequential": "seq",
    "full-seq": "seq",
    "random": "rand",
    "rand": "rand",
}
_LOOSE = 0.01  # both figures are rounded, and 16.x also truncates the rate to whole units


def read(source: Source) -> Parsed | None:
    """The runs of a file, None where none is in it; ParseError where none can be trusted."""
    if not source.mentions(*_SIGNS):
        return None
    findings, run = Findings(TOOL), _Run()
    for number, line in numbered_lines(source.text):
        text = line.strip(" \t|")
        if found := _HEAD.match(text):
            run.end(findings)
            run = _Run(found, number, number)
        elif found := _END.match(text):
            if found["what"] == "elapsed" and run.ends:
                run.end(findings)
                run = _Run()
            run.take_end(found, number)
        elif run.head and not run.ends and (found := _SECOND.match(text)):
            run.last = number
            run.seconds.append(found)
    run.end(findings)
    return findings.parsed()


@dataclass(slots=True)
class _Run:
    """The lines of one run; `ends` are the sum and, of rw, reads and writes."""

    head: re.Match[str] | None = None
    first: int = 0
    last: int = 0
    seconds: list[re.Match[str]] = field(default_factory=list)
    ends: dict[str, re.Match[str]] = field(default_factory=dict)

    def take_end(self, line: re.Match[str], number: int) -> None:
        """One of the lines at the end."""
        self.first, self.last = self.first or number, number
        self.ends.setdefault(line["what"], line)

    def end(self, findings: Findings) -> None:
        """Make a result of the run, or a complaint."""
        if not (self.head or self.ends):
            return
        try:
            findings.add(self._result())
        except ParseError as error:
            findings.complain(self.last, error.sentence)

    def _result(self) -> Result:
        sum_, head = self.ends.get("elapsed"), self.head
        if sum_ is None:
            raise ParseError("an rbd bench run without its last line: it was cut short")
        kind, order = "", ""
        if head:
            kind = {"readwrite": "rw"}.get(head["type"] or "write", head["type"] or "write")
            order = _PATTERNS.get(head["pattern"], "")
        result = Result(TOOL, "", "rbd/text", lines=(self.first, self.last))
        if head:
            result.workload = typed(
                {
                    "pattern": f"rand{kind}" if order == "rand" else kind,
                    "block_bytes": head["size"],
                    "queue_depth": head["threads"],
                    "read_fraction": int(head["mix"]) / 100 if head["mix"] else None,
                }
            )
            result.details = {"bytes": int(head["bytes"]), "io_pattern": head["pattern"]}
            result.options["io-total"] = head["bytes"]
            if head["pattern"].startswith("full"):
                result.options["io-pattern"] = "full-seq"
        operation = self._operation(kind, order)
        self._measure(result, operation, sum_)
        result.measure(operation, "operations", "total", int(sum_["count"]))
        if seconds := _seconds(sum_):
            result.measure(operation, "duration", "total", seconds)
        if kind == "rw":
            if not {"read_ops", "write_ops"} <= self.ends.keys():
                raise ParseError("an rbd bench run without its reads and writes: it was cut short")
            for side in ("read", "write"):
                of_side = f"{order}_{side}" if order == "rand" else f"mixed_{side}"
                self._measure(result, of_side, self.ends[f"{side}_ops"])
                # printed as a whole number, unless it is damage: then it is no measurement
                count = float(self.ends[f"{side}_ops"]["first"])
                result.measure(of_side, "operations", "total", count)
        result.traces = self._traces(operation)
        return result

    def _operation(self, kind: str, order: str) -> str:
        if kind == "rw":
            return "mixed"
        if not kind:  # without its first line a run does not say whether it read or wrote
            return "run"
        return f"{order}_{kind}" if order else kind

    def _measure(self, result: Result, operation: str, line: re.Match[str]) -> None:
        ops = float(line["ops"])
        if ops:
            result.measure(operation, "throughput", "mean", self._rate(line))
            result.measure(operation, "iops", "mean", ops)

    def _rate(self, line: re.Match[str]) -> float:
        """Bytes a second: operations a second times their size where the unit is rounded.

        ParseError where the two do not fit: a line that was cut still ends with a number.
        """
        number, unit = re.fullmatch(_RATE, line["rate"]).groups()  # type: ignore[union-attr]  # matched before
        step = BINARY[(unit or "").rstrip("i")]
        rate = float(number) * step
        if self.head is None:
            return rate
        exact = float(line["ops"]) * int(self.head["size"])
        if abs(exact - rate) > max(_LOOSE * rate, step):
            raise ParseError("rbd bench bytes/sec do not match its ops/sec: cut off?")
        return exact if unit else rate

    def _traces(self, operation: str) -> list[Trace]:
        rates, iops = Trace(operation, "throughput"), Trace(operation, "iops")
        for line in self.seconds:
            rates.add(float(line["at"]), self._rate(line))
            iops.add(float(line["at"]), float(line["ops"]))
        return [rates, iops] if self.seconds else []


def _seconds(line: re.Match[str]) -> float:
    """The run time: `elapsed` is cut to whole seconds, the operations and their rate are not."""
    elapsed, rate = float(line["first"]), float(line["ops"])
    exact = int(line["count"]) / rate if rate else elapsed
    return exact if elapsed <= exact < elapsed + 1 else elapsed


def live_reader() -> LineReader:
    """Operations a second: the line says neither whether it writes nor, from 16.x, exact bytes."""
    return _points


def _points(line: str) -> Iterator[Point]:
    if found := _SECOND.match(line.strip()):
        yield Point("load", "iops", float(found["at"]), float(found["ops"]))
