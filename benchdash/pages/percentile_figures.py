"""Percentile curves as pages show them: a table in one unit, and the data of its chart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from benchdash.analysis.scales import spans_decades
from benchdash.results.comparison.percentiles import Curve, Curves, Point
from benchdash.results.comparison.tables import swatch, unit_for
from benchdash.results.parameters import MeasureName
from benchdash.results.words import measure_title
from benchdash.vocabulary.measures import METRICS
from benchdash.vocabulary.prefixes import ShownUnit


@dataclass(frozen=True, slots=True)
class Column:
    """One curve in the head of the table: the classes of its colour, and its runs."""

    label: str
    swatch: str
    n: int


@dataclass(frozen=True, slots=True)
class Cell:
    """A value without its unit, the exact one in seconds, and its runs where they are fewer."""

    text: str
    exact: str
    fewer: int | None


@dataclass(frozen=True, slots=True)
class PercentileFigure:
    """Percentiles down, curves across; a cell is None where its percentile was not measured."""

    operation: str
    metric: str
    title: str
    unit: ShownUnit
    columns: tuple[Column, ...]
    lines: tuple[tuple[float, tuple[Cell | None, ...]], ...]
    left_out: int
    data: dict[str, Any]

    @property
    def is_drawn(self) -> bool:
        """True where a curve has the two points that a line needs."""
        return any(len(row["points"]) > 1 for row in self.data["rows"])


def percentile_figure(curves: Curves, axis: str = "auto") -> PercentileFigure:
    """The figure of `curves`; `axis` is `linear`, `log`, or `auto` for the one that shows all."""
    values = [point.value for curve in curves.curves for point in curve.points]
    if axis == "auto":
        axis = "log" if spans_decades(values) else "linear"
    unit = unit_for(METRICS[curves.metric], values, axis)
    title = measure_title(MeasureName(curves.operation, curves.metric, "mean"))
    return PercentileFigure(
        operation=curves.operation,
        metric=curves.metric,
        title=title,
        unit=unit,
        columns=tuple(
            Column(curve.label, swatch(curve.slot), _most(curve)) for curve in curves.curves
        ),
        lines=tuple(_lines(curves, unit)),
        left_out=curves.left_out,
        data={
            "measure": f"{curves.operation}.{curves.metric}.percentiles",
            "axis": axis,
            "axis_title": unit.name,
            "along_title": _("Percentile"),
            "rows": [_row(curve, unit) for curve in curves.curves],
        },
    )


def _lines(curves: Curves, unit: ShownUnit) -> list[tuple[float, tuple[Cell | None, ...]]]:
    columns = [
        (_most(curve), {point.percent: point for point in curve.points}) for curve in curves.curves
    ]
    percents = sorted({percent for _n, points in columns for percent in points})
    return [
        (percent, tuple(_cell(points.get(percent), n, unit) for n, points in columns))
        for percent in percents
    ]


def _cell(point: Point | None, n: int, unit: ShownUnit) -> Cell | None:
    if point is None:
        return None
    return Cell(unit.text(point.value), repr(point.value), point.n if point.n < n else None)


def _row(curve: Curve, unit: ShownUnit) -> dict[str, Any]:
    points = [
        {
            "percent": point.percent,
            "shown": point.value / unit.factor,
            "text": f"{unit.text(point.value)} {unit.name}",
            "n": point.n,
        }
        for point in curve.points
        # a log-probability axis never reaches 100 %
        if point.percent < 100
    ]
    return {"label": curve.label, "slot": curve.slot, "n": _most(curve), "points": points}


def _most(curve: Curve) -> int:
    return max(point.n for point in curve.points)
