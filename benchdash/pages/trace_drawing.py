"""One measure over time as a line in a band that needs no script: points of an SVG."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from benchdash.analysis.drawing import stretches
from benchdash.results.models import Trace
from benchdash.results.traces import points_of

WIDTH, HEIGHT = 600, 120
MOST_STRETCHES = 300


@dataclass(frozen=True, slots=True)
class Drawing:
    """The line of means and the band around it, in a box of 600 by 120 whose floor is zero."""

    trace: Trace
    line: str
    band: str
    lowest: float
    mean: float
    highest: float
    seconds: float


def drawn(trace: Trace) -> Drawing:
    """Where the points are few, the band has no width and the line is all of them."""
    seconds, values = (np.asarray(part) for part in points_of(trace))
    highest = float(values.max(initial=0.0))
    first, span = (float(seconds.min()), float(np.ptp(seconds))) if len(seconds) else (0.0, 0.0)
    kept = stretches(seconds, values, MOST_STRETCHES)
    across = [(one.seconds - first) / (span or 1.0) * WIDTH for one in kept]

    def down(column: Iterable[float]) -> list[tuple[float, float]]:
        heights = (HEIGHT - value / (highest or 1.0) * (HEIGHT - 2) - 1 for value in column)
        return list(zip(across, heights, strict=True))

    top, floor = down(one.highest for one in kept), down(one.lowest for one in kept)
    lowest, mean = (float(values.min()), float(values.mean())) if len(values) else (0.0, 0.0)
    line = _points(down(one.mean for one in kept))
    return Drawing(trace, line, _points(top + floor[::-1]), lowest, mean, highest, span)


def _points(places: Iterable[tuple[float, float]]) -> str:
    return " ".join(f"{x:.1f},{y:.1f}" for x, y in places)
