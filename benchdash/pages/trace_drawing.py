"""One measure over time as a line that needs no script: points of an SVG, at most 600."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from benchdash.results.models import Trace
from benchdash.results.trace_arrays import points_of

WIDTH, HEIGHT = 600, 120
BUCKETS = 300


@dataclass(frozen=True, slots=True)
class Drawing:
    """`points` in a box of 600 by 120 whose floor is zero; the range and times beside it."""

    trace: Trace
    points: str
    lowest: float
    mean: float
    highest: float
    seconds: float


def drawn(trace: Trace) -> Drawing:
    """The line through all points; long traces keep the lowest and highest of each bucket."""
    seconds, values = (np.asarray(part) for part in points_of(trace))
    highest = float(values.max(initial=0.0))
    keep = _kept(values)
    first, span = float(seconds.min(initial=0.0)), float(np.ptp(seconds)) if len(seconds) else 0.0
    across = (seconds[keep] - first) / (span or 1.0) * WIDTH
    down = HEIGHT - values[keep] / (highest or 1.0) * (HEIGHT - 2) - 1
    points = " ".join(f"{x:.1f},{y:.1f}" for x, y in zip(across, down, strict=True))
    lowest, mean = (float(values.min()), float(values.mean())) if len(values) else (0.0, 0.0)
    return Drawing(trace, points, lowest, mean, highest, span)


def _kept(values: np.ndarray) -> np.ndarray:
    """Indexes of the points that a line of this width can show."""
    if len(values) <= 2 * BUCKETS:
        return np.arange(len(values))
    parts = np.array_split(values, BUCKETS)
    starts = np.cumsum([0, *(len(part) for part in parts[:-1])])
    ends = [(s + p.argmin(), s + p.argmax()) for s, p in zip(starts, parts, strict=True)]
    return np.unique(np.array(ends))
