"""Data for charts: a long trace reduced to a few intervals, and whether an axis is logarithmic."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

import numpy

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

# on a linear axis a bar of less than 1/50 of the longest is a few pixels
DECADES_APART = 50.0


class Stretch(NamedTuple):
    """Consecutive points, with the mean of their times."""

    seconds: float
    lowest: float
    mean: float
    highest: float


def stretches(
    seconds: NDArray[float64], values: NDArray[float64], most: int
) -> tuple[Stretch, ...]:
    """At most `most` stretches of about the same number of points; one per point where there are few.

    The mean alone would show a pause as a slow second, and sampled points could miss it.
    """
    count = min(most, len(values))
    if not count:
        return ()
    starts = numpy.arange(count) * len(values) // count
    lengths = numpy.diff(starts, append=len(values))
    columns = (
        numpy.add.reduceat(seconds, starts) / lengths,
        numpy.minimum.reduceat(values, starts),
        numpy.add.reduceat(values, starts) / lengths,
        numpy.maximum.reduceat(values, starts),
    )
    return tuple(
        Stretch(*row) for row in zip(*(column.tolist() for column in columns), strict=True)
    )


def spans_decades(values: Iterable[float]) -> bool:
    """True where the largest value is 50 times the smallest or more, and all are above zero.

    A logarithmic axis has no place for zero, so one zero keeps the axis linear.
    """
    known = list(values)
    return bool(known) and min(known) > 0 and max(known) / min(known) >= DECADES_APART
