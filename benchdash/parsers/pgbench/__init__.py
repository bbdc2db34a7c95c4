"""pgbench 9.0 to 18: the summary on standard output, and the progress lines of `-P`.

    pgbench -c 16 -j 4 -T 180 [-P 10] [-r] [-f SCRIPT] [--max-tries=N] DATABASE

Latencies are ms. `transactions` is the rate without connection time where both are printed; what
is printed of single scripts and statements is detail, never the total. A run that pgbench itself
calls aborted keeps its numbers and says so. `pgbench -i` measures nothing and is not read.
"""

from __future__ import annotations

import re
from typing import Any

from benchdash.parsers.lines import LineNumbers
from benchdash.parsers.pgbench.lines import FIELDS, KEYS, LINE, OF_SCRIPTS, RANK, number
from benchdash.parsers.pgbench.parts import take_part
from benchdash.parsers.pgbench.run import Run
from benchdash.parsers.result import Parsed, ParseError, Result
from benchdash.parsers.source import Source

TOOL = "pgbench"
VERSION = 1

_SIGNS = (b"transaction", b"tps =", b"progress: ", b"pgbench:")
_MANY = 1000
_MOST_RUNS = 10_000


def read(source: Source) -> Parsed | None:
    """The runs of a file, None where nothing is pgbench's; ParseError where none can be trusted."""
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
        self.failure = ""

    def take(self, line: re.Match[str]) -> None:
        """Let one line of pgbench change the state."""
        kind = (line.lastgroup or "").removeprefix("is_")
        at = self.numbers.at(line.start())
        of_script = line["dash"] and self.run.scripts and kind in OF_SCRIPTS
        if kind in KEYS and not of_script:
            self._total(kind, line, at)
        elif kind == "fatal":
            self.failure = self.failure or f"line {at}: pgbench failed: {line['fatal'].strip()}"
        elif self.run.rank >= 0:
            self.run.last = at
            take_part(self.run, kind, line)

    def _total(self, kind: str, line: re.Match[str], at: int) -> None:
        rank = RANK[kind]
        if rank <= self.run.rank and not self._goes_on(kind, line):
            self.end_run()
        run = self.run
        run.rank, run.first, run.last = max(rank, run.rank), run.first or at, at
        if kind == "progress":
            self._progress(line, at)
            return
        for name in FIELDS[kind]:
            if line[name] is not None:
                run.texts[name] = line[name]

    def _progress(self, line: re.Match[str], at: int) -> None:
        try:
            self.run.progress(line["at"], line["rate"], line["lat"])
        except ValueError as error:
            self._complain(f"line {at}: {error} stands in a progress line of pgbench")

    def _goes_on(self, kind: str, line: re.Match[str]) -> bool:
        """Whether a line that comes no later than the one before is of the same run all the same.

        The next progress line is; so is the banner where the progress was put before it.
        """
        if kind == "version":
            return self.run.rank == RANK["progress"] and "version" not in self.run.texts
        times = self.run.rates.seconds
        try:
            return (
                self.run.rank == RANK[kind] == RANK["progress"] and number(line["at"]) > times[-1]
            )
        except (ValueError, IndexError):
            return False

    def end_run(self) -> None:
        """Make a result of the run, or a complaint."""
        run, self.run = self.run, Run()
        if run.texts.keys() <= {"version", "server"} and not run.rates.seconds:
            return
        if len(self.results) >= _MOST_RUNS:
            raise ParseError(
                f"line {run.first}: more than {_MOST_RUNS} pgbench runs: split the file"
            )
        try:
            result = run.result()
        except ParseError as error:
            self._complain(f"line {run.last}: {error.sentence}")
        else:
            result.pack(self.told)
            self.results.append(result)

    def _complain(self, problem: str) -> None:
        self.problems.append(problem)
        if len(self.problems) > _MANY:
            raise ParseError(f"{self.problems[0]}, as in {_MANY} places after")

    def parsed(self) -> Parsed | None:
        """What was found; ParseError where nothing of it can be trusted."""
        more = f", and {len(self.problems) - 1} more places" if len(self.problems) > 1 else ""
        problem = self.problems[0] + more if self.problems else None
        if self.results:
            return Parsed(self.results, problem)
        if problem or self.failure:
            raise ParseError(problem or self.failure)
        return None
