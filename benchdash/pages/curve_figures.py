"""Percentiles and runs over time as pages show them: a table in one unit, and its chart."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext as _

from benchdash.analysis.drawing import spans_decades
from benchdash.pages.charts import data_script, scaled
from benchdash.pages.curve_charts import (
    OverTimeChart,
    OverTimeRow,
    PercentileChart,
    PercentilePoint,
    PercentileRow,
)
from benchdash.results.comparison.figures import unit_for
from benchdash.results.comparison.tables import SERIES, swatch
from benchdash.results.comparison.view import Scale
from benchdash.results.comparison.view_curves import Curve, Curves, OverTime, Percentile, TraceLine
from benchdash.results.titles import measure_title
from benchdash.vocabulary.measures import METRICS, MeasureName, shown
from benchdash.vocabulary.prefixes import ShownUnit


@dataclass(frozen=True, slots=True)
class Column:
    """One curve in the head of the table: the classes of its colour, and its runs."""

    label: str
    swatch: str
    n: int


@dataclass(frozen=True, slots=True)
class Cell:
    """A value, without its unit where that is the table's, the exact one in seconds, and its runs where they are fewer."""

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
    chart: PercentileChart

    @property
    def is_drawn(self) -> bool:
        """True where a curve has the two points that a line needs."""
        return any(len(row.points) > 1 for row in self.chart.rows)

    @property
    def data(self) -> SafeString:
        """The chart for the script that draws it."""
        return data_script(self.chart)


@dataclass(frozen=True, slots=True)
class TraceTexts:
    """One row of the table: lowest, mean and highest without unit, and exact ones to sort by."""

    line: TraceLine
    swatch: str
    texts: tuple[tuple[str, str], ...]


@dataclass(frozen=True, slots=True)
class OverTimeFigure:
    """A line for each run; `left_out` counts the traces that are not among them.

    `by_wall`: by the wall clock, on which those without a start, `undated`, have no place.
    """

    title: str
    unit: ShownUnit
    lines: tuple[TraceTexts, ...]
    left_out: int
    by_wall: bool
    undated: int
    has_finer: bool
    data: SafeString


def percentile_figure(
    curves: Curves, axis: str = "auto", *, alone: bool = False
) -> PercentileFigure:
    """The figure of `curves`; `axis` is `linear`, `log`, or `auto` for the one that shows all.

    `alone`: the curve of one run, whose table has nothing to line up: each value has its own unit.
    """
    values = [point.value for curve in curves.curves for point in curve.points]
    scale = _scale(axis, fits_log=spans_decades(values))
    unit = unit_for(METRICS[curves.metric], values, scale)
    return PercentileFigure(
        operation=curves.operation,
        metric=curves.metric,
        title=_titled(curves, _("Percentiles")),
        unit=unit,
        columns=tuple(Column(one.label, swatch(one.slot), one.n) for one in curves.curves),
        lines=tuple(_lines(curves, partial(shown, metric=curves.metric) if alone else unit.text)),
        left_out=curves.left_out,
        chart=PercentileChart(
            measure=f"{curves.operation}.{curves.metric}.percentiles",
            axis=scale,
            axis_title=unit.name,  # on a logarithmic axis it stands at each tick
            along_title=_("Percentile"),
            rows=tuple(_percentile_row(curve, curves.metric, unit) for curve in curves.curves),
        ),
    )


def over_time_figure(
    figure: OverTime, axis: str, clock: str, *, unit: ShownUnit, is_permalink: bool
) -> OverTimeFigure:
    """The figure; `axis` is `linear`, `log`, or `auto` for the one that shows all means.

    `clock` "wall" draws lines at the time of day, where one of them has its start. A permalink
    has no more points than it was made with.
    """
    means = [line.mean for line in figure.lines]
    is_positive = min(line.lowest for line in figure.lines) > 0
    scale = _scale(axis, fits_log=spans_decades(means) and is_positive)
    undated = sum(line.started is None for line in figure.lines)
    by_wall = clock == "wall" and undated < len(figure.lines)
    chart = OverTimeChart(
        measure=f"{figure.operation}.{figure.metric}.over-time",
        axis=scale,
        axis_title=scaled(unit.name, scale),
        along_title=get_current_timezone_name() if by_wall else _("Seconds since the start"),
        by_wall=by_wall,
        rows=_over_time_rows(figure, unit, by_wall=by_wall),
        finer=None if is_permalink else _finer(figure, by_wall=by_wall),
        factor=unit.factor,
    )
    return OverTimeFigure(
        title=_titled(figure, _("Over time")),
        unit=unit,
        lines=tuple(
            TraceTexts(
                line,
                swatch(line.slot),
                tuple((unit.text(v), repr(v)) for v in (line.lowest, line.mean, line.highest)),
            )
            for line in figure.lines
        ),
        left_out=figure.left_out,
        by_wall=by_wall,
        undated=undated,
        has_finer=chart.finer is not None,
        data=data_script(chart),
    )


def _titled(figure: Curves | OverTime, kind: str) -> str:
    """With the kind of chart: bars of the same measure may stand above it."""
    return f"{measure_title(MeasureName(figure.operation, figure.metric, 'mean'))} · {kind}"


def _finer(figure: OverTime, *, by_wall: bool) -> str | None:
    """The address that tells more of a span, without it; None where every point is drawn."""
    if all(len(line.stretches) == line.points for line in figure.lines):
        return None
    query = {
        "run": ",".join(dict.fromkeys(str(line.run) for line in figure.lines)),
        "measure": f"{figure.operation}.{figure.metric}",
        "clock": "wall" if by_wall else "start",
    }
    return f"{reverse('api:runs-over-time')}?{urlencode(query)}"


def _scale(axis: str, *, fits_log: bool) -> Scale:
    return "log" if axis == "log" or (axis == "auto" and fits_log) else "linear"


def _lines(
    curves: Curves, text: Callable[[float], str]
) -> list[tuple[float, tuple[Cell | None, ...]]]:
    columns = [(one.n, {point.percent: point for point in one.points}) for one in curves.curves]
    percents = sorted({percent for _n, points in columns for percent in points})
    return [
        (percent, tuple(_cell(points.get(percent), n, text) for n, points in columns))
        for percent in percents
    ]


def _cell(point: Percentile | None, n: int, text: Callable[[float], str]) -> Cell | None:
    if point is None:
        return None
    return Cell(text(point.value), repr(point.value), point.n if point.n < n else None)


def _percentile_row(curve: Curve, metric: str, unit: ShownUnit) -> PercentileRow:
    points = tuple(
        PercentilePoint(
            percent=point.percent,
            shown=point.value / unit.factor,
            text=shown(point.value, metric),
            n=point.n,
        )
        for point in curve.points
        # a log-probability axis never reaches 100 %
        if point.percent < 100
    )
    return PercentileRow(curve.label, curve.slot, curve.n, points)


def _over_time_rows(figure: OverTime, unit: ShownUnit, *, by_wall: bool) -> tuple[OverTimeRow, ...]:
    """Lines of one colour are counted, so that their dashes can tell them apart."""
    of_colour, of_run = Counter[int](), Counter[int]()
    rows = []
    for line in figure.lines:
        colour = line.slot % SERIES
        nth = of_colour[colour]
        of_colour[colour] += 1
        if by_wall and line.started is None:
            continue
        began = line.started if by_wall and line.started else 0.0
        points = tuple(
            (
                round(began + one.seconds, 6) if by_wall else one.seconds,
                _short(one.lowest / unit.factor),
                _short(one.mean / unit.factor),
                _short(one.highest / unit.factor),
            )
            for one in line.stretches
        )
        of_run[line.run] += 1
        number = f"#{line.run}"
        name = line.label if line.label.endswith(number) else f"{line.label} {number}"
        if of_run[line.run] > 1:  # a log of each job
            name += f" ({of_run[line.run]})"
        rows.append(OverTimeRow(name, line.run, line.slot, nth, 1, points, began))
    return tuple(rows)


def _short(value: float) -> float:
    return float(f"{value:.5g}")
