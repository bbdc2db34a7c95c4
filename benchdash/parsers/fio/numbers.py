"""Gathers the numbers of one result and hands them over at once: a job has about eighty.

Names repeat from job to job, so they are made once in chunks (one latency's four statistics, one
list of percentiles) and shared.
"""

from __future__ import annotations

from functools import lru_cache
from itertools import compress

from benchdash.parsers.result import Name, ParseError, Result, RowNames
from benchdash.vocabulary.measures import percentile_name

SPREAD = ("mean", "min", "max", "stddev")


class _Chunk:
    """Names that come together; told from others by identity, which is quicker than by content."""

    __slots__ = ("names",)

    def __init__(self, names: tuple[Name, ...]) -> None:
        self.names = names


_CPU = _Chunk((("run", "cpu_user", "mean"), ("run", "cpu_system", "mean")))


class Numbers:
    """Values in base units by operation, metric and statistic, in the order they are added."""

    __slots__ = ("_chunks", "_values")

    def __init__(self) -> None:
        self._chunks: list[_Chunk] = []
        self._values: list[float] = []

    def __bool__(self) -> bool:
        return bool(self._values)

    def add(self, operation: str, metric: str, statistic: str, value: float | None) -> None:
        """One number; None is none."""
        if value is not None:
            self._chunks.append(_chunk(operation, metric, (statistic,)))
            self._values.append(value)

    def side(self, operation: str, *values: float | None) -> None:
        """Throughput, iops, bytes, operations and duration of one side; None is none."""
        if None not in values:
            self._chunks.append(_side_chunk(operation))
            self._values += values  # type: ignore[arg-type]  # None was looked for
            return
        for (_, metric, statistic), value in zip(_side_chunk(operation).names, values, strict=True):
            self.add(operation, metric, statistic, value)

    def cpu(self, user: float, system: float) -> None:
        """Shares of one CPU over the whole run."""
        self._chunks.append(_CPU)
        self._values += (user, system)

    def spread(self, operation: str, metric: str, values: tuple[float, ...]) -> None:
        """Mean, minimum, maximum and standard deviation."""
        self._chunks.append(_chunk(operation, metric, SPREAD))
        self._values += values

    def percentiles(
        self, operation: str, metric: str, percents: tuple[str | float, ...], values: list[float]
    ) -> None:
        """Percentiles by percent as printed; those of fio's fillers are left out."""
        chunk, kept = _percentile_chunk(operation, metric, percents)
        self._chunks.append(chunk)
        self._values += values if len(chunk.names) == len(values) else compress(values, kept)

    def into(self, result: Result) -> None:
        """Store all of them; ParseError where one cannot be a number or stands twice."""
        result.measure_row(_row_names(tuple(self._chunks)), self._values)


@lru_cache(maxsize=1024)
def _chunk(operation: str, metric: str, statistics: tuple[str, ...]) -> _Chunk:
    return _Chunk(tuple((operation, metric, statistic) for statistic in statistics))


@lru_cache(maxsize=64)
def _side_chunk(operation: str) -> _Chunk:
    rates = ((operation, metric, "mean") for metric in ("throughput", "iops"))
    sums = ((operation, metric, "total") for metric in ("bytes", "operations", "duration"))
    return _Chunk((*rates, *sums))


@lru_cache(maxsize=256)
def _percentile_chunk(
    operation: str, metric: str, percents: tuple[str | float, ...]
) -> tuple[_Chunk, tuple[str | None, ...]]:
    """The names, and what is None for each filler."""
    statistics = tuple(percentile_statistic(percent) for percent in percents)
    return _chunk(operation, metric, tuple(filter(None, statistics))), statistics


@lru_cache(maxsize=256)
def _row_names(chunks: tuple[_Chunk, ...]) -> RowNames:
    names = [name for chunk in chunks for name in chunk.names]
    if len(set(names)) != len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ParseError(f"{' '.join(twice)} stands twice in one job")
    return RowNames(names)


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
