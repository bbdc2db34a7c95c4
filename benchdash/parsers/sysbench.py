"""sysbench fileio 0.4.12, 0.5 and 1.0 to 1.1: the report, and `--report-interval` lines.

    sysbench fileio --file-test-mode=rndrw --time=60 --threads=16 run

Sizes and MB are 1024-based in all versions, whatever their letters (0.4.12: 4559.24 requests of
4 KiB a second are 17.81Mb/sec); latencies are ms, over all events of whatever kind. 0.4.12 and 0.5
print rates only of reads and writes together: they are those of the run. `prepare`, and the tests
of CPU, memory, threads and databases, measure no file and are not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from benchdash.errors import N_
from benchdash.parsers.options import canonical
from benchdash.parsers.result import LineReader, Parsed, ParseError, Point, Result, Trace
from benchdash.parsers.source import Source
from benchdash.parsers.text import Findings, numbered_lines
from benchdash.vocabulary.measures import percentile_name
from benchdash.vocabulary.units import BINARY
from benchdash.vocabulary.workloads import typed

TOOL = "sysbench"
VERSION = 3

_SIGNS = (b"fsyncs/s:", b"Requests/sec executed", b"fsync: IOPS=", b"Extra file open flags:")
_NUMBER = r"[0-9]{1,15}\.[0-9]{2}"
_SIZE = r"[0-9]{1,12}(?:\.[0-9]{1,4})?"
_UNIT = r"[KMGT]?i?[bB]"
# mode as it is announced → the operations of reads and writes, and the pattern by its option
_MODES = {
    "sequential write (creation)": ("seqwr", "read", "seq_write"),
    "sequential rewrite": ("seqrewr", "read", "seq_rewrite"),
    "sequential read": ("seqrd", "seq_read", "write"),
    "random read": ("rndrd", "rand_read", "write"),
    "random write": ("rndwr", "read", "rand_write"),
    "random r/w": ("rndrw", "rand_read", "rand_write"),
}
_LINES = {
    "banner": r"sysbench (?P<version>[0-9][\w.+-]{0,40})(?::| \()",
    "options": r"Running the test with following options:",
    "threads": r"Number of threads: (?P<threads>[0-9]{1,9})$",
    # how many transactions a second --rate allows (--tx-rate in 0.5)
    "rate_limit": r"Target transaction rate: (?P<rate_limit>[0-9]{1,12})/sec$",
    "flags": r"Extra file open flags: (?P<flags>[\w(), ]{1,60})$",
    "files": rf"(?P<files>[0-9]{{1,9}}) files, {_SIZE}{_UNIT} each$",
    "total": rf"(?P<total>{_SIZE})(?P<total_unit>{_UNIT}) total file size$",
    "block": rf"Block size (?P<block>{_SIZE})(?P<block_unit>{_UNIT})$",
    "ratio": rf"Read/Write ratio for combined random IO test: (?P<ratio>{_NUMBER})$",
    "fsync": r"Periodic FSYNC enabled, calling fsync\(\) each (?P<fsync>[0-9]{1,9}) requests\.$",
    "fsync_all": r"Calling fsync\(\) after each write operation\.$",
    "engine": r"Using (?P<engine>[\w ]{1,40}) I/O mode$",
    "mode": r"Doing (?P<mode>[\w() /]{1,60}) test$",
    # `[ 1s ] reads: 1.87 MiB/s writes: …` (1.0), `[   1s] reads: 0.00 MB/s writes: …` (0.5)
    "progress": rf"\[ {{0,8}}(?P<at>[0-9]{{1,9}})s ?\] reads: (?P<reads_mib>{_NUMBER}) Mi?B/s "
    rf"writes: (?P<writes_mib>{_NUMBER}) Mi?B/s fsyncs: (?P<fsyncs>{_NUMBER})/s "
    r"(?:latency|response time)",
    "failed": r"FATAL: (?P<failed>[^\n]{1,300})",
    "begin": r"File operations:$",
    "reads": rf"reads/s: +(?P<reads>{_NUMBER})$",
    "writes": rf"writes/s: +(?P<writes>{_NUMBER})$",
    "syncs": rf"fsyncs/s: +(?P<syncs>{_NUMBER})$",
    "read": rf"read, MiB/s: +(?P<read>{_NUMBER})$",
    "written": rf"written, MiB/s: +(?P<written>{_NUMBER})$",
    # 1.1: `read:  IOPS=767167.53 11986.99 MiB/s (12569.27 MB/s)`
    "side": rf"(?P<side>read|write): +IOPS=(?P<side_iops>{_NUMBER}) +(?P<side_mib>{_NUMBER}) MiB/s"
    rf" \({_NUMBER} MB/s\)$",
    "side_sync": rf"fsync: +IOPS=(?P<side_syncs>{_NUMBER})$",
    "performed": r"Operations performed: +(?P<n_read>[0-9]{1,15}) (?:Read|reads), "
    r"(?P<n_write>[0-9]{1,15}) (?:Write|writes), (?P<n_other>[0-9]{1,15}) Other = [0-9]+ Total$",
    "moved": rf"Read {_SIZE}{_UNIT} +Written {_SIZE}{_UNIT} +Total transferred {_SIZE}{_UNIT} +"
    rf"\((?P<rate>{_SIZE})(?P<rate_unit>{_UNIT})/sec\)$",
    "requests": rf"(?P<requests>{_NUMBER}) Requests/sec executed$",
    "time": r"total time: +(?P<time>[0-9]{1,9}\.[0-9]{4})s$",
    "events": r"total number of events: +(?P<events>[0-9]{1,15})$",
    "min": rf"min: +(?P<min>{_NUMBER})(?:ms)?$",
    "mean": rf"avg: +(?P<mean>{_NUMBER})(?:ms)?$",
    "max": rf"max: +(?P<max>{_NUMBER})(?:ms)?$",
    "percentile": rf"(?:approx\. +)?(?P<percent>[0-9]{{1,3}})(?:th|) percentile: +"
    rf"(?P<percentile>{_NUMBER})(?:ms)?$",
    "sum": r"sum: ",
    "end": r"(?:Threads fairness:|execution time \(avg/stddev\): )",
}
_LINE = re.compile("|".join(f"(?P<is_{name}>{line})" for name, line in _LINES.items()))
_NAMES = {name: tuple(re.compile(line).groupindex) for name, line in _LINES.items()}
_PROGRESS = re.compile(_LINES["progress"])
_BEGINNINGS = ("banner", "options")
_HEADS = (
    *_BEGINNINGS,
    "threads",
    "flags",
    "files",
    "total",
    "block",
    "ratio",
    "fsync",
    "fsync_all",
)
# a run without any of these did not measure files: the tests of databases and CPUs end the same way
_REPORT = ("begin", "performed", "reads", "side", "requests")
# 0.4.12 prints the number: O_DIRECT is another one on ARM and on POWER, and O_SYNC of glibc from
# 2.10 another one than before, where it was what O_DSYNC is now
_FLAGS = {"16384": "direct", "65536": "direct", "131072": "direct", "1052672": "sync"}
_MOST_MS = 1e9  # without an event, 0.4.12 prints the largest integer as the minimum


def read(source: Source) -> Parsed | None:
    """The runs of a file, None where no fileio is in it; ParseError where none can be trusted."""
    if not source.mentions(*_SIGNS):
        return None
    findings, run = Findings(TOOL), _Run()
    for number, line in numbered_lines(source.text):
        match = _LINE.match(line.strip(" \t|"))
        if match is None:
            continue
        kind = (match.lastgroup or "").removeprefix("is_")
        if run.is_over_at(kind):
            run.end(findings)
            run = _Run()
        run.take(kind, match, number)
    run.end(findings)
    return findings.parsed()


@dataclass(slots=True)
class _Run:
    """The texts of one run by their names; `kinds` are the lines it had."""

    first: int = 0
    last: int = 0
    kinds: set[str] = field(default_factory=set)
    texts: dict[str, str] = field(default_factory=dict)
    sides: dict[str, tuple[str, str]] = field(default_factory=dict)
    traces: dict[str, Trace] = field(default_factory=dict)

    def is_over_at(self, kind: str) -> bool:
        """A head after a report, and a head or a report a second time, begin the next run."""
        reported = self.kinds.intersection(_REPORT)
        if kind in _HEADS:
            return bool(reported) or (kind != "options" and kind in self.kinds)
        return kind in ("begin", "performed") and kind in self.kinds

    def take(self, kind: str, line: re.Match[str], number: int) -> None:
        """Keep what one line says."""
        self.first, self.last = self.first or number, number
        self.kinds.add(kind)
        if kind == "side":
            self.sides[line["side"]] = line["side_iops"], line["side_mib"]
        elif kind == "progress":
            self._progress(line)
        else:
            self.texts |= {name: line[name] for name in _NAMES[kind] if line[name] is not None}

    def _progress(self, line: re.Match[str]) -> None:
        _, reading, writing = _MODES.get(self.texts.get("mode", ""), ("", "read", "write"))
        at = float(line["at"])
        for operation, metric, value in (
            (reading, "throughput", float(line["reads_mib"]) * 2**20),
            (writing, "throughput", float(line["writes_mib"]) * 2**20),
            ("sync", "iops", float(line["fsyncs"])),
        ):
            self.traces.setdefault(operation, Trace(operation, metric)).add(at, value)

    def end(self, findings: Findings) -> None:
        """Make a result of the run, or a complaint where it is one of fileio and was cut short."""
        if not (
            {"mode", *_REPORT} & self.kinds or ("failed" in self.texts and "flags" in self.texts)
        ):
            return
        try:
            findings.add(self._result())
        except ParseError as error:
            findings.complain(self.last, error.sentence)

    def _result(self) -> Result:
        texts = self.texts
        if not self.kinds.intersection(_REPORT):
            if "failed" in texts:
                raise ParseError("sysbench failed: {message}", message=texts["failed"].strip())
            raise ParseError("a sysbench fileio run without its report: it was cut short")
        whole = {"percentile", "sum", "end"} & self.kinds and {
            "time",
            "events",
            "max",
        } <= self.kinds
        if not whole:
            raise ParseError("a sysbench fileio run without its latencies: it was cut short")
        pattern, reading, writing = _MODES.get(texts.get("mode", ""), (None, "read", "write"))
        version = texts.get("version", "").rstrip(":")
        form = "1.1" if self.sides else "1.0" if "reads" in texts else "0.4"
        result = Result(TOOL, version, f"sysbench/text-{form}", lines=(self.first, self.last))
        result.workload, result.details = self._workload(pattern), self._details()
        result.options = self._options()
        if form == "0.4":
            self._measure_totals(result)
        else:
            self._measure_sides(result, reading, writing)
        events = int(texts["events"])
        result.measure("run", "operations", "total", events)
        result.measure("run", "duration", "total", float(texts["time"]))
        self._measure_latency(result, events)
        result.traces = [trace for trace in self.traces.values() if any(trace.values)]
        if "failed" in texts:
            result.error = {"code": 1, "message": texts["failed"].strip()}
        elif not events:
            result.note("run", "operations", N_("no I/O was done"))
        return result

    def _measure_latency(self, result: Result, events: int) -> None:
        """In ms of two decimals: zeros are too short to tell.

        The sum, which would tell the mean, comes after it: a text that was cut between them would
        have another mean, and nothing would say so.
        """
        texts = self.texts
        names = ("mean", "min", "max")
        printed: dict[str, float] = {name: float(texts[name]) for name in names if name in texts}
        if "percentile" in texts and int(texts["percent"]) <= 100:
            printed[percentile_name(float(texts["percent"]))] = float(texts["percentile"])
        if events:
            printed = {name: value for name, value in printed.items() if value}
        for name, value in printed.items():
            if value < _MOST_MS:
                result.measure("run", "latency", name, value / 1000)

    def _measure_totals(self, result: Result) -> None:
        texts = self.texts
        if not {"rate", "requests"} <= texts.keys():
            raise ParseError("a sysbench fileio run without its rates: it was cut short")
        rate = float(texts["rate"]) * BINARY[texts["rate_unit"].rstrip("bBi").upper()]
        if rate:  # zero where nothing was transferred: not a measurement
            result.measure("run", "throughput", "mean", rate)
        if requests := float(texts["requests"]):
            result.measure("run", "iops", "mean", requests)

    def _measure_sides(self, result: Result, reading: str, writing: str) -> None:
        texts = self.texts
        sides = self.sides
        if not sides:
            if not {"reads", "writes", "syncs", "read", "written"} <= texts.keys():
                raise ParseError("a sysbench fileio run without its rates: it was cut short")
            sides = {
                "read": (texts["reads"], texts["read"]),
                "write": (texts["writes"], texts["written"]),
            }
        elif len(sides) < 2 or "side_syncs" not in texts:
            raise ParseError("a sysbench fileio run without its rates: it was cut short")
        for side, operation in (("read", reading), ("write", writing)):
            iops, mib = map(float, sides[side])
            if iops or mib:
                result.measure(operation, "throughput", "mean", mib * 2**20)
                result.measure(operation, "iops", "mean", iops)
        if syncs := float(texts.get("syncs") or texts.get("side_syncs") or 0):
            result.measure("sync", "iops", "mean", syncs)

    def _workload(self, pattern: str | None) -> dict[str, Any]:
        texts = self.texts
        ratio = float(texts["ratio"]) if "ratio" in texts else None
        mixed = ratio is not None and pattern == "rndrw"
        flags = _FLAGS.get(texts.get("flags", ""), texts.get("flags", ""))
        return typed(
            {
                "pattern": pattern,
                "block_bytes": _bytes(texts, "block"),
                "jobs": texts.get("threads"),
                "read_fraction": round(ratio / (1 + ratio), 4) if ratio and mixed else None,
                "file_bytes": _bytes(texts, "total"),
                "files": texts.get("files"),
                "engine": texts.get("engine"),
                "direct": True if "direct" in flags else None,
                "sync": True if "sync" in flags else None,
                "fsync_every": 1 if "fsync_all" in self.kinds else texts.get("fsync"),
            }
        )

    def _options(self) -> dict[str, str]:
        """The one flag that the axes do not tell from another, and a limit of the rate."""
        flags, rate = self.texts.get("flags", ""), int(self.texts.get("rate_limit", 0))
        found = {"rate": str(rate)} if rate else {}
        if "dsync" in flags:
            found["file-extra-flags"] = "dsync"
        elif flags.strip("0") and flags.isdecimal() and flags not in _FLAGS:
            found["file-extra-flags"] = flags
        return canonical(found.items())

    def _details(self) -> dict[str, Any]:
        counts = {"reads": "n_read", "writes": "n_write", "others": "n_other"}
        return {name: int(self.texts[key]) for name, key in counts.items() if key in self.texts}


def _bytes(texts: dict[str, str], name: str) -> int | None:
    """Bytes of `16Kb`, `16KiB`, `4Kb`; None where the report rounded the size to a fraction."""
    if name not in texts:
        return None
    size = float(texts[name]) * BINARY[texts[f"{name}_unit"].rstrip("bBi").upper()]
    return int(size) if size.is_integer() else None


def live_reader() -> LineReader:
    """The lines of `--report-interval`; of one side only, where the other does nothing."""
    return _points


def _points(line: str) -> Iterator[Point]:
    if found := _PROGRESS.search(line):
        for side, rate in (("read", found["reads_mib"]), ("write", found["writes_mib"])):
            if float(rate):
                yield Point(side, "throughput", float(found["at"]), float(rate) * 2**20)
