"""Gathers the numbers of one result and hands them over at once: a job has about eighty."""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from benchdash.parsers.result import Name, ParseError, Result, RowNames
from benchdash.vocabulary.measures import percentile_name


class Numbers:
    """Values in base units by operation, metric and statistic, in the order they are added."""

    def __init__(self) -> None:
        self.names: list[Name] = []
        self.values: list[float] = []

    def __bool__(self) -> bool:
        return bool(self.names)

    def add(self, operation: str, metric: str, statistic: str, value: float | None) -> None:
        """One number; None is none."""
        if value is not None:
            self.names.append((operation, metric, statistic))
            self.values.append(value)

    def percentiles(
        self, operation: str, metric: str, per_second: float, printed: Iterable[tuple[str, float]]
    ) -> None:
        """Percentiles as (percent as printed, value); `per_second` of the unit are a second."""
        for percent, value in printed:
            statistic = percentile_statistic(percent)
            if statistic:
                self.names.append((operation, metric, statistic))
                self.values.append(value / per_second)

    def into(self, result: Result) -> None:
        """Store all of them; ParseError where one cannot be a number or stands twice."""
        result.measure_row(_row_names(tuple(self.names)), self.values)


@lru_cache(maxsize=256)
def _row_names(names: tuple[Name, ...]) -> RowNames:
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ParseError(f"{' '.join(twice)} stands twice in one job")
    return RowNames(names)


@lru_cache(maxsize=1024)
def percentile_statistic(percent: str) -> str | None:
    """`99.900000` as `p99.9`; None for the filler `0.00`; ParseError for no percentage."""
    try:
        value = float(percent)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100:
        raise ParseError(f"a percentile of {percent[:20]!r} cannot be one")
    return percentile_name(value) if value else None


def uncut(
    cut: float | None, unit: float, amount: float | None, run_s: float | None
) -> float | None:
    """A rate that fio cut to whole units (KiB/s), taken again from the amount and the run time.

    The same division that fio makes [stat.c]; where the two do not fit, what was printed.
    """
    if cut is None or not amount or not run_s:
        return None if cut is None else cut * unit
    rate = amount / run_s
    return rate if cut * unit <= rate < (cut + 1) * unit else cut * unit
