"""Gathers the numbers of one result and hands them over at once: a job has about eighty.

They are kept as printed. What they are called, and what each is to be divided by to be in base
units, is the same in job after job: it is worked out once and shared.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable
from functools import lru_cache
from itertools import compress
from operator import truediv
from typing import Any

from benchdash.parsers.result import Name, ParseError, Result, RowNames
from benchdash.vocabulary.measures import percentile_name

SPREAD = ("mean", "min", "max", "stddev")
_RATES, _SUMS = ("throughput", "iops"), ("bytes", "operations", "duration")
_BASE_UNITS = (1.0,) * 5
Latencies = tuple[str, str, float]  # operation, metric, their unit in parts of a second
_Named = Iterable[tuple[Name | None, float]]  # None: what is left out; the divisor


class _Printed(RowNames):
    """Rows in the units that they were printed in."""

    divisors: tuple[float, ...]

    def unpacked(self, row: bytes) -> Iterable[float]:
        """The numbers of one row in base units."""
        return map(truediv, self.layout.unpack(row), self.divisors)


class Numbers:
    """Values by operation, metric and statistic, in the order they are added; None is none."""

    __slots__ = ("_shape", "_values")

    def __init__(self) -> None:
        self._shape: list[tuple[Any, ...]] = []  # what names some of the values, and its arguments
        self._values: list[float | None] = []

    def __bool__(self) -> bool:
        return bool(self._values)

    def add(self, operation: str, metric: str, statistic: str, value: float | None) -> None:
        """One number in base units."""
        if value is not None:
            self._shape.append((_one, operation, metric, statistic))
            self._values.append(value)

    def side(
        self,
        operation: str,
        values: Iterable[float | None],
        divisors: tuple[float, ...] = _BASE_UNITS,
    ) -> None:
        """Throughput, iops, bytes, operations and duration of one side, one of them at least."""
        self._shape.append((_side, operation, divisors))
        self._values += values

    def cpu(self, user: float, system: float) -> None:
        """Percent of one CPU over the whole run."""
        self._shape.append((_cpu,))
        self._values += (user, system)

    def spread(self, called: Latencies, values: Iterable[float | None]) -> None:
        """Mean, minimum, maximum and standard deviation, one of them at least."""
        self._shape.append((_spread, called))
        self._values += values

    def percentiles(
        self, called: Latencies, percents: tuple[str | float, ...], values: Iterable[float]
    ) -> None:
        """Percentiles by percent as printed, less those of fio's fillers."""
        self._shape.append((_percentiles, called, percents))
        self._values += values

    def into(self, result: Result) -> None:
        """Store all of them; ParseError where one cannot be a number or stands twice."""
        shape, values = tuple(self._shape), self._values
        names, kept = _names(shape)
        try:
            row = compress(values, kept) if kept else values
            result.measure_row(names, row)  # type: ignore[arg-type]  # None is refused
        except struct.error:
            names, kept = _names(shape, tuple(value is not None for value in values))
            result.measure_row(names, compress(values, kept or ()))  # type: ignore[arg-type]


@lru_cache(maxsize=256)
def _names(
    shape: tuple[tuple[Any, ...], ...], printed: tuple[bool, ...] = ()
) -> tuple[_Printed, tuple[bool, ...]]:
    """The names of the values that are kept, and which those are, where it is not each."""
    found = [named for name, *arguments in shape for named in name(*arguments)]
    kept = tuple(
        name is not None and there
        for (name, _), there in zip(found, printed or [True] * len(found), strict=True)
    )
    names = [name for name, _ in compress(found, kept) if name]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ParseError(f"{' '.join(twice)} stands twice in one job")
    row = _Printed(names)
    row.divisors = tuple(divisor for _, divisor in compress(found, kept))
    return row, () if all(kept) else kept


def _one(operation: str, metric: str, statistic: str) -> _Named:
    yield (operation, metric, statistic), 1.0


def _side(operation: str, divisors: tuple[float, ...]) -> _Named:
    rates = ((operation, metric, "mean") for metric in _RATES)
    sums = ((operation, metric, "total") for metric in _SUMS)
    return zip((*rates, *sums), divisors, strict=True)


def _cpu() -> _Named:
    return [(("run", metric, "mean"), 100.0) for metric in ("cpu_user", "cpu_system")]


def _spread(called: Latencies) -> _Named:
    operation, metric, per_second = called
    return [((operation, metric, statistic), per_second) for statistic in SPREAD]


def _percentiles(called: Latencies, percents: tuple[str | float, ...]) -> _Named:
    operation, metric, per_second = called
    for statistic in map(percentile_statistic, percents):
        yield (operation, metric, statistic) if statistic else None, per_second


@lru_cache(maxsize=1024)
def percentile_statistic(percent: str | float) -> str | None:
    """`99.900000` as `p99.9`; None for fio's filler `0.00`; ParseError for no percentage."""
    try:
        value = float(percent)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100:
        raise ParseError(f"a percentile of {str(percent)[:20]!r} cannot be one")
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
