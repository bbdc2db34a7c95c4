"""Percentiles as a curve that needs no script: the tail is stretched, so that it can be read.

Across: -log10 of the share above, so that 90, 99, 99.9 % stand at equal distances.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import log10

WIDTH, HEIGHT = 600, 120
TICKS = (50.0, 90.0, 99.0, 99.9, 99.99, 99.999)
_HIGHEST = 99.9999  # 100 % lies at infinity


@dataclass(frozen=True, slots=True)
class Tick:
    """A percentile on the axis, at `x` of 600."""

    percent: float
    x: float


@dataclass(frozen=True, slots=True)
class Curve:
    """`points` in a box of 600 by 120 whose floor is zero, and the ticks below it."""

    points: str
    ticks: list[Tick]


def curve(points: Sequence[tuple[float, float]]) -> Curve | None:
    """The curve through (percent, value) in rising order; None where there is nothing to join."""
    if len(points) < 3:
        return None
    right = _stretched(points[-1][0])
    highest = max(value for _percent, value in points) or 1.0
    line = [
        (_stretched(percent) / right * WIDTH, HEIGHT - value / highest * (HEIGHT - 2) - 1)
        for percent, value in points
    ]
    ticks = [Tick(percent, _stretched(percent) / right * WIDTH) for percent in TICKS]
    return Curve(
        " ".join(f"{x:.1f},{y:.1f}" for x, y in line), [tick for tick in ticks if tick.x <= WIDTH]
    )


def _stretched(percent: float) -> float:
    return -log10(1 - min(percent, _HIGHEST) / 100)
