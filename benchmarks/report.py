"""Ratios: two things timed in turns on the same machine, and whether they keep to their limit."""

from __future__ import annotations

import json
import statistics
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path

Clock = Callable[[], float]


@dataclass(frozen=True, slots=True)
class Row:
    """One finding: `ratio` is held against `at_least` or `at_most`; `note` says what was timed."""

    name: str
    ratio: float
    at_least: float | None = None
    at_most: float | None = None
    note: str = ""

    @property
    def holds(self) -> bool:
        """True within the limits, or where there are none."""
        above = self.at_least is None or self.ratio >= self.at_least
        return above and (self.at_most is None or self.ratio <= self.at_most)

    @property
    def limit(self) -> str:
        """`≥ 1`, `≤ 4`, or nothing."""
        if self.at_least is not None:
            return f"≥ {self.at_least:g}"
        return "" if self.at_most is None else f"≤ {self.at_most:g}"


@dataclass(frozen=True, slots=True)
class Pair:
    """Medians in seconds; `ratio` (subject to rival) is the median of the pairs, not their quotient."""

    subject_s: float
    rival_s: float
    ratio: float


def timed(work: Callable[[], object], clock: Clock = time.perf_counter) -> float:
    """Seconds that one call takes."""
    started = clock()
    work()
    return clock() - started


def paired(
    subject: Callable[[], object],
    rival: Callable[[], object],
    *,
    repeats: int = 7,
    clock: Clock = time.perf_counter,
) -> Pair:
    """Both in turns, after one warm-up: what slows the machine down slows both.

    `time.process_time` is the clock for work that only computes, in this process.
    """
    subject()
    rival()
    pairs = [(timed(subject, clock), timed(rival, clock)) for _ in range(repeats)]
    return Pair(
        statistics.median(mine for mine, _ in pairs),
        statistics.median(theirs for _, theirs in pairs),
        statistics.median(mine / theirs for mine, theirs in pairs),
    )


def table(rows: list[Row]) -> str:
    """The rows in columns; what is over its limit says so."""
    width = max((len(row.name) for row in rows), default=0)
    return "\n".join(
        f"{row.name:<{width}}  {row.ratio:>8.2f}  {row.limit:>7}  "
        f"{'ok  ' if row.holds else 'OVER'}  {row.note}".rstrip()
        for row in rows
    )


def write(rows: list[Row], path: Path) -> None:
    """The rows as a JSON list."""
    path.parent.mkdir(parents=True, exist_ok=True)
    documents = [asdict(row) | {"holds": row.holds} for row in rows]
    path.write_text(json.dumps(documents, indent=2) + "\n", encoding="utf-8")
