"""Summary statistics of repeated measurements, with an interval for their median.

One value has no interval. Two to four have their range. From five on there is a 95 % percentile
bootstrap interval of the median (Efron and Tibshirani, An Introduction to the Bootstrap, 13.3).

The median of a resample is determined by its middle ranks, which do not depend on the values:
they are drawn once for each n, from a fixed seed. So the same values always have the same
interval, and an interval costs one lookup in a table.
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


@dataclass(frozen=True, slots=True)
class Summary:
    """Repeats of one measure, all in its unit; `n` >= 1, `low` and `high` are the extremes."""

    n: int
    median: float
    mean: float
    low: float
    high: float
    lower_quartile: float
    upper_quartile: float


def summarise(values: Sequence[float]) -> Summary | None:
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


def interval(values: Sequence[float]) -> Interval | None:
    """The interval of the median of `values`; None for fewer than two."""
    if len(values) < 2:
        return None
    if len(values) < ENOUGH:
        return Interval(min(values), max(values), Kind.RANGE)
    return _bootstrap(_resampled_medians(values, stream=0))


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
    medians = _resampled_medians(values, stream=0) / _resampled_medians(baseline, stream=1)
    return _bootstrap(medians)


def _bootstrap(medians: NDArray[float64]) -> Interval:
    tail = (1 - CONFIDENCE) / 2
    last = len(medians) - 1
    low, high = round(tail * last), round((1 - tail) * last)
    medians.partition((low, high))
    return Interval(float(medians[low]), float(medians[high]), Kind.BOOTSTRAP)


def _resampled_medians(values: Sequence[float], *, stream: int) -> NDArray[float64]:
    import numpy  # noqa: PLC0415 - heavy: pages without a comparison start without it

    ordered = numpy.sort(numpy.asarray(values, dtype=float))
    below, above = _middle_ranks(len(values), stream)
    medians: NDArray[float64] = (ordered[below] + ordered[above]) / 2
    return medians


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
