"""What charts draw: figures of the view model with the words that stand in a drawing.

`frontend/src/charts/view.ts` is generated from these classes (`make types`).
"""

from __future__ import annotations

from typing import Any

import msgspec
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from msgspec import Struct
from msgspec.structs import asdict

from benchdash.results.comparison.tables import ROUNDS, SERIES, Line, Table
from benchdash.results.comparison.view import Figure, PlainFigure, Row, Scale
from benchdash.results.criteria import Criteria
from benchdash.results.factors import Factor
from benchdash.results.titles import factor_title
from benchdash.vocabulary.measures import METRICS, MeasureName


class ChartRow(Row, frozen=True, kw_only=True):
    """One group: `text` stands at the end of its bar, `remark` where there is no bar."""

    text: str
    remark: str


class Plot(PlainFigure, frozen=True, kw_only=True):
    """What an axis of values needs; `baseline` is the key of a group."""

    baseline: str | None
    percent: bool
    axis_title: str


class ChartFigure(Plot, frozen=True, kw_only=True):
    """A whole chart: the words of its axes and colours, and its second plot.

    `at_titles` are the words for each place in `at`, `along_title` for the one that lines run
    along; `rate_title` is the rate's axis where latency stands against it.
    """

    rows: tuple[ChartRow, ...]
    at_titles: tuple[str, ...]
    along_title: str
    rate_title: str
    colours_title: str
    latency: Plot | None


class PercentilePoint(Struct, frozen=True):
    """`shown` is in the unit of the axis, `text` the same in words."""

    percent: float
    shown: float
    text: str
    n: int


class PercentileRow(Struct, frozen=True):
    """The curve of one group."""

    label: str
    slot: int
    n: int
    points: tuple[PercentilePoint, ...]


class OverTimeRow(Struct, frozen=True):
    """One trace, the `nth` of its colour; a point is its seconds, then lowest, mean and highest."""

    label: str
    run: int
    slot: int
    nth: int
    n: int
    points: tuple[tuple[float, float, float, float], ...]


class PercentileChart(Struct, frozen=True):
    """Percentiles of several groups."""

    measure: str
    axis: Scale
    axis_title: str
    along_title: str
    rows: tuple[PercentileRow, ...]


class OverTimeChart(Struct, frozen=True):
    """Several runs over each other; values are in the unit of the axis."""

    measure: str
    axis: Scale
    axis_title: str
    along_title: str
    rows: tuple[OverTimeRow, ...]


def data_script(chart: Struct) -> SafeString:
    """The chart as JSON beside its drawing, for the script that draws it."""
    # labels may be sentences with values, which msgspec takes for no text
    text = msgspec.json.encode(chart, enc_hook=str.__str__).decode()
    # no text of a label ends the element or begins a comment
    escaped = text.replace("<", "\\u003C").replace(">", "\\u003E").replace("&", "\\u0026")
    return SafeString(f'<script type="application/json">{escaped}</script>')


def chart_schema() -> dict[str, Any]:
    """The classes of all charts as JSON Schema, and how many colours and patterns there are.

    For the scripts that draw them: `frontend/chart-types.mjs` makes types and constants of it.
    """
    kinds = (ChartFigure, PercentileChart, OverTimeChart)
    _references, schemas = msgspec.json.schema_components(kinds)
    return {"constants": {"SERIES": SERIES, "ROUNDS": ROUNDS}, "$defs": schemas}


def chart_figure(
    figure: Figure,
    shown: Table,
    criteria: Criteria,
    factors: tuple[Factor, ...],
    baseline: str | None,
) -> ChartFigure:
    """The chart of a figure and its table, grouped by `factors`."""
    percent = criteria.percent and figure.has_baseline
    along = None if figure.along is None else factors[figure.along]
    latency = figure.latency and Plot(
        **asdict(figure.latency),
        baseline=None,
        percent=False,
        axis_title=_axis_words(figure.latency),
    )
    return ChartFigure(
        **asdict(figure)
        | {
            "rows": tuple(_row(line, figure.chart, percent=percent) for line in shown.lines),
            "latency": latency,
        },
        baseline=baseline,
        percent=percent,
        axis_title=_axis_title(figure, percent=percent),
        at_titles=tuple(map(factor_title, factors)),
        along_title=factor_title(along) if along else "",
        rate_title=_axis_words(figure),
        colours_title=_colours_title(figure),
    )


def _row(line: Line, chart: str, *, percent: bool) -> ChartRow:
    text = f"{line.percent} %" if percent and line.percent else line.median
    return ChartRow(
        **asdict(line.row),
        text=line.change if chart == "change" else text,
        remark=", ".join(line.remarks),
    )


def _axis_title(figure: Figure, *, percent: bool) -> str:
    if figure.chart == "change":
        return _("Δ % against the baseline")
    if percent:
        return _("% of the baseline")
    return _axis_words(figure) if figure.latency else figure.shown.name


def _colours_title(figure: Figure) -> str:
    """What the colours of a heat map are shares of, and which cell has a frame."""
    title = _("Times the baseline") if figure.has_baseline else _("Times the middle value")
    if figure.higher_is_better is None:
        return title
    frame = _("framed: highest") if figure.higher_is_better else _("framed: lowest")
    return f"{title} · {frame}"


def _axis_words(figure: PlainFigure) -> str:
    """What an axis has and in which unit, where two quantities stand beside each other."""
    metric = MeasureName(*figure.measure.split(".", 2)).metric
    title, unit = _(METRICS[metric].title), figure.shown.name
    return unit if unit.endswith(title) else f"{title} {unit}".strip()
