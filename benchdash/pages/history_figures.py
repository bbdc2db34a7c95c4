"""Results over time as pages show them: a chart, what changed meanwhile, and a table of all samples."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.timezone import get_current_timezone_name
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchdash.analysis.drawing import spans_decades
from benchdash.pages.charts import data_script
from benchdash.pages.curve_charts import HistoryChart, HistoryMark, HistoryPoint, HistoryRow
from benchdash.pages.templatetags.addresses import addresses_of
from benchdash.pages.templatetags.records import doubt_badge, when
from benchdash.results.comparison.figures import unit_for
from benchdash.results.comparison.tables import swatch
from benchdash.results.comparison.view import Scale
from benchdash.results.environment_changes import Change
from benchdash.results.history import Line, Point, SeriesHistory
from benchdash.results.titles import measure_title
from benchdash.vocabulary.measures import METRICS
from benchdash.vocabulary.prefixes import ShownUnit

# in a chart, and in the list below it
_MOST_DRAWN, _MOST_LISTED = 3, 8


@dataclass(frozen=True, slots=True)
class ShownChange:
    """A change in the list below the chart; `diff` is the query that lays both environments side by side."""

    change: Change
    text: str
    diff: str


@dataclass(frozen=True, slots=True)
class HistoryFigure:
    """A series in one measure; `rows` are those of its table, the newest first."""

    name: str
    tool: str
    title: str
    unit: ShownUnit
    n: int
    has_lines: bool
    changes: tuple[ShownChange, ...]
    rows: tuple[SafeString, ...]
    left_out: int
    data: SafeString

    @property
    def is_drawn(self) -> bool:
        """One point tells no course: then its number says it all."""
        return self.n > 1


def history_figure(history: SeriesHistory, *, binary: bool) -> HistoryFigure:
    """The figure of a series; values in one unit, `binary` prefers MiB/s."""
    lines = history.lines
    points = [(line, point) for line in lines for point in line.points]
    points.sort(key=lambda pair: (pair[1].at, pair[1].run), reverse=True)
    values = [point.value for _line, point in points]
    axis: Scale = "log" if spans_decades(values) and min(values) > 0 else "linear"
    unit = unit_for(METRICS[history.measure.metric], values, axis, binary=binary)
    title = measure_title(history.measure)
    named = history.hosts > 1
    places = {point.run: place for place, (_line, point) in enumerate(points)}
    chart = HistoryChart(
        measure=f"{history.measure}.history",
        axis=axis,
        axis_title=unit.name,
        along_title=get_current_timezone_name(),
        rows=tuple(_row(line, unit, places) for line in lines),
        marks=tuple(
            HistoryMark(one.at.timestamp() * 1000, _words(one, _MOST_DRAWN, named=named))
            for one in history.changes
        ),
    )
    return HistoryFigure(
        name=history.series.name,
        tool=history.series.tool,
        title=title,
        unit=unit,
        n=len(points),
        has_lines=len(lines) > 1,
        changes=tuple(_shown(one, named=named) for one in history.changes),
        rows=tuple(_table_rows(points, history.changes, unit, has_lines=len(lines) > 1)),
        left_out=history.left_out,
        data=data_script(chart),
    )


def _row(line: Line, unit: ShownUnit, places: dict[int, int]) -> HistoryRow:
    points = tuple(
        HistoryPoint(
            at=point.at.timestamp() * 1000,
            shown=float(f"{point.value / unit.factor:.6g}"),
            row=places[point.run],
            run=point.run,
            doubted=bool(point.doubts),
        )
        for point in line.points
    )
    return HistoryRow(line.label, line.slot, len(points), points)


def _shown(change: Change, *, named: bool) -> ShownChange:
    both = change.environments
    diff = f"left={both[0]}&right={both[1]}" if both else ""
    return ShownChange(change, _words(change, _MOST_LISTED, named=named), diff)


def _words(change: Change, most: int, *, named: bool) -> str:
    """`store-a: Kernel 5.10 → 6.1, fio 3.28 → 3.33 and 2 more`."""
    text = _(", ").join(one.text for one in change.what[:most])
    if (more := len(change.what) - most) > 0:
        text += " " + ngettext("and {n} more", "and {n} more", more).format(n=more)
    return f"{change.host}: {text}" if named and change.host else text


# a template takes 0.1 ms for a row, and there are hundreds
_LINE = '<td class="set-up"><span class="swatch {}"></span>{}</td>'
_TABLE_ROW = (
    '<tr data-row="{}"{}><th scope="row" class="day" data-value="{}"><a href="{}">{}</a></th>'
    '<td class="number" data-value="{}">{}</td>{}<td class="small">{}</td><td class="small">{}</td>'
    '<td class="small">{}</td>{}</tr>'
)


def _table_rows(
    points: Sequence[tuple[Line, Point]],
    changes: Sequence[Change],
    unit: ShownUnit,
    *,
    has_lines: bool,
) -> Iterator[SafeString]:
    """The newest first; rows from which on something was different say what."""
    run_address, environment_address = addresses_of("run"), addresses_of("environment")
    changed = {change.run: _words(change, _MOST_LISTED, named=False) for change in changes}
    stored = _("stored")
    for place, (line, point) in enumerate(points):
        moment = format_html("{} {}", stored, when(point.at)) if point.stored else when(point.at)
        own = format_html(_LINE, swatch(line.slot), line.label) if has_lines else ""
        words = (
            format_html('<td class="small changed">{}</td>', changed.get(point.run, ""))
            if changed
            else ""
        )
        yield format_html(
            _TABLE_ROW,
            *(place, SafeString(' class="differs"') if point.run in changed else ""),
            *(point.at.timestamp(), run_address(point.run), moment),
            *(repr(point.value), unit.text(point.value), own, point.version),
            _environment(point, environment_address(point.environment or 0)),
            *(doubt_badge(point.doubts, run_address(point.run)), words),
        )


def _environment(point: Point, address: str) -> SafeString:
    if point.environment is None:
        return SafeString()
    return format_html('<a href="{}">{}</a>', address, point.environment_name)
