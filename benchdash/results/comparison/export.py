"""Exports of a comparison: CSV for a spreadsheet, Markdown for a page."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from django.utils.translation import gettext as _
from msgspec.structs import astuple

from benchdash.results.comparison.tables import Line, Table, table
from benchdash.results.comparison.view import ComparisonView, Figure, MixedFactor, Row, Section
from benchdash.results.comparison.view_curves import Curves, OverTime
from benchdash.results.run_csv import csv_text
from benchdash.vocabulary.measures import METRICS

CSV_COLUMNS = (
    *("section", "measure", "unit", "group", "n", "median", "mean", "low", "high"),
    *("interval_low", "interval_high", "interval_kind", "ratio_to_baseline"),
    *("ratio_low", "ratio_high", "notes", "runs"),
    *("interval_coverage", "verdict", "reason", "baseline_n", "sentence"),
    *("doubted", "left_out", "repeats"),
)
PERCENTILE_COLUMNS = ("section", "operation", "metric", "unit", "group", "percent", "n", "value")
TRACE_COLUMNS = (
    *("section", "operation", "metric", "unit", "group", "run", "line"),
    *("seconds", "lowest", "mean", "highest"),
)


def as_csv(comparison: ComparisonView) -> str:
    """One line for each group of each figure: base units, every digit, points as decimal marks."""
    rows = (
        (_name(section), figure.measure, figure.unit, *_csv_values(row))
        for section in comparison.sections
        for figure in section.figures
        for row in figure.rows
    )
    return csv_text(CSV_COLUMNS, rows)


def percentiles_as_csv(comparison: ComparisonView) -> str:
    """One line for each point of each curve that is drawn: the median over n runs, in seconds."""
    rows = (
        (_name(section), *_kind(curves), curve.label, point.percent, point.n, point.value)
        for section in comparison.sections
        for curves in section.percentiles
        for curve in curves.curves
        for point in curve.points
    )
    return csv_text(PERCENTILE_COLUMNS, rows)


def traces_as_csv(comparison: ComparisonView) -> str:
    """One line for each stretch of each trace that is drawn; `line` tells a run's traces apart."""
    rows = (
        (_name(section), *_kind(figure), line.label, line.run, number, *astuple(stretch))
        for section in comparison.sections
        for figure in section.over_time
        for number, line in enumerate(figure.lines, 1)
        for stretch in line.stretches
    )
    return csv_text(TRACE_COLUMNS, rows)


def as_markdown(comparison: ComparisonView, *, address: str) -> str:
    """The tables as people read them, what speaks against them, and the address they come from."""
    parts = [f"<{address}>"]
    if single := comparison.single_words:
        parts.append(single)
    for section in comparison.sections:
        if name := _name(section):
            parts.append(f"## {_markdown(name)}")
        parts += map(_mixed, section.mixed)
        if section.order.text:
            parts.append(_("Order of the runs: %(order)s") % {"order": section.order.text})
        for figure in section.figures:
            lines = _markdown_table(figure, table(figure, comparison.baseline))
            parts.append("\n".join(lines))
    return "\n\n".join(parts) + "\n"


def _mixed(factor: MixedFactor) -> str:
    differs = _("%(title)s differs:") % {"title": factor.title}
    values = "; ".join(f"{one.text} – {', '.join(one.groups)}" for one in factor.values)
    return f"**{_('not like with like')}**: {_markdown(f'{differs} {values}')}"


def _name(section: Section) -> str:
    return ", ".join(f"{one.title}: {one.text}" for one in section.differs_by)


def _kind(figure: Curves | OverTime) -> tuple[str, str, str]:
    return figure.operation, figure.metric, METRICS[figure.metric].unit


def _csv_values(row: Row) -> tuple[object, ...]:
    interval, ratio, against = row.interval, row.ratio_interval, row.against
    return (
        row.label,
        row.n,
        *(row.median, row.mean, row.low, row.high),
        *((interval.low, interval.high, interval.kind) if interval else [None] * 3),
        row.ratio,
        *((ratio.low, ratio.high) if ratio else [None] * 2),
        "; ".join(one.note for one in row.notes),
        " ".join(str(one.run) for one in row.values),
        interval.coverage if interval else None,
        *((against.word, against.reason) if against else [None] * 2),
        *((against.baseline_n, against.sentence) if against else [None] * 2),
        *(row.doubted, row.left_out, "; ".join(row.repeats)),
    )


def _markdown_table(figure: Figure, shown: Table) -> Iterator[str]:
    better = f" ({shown.better})" if shown.better else ""
    yield f"### {_markdown(figure.title)}{better}\n"
    if figure.sentence:
        yield f"{_markdown(figure.sentence)}\n"
    heads = ["", "n", f"{_('median')} {figure.shown.name}".strip(), _("interval")]
    if figure.has_baseline:
        heads.append(_("% of baseline"))
    if shown.verdicts:
        heads.append(_("verdict"))
    if figure.latency:
        heads.append(f"{figure.latency.title} {figure.latency.shown.name}")
    yield _markdown_row(heads)
    yield _markdown_row(["---", *["---:"] * (len(heads) - 1)], plain=True)
    for line in shown.lines:
        yield _markdown_row(_markdown_cells(line, shown))


def _markdown_cells(line: Line, shown: Table) -> list[str]:
    figure = shown.figure
    median = line.median or "; ".join(line.remarks)
    label = line.row.label
    name = f"{label} ({_('baseline')})" if line.is_baseline else label
    kind = line.coverage or _("range")
    spread = f"{line.interval} ({kind})" if line.interval else ""
    counts = f"{line.row.n} ({line.doubts})" if line.doubts else str(line.row.n)
    cells = [name, counts, median, spread]
    if figure.has_baseline:
        cells.append(line.percent)
    if shown.verdicts:
        cells.append(line.row.against.sentence if line.row.against else "")
    if line.latency:
        cells.append(line.latency.median)
    return cells


def _markdown_row(cells: Sequence[str], *, plain: bool = False) -> str:
    return f"| {' | '.join(cell if plain else _markdown(cell) for cell in cells)} |"


def _markdown(text: str) -> str:
    for sign in "\\|`*_[]<>#":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())
