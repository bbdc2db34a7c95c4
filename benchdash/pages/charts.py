"""What charts draw: figures of the view model with the words that stand in a drawing.

`frontend/src/charts/view.ts` is generated from these classes (`make types`).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeAlias

import msgspec
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from msgspec import Struct

from benchdash.analysis.summary import Interval
from benchdash.pages import curve_charts, matrix_charts
from benchdash.results.comparison.names import joined
from benchdash.results.comparison.tables import SERIES, Line, Table, table
from benchdash.results.comparison.values import natural
from benchdash.results.comparison.view import (
    ComparisonView,
    Figure,
    GroupValue,
    PlainFigure,
    Row,
    Scale,
)
from benchdash.results.criteria import Criteria
from benchdash.results.factors import Factor
from benchdash.results.titles import factor_title
from benchdash.vocabulary.measures import METRICS, MeasureName
from benchdash.vocabulary.measures import shown as in_own_unit
from benchdash.vocabulary.prefixes import ShownUnit

# a label for each row: their colours need not tell them apart
_ROWS = ("bars", "boxes", "change")
# between the first and the last place along an axis
_FAR_APART = 16
# so many runs of a group have a link of their own in its chart; the table leads to all
MOST_LINKED = 20


class PlotRow(Struct, frozen=True, kw_only=True):
    """One group: `name` tells it, or its line, from the others of its chart, the `part` of all.

    Numbers are those of its `Row`, without what no chart draws: each sample is written for each
    figure of a page. `values` are of its samples, those at the places in `hollow` doubted; `runs` are
    one more than have a link, where there are more.
    """

    group: str
    label: str
    slot: int
    at: tuple[GroupValue, ...]
    n: int
    median: float | None
    low: float | None
    high: float | None
    lower_quartile: float | None
    upper_quartile: float | None
    interval: Interval | None
    modes: tuple[float, ...]
    ratio: float | None
    ratio_interval: Interval | None
    values: tuple[float, ...]
    hollow: tuple[int, ...]
    runs: tuple[int, ...]
    name: str
    part: int


class ChartRow(PlotRow, frozen=True, kw_only=True):
    """The same with its words: `text` stands at the end of its bar, `remark` where there is no bar.

    `readout` is what a pointer reads out of it, line by line.
    """

    text: str
    remark: str
    readout: tuple[str, ...]


class Colour(Struct, frozen=True):
    """What a colour stands for."""

    text: str
    slot: int


class Plot(Struct, frozen=True, kw_only=True):
    """What an axis of values needs; `baseline` is the key of a group."""

    measure: str
    title: str
    shown: ShownUnit
    higher_is_better: bool | None
    axis: Scale
    along: int | None
    rows: tuple[PlotRow, ...]
    baseline: str | None
    percent: bool
    axis_title: str


class ChartFigure(Plot, frozen=True, kw_only=True):
    """A whole chart: the words of its axes and colours, and its second plot.

    `at_titles` are the words for each place in `at`, `drawn_factors` the places that one chart
    has: down and across a map. `along_title` are the words for the one that lines run along;
    `rate_title` is the rate's axis where latency stands against it. `colours` are those of bars
    and points that tell a factor's values apart; without any, all have one. `parts` are the
    titles of the charts that it is drawn as, on one axis; empty where it is one.
    """

    rows: tuple[ChartRow, ...]
    at_titles: tuple[str, ...]
    drawn_factors: tuple[int, ...]
    along_title: str
    along_axis: Scale
    rate_title: str
    colours_title: str
    colours: tuple[Colour, ...]
    parts: tuple[str, ...]
    latency: Plot | None


def data_script(chart: Struct) -> SafeString:
    """The chart as JSON beside its drawing, for the script that draws it."""
    # labels may be sentences with values, which msgspec takes for no text
    text = msgspec.json.encode(chart, enc_hook=str.__str__).decode()
    # no text of a label ends the element or begins a comment
    escaped = text.replace("<", "\\u003C").replace(">", "\\u003E").replace("&", "\\u0026")
    return SafeString(f'<script type="application/json">{escaped}</script>')


def chart_schema() -> dict[str, Any]:
    """The classes of all charts as JSON Schema, and how many colours there are.

    For the scripts that draw them: `frontend/chart-types.mjs` makes types and constants of it.
    """
    kinds = (ChartFigure, *curve_charts.CHARTS, *matrix_charts.CHARTS)
    _references, schemas = msgspec.json.schema_components(kinds)
    return {"constants": {"SERIES": SERIES, "MOST_LINKED": MOST_LINKED}, "$defs": schemas}


def chart_figure(
    figure: Figure,
    shown: Table,
    criteria: Criteria,
    factors: tuple[Factor, ...],
    view: ComparisonView,
) -> ChartFigure:
    """The chart of a figure of `view` and its column of the table, grouped by `factors`."""
    baseline, whole = view.baseline, {group.key: group.whole for group in view.groups}
    percent = criteria.percent and figure.has_baseline
    along = None if figure.along is None else factors[figure.along]
    along_axis = _along_axis(figure)
    beside = table(figure.latency, baseline) if figure.latency else None
    parts = _parts(figure)
    latency = _latency_plot(figure.latency, parts) if figure.latency else None
    colours = _colours(figure) if figure.chart in _ROWS else {}
    lines = {line.row.group: line for line in shown.lines}
    # translated once, not for each row
    words = (_("Median"), _("Interval"), _("range"), _("% of baseline"))
    comma = _(", ")
    rows = [
        ChartRow(
            **_of_row(row) | {"slot": _slot(row, figure, colours)},
            **own,
            text=_end_text(lines[row.group], figure, percent=percent),
            remark=comma.join(lines[row.group].remarks),
            readout=(
                *filter(None, [whole.get(row.group)]),
                *_readout(lines[row.group], figure, words, beside),
            ),
        )
        for row, own in _placed(figure, parts)
    ]
    drawn = _drawn_factors(figure)
    return ChartFigure(
        **_of_figure(figure),
        rows=tuple(rows),
        latency=latency,
        baseline=baseline,
        percent=percent,
        axis_title=_axis_title(figure, percent=percent),
        at_titles=tuple(map(factor_title, factors)),
        drawn_factors=tuple(drawn),
        along_title=scaled(factor_title(along), along_axis) if along else "",
        along_axis=along_axis,
        rate_title=scaled(_axis_words(figure), figure.axis),
        colours_title=_colours_title(figure, factor_title(factors[drawn[1]]) if colours else ""),
        colours=tuple(Colour(text, slot) for text, slot in colours.items()),
        parts=tuple(parts.values()),
    )


def _latency_plot(latency: PlainFigure, parts: Mapping[Levels, str]) -> Plot:
    return Plot(
        **_of_figure(latency),
        rows=tuple(PlotRow(**_of_row(row), **own) for row, own in _placed(latency, parts)),
        baseline=None,
        percent=False,
        axis_title=scaled(_axis_words(latency), latency.axis),
    )


_FIGURE = [name for name in Plot.__struct_fields__ if name in PlainFigure.__struct_fields__]
_ROW = [name for name in PlotRow.__struct_fields__ if name in Row.__struct_fields__]


def _of_figure(figure: PlainFigure) -> dict[str, Any]:
    return {name: getattr(figure, name) for name in _FIGURE if name != "rows"}


def _of_row(row: Row) -> dict[str, Any]:
    return {name: getattr(row, name) for name in _ROW} | {
        # no screen tells more digits apart, and they are most of a page's bytes
        "values": tuple(float(f"{one.value:.6g}") for one in row.values),
        "hollow": tuple(place for place, one in enumerate(row.values) if one.doubted),
        "runs": tuple(dict.fromkeys(one.run for one in row.values))[: MOST_LINKED + 1],
    }


Levels: TypeAlias = tuple[GroupValue, ...]


def _parts(figure: PlainFigure) -> dict[Levels, str]:
    """The titles of the charts that a figure is drawn as, by the values that all rows of one have."""
    measured = (row for row in figure.rows if row.values or row.notes)
    found = {_at(row, figure.parted_by): row for row in measured} if figure.parted_by else {}
    if len(found) < 2:
        return {}
    varied = [place for place, own in enumerate(zip(*found, strict=True)) if len(set(own)) > 1]
    ordered = sorted(
        found, key=lambda values: [(one.number or 0, natural(one.text)) for one in values]
    )
    return {values: joined(_words(values[place]) for place in varied) for values in ordered}


def _placed(
    figure: PlainFigure, parts: Mapping[Levels, str]
) -> Iterator[tuple[Row, dict[str, Any]]]:
    """The rows that are drawn, each with its name in the chart and the part it is in."""
    numbers = {values: number for number, values in enumerate(parts)}
    drawn = _drawn_factors(figure)
    if figure.chart == "lines":
        drawn = [place for place in drawn if place != figure.along]
    varied = [place for place in drawn if len({row.at[place].text for row in figure.rows}) > 1]
    for row in figure.rows:
        part = numbers.get(_at(row, figure.parted_by)) if parts else 0
        if part is not None:
            is_own = figure.chart == "lines" or parts
            name = joined(_words(row.at[place]) for place in varied) if is_own else row.label
            yield row, {"name": name, "part": part}


def _drawn_factors(figure: PlainFigure) -> list[int]:
    """The places of the factors that are drawn within a chart."""
    return [place for place in range(len(figure.rows[0].at)) if place not in figure.parted_by]


def _at(row: Row, places: Iterable[int]) -> Levels:
    return tuple(row.at[place] for place in places)


def _words(value: GroupValue) -> str:
    return value.words or value.text


def scaled(title: str, axis: Scale) -> str:
    """The title of an axis, which says so where it is logarithmic."""
    if axis == "linear":
        return title
    return _("%(axis)s, logarithmic") % {"axis": title} if title else _("logarithmic")


def _colours(figure: Figure) -> dict[str, int]:
    """A colour for each value of the second of two factors that are crossed, else none.

    Where each row has a value of its own in one of them, its label says as much.
    """
    drawn = _drawn_factors(figure)
    if len(drawn) != 2:
        return {}
    first, second = (dict.fromkeys(row.at[place].text for row in figure.rows) for place in drawn)
    is_crossed = max(len(first), len(second)) < len(figure.rows)
    if not is_crossed or not 1 < len(second) <= SERIES:
        return {}
    return {text: slot for slot, text in enumerate(second)}


def _along_axis(figure: Figure) -> Scale:
    """Logarithmic where the places along it double rather than step, which keeps them apart."""
    if figure.along is None:
        return "linear"
    numbers = [row.at[figure.along].number for row in figure.rows if row.values]
    places = [number for number in numbers if number is not None]
    doubles = places and min(places) > 0 and max(places) / min(places) >= _FAR_APART
    return "log" if doubles else "linear"


def _slot(row: Row, figure: Figure, colours: dict[str, int]) -> int:
    if figure.chart not in _ROWS:
        return row.slot
    return colours[row.at[_drawn_factors(figure)[1]].text] if colours else 0


def _end_text(line: Line, figure: Figure, *, percent: bool) -> str:
    if figure.chart == "change":
        return line.change
    if percent and line.percent:
        return f"{line.percent} %"
    return _measured(line, figure) if figure.axis == "log" else line.median


def _measured(line: Line, figure: PlainFigure) -> str:
    """The median with its unit: that of the axis, on a logarithmic one its own."""
    if not line.median:
        return ""
    if figure.axis == "linear":
        return f"{line.median} {figure.shown.name}".rstrip()
    return " / ".join(_own(value, figure) for value in line.row.modes or (line.row.median or 0.0,))


def _span(line: Line, figure: PlainFigure) -> str:
    """The interval, in the same units."""
    interval = line.row.interval
    if figure.axis == "linear" or interval is None:
        return f"{line.interval} {figure.shown.name}".rstrip()
    return f"{_own(interval.low, figure)} – {_own(interval.high, figure)}"


def _own(value: float, figure: PlainFigure) -> str:
    return in_own_unit(value, figure.measure.split(".")[1], binary="iB" in figure.shown.name)


def _readout(
    line: Line, figure: Figure, words: tuple[str, ...], beside: Table | None
) -> Iterator[str]:
    median, interval, extent, percent = words
    yield f"n: {line.row.n} {line.doubts}".rstrip()
    yield f"{median}: " + " ".join([_measured(line, figure), *line.remarks]).strip()
    if line.interval:
        yield f"{interval}: {_span(line, figure)} ({line.coverage or extent})"
    if line.percent:
        around = f" ({line.percent_interval})" if line.percent_interval else ""
        yield f"{percent}: {line.percent}{around}"
    for latency in beside.lines if beside else ():
        if beside and latency.row.group == line.row.group:
            yield f"{beside.figure.title}: {_measured(latency, beside.figure) or '–'}"
    if line.row.against and line.row.against.sentence:
        yield line.row.against.sentence


def _axis_title(figure: Figure, *, percent: bool) -> str:
    if figure.chart == "change":
        return _("Δ % against the baseline")
    title = _axis_words(figure) if figure.latency else figure.shown.name
    return scaled(_("% of the baseline") if percent else title, figure.axis)


def _colours_title(figure: Figure, factor: str) -> str:
    """The factor that colours tell apart; of a heat map what they say, and which cell has a frame."""
    if factor or figure.chart != "heat":
        return factor
    title = _("Times the baseline") if figure.has_baseline else _("Times the middle value")
    if figure.higher_is_better is None:
        return title
    frame = _("framed: highest") if figure.higher_is_better else _("framed: lowest")
    return f"{title} · {_('blue: better')} · {frame}"


def _axis_words(figure: PlainFigure) -> str:
    """What an axis has and in which unit, where two quantities stand beside each other."""
    metric = MeasureName(*figure.measure.split(".", 2)).metric
    title, unit = _(METRICS[metric].title), figure.shown.name
    return unit if unit.endswith(title) else f"{title} {unit}".strip()
