"""A long trace in few stretches, each with its lowest, mean and highest: no peak is lost."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray


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
