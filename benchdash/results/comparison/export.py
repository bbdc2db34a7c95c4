"""Exports of a comparison: CSV for a spreadsheet, Markdown for a page."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from msgspec.structs import astuple

from benchdash.results.comparison.overview import cell_notes, cell_texts, operation_titles
from benchdash.results.comparison.sentences import (
    listed,
    percent_text,
    pooled_words,
    single_words,
    unrecorded_words,
)
from benchdash.results.comparison.tables import GroupLine, Line, SectionTable, section_table
from benchdash.results.comparison.view import (
    ComparisonView,
    MixedFactor,
    Overview,
    OverviewCell,
    OverviewColumn,
    OverviewRow,
    Row,
    Section,
)
from benchdash.results.comparison.view_curves import Curves, OverTime
from benchdash.results.comparison.view_matrix import Matrix, MeasureEffects, Scaling
from benchdash.results.run_csv import csv_text
from benchdash.vocabulary.measures import METRICS
from benchdash.vocabulary.prefixes import unit_beside

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
    if single := single_words(comparison):
        parts.append(single)
    if unrecorded := unrecorded_words(comparison):
        parts.append(_markdown(unrecorded))
    if pooled := pooled_words(comparison):
        parts.append(_markdown(pooled))
    if comparison.overview and len(comparison.overview.rows) > 1:
        parts.append("\n".join(_overview_table(comparison.overview, comparison.baseline)))
    for matrix in comparison.matrices:
        parts += _matrix(matrix)
    for section in comparison.sections:
        if name := _name(section):
            parts.append(f"## {_markdown(name)}")
        parts += map(_mixed, section.mixed)
        if section.order.text:
            parts.append(_("Order of the runs: %(order)s") % {"order": section.order.text})
        if section.figures:
            slots = {group.key: group.slot for group in comparison.groups}
            shown = section_table(section, slots, comparison.baseline)
            parts.append("\n".join(_markdown_table(shown)))
            parts += _in_words(section, shown)
    return "\n\n".join(parts) + "\n"


def _overview_table(overview: Overview, baseline: str | None) -> Iterator[str]:
    """Medians with their shares of the baseline, n, and what is doubted."""
    yield f"## {_('Overview')}\n"
    titles = operation_titles(overview)
    heads = [f"{one.title} {one.unit_beside_title}".strip() for one in overview.columns]
    yield _markdown_row(["", "n", *heads])
    yield _markdown_row(["---", *["---:"] * (len(heads) + 1)], plain=True)
    for row in overview.rows:
        workload = _(", ").join(f"{one.title} {one.text}" for one in row.differs_by)
        name = f"{row.label} ({_('baseline')})" if row.group == baseline else row.label
        doubts = f" ({_('%(n)s doubted') % {'n': row.doubted}})" if row.doubted else ""
        cells = (
            _overview_cell(row, cell, column, own)
            for cell, column, own in zip(row.cells, overview.columns, titles, strict=True)
        )
        yield _markdown_row(
            [" · ".join(filter(None, (name, workload))), f"{row.n}{doubts}", *cells]
        )
    if any(value.doubted for row in overview.rows for cell in row.cells for value in cell.values):
        yield f"\n○ {_('doubted')}"


def _overview_cell(
    row: OverviewRow, cell: OverviewCell, column: OverviewColumn, titles: Mapping[str, str]
) -> str:
    texts = [
        f"{operation} {number}{f' ({share})' if share else ''}{' ○' if one.doubted else ''}".strip()
        for (operation, number, share), one in zip(
            cell_texts(row, cell, column, titles), cell.values, strict=True
        )
    ]
    return _("; ").join(filter(None, [*texts, cell_notes(cell, row.n)]))


def _matrix(matrix: Matrix) -> Iterator[str]:
    """What factors do, in words and as a table of levels; how rates scale; what nothing beats."""
    apart = _(", ").join(f"{one.title}: {one.text}" for one in matrix.differs_by)
    yield f"## {_markdown(' · '.join(filter(None, (_('What factors do'), apart))))}"
    for effects in matrix.effects:
        sentences = [effects.sentence, effects.leader.sentence if effects.leader else ""]
        refused = f"{effects.title}: {effects.refused}" if effects.refused else ""
        lines = [*filter(None, [refused, *sentences]), *effects.remarks]
        yield "\n".join(f"- {_markdown(line)}" for line in lines)
        if effects.factors:
            yield "\n".join(_levels_table(effects))
    for scaling in matrix.scalings:
        yield "\n".join(_scaling_lines(scaling))
    if matrix.front:
        yield f"- {_markdown(matrix.front.sentence)}"


def _levels_table(effects: MeasureEffects) -> Iterator[str]:
    """Each level of each factor as a share of the mean of all levels."""
    numbers = ("n", _("% of the mean"), _("95 % interval"), _("explains %"))
    yield _markdown_row([_("Factor"), _("Level"), *numbers])
    yield _markdown_row(["---", "---", *["---:"] * 4], plain=True)
    for factor in effects.factors:
        for level in factor.levels:
            times = level.times
            interval = f"{percent_text(times.low)} – {percent_text(times.high)}"
            explained = f"{100 * factor.explained:.1f}" if level is factor.levels[0] else ""
            name = " = ".join((factor.title, *factor.changes_with))
            n = str(level.n)
            if factor.of_blocks:
                n = ngettext("%(n)s block", "%(n)s blocks", level.n) % {"n": n}
            yield _markdown_row(
                [name, level.text, n, percent_text(times.value), interval, explained]
            )


def _scaling_lines(scaling: Scaling) -> Iterator[str]:
    for line in scaling.lines:
        name = f"{scaling.title} · {line.label}" if len(scaling.lines) > 1 else scaling.title
        yield f"- {_markdown(f'{name}: {line.sentence}')}"


def _mixed(factor: MixedFactor) -> str:
    differs = _("%(title)s differs:") % {"title": factor.title}
    values = _(", ").join(f"{one.text} ({listed(one.groups)})" for one in factor.values)
    return f"**{_('not held equal')}**: {_markdown(f'{differs} {values}')}"


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
        " ".join(map(str, _runs(row))),
        interval.coverage if interval else None,
        *((against.word, against.reason) if against else [None] * 2),
        *((against.baseline_n, against.sentence) if against else [None] * 2),
        *(row.doubted, row.left_out, "; ".join(row.repeats)),
    )


def _runs(row: Row) -> Iterator[int]:
    """All that its values are of, sample by sample."""
    for value in row.values:
        yield value.run
        yield from row.more_runs.get(str(value.run), ())


def _markdown_table(shown: SectionTable) -> Iterator[str]:
    """A row for each group, a column for each measure: as the page has it."""
    heads = ["", "n"]
    for column in shown.columns:
        better = f" ({column.better})" if column.better else ""
        unit = unit_beside(column.figure.title, column.figure.shown.name)
        heads.append(f"{column.figure.title} {unit}".rstrip() + better)
    yield _markdown_row(heads)
    yield _markdown_row(["---", *["---:"] * (len(heads) - 1)], plain=True)
    for group in shown.groups:
        name = f"{group.label} ({_('baseline')})" if group.is_baseline else group.label
        counts = f"{group.n} ({group.doubts})" if group.doubts else str(group.n)
        cells = [_markdown_cell(line, group) if line else "" for line in group.lines]
        yield _markdown_row([name, counts, *cells])


def _markdown_cell(line: Line, group: GroupLine) -> str:
    """The median, its interval, n and doubts where they are not the group's, and the verdict."""
    parts = [_("; ").join(filter(None, [line.median, *line.remarks]))]
    if line.interval:
        parts.append(f"{line.interval} ({line.coverage or _('range')})")
    if line.median and line.row.n != group.n:
        parts.append(f"n = {line.row.n}")
    if line.doubts != group.doubts:
        parts.append(line.doubts)
    if line.percent:
        parts.append(f"{line.percent} %")
    if line.row.against:
        parts.append(line.row.against.text)
    return _(", ").join(filter(None, parts))


def _in_words(section: Section, shown: SectionTable) -> Iterator[str]:
    """What figures show, and what may be said against the baseline: a list for each."""
    if sentences := [figure.sentence for figure in section.figures if figure.sentence]:
        yield "\n".join(f"- {_markdown(sentence)}" for sentence in sentences)
    for column in shown.columns:
        if explained := [line for line in column.verdicts if line.why]:
            lines = (f"- {_markdown(f'{line.row.label}: {line.why}')}" for line in explained)
            title = _("%(measure)s against the baseline:") % {"measure": column.figure.title}
            yield "\n".join([_markdown(title), "", *lines])


def _markdown_row(cells: Sequence[str], *, plain: bool = False) -> str:
    return f"| {' | '.join(cell if plain else _markdown(cell) for cell in cells)} |"


def _markdown(text: str) -> str:
    for sign in "\\|`*_[]<>#":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())
