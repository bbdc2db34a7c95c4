"""The results of a configuration over time as a small chart that needs no script."""

from __future__ import annotations

from dataclasses import dataclass

from benchdash.results.history import Point, Series

WIDTH, HEIGHT, EDGE = 600, 120, 8


@dataclass(frozen=True, slots=True)
class Dot:
    """A run in a box of 600 by 120 whose floor is zero."""

    point: Point
    x: str
    y: str


@dataclass(frozen=True, slots=True)
class History:
    """A series with its chart; no dots where it has one run, which makes no line."""

    series: Series
    dots: list[Dot]
    line: str
    lowest: float
    highest: float

    @property
    def newest_first(self) -> list[Point]:
        return self.series.points[::-1]


def drawn(series: Series) -> History:
    """The chart of a series: time across, from zero up."""
    points = series.points
    values = [point.value for point in points]
    begin, span = points[0].when, (points[-1].when - points[0].when).total_seconds()
    dots = []
    for place, point in enumerate(points):
        share = (point.when - begin).total_seconds() / span if span else place / len(points)
        x = EDGE + share * (WIDTH - 2 * EDGE)
        y = HEIGHT - EDGE - point.value / (max(values) or 1) * (HEIGHT - 2 * EDGE)
        dots.append(Dot(point, f"{x:.1f}", f"{y:.1f}"))
    line = " ".join(f"{dot.x},{dot.y}" for dot in dots)
    return History(series, dots if len(dots) > 1 else [], line, min(values), max(values))
