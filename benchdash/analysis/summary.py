"""Summary statistics of repeated measurements, with an interval for their median.

One value has no interval. Two to four have their range. From five on the median lies between two
order statistics, with the coverage that these really have: five values cover 94 %.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from math import fsum

from benchdash.analysis.differences import median_interval
from benchdash.analysis.kept import kept


class Kind(StrEnum):
    """What an interval is."""

    RANGE = "range"
    ORDER_STATISTICS = "order_statistics"
    STUDENT_T = "t"
    BOOTSTRAP = "bootstrap"  # of permalinks that were made by older rules


@dataclass(frozen=True, slots=True)
class Interval:
    """From `low` to `high`, in the unit of the values.

    `coverage` is how often such an interval holds the true median; a range says nothing of that.
    """

    low: float
    high: float
    kind: Kind
    coverage: float | None = None


@dataclass(frozen=True, slots=True)
class Summary:
    """Repeats of one measure, all in its unit; `n` >= 1, `low` and `high` are the extremes.

    `interval` is that of the median.
    """

    n: int
    median: float
    mean: float
    low: float
    high: float
    lower_quartile: float
    upper_quartile: float
    interval: Interval | None

    @property
    def half_width(self) -> float | None:
        """Half the width of the interval as a share of the median.

        None where there is a range at most, or the median is 0 and the interval more than that.
        """
        if self.interval is None or self.interval.coverage is None:
            return None
        half = (self.interval.high - self.interval.low) / 2
        if not self.median:
            return None if half else 0.0
        return half / abs(self.median)


@kept
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
        interval=interval(values),
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
    found = median_interval(values)
    if found is None:
        return Interval(min(values), max(values), Kind.RANGE)
    low, high, coverage = found
    return Interval(low, high, Kind.ORDER_STATISTICS, coverage)
