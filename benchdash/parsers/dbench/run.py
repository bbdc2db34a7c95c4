"""One dbench run, gathered line by line until its Throughput line makes a result of it."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from benchdash.parsers.dbench.lines import KNOWN_ROWS, REST, bytes_per_second, seconds
from benchdash.parsers.result import ParseError, Result, Trace
from benchdash.vocabulary.workloads import typed

_MOST_ROWS = 200
_MODES = {"(sync open)": "sync", "(sync mode)": "sync", "(sync dirs)": "sync_dirs"}


@dataclass(slots=True)
class Run:
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
    tabled: bool = False
    per_client: bool = False
    began: bool = False

    def progress(self, rate: str, phase: str, at: str, worst: str | None) -> None:
        """Keep one progress line of the execute phase: the mean so far, the worst of the second."""
        self.began = True
        if phase != "execute":
            return
        self.throughput.add(float(at), bytes_per_second(rate))
        if worst:
            self.latency.add(float(at), seconds(worst))

    def row(self, name: str, count: str, average: str, longest: str) -> None:
        """Keep one operation; tables of single clients are parts of the sum, no results."""
        if not self.per_client and (self.tabled or name.lower() in KNOWN_ROWS):
            self.rows.append((name, count, average, longest))
        if len(self.rows) > _MOST_ROWS:
            raise ParseError(f"more than {_MOST_ROWS} operations before a Throughput line")

    def result(self, line: re.Match[str], number: int) -> Result:
        """The result that the Throughput line completes; ParseError where a figure is none."""
        rest = REST.match(line["rest"])
        assert rest, "every part of it is optional"
        if self._is_cut(line, rest):
            raise ParseError("the Throughput line of dbench is cut off")
        result = Result("dbench", self.version, f"dbench/text-{_generation(rest, self)}")
        clients = rest["clients"] or rest["procs"] or self.started
        modes = {_MODES[mode] for mode in re.findall(r"\(sync \w+\)", rest["sync"])}
        self._fill(result, clients, rest["procs"], sync="sync" in modes or None)
        if "sync_dirs" in modes:
            result.details["sync_dirs"] = True
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

    def _measure(self, result: Result, throughput: str, longest: str | None) -> None:
        rate = bytes_per_second(throughput)
        result.measure("load", "throughput", "mean", rate)
        if longest:
            result.measure("load", "latency", "max", seconds(longest))
        for name, count, average, most in self.rows:
            operation = f"load_{name.lower()}"
            result.measure(operation, "operations", "total", int(count))
            result.measure(operation, "latency", "mean", seconds(average))
            result.measure(operation, "latency", "max", seconds(most))
        if self.throughput.seconds:
            result.measure("run", "duration", "total", self.throughput.seconds[-1])
        result.traces = tuple(trace for trace in (self.throughput, self.latency) if trace.seconds)

    def refuse_if_left(self) -> None:
        """ParseError where the text ends, or the next run begins, before a Throughput line."""
        if self.rows or self.began:
            raise ParseError("a dbench run without its Throughput line: it was cut short")


def _generation(rest: re.Match[str], run: Run) -> str:
    if rest["netbench"]:
        return "1"
    if run.version[:1].isdigit():
        return run.version[0]
    return "4" if rest["max"] else "3"
