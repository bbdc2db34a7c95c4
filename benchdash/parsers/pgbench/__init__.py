"""pgbench 9.0 to 18: the summary on standard output, and the progress lines of `-P`.

    pgbench -c 16 -j 4 -T 180 [-P 10] [-r] [-f SCRIPT] [--max-tries=N] DATABASE

Latencies are ms. `transactions` is the rate without connection time where both are printed; what
is printed of single scripts and statements is detail, never the total. A run that pgbench itself
calls aborted keeps its numbers and says so. `pgbench -i` measures nothing and is not read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

from benchdash.errors import N_
from benchdash.parsers.pgbench.run import (
    COUNT,
    FIELDS,
    KEYS,
    LINE,
    NUMBER,
    OF_SCRIPTS,
    RANK,
    Run,
    count,
    number,
    seconds,
)
from benchdash.parsers.result import LineReader, Parsed, ParseError, Point
from benchdash.parsers.source import Source
from benchdash.parsers.text import Findings, LineNumbers, doubt_incomplete, unended_line

TOOL = "pgbench"
VERSION = 4

_SIGNS = (b"transaction", b"tps =", b"progress: ", b"pgbench:")
_STATEMENTS: dict[
    tuple[str, ...], re.Pattern[str]
] = {  # by what the heading counts beside latencies
    names: re.compile(
        rf"[^\n]*\n[ \t|*`>]{{0,60}}+({NUMBER})[ \t]+" + rf"({COUNT})[ \t]+" * len(names) + "(.+)"
    )
    for names in ((), ("failures",), ("failures", "retries"))
}
_BEGUN_RATE = re.compile(r"(?<!\w)tps = [0-9.,]*(?: \([^)]*)?$")
_MOST_PARTS = 10_000
_RATES = {"processed_rate": "transactions_per_s", "share_rate": "transactions_per_s"}
_TIMES = {"latency": "latency_mean_s", "stddev": "latency_stddev_s"}
_COUNTS = {"processed": "transactions", "share": "transactions", "failed": "failed_transactions"}


def read(source: Source) -> Parsed | None:
    """The runs of a file, None where nothing is pgbench's; ParseError where none can be trusted."""
    if not source.mentions(*_SIGNS):
        return None
    reader = _Reader(source.text)
    for match in LINE.finditer(source.text):
        reader.take(match)
    reader.end_run()
    if _BEGUN_RATE.search(unended_line(source.text)) and reader.findings.results:
        line = source.text.count("\n") + 1
        sentence = N_("the text ends within a line of pgbench")
        reader.findings.complain(line, sentence)
        problem = N_("line {line}: {sentence}", line=line, sentence=sentence)
        doubt_incomplete(reader.findings.results[-1:], problem)
    parsed = reader.findings.parsed()
    if parsed is None and reader.failure:
        raise ParseError(reader.failure)
    return parsed


class _Reader:
    """The state between two lines."""

    def __init__(self, text: str) -> None:
        self.findings = Findings(TOOL)
        self.failure = ""
        self._numbers = LineNumbers(text)
        self._run = Run()

    def take(self, line: re.Match[str]) -> None:
        """Let one line of pgbench change the state."""
        kind = (line.lastgroup or "").removeprefix("is_")
        at = self._numbers.at(line.start())
        of_script = line["dash"] and self._run.scripts and kind in OF_SCRIPTS
        if kind in KEYS and not of_script:
            self._total(kind, line, at)
        elif kind == "fatal":
            self.failure = self.failure or N_(
                "line {at}: pgbench failed: {message}", at=at, message=line["fatal"].strip()
            )
        elif self._run.rank >= 0:
            self._run.last = at
            _take_part(self._run, kind, line)

    def _total(self, kind: str, line: re.Match[str], at: int) -> None:
        rank = RANK[kind]
        if rank <= self._run.rank and not self._goes_on(kind, line):
            self.end_run()
        run = self._run
        run.rank, run.first, run.last = max(rank, run.rank), run.first or at, at
        if kind == "progress":
            self._progress(line, at)
            return
        for name in FIELDS[kind]:
            if line[name] is not None:
                run.texts[name] = line[name]

    def _progress(self, line: re.Match[str], at: int) -> None:
        try:
            self._run.progress(line["at"], line["rate"], line["lat"])
        except ValueError as error:
            self.findings.complain(
                at,
                N_("expected a number in a pgbench progress line, found {error}", error=error),
            )

    def _goes_on(self, kind: str, line: re.Match[str]) -> bool:
        """Whether a line that comes no later than the one before is of the same run all the same.

        The next progress line is; so is the banner where the progress was put before it.
        """
        if kind == "version":
            return self._run.rank == RANK["progress"] and "version" not in self._run.texts
        times = self._run.rates.seconds
        try:
            return (
                self._run.rank == RANK[kind] == RANK["progress"] and number(line["at"]) > times[-1]
            )
        except (ValueError, IndexError):
            return False

    def end_run(self) -> None:
        """Make a result of the run, or a complaint."""
        run, self._run = self._run, Run()
        if run.texts.keys() <= {"version", "server"} and not run.rates.seconds:
            return
        try:
            result = run.result()
        except ParseError as error:
            self.findings.complain(run.last, error.sentence)
        else:
            self.findings.add(result)


def _take_part(run: Run, kind: str, line: re.Match[str]) -> None:
    """Keep one line below the totals of `run`; a figure that is none is left out of the details."""
    if kind == "sql_script":
        run.scripts.append({"name": line["sql_script"].strip()})
    elif kind == "aborted":
        run.aborted = line["aborted"]
    elif kind == "statements":
        holder = run.scripts[-1] if line["dash"] and run.scripts else None
        found = _statements(line)
        if holder is not None:
            holder["statements"] = found
        else:
            run.statements = (run.statements + found)[:_MOST_PARTS]
    elif run.scripts and len(run.scripts) < _MOST_PARTS:
        run.scripts[-1] |= _script_facts(kind, line)


def _script_facts(kind: str, line: re.Match[str]) -> dict[str, Any]:
    facts: dict[str, Any] = {}
    for name in FIELDS[kind]:
        text = line[name]
        if text is None or name == "sign":
            continue
        try:
            if name in _RATES:
                facts[_RATES[name]] = number(text)
            elif name in _TIMES:
                facts[_TIMES[name]] = seconds(text)
            else:
                facts[_COUNTS.get(name, name)] = count(text)
        except (ValueError, ParseError):
            continue
    return facts


def _statements(heading: re.Match[str]) -> list[dict[str, Any]]:
    counted = tuple(word for word in ("failures", "retries") if word in heading["statements"])
    file = re.search(r"file ([0-9]{1,6})", heading["statements"])
    counted = counted if counted in _STATEMENTS else ()
    grammar = _STATEMENTS[counted]
    found: list[dict[str, Any]] = []
    row = grammar.match(heading.string, heading.end())
    while row and len(found) < _MOST_PARTS:
        latency, *counts, statement = row.groups()
        try:
            facts: dict[str, Any] = {"latency_mean_s": seconds(latency)}
            facts |= {word: count(text) for word, text in zip(counted, counts, strict=True)}
        except (ValueError, ParseError):
            break
        facts["statement"] = statement.strip()
        found.append(facts | ({"file": int(file[1])} if file else {}))
        row = grammar.match(heading.string, row.end())
    return found


_PROGRESS = re.compile(r"progress: (\d{1,15}(?:\.\d{1,9})?) s, (\d{1,15}(?:\.\d{1,9})?) tps")


def live_reader() -> LineReader:
    """The lines of `-P`."""
    return _points


def _points(line: str) -> Iterator[Point]:
    if found := _PROGRESS.search(line):
        yield Point("transaction", "transactions", float(found[1]), float(found[2]))
