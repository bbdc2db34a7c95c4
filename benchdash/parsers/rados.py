"""`rados bench` of Ceph: the summary as text or JSON, and the line of every second.

    rados bench -p POOL 60 write|seq|rand [-b 4096] [-t 16] [--no-cleanup] [--format json]

MB is 2^20 bytes in all versions, latencies are seconds [obj_bencher.cc]; IOPS lines came with 10.x, which
also renamed `Average Latency:` to `Average Latency(s):`. The summary of reads does not say whether
they were sequential or random: a command line above it does, else they are reads. In JSON
keys give the same figures, and only the command tells its reads apart as well.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

import msgspec

from benchdash.errors import N_
from benchdash.parsers.result import LineReader, Parsed, ParseError, Point, Result, Trace
from benchdash.parsers.source import Source
from benchdash.parsers.text import Findings, LineNumbers, numbered_lines
from benchdash.vocabulary.units import bytes_from
from benchdash.vocabulary.workloads import typed

TOOL = "rados"
VERSION = 2

_SIGNS = (
    *(b"Total writes made:", b"Total reads made:", b'"total_time_run"'),
    *(b"concurrent writes of ", b"concurrent reads of "),
)
_NUMBER = r"[0-9]{1,15}(?:\.[0-9]{1,9})?(?:e[+-]?[0-9]{1,3})?"
_END = r"(?=\s|$)(?:\s+#.{0,400})?"  # a comment that somebody added to the line
_COMMAND = re.compile(
    r"rados\b[^\n|;]{0,200}\bbench\b[^\n|;]{0,200}?\s(?P<operation>write|seq|rand)\b"
)
_MAINTAINING = re.compile(
    r"Maintaining (?P<concurrent>[0-9]{1,9}) concurrent (?P<kind>writes|reads) of "
    r"(?P<size>[0-9]{1,15}) bytes(?: to objects of size (?P<object>[0-9]{1,15}))? for up to "
    r"(?:at least )?(?P<seconds>[0-9]{1,9}) seconds"
)
# second, operations in flight, started, finished, mean MB/s, MB/s of the second, latencies
_SECOND = re.compile(
    rf"(?:\d{{4}}-\d\d-\d\d[T ]\S{{8,40}}\s+)?(?P<at>[0-9]{{1,9}})\s+[0-9]{{1,9}}\s+[0-9]{{1,15}}\s+"
    rf"[0-9]{{1,15}}\s+{_NUMBER}\s+(?P<rate>{_NUMBER})\s+(?P<latency>-|{_NUMBER})\s+{_NUMBER}$"
)
_SUMMARY = re.compile(
    r"(?P<key>Total time run|Total writes made|Total reads made|(?P<is_size>Write|Read|Object) size"
    r"|(?:Average |Stddev |Max |Min )?(?:[Bb]andwidth|IOPS|[Ll]atency))"
    # the colon of `Average IOPS` is missing below sequential reads of 10.x
    rf"(?: \(MB/sec\)|\(s\))?:?\s+(?P<value>{_NUMBER}(?(is_size)(?: ?[KMGT]iB)?)){_END}"
)
_LATENCIES = {"average": "mean", "stddev": "stddev", "max": "max", "min": "min"}
_OPERATIONS = {"write": "write", "seq": "seq_read", "rand": "rand_read"}
_KEPT = (
    "stddev_bandwidth",
    "max_bandwidth",
    "min_bandwidth",
    "stddev_iops",
    "max_iops",
    "min_iops",
)
_NUMBERS = (*_KEPT, "bandwidth", "average_iops", "seconds_to_run")
_JSON = msgspec.json.Decoder(dict[str, Any])


def read(source: Source) -> Parsed | None:
    """The runs of a file, None where none is in it; ParseError where none can be trusted."""
    if not source.mentions(*_SIGNS):
        return None
    findings = Findings(TOOL)
    if source.mentions(b'"total_time_run"'):
        _read_documents(source.text, findings)
    run = _Run()
    for number, line in numbered_lines(source.text):
        text = line.strip(" \t|")
        if found := _COMMAND.search(text):
            run = run.end(findings)
            run.operation = found["operation"]
        elif found := _MAINTAINING.search(text):
            run = run.end(findings) if run.begun else run
            run.begin(found, number)
        elif found := _SUMMARY.match(text):
            key = found["key"].lower().replace(" ", "_")
            run = run.end(findings) if key == "total_time_run" and key in run.values else run
            run.summarise(key, found["value"], number)
        elif found := _SECOND.match(text):
            run = run.end(findings) if run.values else run
            run.progress(found, number)
    run.end(findings)
    findings.results.sort(key=lambda result: result.lines[0])
    return findings.parsed()


@dataclass(slots=True)
class _Run:
    """One run as it was printed, under the keys of the JSON form."""

    operation: str = ""
    first: int = 0
    last: int = 0
    begun: bool = False
    command: dict[str, Any] = field(default_factory=dict)
    values: dict[str, str] = field(default_factory=dict)
    rates: list[tuple[float, float]] = field(default_factory=list)
    latencies: list[tuple[float, float]] = field(default_factory=list)

    def begin(self, line: re.Match[str], number: int) -> None:
        """The line that says what will be done."""
        self.begun = True
        self.first, self.last = self.first or number, number
        self.operation = self.operation or ("write" if line["kind"] == "writes" else "")
        self.command = {
            "concurrent_ios": line["concurrent"],
            "op_size": line["size"],
            "object_size": line["object"],
            "seconds_to_run": line["seconds"],
        }

    def progress(self, line: re.Match[str], number: int) -> None:
        """One second; a `-` stands where nothing was finished in it."""
        self.first, self.last = self.first or number, number
        at = float(line["at"])
        if at:
            self.rates.append((at, float(line["rate"])))
            if line["latency"] != "-":
                self.latencies.append((at, float(line["latency"])))

    def summarise(self, key: str, value: str, number: int) -> None:
        """One line of the summary; a second one of its kind is damage."""
        self.first, self.last = self.first or number, number
        self.values.setdefault(key, value)

    def end(self, findings: Findings) -> _Run:
        """Make a result or a complaint of this run; the next one."""
        if self.begun or self.values or self.rates:
            try:
                findings.add(self.result("rados/text"))
                if "average_latency" not in self.values:
                    sentence = N_("the summary of rados bench ends before its latencies")
                    findings.complain(self.last, sentence)
            except ParseError as error:
                findings.complain(self.last, error.sentence)
        return _Run()

    def result(self, form: str) -> Result:
        """ParseError where the summary is missing or was cut short."""
        values = self.values
        kind = next((k for k in ("writes", "reads") if f"total_{k}_made" in values), None)
        if kind is None or "bandwidth" not in values:
            raise ParseError("a rados bench run without its summary: it was cut short")
        if "average_latency" in values and "min_latency" not in values:
            raise ParseError("the summary of rados bench ends before its last latency")
        # a command line of another run may stand above
        fits = (self.operation == "write") == (kind == "writes")
        named = _OPERATIONS.get(self.operation) if fits else None
        operation = named or ("write" if kind == "writes" else "read")
        result = Result(TOOL, "", form, lines=(self.first, self.last))
        size = (
            values.get("write_size")
            or values.get("read_size")
            or str(self.command.get("op_size", ""))
        )
        result.workload = typed(
            {
                "pattern": {"writes": "write"}.get(kind) or (self.operation if named else None),
                "block_bytes": _bytes(size) if size else None,
                "queue_depth": self.command.get("concurrent_ios"),
                "duration_s": self.command.get("seconds_to_run") or None,
            }
        )
        kept = {key: float(values[key]) for key in _KEPT if key in values}
        # too many digits for a double are damage, and no JSON
        result.details = {key: value for key, value in kept.items() if math.isfinite(value)}
        if object_size := values.get("object_size") or self.command.get("object_size"):
            result.details["object_size"] = object_bytes = _bytes(object_size)
            if object_bytes != result.workload.get("block_bytes"):
                result.options["object-size"] = str(object_bytes)
        self._measure(result, operation, float(values[f"total_{kind}_made"]))
        return result

    def _measure(self, result: Result, operation: str, count: float) -> None:
        values = self.values
        result.measure(operation, "throughput", "mean", float(values["bandwidth"]) * 2**20)
        if "average_iops" in values:
            result.measure(operation, "iops", "mean", self._iops(count))
        result.measure(operation, "operations", "total", count)
        if "total_time_run" in values:
            result.measure(operation, "duration", "total", float(values["total_time_run"]))
        for printed, statistic in _LATENCIES.items():
            # where no operation finished, the minimum still has its initial value
            if count and f"{printed}_latency" in values:
                value = float(values[f"{printed}_latency"])
                result.measure(operation, "latency", statistic, value)
        if not count:
            result.note(operation, "operations", N_("no I/O was done"))
        for metric, factor, points in (
            ("throughput", 2**20, self.rates),
            ("latency", 1, self.latencies),
        ):
            if points:
                trace = Trace(operation, metric)
                for at, value in points:
                    trace.add(at, value * factor)
                result.traces.append(trace)

    def _iops(self, count: float) -> float:
        """As printed; of less than one a second rados prints 0."""
        printed = float(self.values["average_iops"])
        seconds = float(self.values.get("total_time_run", 0))
        return printed if printed or not seconds else count / seconds


def _bytes(text: str) -> int:
    """`4194304` or `4.0 MiB`; ParseError where it is no size."""
    size = bytes_from(text)
    if size is None or size >= 2**63:
        raise ParseError("expected a size from rados bench, found {text}", text=repr(text[:40]))
    return size


def _read_documents(text: str, findings: Findings) -> None:
    """Every JSON document of the text; the keys are those of `_Run.values`."""
    numbers, position = LineNumbers(text), 0
    while (start := text.find("{", position)) >= 0:
        first = numbers.at(start)
        command = list(_COMMAND.finditer(text, position, start))
        end = _end_of(text, start)
        position = max(end, start + 1)
        body = text[start:end]
        if '"total_time_run"' not in body and '"concurrent_ios"' not in body:
            continue
        try:
            findings.add(_of_document(body, command[-1]["operation"] if command else "", first))
        except ParseError as error:
            findings.complain(first, error.sentence)


def _end_of(text: str, start: int) -> int:
    """Where the braces that open at `start` are closed; the end where they never are."""
    depth = 0
    for brace in re.compile(r"[{}]").finditer(text, start):
        depth += 1 if brace[0] == "{" else -1
        if not depth:
            return brace.end()
    return len(text)


def _of_document(body: str, operation: str, first: int) -> Result:
    try:
        document = _JSON.decode(body)
    except msgspec.DecodeError as error:
        raise ParseError("rados bench JSON cannot be read: {error}", error=error) from None
    except RecursionError:
        raise ParseError("rados bench JSON is nested too deeply") from None
    # 10.x to 12.x print the key `max_latency:`
    values = {
        k.rstrip(":"): str(v) for k, v in document.items() if isinstance(v, str | int | float)
    }
    # doubles printed with %d: meaningless
    for key in ("stddev_iops", "max_iops", "min_iops"):
        values.pop(key, None)
    for key, value in values.items():
        grammar = r"[0-9]{1,9}" if key == "concurrent_ios" else _NUMBER
        known = key in (*_NUMBERS, "concurrent_ios") or key.startswith(("total_", *_LATENCIES))
        if known and not re.fullmatch(grammar, value):
            raise ParseError(
                "expected {name} from rados bench, found {text}", text=repr(value[:40]), name=key
            )
    last = first + body.count("\n")
    run = _Run(operation, first, last, command=values, values=values)
    seconds = document.get("datas") or []
    for number, second in enumerate(seconds if isinstance(seconds, list) else [seconds], 1):
        try:
            at, rate, latency = (float(second[key]) for key in ("sec", "cur_bw", "last_lat"))
        except (TypeError, KeyError, ValueError):
            raise ParseError(
                "rados bench JSON has no numbers sec, cur_bw and last_lat in entry "
                "{number} of datas",
                number=number,
            ) from None
        if at:
            run.rates.append((at, rate))
            if latency:
                run.latencies.append((at, latency))
    return run.result("rados/json")


def live_reader() -> LineReader:
    """The line of a second, which does not say whether it writes or reads."""
    return _points


def _points(line: str) -> Iterator[Point]:
    if found := _SECOND.match(line.strip()):
        yield Point("load", "throughput", float(found["at"]), float(found["rate"]) * 2**20)
