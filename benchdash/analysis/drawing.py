"""What a chart needs to know of many values: a long trace in few stretches, and which axis fits."""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

# below 1/50 of the longest a bar is a line of a few pixels
DECADES_APART = 50.0


class Stretch(NamedTuple):
    """Points next to each other, and the mean of their seconds."""

    seconds: float
    lowest: float
    mean: float
    highest: float


def stretches(
    seconds: NDArray[float64], values: NDArray[float64], most: int
) -> tuple[Stretch, ...]:
    """At most `most` stretches of about as many points each; one for each point where they are few.

    A mean alone would show a pause as a slow second, single points alone would lose it.
    """
    import numpy  # noqa: PLC0415 - heavy: pages without a trace start without it

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
    return tuple(Stretch(*row) for row in zip(*(each.tolist() for each in columns), strict=True))


def spans_decades(values: Iterable[float]) -> bool:
    """True where the largest value is 50 times the smallest or more, and all are above zero.

    A logarithmic axis has no place for zero, so one zero keeps the axis linear.
    """
    known = list(values)
    return bool(known) and min(known) > 0 and max(known) / min(known) >= DECADES_APART
