"""What counts once: snapshots of one run (`--status-interval`), and one run in two formats.

The same result pasted twice is left as it is: the records link the second to the first.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from itertools import pairwise
from typing import NamedTuple

from benchdash.parsers.result import Result

_SHORTEST_INTERVAL_S = 0.02
_CLOCK_S = 2  # `timestamp` and `elapsed` are whole seconds, one rounded down and one up
_SURE_S = 5  # a run of so long that the clocks tell it from the next one
_GROWING = ("ctx", "majf", "minf")
Job = tuple[str, int | None]  # label and group


class Report(NamedTuple):
    """Results that were printed together, when fio began, and for how long it had run by then."""

    results: list[Result]
    began: datetime | None = None
    elapsed_s: float = 0.0


def newest(reports: Iterable[Report]) -> list[Report]:
    """Of the reports that follow each other in one run the last; reports in reading order."""
    kept: list[Report] = []
    renewed = False  # has the last one taken the place of an earlier one?
    for report in reports:
        renewed = bool(kept) and _is_newer(kept[-1], report, renewed=renewed)
        if not renewed:
            kept.append(report)
            continue
        for earlier, later in zip(kept[-1].results, report.results, strict=False):
            later.details["snapshots"] = earlier.details.get("snapshots", 1) + 1
        # what was cut has fewer jobs
        missing = kept[-1].results[len(report.results) :]
        kept[-1] = report._replace(results=[*report.results, *missing])
    return kept


def numbered(reports: Iterable[Report]) -> list[Result]:
    """All results; a report is all of an execution."""
    results = []
    for number, report in enumerate(reports):
        for result in report.results:
            result.execution = number
            results.append(result)
    return results


def reports_of(results: Sequence[Result]) -> Iterator[Report]:
    """The reports in results that were printed one by one.

    Each has all jobs of a run in their order, `numjobs` alike, and the same figures of the disks.
    """
    jobs: list[Result] = []
    known: set[Job] = set()
    for result in results:
        if jobs and _begins(jobs[-1], result, known):
            yield from _passes(jobs)
            jobs, known = [], set()
        jobs.append(result)
        known.add(job_of(result))
    if jobs:
        yield from _passes(jobs)


def _begins(before: Result, result: Result, known: set[Job]) -> bool:
    """Whether `result` is the first of a report."""
    if before.tool_version != result.tool_version or before.execution != result.execution:
        return True
    if moved(before) and moved(result):
        return bool(before.details["disk_util"] != result.details["disk_util"])
    job, last = job_of(result), job_of(before)
    return (job[1] or 0) < (last[1] or 0) or (job in known and job != last)


def _passes(jobs: list[Result]) -> Iterator[Report]:
    """Results of one name without the figures of a disk: jobs that ran together, or snapshots.

    They are snapshots where each goes on the one that stands so many places before it.
    """
    alike = len({job_of(each) for each in jobs}) == 1 and not moved(jobs[0])
    for size in range(1, len(jobs)) if alike else ():
        if len(jobs) % size == 0:
            reports = [Report(jobs[at : at + size]) for at in range(0, len(jobs), size)]
            if all(
                _goes_on(earlier, later, renewed=place > 0)
                for place, (earlier, later) in enumerate(pairwise(reports))
            ):
                yield from reports
                return
    yield Report(jobs)


def job_of(result: Result) -> Job:
    """What a job is known by in all reports of a run."""
    return result.label, result.details.get("groupid")


def moved(result: Result) -> bool:
    """Whether the figures of a disk tell its report from others; of clients each has its own."""
    return "hostname" not in result.details and any(_ios(result))


def _ios(result: Result) -> list[float]:
    """Reads and writes of each disk; JSON may have anything there."""
    disks = result.details.get("disk_util", ())
    counts = [disk.get(key) for disk in disks for key in ("read_ios", "write_ios")]
    return [count if isinstance(count, int | float) else 0 for count in counts]


@dataclass(slots=True)
class Growth:
    """How the sides of a later report differ from those of an earlier one."""

    shrunk: bool = False
    longest_s: float = 0.0
    # one of time and amount grew without the other: a side that waits, or two runs of one size
    uneven: bool = field(default=False)

    def add(self, run_s: tuple[float, float], amount: tuple[float, float]) -> None:
        """One side: its run time and its amount, before and after."""
        self.shrunk = self.shrunk or run_s[1] < run_s[0] or amount[1] < amount[0]
        self.uneven = self.uneven or (run_s[0] == run_s[1]) != (amount[0] == amount[1])
        self.longest_s = max(self.longest_s, run_s[1] - run_s[0])

    def goes_on(self, *, sure: bool) -> bool:
        """Whether it is growth of one run; `sure` where more than numbers speaks for it."""
        if self.shrunk:
            return False
        return sure or (self.longest_s > _SHORTEST_INTERVAL_S and not self.uneven)


class _Side(NamedTuple):
    run_s: float
    amount: float
    fastest: float
    slowest: float


_NO_SIDE = _Side(0.0, 0.0, float("inf"), 0.0)


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


def _is_newer(earlier: Report, later: Report, *, renewed: bool) -> bool:
    """Is `later` a newer snapshot of the same run as `earlier`?

    Clocks tell two runs of one job apart. Once a run has been `renewed`, a report may repeat as it is.
    """
    clocks = _same_beginning(earlier, later)
    return clocks is not False and _goes_on(earlier, later, renewed=renewed, sure=clocks is True)


def _goes_on(earlier: Report, later: Report, *, renewed: bool, sure: bool = False) -> bool:
    """Do the figures of the same jobs go on?

    Sums only grow, the fastest I/O only gets faster and the slowest slower. Two runs of one job
    can look like that too: where nothing makes `sure`, the run must have gone on for a measurable while.
    """
    pairs = list(zip(earlier.results, later.results, strict=False))
    if not pairs or any(job_of(early) != job_of(late) for early, late in pairs):
        return False
    growth = Growth()
    for early, late in pairs:
        if not _may_follow(early, late):
            return False
        early_sides, late_sides = _sides(early), _sides(late)
        for what in early_sides | late_sides:
            one, other = early_sides.get(what, _NO_SIDE), late_sides.get(what)
            if other is None or other.fastest > one.fastest or other.slowest < one.slowest:
                return False
            growth.add((one.run_s, other.run_s), (one.amount, other.amount))
    if growth.longest_s == 0.0 and not renewed:  # a paste of the same
        return False
    return growth.goes_on(sure=renewed or sure)


def _same_beginning(earlier: Report, later: Report) -> bool | None:
    """What the clocks say of the two; None where they cannot be sure."""
    starts = [each.results[0] for each in (earlier, later)]
    if all(each.started_at and not each.timed_at_end for each in starts):
        return starts[0].started_at == starts[1].started_at
    if not (earlier.began and later.began):
        return None
    if abs((earlier.began - later.began).total_seconds()) >= _CLOCK_S:
        return False
    return True if later.elapsed_s >= _SURE_S else None


def _may_follow(earlier: Result, later: Result) -> bool:
    """Options stay as they are, and counts of the whole job and of its disks never fall."""
    before, after = earlier.details, later.details
    if before.get("options") != after.get("options") or earlier.tool_version != later.tool_version:
        return False
    if any(after.get(name, 0) < before.get(name, 0) for name in _GROWING):
        return False
    disks = zip(_ios(earlier), _ios(later), strict=False)
    return all(one <= other for one, other in disks)


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
        if runs.get(run):
            same[result.execution] = runs[run].popleft().execution
        else:
            left.append(result)
    following = 1 + max(result.execution for result in kept)
    for result in left:
        result.execution = same.get(result.execution, following + result.execution)
    return left


def _run(result: Result) -> tuple[str, int | None, int, frozenset[tuple[str, float]]]:
    """Job, error and run time by side, whatever the pattern: what two formats print exactly alike.

    Of a client JSON prints the address and text the name: both print each client as often.
    """
    sides = _sides(result)
    if len(sides) > 1:
        sides.pop("mixed", None)  # of reads and writes together, text prints zeros
    label, group = job_of(result)
    host = result.details.get("hostname")
    return (
        label.removesuffix(f" @ {host}") if host else label,
        group,
        abs(result.error["code"]) if result.error else 0,
        frozenset((what.rsplit("_", 1)[-1], side.run_s) for what, side in sides.items()),
    )
