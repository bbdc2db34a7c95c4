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

from benchdash.analysis.verdicts import Word
from benchdash.pages.overview import ShownCell, ShownOverview
from benchdash.pages.templatetags.units import exact
from benchdash.results.comparison.cards import CardBar, CardChart
from benchdash.results.comparison.tables import Line, Table

register = template.Library()


@register.filter
def bar_rows(chart: CardChart) -> SafeString:
    """The bars of a study's card, hollow where they rest on doubted samples.

    A picture is no more than the number beside it.
    """
    rows = (
        f'<tr><th scope="row"><span title="{escape(bar.label)}">{escape(bar.label)}</span></th>'
        f'<td aria-hidden="true"><svg class="{_classes(bar)}" viewBox="0 0 100 10"'
        f' preserveAspectRatio="none"><rect width="{bar.length}" height="10"/></svg></td>'
        f'<td class="number">{bar.text}{_doubted(bar)}</td></tr>'
        for bar in chart.bars
    )
    return SafeString("".join(rows))


def _classes(bar: CardBar) -> str:
    return f"{bar.swatch} doubted" if bar.doubted else bar.swatch


def _doubted(bar: CardBar) -> str:
    words = escape(_("%(n)s doubted") % {"n": bar.doubted})
    return f' <span class="visually-hidden">{words}</span>' if bar.doubted else ""


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


@register.filter
def overview_rows(overview: ShownOverview) -> SafeString:
    """The rows of the table before the charts."""
    compare, apart = reverse("compare"), escape(_("Each sample by itself"))
    baseline, doubted = escape(_("baseline")), escape(_("doubted"))
    rows = []
    for shown in overview.rows:
        row = shown.row
        badge = f' <span class="badge accent">{baseline}</span>' if shown.is_baseline else ""
        cells = [
            f'<th scope="row"><span class="swatch {shown.swatch}"></span>{escape(row.label)}{badge}</th>'
        ]
        if overview.parts_title:
            cells.append(f"<td>{escape(shown.workload)}</td>")
        n = str(row.n)
        if shown.apart:
            n = f'<a href="{compare}?{escape(shown.apart)}" title="{apart}">{n}</a>'
        if row.doubted:
            words = escape(_("%(n)s doubted") % {"n": row.doubted})
            n += f' <span class="badge warn">{words}</span>'
        cells.append(_cell(row.n, n))
        cells += [_overview_cell(cell, doubted) for cell in shown.cells]
        current = ' class="current"' if shown.is_baseline else ""
        rows.append(f"<tr{current}>{''.join(cells)}</tr>")
    return SafeString("".join(rows))


def _overview_cell(cell: ShownCell, doubted: str) -> str:
    level = "" if cell.level is None else f" level-{cell.level}"
    mark = f' <span title="{doubted}">○</span>' if cell.is_doubted else ""
    lines = "<br>".join(
        f"{f'<small class=soft>{escape(operation)}</small> ' if operation else ''}{number}"
        f"{f' <small class=share>{share}</small>' if share else ''}"
        for operation, number, share in cell.lines
    )
    return f'<td class="number{level}" data-value="{exact(cell.exact)}">{lines or "–"}{mark}</td>'


# more of them stay folded until somebody wants to know
_MOST_UNFOLDED = 8


@register.filter
def verdict_lines(table: Table) -> SafeString:
    """What may be said of each group against the baseline, and why not more; empty without one."""
    # links that were made by older rules have a word and no reason
    lines = [
        line
        for line in table.verdicts
        if line.row.against and line.row.against.sentence != line.row.against.text
    ]
    if not lines:
        return _repeats(table)
    says_something = any(line.row.verdict is not Word.NONE for line in lines)
    unfolded = " open" if says_something and len(lines) <= _MOST_UNFOLDED else ""
    title = escape(_("Against the baseline, in words"))
    items = "".join(
        f'<li><span class="swatch {line.swatch}"></span>{escape(line.row.label)}: '
        f"{escape(line.row.against.sentence)}</li>"
        for line in lines
        if line.row.against
    )
    return SafeString(
        f'<details class="verdicts"{unfolded}><summary class="small">{title}</summary>'
        f'<ul class="plain small">{items}</ul></details>{_repeats(table)}'
    )


def _repeats(table: Table) -> SafeString:
    """What the repeats of groups say against each other, a line each."""
    return SafeString(
        "".join(
            f'<p class="small"><span class="badge warn">{escape(_("doubt"))}</span> '
            f"{escape(line.row.label)}: {escape(sentence)}</p>"
            for line in table.repeats
            for sentence in line.row.repeats
        )
    )


def _cells(line: Line, table: Table, runs_address: str) -> Iterator[str]:
    row = line.row
    # words stand outside of f-strings, in which they would not be found for the catalogue
    baseline = escape(_("baseline"))
    badge = f' <span class="badge accent">{baseline}</span>'
    yield (
        f'<th scope="row"><span class="swatch {line.swatch}"></span>{escape(row.label)}'
        f"{badge if line.is_baseline else ''}</th>"
    )
    doubts = f' <span class="badge warn">{escape(line.doubts)}</span>' if line.doubts else ""
    yield _cell(row.n, f"{_runs_link(line, runs_address)}{doubts}")
    remarks = [f'<em class="soft small">{escape(remark)}</em>' for remark in line.remarks]
    yield _cell(exact(row.median), "<br>".join([line.median, *remarks] if line.median else remarks))
    if table.has_intervals:
        kind = escape(line.coverage or _("range"))
        note = f' <small class="soft">{kind}</small>'
        lowest = row.interval.low if row.interval else None
        yield _cell(exact(lowest), f"{line.interval}{note}" if line.interval else "–")
    if table.figure.has_baseline:
        found = row.against
        verdict = ""
        if found and found.text:
            why = f' title="{escape(found.sentence)}"' if found.sentence else ""
            verdict = f' <b class="{found.word}"{why}>{escape(found.text)}</b>'
        against = f'<span class="against">{line.percent_interval}{verdict}</span>'
        shown = against if found else ""
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
