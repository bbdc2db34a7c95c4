"""What counts once: snapshots of one run (`--status-interval`), and one run in two formats.

The same result pasted twice is left as it is: the records link the second to the first.
"""

from __future__ import annotations

from collections import deque
from datetime import datetime
from typing import NamedTuple

from benchdash.parsers.result import Result

_SHORTEST_INTERVAL_S = 0.02
_Jobs = tuple[tuple[str, int | None], ...]  # label and group of each


class Report(NamedTuple):
    """Results that were printed together, and when fio began, where it says so."""

    results: list[Result]
    began: datetime | None = None


class Snapshots:
    """Keeps of each report that goes on an earlier one the newer: add them in reading order.

    With `--status-interval` all reports of a run repeat in their order, so only the first that has
    not been renewed is compared. A job that has ended repeats as it is; one that begins late joins
    the run. A report of a job that is known, and goes on nothing, begins the next run.
    """

    def __init__(self) -> None:
        self.kept: list[Report] = []
        self._first = self._next = 0
        self._renewed = False  # has any report of this run been?
        self._known: set[_Jobs] = set()

    def add(self, report: Report) -> None:
        before = self.kept[self._next] if self._next < len(self.kept) else None
        if before and (_goes_on(before, report) or (self._renewed and _is_same(before, report))):
            for earlier, later in zip(before.results, report.results, strict=True):
                later.details["snapshots"] = earlier.details.get("snapshots", 1) + 1
            self.kept[self._next] = report
            self._renewed = True
            self._next = self._next + 1 if self._next + 1 < len(self.kept) else self._first
            return
        jobs = _jobs(report)
        if self._renewed and jobs in self._known:
            self._first = self._next = len(self.kept)
            self._renewed = False
            self._known.clear()
        self._known.add(jobs)
        self.kept.append(report)

    @property
    def results(self) -> list[Result]:
        return [result for report in self.kept for result in report.results]

    def number_executions(self) -> None:
        """Where a report is all of an execution, as a JSON document is."""
        for number, report in enumerate(self.kept):
            for result in report.results:
                result.execution = number


class _Side(NamedTuple):
    run_s: float
    amount: float
    fastest: float
    slowest: float


def _sides(result: Result) -> dict[str, _Side]:
    values = result.by_name()
    return {
        what: _Side(
            run_s,
            values.get((what, "bytes", "total"), 0.0),
            values.get((what, "completion_latency", "min"), 0.0),
            values.get((what, "completion_latency", "max"), 0.0),
        )
        for (what, metric, _), run_s in values.items()
        if metric == "duration" and what != "run"
    }


def _identity(result: Result) -> tuple[str, int | None]:
    return result.label, result.details.get("groupid")


def _jobs(report: Report) -> _Jobs:
    return tuple(map(_identity, report.results))


def _is_same(earlier: Report, later: Report) -> bool:
    return _jobs(earlier) == _jobs(later) and (
        list(map(_sides, earlier.results)) == list(map(_sides, later.results))
    )


def _goes_on(earlier: Report, later: Report) -> bool:
    """Is `later` a newer snapshot of the same jobs as `earlier`?

    Sums only grow, the fastest I/O only gets faster and the slowest slower. Two runs of one job
    can look like that too: clocks that disagree tell them apart, and where there is no clock, the
    run must have gone on for a measurable while.
    """
    if _jobs(earlier) != _jobs(later):
        return False
    shortest = _SHORTEST_INTERVAL_S
    if earlier.began and later.began:
        if abs((earlier.began - later.began).total_seconds()) >= 2:  # whole seconds, both
            return False
        shortest = 0.0
    grown = 0.0
    for before_all, after_all in zip(earlier.results, later.results, strict=True):
        after = _sides(after_all)
        for what, before in _sides(before_all).items():
            if what not in after or not _grew(before, after[what]):
                return False
            grown = max(grown, after[what].run_s - before.run_s)
    return grown > shortest


def _grew(before: _Side, after: _Side) -> bool:
    same_time, same_amount = after.run_s == before.run_s, after.amount == before.amount
    return (
        after.run_s >= before.run_s
        and after.amount >= before.amount
        and same_time == same_amount
        and after.fastest <= before.fastest
        and after.slowest >= before.slowest
    )


def without_copies(kept: list[Result], others: list[Result]) -> list[Result]:
    """`others` less those that are in `kept` in another format: same job, same run times.

    What is left of an execution that `kept` has too joins it; other executions are numbered on.
    """
    if not kept or not others:
        return others
    runs: dict[object, deque[Result]] = {}
    for result in kept:
        runs.setdefault(_run(result), deque()).append(result)
    left = []
    same: dict[int, int] = {}
    for result in others:
        run = _run(result)
        if run[2] and runs.get(run):
            same[result.execution] = runs[run].popleft().execution
        else:
            left.append(result)
    following = 1 + max(result.execution for result in kept)
    for result in left:
        result.execution = same.get(result.execution, following + result.execution)
    return left


def _run(result: Result) -> tuple[str, int | None, frozenset[tuple[str, float]]]:
    """Job and run time by side, whatever the pattern: what two formats print exactly alike."""
    sides = _sides(result)
    if len(sides) > 1:
        sides.pop("mixed", None)  # of reads and writes together, text prints zeros
    return (
        *_identity(result),
        frozenset((what.rsplit("_", 1)[-1], side.run_s) for what, side in sides.items()),
    )
