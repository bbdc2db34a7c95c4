"""Intervals as permalinks of the first form have them: a range, or a percentile bootstrap of the median.

By Efron and Tibshirani, An Introduction to the Bootstrap, 13.3. They are never changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from statistics import median
from typing import TYPE_CHECKING

from benchdash.analysis.summary import Interval, Kind

if TYPE_CHECKING:
    from numpy import float64, intp
    from numpy.typing import NDArray

ENOUGH = 5
_RESAMPLES = 4999
_CONFIDENCE = 0.95
_SEED = 20080726


def interval_of(values: Sequence[float]) -> Interval | None:
    """The interval of the median."""
    if len(values) < 2:
        return None
    if len(values) < ENOUGH:
        return Interval(min(values), max(values), Kind.RANGE)
    ranks, times = _counted_ranks(len(values))
    return _bootstrap(_medians(values, ranks), times)


def ratio_of(values: Sequence[float], base: Sequence[float]) -> float | None:
    """That of the medians; None where there is nothing to divide by."""
    if not values or not base or median(base) == 0:
        return None
    return median(values) / median(base)


def ratio_interval_of(values: Sequence[float], base: Sequence[float]) -> Interval | None:
    """Both sides resampled; of few runs from the worst pair of single values to the best."""
    if len(values) < 2 or len(base) < 2 or min(base) <= 0:
        return None
    if len(values) < ENOUGH or len(base) < ENOUGH:
        return Interval(min(values) / max(base), max(values) / min(base), Kind.RANGE)
    ranks, times = _counted_ranks(len(values), len(base))
    return _bootstrap(_medians(values, ranks[:2]) / _medians(base, ranks[2:]), times)


def _bootstrap(found: NDArray[float64], times: NDArray[intp]) -> Interval:
    """The interval of what was found in all resamples, each so many `times`."""
    tail = (1 - _CONFIDENCE) / 2
    order = found.argsort()
    up_to = times[order].cumsum()
    places = [round(share * (_RESAMPLES - 1)) for share in (tail, 1 - tail)]
    low, high = found[order[up_to.searchsorted(places, side="right")]]
    return Interval(float(low), float(high), Kind.BOOTSTRAP, _CONFIDENCE)


def _medians(values: Sequence[float], ranks: NDArray[intp]) -> NDArray[float64]:
    import numpy  # noqa: PLC0415 - heavy: pages without a comparison start without it

    ordered = numpy.array(sorted(values), dtype=float)
    medians: NDArray[float64] = (ordered[ranks[0]] + ordered[ranks[1]]) / 2
    return medians


@lru_cache(maxsize=16)
def _counted_ranks(*sides: int) -> tuple[NDArray[intp], NDArray[intp]]:
    """The middle ranks of all resamples of each side, and how often each combination came."""
    import numpy  # noqa: PLC0415

    every = [ranks for stream, n in enumerate(sides) for ranks in _middle_ranks(n, stream)]
    found, times = numpy.unique(numpy.stack(every), axis=1, return_counts=True)
    return numpy.ascontiguousarray(found), times


def _middle_ranks(n: int, stream: int) -> tuple[NDArray[intp], NDArray[intp]]:
    """The ranks of the medians of all resamples of n values; two per resample where n is even.

    The k-th smallest of n uniform numbers follows Beta(k, n + 1 - k), and the next one lies above
    it by a Beta(1, n - k) share of the rest; the value at rank floor(n u) is drawn by each u.
    """
    import numpy  # noqa: PLC0415

    generator = numpy.random.default_rng([_SEED, n, stream])
    k = (n + 1) // 2
    below = generator.beta(k, n + 1 - k, _RESAMPLES)
    above = below if n % 2 else below + (1 - below) * generator.beta(1, n - k, _RESAMPLES)
    ranks = [numpy.minimum(n * side, n - 1).astype(numpy.intp) for side in (below, above)]
    return ranks[0], ranks[1]
