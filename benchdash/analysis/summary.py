"""Summary statistics of repeated measurements, with an interval for their median.

One value has no interval. Two to four have their range. From five on there is a 95 % percentile
bootstrap interval of the median (Efron and Tibshirani, An Introduction to the Bootstrap, 13.3).

The median of a resample is determined by its middle ranks, which do not depend on the values:
they are drawn once for each n, from a fixed seed, and counted, since few values have few ranks. So
the same values always have the same interval, and an interval costs one lookup in a table.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from math import fsum
from statistics import median
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from numpy import float64, intp
    from numpy.typing import NDArray

ENOUGH = 5  # values; fewer are too few to bootstrap
RESAMPLES = 4999
CONFIDENCE = 0.95
SEED = 20080726


class Kind(StrEnum):
    """How an interval was computed."""

    RANGE = "range"
    BOOTSTRAP = "bootstrap"


@dataclass(frozen=True, slots=True)
class Interval:
    """From `low` to `high`, in the unit of the values (a ratio has none)."""

    low: float
    high: float
    kind: Kind

    def holds(self, value: float) -> bool:
        """True where `value` lies inside: the data show no difference from it."""
        return self.low <= value <= self.high


@dataclass(frozen=True, slots=True)
class Summary:
    """Repeats of one measure, all in its unit; `n` >= 1, `low` and `high` are the extremes.

    `interval` is that of the median; `ratio` and its interval are to the baseline's, None where
    that is missing or zero.
    """

    n: int
    median: float
    mean: float
    low: float
    high: float
    lower_quartile: float
    upper_quartile: float
    interval: Interval | None
    ratio: float | None
    ratio_interval: Interval | None


def summarise(values: Sequence[float], baseline: Sequence[float] = ()) -> Summary | None:
    """The summary of `values` in any order; None where there are none: missing stays missing."""
    if not values:
        return None
    ordered = sorted(values)
    return Summary(
        n=len(ordered),
        median=quantile(ordered, 0.5),
        mean=fsum(ordered) / len(ordered),
        low=ordered[0],
        high=ordered[-1],
        lower_quartile=quantile(ordered, 0.25),
        upper_quartile=quantile(ordered, 0.75),
        interval=interval(values),
        ratio=ratio(values, baseline),
        ratio_interval=ratio_interval(values, baseline),
    )


def quantile(ordered: Sequence[float], share: float) -> float:
    """The quantile at `share` (0 to 1) of ascending values, linear between ranks.

    Definition 7 of Hyndman and Fan (1996), "Sample Quantiles in Statistical Packages"; the
    default of NumPy and R.
    """
    rank = share * (len(ordered) - 1)
    below = int(rank)
    above = min(below + 1, len(ordered) - 1)
    low, high = ordered[below], ordered[above]
    # low + 0 * (high - low) is low exactly, and equal neighbours stay equal
    return low + (rank - below) * (high - low)


def interval(values: Sequence[float]) -> Interval | None:
    """The interval of the median of `values`; None for fewer than two."""
    if len(values) < 2:
        return None
    if len(values) < ENOUGH:
        return Interval(min(values), max(values), Kind.RANGE)
    ranks, times = _counted_ranks(len(values))
    return _bootstrap(_medians(values, ranks), times)


def ratio(values: Sequence[float], baseline: Sequence[float]) -> float | None:
    """The median of `values` over that of `baseline`; None where either is missing or zero."""
    if not values or not baseline or median(baseline) == 0:
        return None
    return median(values) / median(baseline)


def ratio_interval(values: Sequence[float], baseline: Sequence[float]) -> Interval | None:
    """The interval of `ratio`: both sides vary.

    Bootstrap of both where each has five values, else from the worst pair of single values to
    the best; None where a side has fewer than two, or the baseline reaches zero.
    """
    if len(values) < 2 or len(baseline) < 2 or min(baseline) <= 0:
        return None
    if len(values) < ENOUGH or len(baseline) < ENOUGH:
        return Interval(min(values) / max(baseline), max(values) / min(baseline), Kind.RANGE)
    ranks, times = _counted_ranks(len(values), len(baseline))
    return _bootstrap(_medians(values, ranks[:2]) / _medians(baseline, ranks[2:]), times)


def no_difference(values: Sequence[float], other: Sequence[float]) -> bool:
    """True where the bootstrap interval of their ratio holds 1; few values cannot say so."""
    if min(len(values), len(other)) < ENOUGH:
        return False
    if min(values) > max(other) or min(other) > max(values):
        return False  # what does not overlap needs no bootstrap
    found = ratio_interval(values, other)
    return found is not None and found.holds(1)


def _bootstrap(found: NDArray[float64], times: NDArray[intp]) -> Interval:
    """The interval of what was found in all resamples, each so many `times`."""
    tail = (1 - CONFIDENCE) / 2
    order = found.argsort()
    up_to = times[order].cumsum()
    places = [round(share * (RESAMPLES - 1)) for share in (tail, 1 - tail)]
    low, high = found[order[up_to.searchsorted(places, side="right")]]
    return Interval(float(low), float(high), Kind.BOOTSTRAP)


def _medians(values: Sequence[float], ranks: NDArray[intp]) -> NDArray[float64]:
    import numpy  # noqa: PLC0415 - heavy: pages without a comparison start without it

    ordered = numpy.array(sorted(values), dtype=float)
    medians: NDArray[float64] = (ordered[ranks[0]] + ordered[ranks[1]]) / 2
    return medians


@lru_cache(maxsize=64)
def _counted_ranks(*sides: int) -> tuple[NDArray[intp], NDArray[intp]]:
    """The middle ranks of all resamples of one side, or of both of a ratio, and how often they came.

    Two rows for each side, whose sizes are given; a column for each combination.
    """
    import numpy  # noqa: PLC0415

    every = [ranks for stream, n in enumerate(sides) for ranks in _middle_ranks(n, stream)]
    found, times = numpy.unique(numpy.stack(every), axis=1, return_counts=True)
    return numpy.ascontiguousarray(found), times


@lru_cache(maxsize=256)
def _middle_ranks(n: int, stream: int) -> tuple[NDArray[intp], NDArray[intp]]:
    """The ranks of the medians of all resamples of n values; two per resample where n is even.

    A resample draws n uniform numbers u and takes the values at ranks floor(n u); so the k-th
    smallest of it is at floor(n b), where b, the k-th smallest of n uniform numbers, follows
    Beta(k, n + 1 - k), and the next one lies above it by a Beta(1, n - k) share of the rest.
    The two sides of a ratio draw from different streams, so that they vary independently.
    """
    import numpy  # noqa: PLC0415

    generator = numpy.random.default_rng([SEED, n, stream])
    k = (n + 1) // 2
    below = generator.beta(k, n + 1 - k, RESAMPLES)
    above = below if n % 2 else below + (1 - below) * generator.beta(1, n - k, RESAMPLES)
    # n * b may round up to n itself
    ranks = [numpy.minimum(n * side, n - 1).astype(numpy.intp) for side in (below, above)]
    return ranks[0], ranks[1]
