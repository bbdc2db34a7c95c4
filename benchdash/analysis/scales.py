"""Which axis shows all values: linear, or logarithmic where they span decades."""

from __future__ import annotations

from collections.abc import Iterable

# below 1/50 of the longest a bar is a line of a few pixels
DECADES_APART = 50.0


def spans_decades(values: Iterable[float]) -> bool:
    """True where the largest value is 50 times the smallest or more, and all are above zero.

    A logarithmic axis has no place for zero, so one zero keeps the axis linear.
    """
    known = list(values)
    return bool(known) and min(known) > 0 and max(known) / min(known) >= DECADES_APART
