"""dbench 1 to 4 and its git: the text for people, and `--machine-readable`.

    dbench -t 600 -D /mnt -c client.txt 16 [-s]

1.x and 2.x print dots and one Throughput line with a NetBench figure, 3.x progress and Throughput,
4.x a table of operations before it. MB/sec is 10^6 bytes a second, latencies are ms. A progress
line has the mean since its phase began and the worst latency of its second; traces have the rates
of the intervals between, without the warm-up. tbench prints the same lines for a network test: it is
recognised by its command and refused.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any

from benchdash.errors import N_
from benchdash.parsers.options import SWITCHED_ON
from benchdash.parsers.result import LineReader, Parsed, ParseError, Point, Result, Trace
from benchdash.parsers.source import Source
from benchdash.parsers.text import Findings, LineNumbers
from benchdash.vocabulary.workloads import typed

TOOL = "dbench"
VERSION = 3

_SIGNS = (b"MB/sec", b"AvgLat", b"dbench", b"CLIENTS")
_MENTION = re.compile(r"(?<![\w/'.-])(?:\./|/\S{0,100}/)?([dt]bench)(?:_srv)?\b(?! version)")
_MOST_ROWS = 200
_MODES = {"(sync open)": "sync", "(sync mode)": "sync", "(sync dirs)": "sync_dirs"}
_LOAD_FILE = "client.txt"
_ROUNDED = 0.005e6  # by how much a printed mean may be off: it has two decimals
_MOST_OFF = 0.05  # of the mean: as far as a rate that is derived from two of them may be off
_NUMBER = r"[0-9]{1,15}(?:\.[0-9]{1,9})?(?:e[+-]?[0-9]{1,3})?"
_FIGURE = rf"(?:{_NUMBER}|-?nan|-?inf|-{_NUMBER})"
_BLANKS = r"[ \t]+"
_KNOWN_ROWS = (
    "NTCreateX Close Rename Unlink Deltree Rmdir Mkdir Qpathinfo Qfileinfo Qfsinfo Sfileinfo Find "
    "WriteX ReadX LockX UnlockX Flush FIND_FIRST SET_FILE_INFORMATION QUERY_FILE_INFORMATION "
    "QUERY_PATH_INFORMATION QUERY_FS_INFORMATION"
)
_ALWAYS_ROWS = frozenset(_KNOWN_ROWS.lower().split())

_LINE = re.compile(
    r"^(?=[^\n]{9})[ \t|*`+.$-]{0,300}+(?:"
    r"dbench version (?P<version>[\w.+-]{1,40})"
    r"|Running for (?P<seconds>[0-9]{1,9}) seconds with load '(?P<load>[^'\n]{0,400})'"
    r"(?: and minimum warmup (?P<warmup>[0-9]{1,9}) secs)?"
    r"|(?P<started>[0-9]{1,9}) clients started"
    rf"|(?:[0-9]+{_BLANKS}[0-9]+{_BLANKS}(?P<rate>{_FIGURE}) MB/sec{_BLANKS}"
    rf"(?P<phase>warmup|execute|cleanup){_BLANKS}(?P<at>[0-9]{{1,9}}) sec"
    rf"(?:{_BLANKS}latency (?P<worst>{_FIGURE}) ms)?)"
    rf"|@(?P<mark>[WRC])@[0-9]+@[0-9]+@(?P<rate_m>{_FIGURE})@(?P<at_m>[0-9]{{1,9}})@"
    rf"(?P<worst_m>{_FIGURE})@"
    rf"|(?P<header>Operation{_BLANKS}Count{_BLANKS}AvgLat{_BLANKS}MaxLat)"
    r"|(?P<per_client>Per client results:)"
    rf"|(?P<name>[A-Za-z][A-Za-z0-9_]{{1,39}}){_BLANKS}(?P<count>[0-9]{{1,15}}){_BLANKS}"
    rf"(?P<average>{_FIGURE}){_BLANKS}(?P<longest>{_FIGURE})[ \t]*$"
    rf"|:(?P<name_m>[A-Za-z][A-Za-z0-9_]{{1,39}}):(?P<count_m>[0-9]{{1,15}}):(?P<average_m>{_FIGURE}):"
    rf"(?P<longest_m>{_FIGURE}):[ \t]*$"
    rf"|;(?P<throughput_m>{_FIGURE});(?P<clients_m>[0-9]{{1,9}});(?P<procs_m>[0-9]{{1,9}});"
    rf"(?P<max_m>{_FIGURE});[ \t]*$"
    r"|(?P<failed>Child failed with status [0-9]+|FAILED TO START [0-9]+ CLIENTS[^\n]{0,60}"
    r"|Child [0-9]+ failed setup with status [0-9]+|dbench: error opening [^\n]{0,200})"
    rf"|(?:\S{{1,120}}:[ \t]*)?Throughput{_BLANKS}(?P<throughput>{_FIGURE}){_BLANKS}MB/sec"
    r"(?P<rest>[^\n]{0,200})"
    r")",
    re.MULTILINE,
)
_REST = re.compile(
    rf"(?P<netbench>[ \t]*\(NB={_FIGURE} MB/sec{_BLANKS}{_FIGURE} MBit/sec\))?"
    r"(?P<sync>(?:[ \t]*\(sync (?:open|dirs|mode)\))*)"
    r"(?:[ \t]+(?P<clients>[0-9]{1,9}) clients)?(?:[ \t]+(?P<procs>[0-9]{1,9}) procs)?"
    rf"(?:[ \t]+max_latency=(?P<max>{_FIGURE}) ms)?"
)


def read(source: Source) -> Parsed | None:
    """The runs of a file, None where nothing is dbench's; ParseError where none can be trusted."""
    if not source.mentions(*_SIGNS):
        return None
    reader = _Reader(source.text)
    for match in _LINE.finditer(source.text):
        reader.take(match)
    reader.end_run()
    return reader.findings.parsed()


class _Reader:
    """The state between two lines."""

    def __init__(self, text: str) -> None:
        self.findings = Findings(TOOL)
        self._text = text
        self._numbers = LineNumbers(text)
        self._run = _Run()
        self._tool = ""
        self._named_until = 0

    def take(self, line: re.Match[str]) -> None:
        """Let one line of dbench change the state."""
        number = self._numbers.at(line.start())
        try:
            self._take(line, number)
        except ParseError as error:
            self.findings.complain(number, error.sentence)
            self._run = _Run()

    def _take(self, line: re.Match[str], number: int) -> None:
        if line["version"] or line["seconds"] or line["started"]:
            self._head(line, number)
        elif line["throughput"] or line["throughput_m"]:
            self._result(line, number)
        elif line["failed"]:
            self._run = _Run()
            raise ParseError("dbench failed: {message}", message=line["failed"].strip())
        else:
            self._body(line, number)

    def _head(self, line: re.Match[str], number: int) -> None:
        run = self._run
        if run.rows or run.began or (line["version"] and run.version):
            self.end_run()
            run = self._run
        run.first, run.last = run.first or number, number
        run.version = line["version"] or run.version
        run.seconds, run.warmup = line["seconds"] or run.seconds, line["warmup"] or run.warmup
        run.started = line["started"] or run.started
        if line["load"]:
            run.details["load_file"] = line["load"]

    def _body(self, line: re.Match[str], number: int) -> None:
        run = self._run
        run.first, run.last = run.first or number, number
        if line["phase"]:
            run.progress(line["rate"], line["phase"], line["at"], line["worst"])
        elif line["mark"]:
            phase = "execute" if line["mark"] == "R" else "other"
            run.progress(line["rate_m"], phase, line["at_m"], line["worst_m"])
        elif line["header"]:
            run.tabled = True
        elif line["per_client"]:
            run.per_client = True
        elif line["name_m"]:
            run.tabled = True
            run.row(line["name_m"], line["count_m"], line["average_m"], line["longest_m"])
        else:
            run.row(line["name"], line["count"], line["average"], line["longest"])

    def _result(self, line: re.Match[str], number: int) -> None:
        run, self._run = self._run, _Run()
        for mention in _MENTION.finditer(self._text, self._named_until, line.start()):
            self._tool = mention[1]
        self._named_until = line.end()
        if self._tool == "tbench":
            raise ParseError("tbench is a network test, not a disk result")
        if line["throughput_m"]:
            self.findings.add(run.machine_result(line, number))
        elif line["rest"].strip() or self._tool or run.version or run.started or run.began:
            self.findings.add(run.result(line, number))

    def end_run(self) -> None:
        """Close a run that no Throughput line completed."""
        run, self._run = self._run, _Run()
        if run.rows or run.began:
            sentence = N_("a dbench run without its Throughput line: it was cut short")
            self.findings.complain(run.last, sentence)


@dataclass(slots=True)
class _Rates:
    """What each interval did, out of the means that progress lines have; `seen_s` is the last one's."""

    seen_s: float = 0.0
    carried: tuple[float, float] = (0.0, 0.0)  # seconds of the phase, and its bytes until then

    def since(self, seconds: float, mean: float) -> float | None:
        """The rate since the last one that was returned, which is what two means differ by.

        What a mean lost by rounding counts once for every second that it is over: in a long phase
        of few MB/sec, None until an interval is long enough to outweigh that.
        """
        if seconds < self.seen_s:  # the phase began anew, and its mean with it
            self.carried = (0.0, 0.0)
        self.seen_s = seconds
        since, before = self.carried
        passed, total = seconds - since, mean * seconds
        if passed <= 0 or _ROUNDED * (seconds + since) > _MOST_OFF * mean * passed:
            return None
        self.carried = seconds, total
        return max(0.0, (total - before) / passed)


@dataclass(slots=True)
class _Run:
    """What stood before a Throughput line: banner, progress, rows; `first` and `last` are lines."""

    first: int = 0
    last: int = 0
    version: str = ""
    seconds: str | None = None
    warmup: str | None = None
    details: dict[str, Any] = field(default_factory=dict)
    started: str | None = None
    rows: list[tuple[str, str, str, str]] = field(default_factory=list)
    throughput: Trace = field(default_factory=lambda: Trace("load", "throughput"))
    latency: Trace = field(default_factory=lambda: Trace("load", "latency"))
    rates: _Rates = field(default_factory=_Rates)
    tabled: bool = False
    per_client: bool = False
    began: bool = False

    def progress(self, mean: str, phase: str, at: str, worst: str | None) -> None:
        """Keep one progress line of the execute phase: the mean so far, the worst of the second."""
        self.began = True
        if phase != "execute":
            return
        seconds = float(at)
        rate = self.rates.since(seconds, _bytes_per_second(mean))
        if rate is not None:
            self.throughput.add(seconds, rate)
        if worst:
            self.latency.add(seconds, _seconds(worst))

    def row(self, name: str, count: str, average: str, longest: str) -> None:
        """Keep one operation; tables of single clients are parts of the sum, no results."""
        if not self.per_client and (self.tabled or name.lower() in _ALWAYS_ROWS):
            self.rows.append((name, count, average, longest))
        if len(self.rows) > _MOST_ROWS:
            raise ParseError(
                "more than {most} operations before a Throughput line", most=_MOST_ROWS
            )

    def result(self, line: re.Match[str], number: int) -> Result:
        """The result that the Throughput line completes; ParseError where a figure is none."""
        rest = _REST.match(line["rest"])
        assert rest, "every part of it is optional"
        if self._is_cut(line, rest):
            raise ParseError("the Throughput line of dbench is cut off")
        result = Result("dbench", self.version, f"dbench/text-{_generation(rest, self)}")
        clients = rest["clients"] or rest["procs"] or self.started
        modes = {_MODES[mode] for mode in re.findall(r"\(sync \w+\)", rest["sync"])}
        self._fill(result, clients, rest["procs"], sync="sync" in modes or None)
        if "sync_dirs" in modes:
            result.details["sync_dirs"] = True
            result.options["sync-dir"] = SWITCHED_ON
        self._measure(result, line["throughput"], rest["max"])
        result.lines = (self.first or number, number)
        return result

    def _is_cut(self, line: re.Match[str], rest: re.Match[str]) -> bool:
        """4.x ends the line with max_latency, 3.x with procs; 1.x and 2.x may end anywhere."""
        if rest["clients"] or self.rows or self.version[:1] == "4":
            return not rest["max"]
        if self.version[:1] == "3":
            return not rest["procs"]
        left = line["rest"][rest.end() :].strip()
        begun = left[:1] in tuple("(0123456789") or not (rest["netbench"] or rest["procs"])
        return line.end() == len(line.string) and begun

    def machine_result(self, line: re.Match[str], number: int) -> Result:
        """The result of `--machine-readable`, which does not say whether files were synced."""
        result = Result("dbench", self.version, "dbench/machine-4")
        self._fill(result, line["clients_m"], line["procs_m"], sync=None)
        self._measure(result, line["throughput_m"], line["max_m"])
        result.lines = (self.first or number, number)
        return result

    def _fill(
        self, result: Result, clients: str | None, procs: str | None, *, sync: bool | None
    ) -> None:
        result.workload = typed(
            {
                "clients": clients,
                "duration_s": self.seconds,
                "ramp_s": self.warmup,
                "sync": sync,
            }
        )
        result.details = dict(self.details) | ({"processes": int(procs)} if procs else {})
        # its folder is another one on each system
        load_file = str(self.details.get("load_file", "")).rpartition("/")[2]
        if load_file not in ("", _LOAD_FILE):
            result.options["loadfile"] = load_file
        if procs and clients and int(procs) != int(clients):
            result.options["processes"] = procs

    def _measure(self, result: Result, throughput: str, longest: str | None) -> None:
        rate = _bytes_per_second(throughput)
        result.measure("load", "throughput", "mean", rate)
        if longest:
            result.measure("load", "latency", "max", _seconds(longest))
        for name, count, average, most in self.rows:
            operation = f"load_{name.lower()}"
            result.measure(operation, "operations", "total", int(count))
            result.measure(operation, "latency", "mean", _seconds(average))
            result.measure(operation, "latency", "max", _seconds(most))
        if self.rates.seen_s:
            seen, limit = self.rates.seen_s, result.workload.get("duration_s", 0.0)
            # the last second is over before its line would be printed
            result.measure("run", "duration", "total", limit if 0 < limit - seen <= 1 else seen)
        result.traces = [trace for trace in (self.throughput, self.latency) if trace.seconds]


def _generation(rest: re.Match[str], run: _Run) -> str:
    if rest["netbench"]:
        return "1"
    if run.version[:1].isdigit():
        return run.version[0]
    return "4" if rest["max"] else "3"


def _bytes_per_second(megabytes: str) -> float:
    """dbench's MB/sec, which is 1.0e-6 * bytes; ParseError where it is `nan` or damaged."""
    return _shifted(megabytes, 6, "throughput")


def _seconds(milliseconds: str) -> float:
    """A latency in ms as seconds, to the nearest double; ParseError where it is none."""
    return _shifted(milliseconds, -3, "latency")


def _shifted(text: str, exponent: int, what: str) -> float:
    """The double nearest to `text` times a power of ten: multiplied, it would be rounded twice."""
    number, _, printed = text.partition("e")
    try:
        value = float(f"{number}e{int(printed or 0) + exponent}")
    except ValueError:
        value = math.nan
    if not 0 <= value < math.inf:
        raise ParseError("expected a {what} from dbench, found {text}", text=repr(text), what=what)
    return value


_SECOND = re.compile(r"\d+ +\d+ +(\d{1,15}(?:\.\d{1,9})?) MB/sec  execute +(\d{1,9}) sec")


def live_reader() -> LineReader:
    """What each second did, without the warm-up."""
    rates = _Rates()

    def read(line: str) -> Iterator[Point]:
        if found := _SECOND.search(line):
            seconds = float(found[2])
            rate = rates.since(seconds, float(found[1]) * 1e6)
            if rate is not None:
                yield Point("load", "throughput", seconds, rate)

    return read
