"""Rows of tables and charts as HTML: a page has a hundred, and a template takes ten times as long.

Whatever people or tools named is escaped here.
"""

from __future__ import annotations

from collections.abc import Iterator
from html import escape

from django import template
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from benchdash.analysis.summary import Kind
from benchdash.pages.templatetags.units import exact
from benchdash.results.comparison.cards import CardChart
from benchdash.results.comparison.tables import Line, Table

register = template.Library()


@register.filter
def bar_rows(chart: CardChart) -> SafeString:
    """The bars of a study's card; a picture is no more than the number beside it."""
    rows = (
        f'<tr><th scope="row"><span title="{escape(bar.label)}">{escape(bar.label)}</span></th>'
        f'<td aria-hidden="true"><svg class="{bar.swatch}" viewBox="0 0 100 10"'
        f' preserveAspectRatio="none"><rect width="{bar.length}" height="10"/></svg></td>'
        f'<td class="number">{bar.text}</td></tr>'
        for bar in chart.bars
    )
    return SafeString("".join(rows))


@register.filter
def table_rows(table: Table) -> SafeString:
    """The rows of a figure's table."""
    runs_address = reverse("runs")
    rows = []
    for place, line in enumerate(table.lines):
        current = ' class="current"' if line.is_baseline else ""
        cells = "".join(_cells(line, table, runs_address))
        rows.append(f'<tr data-row="{place}"{current}>{cells}</tr>')
    return SafeString("".join(rows))


def _cells(line: Line, table: Table, runs_address: str) -> Iterator[str]:
    row = line.row
    # words stand outside of f-strings, in which they would not be found for the catalogue
    baseline, spread = escape(_("baseline")), escape(_("range"))
    badge = f' <span class="badge accent">{baseline}</span>'
    yield (
        f'<th scope="row"><span class="swatch {line.swatch}"></span>{escape(row.label)}'
        f"{badge if line.is_baseline else ''}</th>"
    )
    yield _cell(row.n, _runs_link(line, runs_address))
    remarks = [f'<em class="soft small">{escape(remark)}</em>' for remark in line.remarks]
    yield _cell(exact(row.median), "<br>".join([line.median, *remarks] if line.median else remarks))
    if table.has_intervals:
        is_range = row.interval is not None and row.interval.kind is Kind.RANGE
        note = f' <small class="soft">{spread}</small>' if is_range else ""
        lowest = row.interval.low if row.interval else None
        yield _cell(exact(lowest), f"{line.interval or '–'}{note}")
    if table.figure.has_baseline:
        verdict = f' <b class="{row.verdict}">{escape(line.verdict)}</b>' if line.verdict else ""
        against = f'<span class="against">{line.percent_interval}{verdict}</span>'
        shown = against if line.percent_interval else ""
        yield _cell(exact(row.ratio), f"{line.percent or '–'}{shown}")
    if table.figure.latency:
        beside = line.latency
        median = beside.row.median if beside else None
        yield _cell(exact(median), (beside and beside.median) or "–")


def _cell(value: object, html: str) -> str:
    """A number, and the exact one to sort by."""
    return f'<td class="number" data-value="{value}">{html}</td>'


def _runs_link(line: Line, runs_address: str) -> str:
    """How many runs, and the way to them."""
    if not line.row.n:
        return "0"
    if line.row.n == 1:
        return f'<a href="{reverse("run", args=[line.runs])}">1</a>'
    title = ""
    if line.more_runs:
        more = escape(_("and %(n)s more") % {"n": line.more_runs})
        title = f' title="{more}"'
    return f'<a href="{runs_address}?runs={line.runs}"{title}>{line.row.n}</a>'
