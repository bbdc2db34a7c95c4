"""Several runs over time as pages show them: a table in one unit, and the data of its chart."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from benchdash.analysis.scales import spans_decades
from benchdash.results.comparison.tables import swatch, unit_for
from benchdash.results.comparison.traces import Line, OverTime
from benchdash.results.parameters import MeasureName
from benchdash.results.words import measure_title
from benchdash.vocabulary.measures import METRICS
from benchdash.vocabulary.prefixes import ShownUnit


@dataclass(frozen=True, slots=True)
class TraceLine:
    """One row of the table: values without their unit, and the exact ones to sort by."""

    label: str
    swatch: str
    run: int
    texts: tuple[tuple[str, str], ...]
    points: int
    seconds: float


@dataclass(frozen=True, slots=True)
class OverTimeFigure:
    """A line for each run; `left_out` counts the traces that are not among them."""

    title: str
    unit: ShownUnit
    lines: tuple[TraceLine, ...]
    left_out: int
    data: dict[str, Any]


def over_time_figure(figure: OverTime, axis: str = "auto", *, binary: bool) -> OverTimeFigure:
    """The figure; `axis` is `linear`, `log`, or `auto` for the one that shows all means."""
    means = [line.drawn.mean for line in figure.lines]
    lowest = min(line.drawn.lowest for line in figure.lines)
    if axis == "auto":
        axis = "log" if spans_decades(means) and lowest > 0 else "linear"
    unit = unit_for(METRICS[figure.metric], means, axis, binary=binary)
    title = measure_title(MeasureName(figure.operation, figure.metric, "mean"))
    return OverTimeFigure(
        title=title,
        unit=unit,
        lines=tuple(_line(line, unit) for line in figure.lines),
        left_out=figure.left_out,
        data={
            "measure": f"{figure.operation}.{figure.metric}.over-time",
            "axis": axis,
            "axis_title": unit.name,
            "along_title": _("Seconds since the start"),
            "rows": [_row(line, unit) for line in figure.lines],
        },
    )


def _line(line: Line, unit: ShownUnit) -> TraceLine:
    drawn = line.drawn
    return TraceLine(
        label=line.label,
        swatch=swatch(line.slot),
        run=line.run,
        texts=tuple((unit.text(v), repr(v)) for v in (drawn.lowest, drawn.mean, drawn.highest)),
        points=drawn.points,
        seconds=drawn.seconds,
    )


def _row(line: Line, unit: ShownUnit) -> dict[str, Any]:
    return {
        "label": f"{line.label} #{line.run}",
        "run": line.run,
        "slot": line.slot,
        "nth": line.nth,
        "n": 1,
        "points": [
            [
                stretch.seconds,
                *(_short(value / unit.factor) for value in stretch[1:]),
            ]
            for stretch in line.drawn.stretches
        ],
    }


def _short(value: float) -> float:
    return float(f"{value:.5g}")
