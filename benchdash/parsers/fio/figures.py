"""Figures as fio prints them, converted to numbers of a result.

A printed figure has a last digit: two figures of one quantity agree where they differ by no more
than a unit of it. fio 2.17 to 3.25 lose a fraction close to 1 (11.99 is printed as 11.0, mended in
3.26 by commit c736b361), so of two figures that disagree the larger is right.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from benchdash.parsers.result import ParseError, Result, names_of
from benchdash.vocabulary.measures import percentile_name

Figure = tuple[float, float]  # a printed value, and what one unit of its last digit is worth
Latencies = tuple[str, str]  # operation, metric

_PREFIXES = ("", "k", "M", "G", "T", "P", "E")
_FIGURE = re.compile(r"([0-9]{1,20})(\.[0-9]{1,9})?([A-Za-z/]{0,8})", re.ASCII)
_DIGIT = (1.0, 1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9)


def _byte_units(base: float) -> dict[str, float]:
    """Factors of `MB/s`, `MiB`, `Mbit/s`, `Mi`, …; MiB is 2^20 whatever MB is."""
    units = {}
    for power, prefix in enumerate(_PREFIXES):
        for letter in {prefix, prefix.upper()}:
            for unit, bits in (("B", 1), ("b", 1), ("bit", 8), ("", 1)):
                for per in ("", "/s"):
                    units[f"{letter}{unit}{per}"] = base**power / bits
                    if prefix:
                        units[f"{letter}i{unit}{per}"] = 1024.0**power / bits
    return units


_BINARY, _DECIMAL = _byte_units(1024.0), _byte_units(1000.0)
_THOUSANDS = {letter: 1000.0**power for power, letter in enumerate(_PREFIXES)} | {"K": 1000.0}


def size(text: str, *, decimal: bool) -> Figure | None:
    """Bytes or B/s of `60.6MiB/s`, `8183B/s`, `411Mibit/s`, `16KB`; None where it is none.

    `decimal`: MB is 10^6 (fio from 2.17) and not 2^20 (before). Client mode prints neither B nor
    bit (`156Mi`) and means bytes.
    """
    return _figure(text, _DECIMAL if decimal else _BINARY)


def count(text: str) -> Figure | None:
    """`15.5k`, `1234.5K`, `7247k`, `433495`: a count or a time, in thousands."""
    return _figure(text, _THOUSANDS)


def _figure(text: str, units: dict[str, float]) -> Figure | None:
    match = _FIGURE.fullmatch(text)
    factor = units.get(match[3]) if match else None
    if match is None or factor is None:
        return None
    whole, fraction, _ = match.groups()
    if fraction is None:
        return float(whole) * factor, factor
    return float(whole + fraction) * factor, factor * _DIGIT[len(fraction)]


def thousands(text: str) -> float:
    """`5539.3k` as 5539300; for figures that an expression has checked."""
    return float(text) if text[-1] <= "9" else float(text[:-1]) * _THOUSANDS[text[-1]]


def truer(first: Figure, second: Figure) -> Figure:
    """`first`, unless it disagrees with `second` by more than rounding: then the larger."""
    if abs(first[0] - second[0]) <= first[1] + second[1]:
        return first
    return max(first, second)


class Totals(NamedTuple):
    """One side over its whole run, in base units; None is not printed."""

    rate: float | None
    iops: float | None
    amount: float | None
    operations: float | None
    run_s: float | None


def measure_side(result: Result, operation: str, totals: Totals) -> None:
    """Throughput, iops, bytes, operations and run time of one side."""
    result.measure(operation, "throughput", "mean", totals.rate)
    result.measure(operation, "iops", "mean", totals.iops)
    result.measure(operation, "bytes", "total", totals.amount)
    result.measure(operation, "operations", "total", totals.operations)
    result.measure(operation, "duration", "total", totals.run_s)


def measure_spread(
    result: Result, of: Latencies, printed: Sequence[float | None], per_second: float
) -> None:
    """Mean, minimum, maximum and standard deviation, in a unit of which so many are a second."""
    found = {
        statistic: value / per_second
        for statistic, value in zip(("mean", "min", "max", "stddev"), printed, strict=True)
        if value is not None
    }
    result.measure_all(names_of(*of, tuple(found)), tuple(found.values()))


def measure_percentiles(
    result: Result,
    of: Latencies,
    printed: Mapping[str, float] | Mapping[float, float],
    per_second: float,
) -> None:
    """Percentiles by percent as printed, less those of fio's fillers."""
    found = {
        percentile_statistic(percent): value / per_second for percent, value in printed.items()
    }
    found.pop("", None)
    result.measure_all(names_of(*of, tuple(found)), tuple(found.values()))


def measure_cpu(
    result: Result, user_percent: float, system_percent: float, jobs: float = 1
) -> None:
    """Shares of one CPU; fio prints the mean of the `jobs` that a reporting group sums up [stat.c]."""
    result.measure("run", "cpu_user", "mean", user_percent / 100 * jobs)
    result.measure("run", "cpu_system", "mean", system_percent / 100 * jobs)


@lru_cache(maxsize=1024)
def percentile_statistic(percent: str | float) -> str:
    """`99.900000` as `p99.9`; "" for fio's filler `0.00`; ParseError for no percentage."""
    try:
        value = float(percent)
    except ValueError:
        value = -1.0
    if not 0 <= value <= 100:
        raise ParseError(
            "{percent} is not a valid fio percentile",
            percent=repr(str(percent)[:20]),
        )
    return percentile_name(value) if value else ""


def uncut(
    cut: float | None, unit: float, amount: float | None, run_s: float | None
) -> float | None:
    """A rate that fio truncated to whole units (KiB/s), recomputed from amount and run time.

    That is the division that fio makes [stat.c]; where the two disagree, the printed rate.
    """
    if cut is None or not amount or not run_s:
        return None if cut is None else cut * unit
    rate = amount / run_s
    return rate if cut * unit <= rate < (cut + 1) * unit else cut * unit
