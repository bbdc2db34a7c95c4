"""A comparison to take along: CSV for a spreadsheet, Markdown for a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _

from benchdash.results.comparison.compare import Comparison, Section
from benchdash.results.comparison.figures import Row
from benchdash.results.comparison.likeness import Crossing
from benchdash.results.comparison.percentiles import Curves
from benchdash.results.comparison.tables import Line, Table, table
from benchdash.results.comparison.traces import OverTime
from benchdash.results.csv_text import csv_text
from benchdash.vocabulary.measures import METRICS

CSV_COLUMNS = (
    *("section", "measure", "unit", "group", "n", "median", "mean", "low", "high"),
    *("interval_low", "interval_high", "interval_kind", "ratio_to_baseline"),
    *("ratio_low", "ratio_high", "notes", "runs"),
)
PERCENTILE_COLUMNS = ("section", "operation", "metric", "unit", "group", "percent", "n", "value")
TRACE_COLUMNS = (
    *("section", "operation", "metric", "unit", "group", "run", "line"),
    *("seconds", "lowest", "mean", "highest"),
)


def as_csv(comparison: Comparison) -> str:
    """One line for each group of each figure: base units, every digit, points as decimal marks."""
    rows = (
        (_name(section), str(figure.measure), figure.metric.unit, *_csv_values(row))
        for section in comparison.sections
        for figure in section.figures
        for row in figure.rows
    )
    return csv_text(CSV_COLUMNS, rows)


def percentiles_as_csv(comparison: Comparison) -> str:
    """One line for each point of each curve that is drawn: the median over n runs, in seconds."""
    rows = (
        (_name(section), *_kind(curves), curve.label, point.percent, point.n, point.value)
        for section in comparison.sections
        for curves in section.curves
        for curve in curves.curves
        for point in curve.points
    )
    return csv_text(PERCENTILE_COLUMNS, rows)


def traces_as_csv(comparison: Comparison) -> str:
    """One line for each stretch of each course that is drawn; `line` tells a run's courses apart."""
    rows = (
        (_name(section), *_kind(figure), line.label, line.run, number, *stretch)
        for section in comparison.sections
        for figure in section.over_time
        for number, line in enumerate(figure.lines, 1)
        for stretch in line.drawn.stretches
    )
    return csv_text(TRACE_COLUMNS, rows)


def as_markdown(comparison: Comparison, *, binary: bool, address: str) -> str:
    """The tables as people read them, what speaks against them, and the address they come from."""
    parts = [f"<{address}>"]
    if comparison.sections and comparison.is_single:
        parts.append(
            _("One run each: small differences may be noise, and there is no telling which.")
        )
    for section in comparison.sections:
        if name := _name(section):
            parts.append(f"## {_markdown(name)}")
        parts += map(_crossing, section.crossings)
        for figure in section.figures:
            shown = table(figure, baseline=comparison.baseline, binary=binary)
            parts.append("\n".join(_markdown_table(shown)))
    return "\n\n".join(parts) + "\n"


def _crossing(crossing: Crossing) -> str:
    differs = _("%(title)s differs:") % {"title": crossing.title}
    values = "; ".join(f"{text} – {', '.join(labels)}" for text, labels in crossing.values)
    return f"**{_('not like with like')}**: {_markdown(f'{differs} {values}')}"


def _name(section: Section) -> str:
    return ", ".join(f"{held.title}: {held.text}" for held in section.apart)


def _kind(figure: Curves | OverTime) -> tuple[str, str, str]:
    return figure.operation, figure.metric, METRICS[figure.metric].unit


def _csv_values(row: Row) -> tuple[object, ...]:
    summary, interval, against = row.summary, row.interval, row.ratio_interval
    return (
        row.group.label,
        len(row.values),
        *((summary.median, summary.mean, summary.low, summary.high) if summary else [None] * 4),
        *((interval.low, interval.high, interval.kind) if interval else [None] * 3),
        row.ratio,
        *((against.low, against.high) if against else [None] * 2),
        "; ".join(row.notes),
        " ".join(map(str, row.values)),
    )


def _markdown_table(shown: Table) -> Iterator[str]:
    better = f" ({shown.better})" if shown.better else ""
    yield f"### {_markdown(shown.title)}{better}\n"
    heads = ["", "n", f"{_('median')} {shown.unit.name}".strip(), _("interval")]
    if shown.has_baseline:
        heads.append(_("% of baseline"))
    if shown.latency:
        heads.append(f"{shown.latency.title} {shown.latency.unit.name}")
    yield _markdown_row(heads)
    yield _markdown_row(["---", *["---:"] * (len(heads) - 1)], plain=True)
    for line in shown.lines:
        yield _markdown_row(_markdown_cells(line, shown))


def _markdown_cells(line: Line, shown: Table) -> list[str]:
    median = line.median or "; ".join(line.remarks)
    name = f"{line.label} ({_('baseline')})" if line.is_baseline else line.label
    cells = [name, str(line.n), median, line.interval]
    if shown.has_baseline:
        cells.append(line.percent)
    if line.latency:
        cells.append(line.latency.median)
    return cells


def _markdown_row(cells: Sequence[str], *, plain: bool = False) -> str:
    return f"| {' | '.join(cell if plain else _markdown(cell) for cell in cells)} |"


def _markdown(text: str) -> str:
    for sign in "\\|`*_[]<>#":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())
