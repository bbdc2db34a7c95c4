"""The curves of the view model: percentiles, and what ran over time."""

from __future__ import annotations

from typing import Annotated

from msgspec import Meta, Struct


class Percentile(Struct, frozen=True):
    """The median, over n runs, of one percentile (0 to 100)."""

    percent: float
    value: Annotated[float, Meta(description="In seconds.")]
    n: int


class Curve(Struct, frozen=True):
    """The percentiles of one group, in rising order."""

    label: str
    slot: int
    points: tuple[Percentile, ...]

    @property
    def n(self) -> int:
        """The runs of its best measured point."""
        return max(point.n for point in self.points)


class Curves(Struct, frozen=True):
    """The tail of one latency; `left_out` counts the groups beyond the twelfth."""

    operation: str
    metric: str
    curves: tuple[Curve, ...]
    left_out: int = 0


class TraceStretch(Struct, frozen=True):
    """Points next to each other, and the mean of their seconds since the start."""

    seconds: float
    lowest: float
    mean: float
    highest: float


class TraceLine(Struct, frozen=True):
    """One run over time: what all its points amount to, and at most 200 stretches of them."""

    label: str
    slot: int
    run: int
    points: int
    seconds: float
    lowest: float
    mean: float
    highest: float
    stretches: tuple[TraceStretch, ...]
    started: Annotated[
        float | None, Meta(description="Seconds since 1970; null where the output has no date.")
    ] = None


class OverTime(Struct, frozen=True):
    """One measure of several runs over time; `left_out` counts the traces beyond the twelfth."""

    operation: str
    metric: str
    lines: tuple[TraceLine, ...]
    left_out: int
