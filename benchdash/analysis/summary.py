"""What a list of repeats amounts to."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import fsum


@dataclass(frozen=True, slots=True)
class Summary:
    """Repeats of one measure, all in its unit; `n` is at least 1."""

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
