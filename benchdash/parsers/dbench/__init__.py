"""dbench 1 to 4 and its git: the text for people, and `--machine-readable`.

    dbench -t 600 -D /mnt -c client.txt 16 [-s]

1.x and 2.x print dots and one Throughput line with a NetBench figure, 3.x progress and Throughput,
4.x a table of operations before it. MB/sec is 10^6 bytes a second, latencies are ms. A progress
line has the mean since the warm-up and the worst latency of its second; warm-up stays out of the
traces. tbench prints the same lines over a socket: it is told by the command and refused.
"""

from __future__ import annotations

import re
from typing import Any

from benchdash.parsers.dbench.lines import LINE
from benchdash.parsers.dbench.run import Run
from benchdash.parsers.lines import LineNumbers
from benchdash.parsers.result import Parsed, ParseError, Result
from benchdash.parsers.source import Source

TOOL = "dbench"
VERSION = 1

_SIGNS = (b"MB/sec", b"AvgLat", b"dbench", b"CLIENTS")
_MENTION = re.compile(r"(?<![\w/'.-])(?:\./|/\S{0,100}/)?([dt]bench)(?:_srv)?\b(?! version)")
_MANY = 1000
_MOST_RUNS = 10_000


def read(source: Source) -> Parsed | None:
    """The runs of a file, None where nothing is dbench's; ParseError where none can be trusted."""
    if not source.mentions(*_SIGNS):
        return None
    reading = _Reading(source.text)
    for match in LINE.finditer(source.text):
        reading.take(match)
    reading.end_run()
    return reading.parsed()


class _Reading:
    """The state between two lines."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.numbers = LineNumbers(text)
        self.run = Run()
        self.results: list[Result] = []
        self.told: dict[str, dict[str, Any]] = {}
        self.problems: list[str] = []
        self.tool = ""
        self.named_until = 0

    def take(self, line: re.Match[str]) -> None:
        """Let one line of dbench change the state."""
        number = self.numbers.at(line.start())
        if len(self.results) > _MOST_RUNS:
            raise ParseError(f"line {number}: more than {_MOST_RUNS} dbench runs: split the file")
        try:
            self._take(line, number)
        except ParseError as error:
            self._complain(number, error)
            self.run = Run()

    def _take(self, line: re.Match[str], number: int) -> None:
        if line["version"] or line["seconds"] or line["started"]:
            self._head(line, number)
        elif line["throughput"] or line["throughput_m"]:
            self._result(line, number)
        elif line["failed"]:
            self.run = Run()
            raise ParseError(f"dbench failed: {line['failed'].strip()}")
        else:
            self._body(line, number)

    def _head(self, line: re.Match[str], number: int) -> None:
        run = self.run
        if run.rows or run.began or (line["version"] and run.version):
            self.end_run()
            run = self.run
        run.first, run.last = run.first or number, number
        run.version = line["version"] or run.version
        run.seconds, run.warmup = line["seconds"] or run.seconds, line["warmup"] or run.warmup
        run.started = line["started"] or run.started
        if line["load"]:
            run.details["load_file"] = line["load"]

    def _body(self, line: re.Match[str], number: int) -> None:
        run = self.run
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
        run, self.run = self.run, Run()
        for mention in _MENTION.finditer(self.text, self.named_until, line.start()):
            self.tool = mention[1]
        self.named_until = line.end()
        if self.tool == "tbench":
            raise ParseError("tbench is a network test, not a disk result")
        if line["throughput_m"]:
            self._keep(run.machine_result(line, number))
        elif line["rest"].strip() or self.tool or run.version or run.started or run.began:
            self._keep(run.result(line, number))

    def _keep(self, result: Result) -> None:
        result.pack(self.told)
        self.results.append(result)

    def end_run(self) -> None:
        """Close a run that no Throughput line completed."""
        run, self.run = self.run, Run()
        try:
            run.refuse_if_left()
        except ParseError as error:
            self._complain(run.last, error)

    def _complain(self, number: int, error: ParseError) -> None:
        self.problems.append(f"line {number}: {error.sentence}")
        if len(self.problems) > _MANY:
            raise ParseError(f"{self.problems[0]}, as in {_MANY} places after")

    def parsed(self) -> Parsed | None:
        """What was found; ParseError where nothing of it can be trusted."""
        more = f", and {len(self.problems) - 1} more places" if len(self.problems) > 1 else ""
        problem = self.problems[0] + more if self.problems else None
        if self.results:
            return Parsed(self.results, problem)
        if problem:
            raise ParseError(problem)
        return None
