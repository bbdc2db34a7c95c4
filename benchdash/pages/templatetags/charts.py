"""Rows of tables and charts as HTML: a page has a hundred, and a template takes ten times as long.

Whatever people or tools named is escaped here.
"""

from __future__ import annotations

import re
from html import escape
from typing import TYPE_CHECKING, Any
from urllib.parse import urlencode

from django import template
from django.template.context import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from benchdash.analysis.verdicts import Word
from benchdash.pages.comparison_context import ShownSection
from benchdash.pages.overview import ShownCell, ShownOverview
from benchdash.pages.templatetags.units import exact
from benchdash.pages.templatetags.words import dotted
from benchdash.results.comparison.cards import CardBar, CardChart
from benchdash.results.comparison.tables import LISTED_RUNS, GroupLine, Line, SectionTable, Table
from benchdash.results.models import Study

if TYPE_CHECKING:
    from benchdash.pages.studies import Compared

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
    if not bar.doubted:
        return ""
    words = escape(_("%(n)s doubted") % {"n": bar.doubted})
    return f' <span class="visually-hidden">{words}</span>'


@register.inclusion_tag("compare/sections.html", takes_context=True)
def compared(context: Context, shown: dict[str, Any], chart_number: int) -> dict[str, Any]:
    """One of several comparisons of a page, by its `comparison_context`."""
    return {**context.flatten(), **shown, "chart_number": chart_number}  # type: ignore[dict-item]


@register.filter
def run_count(each: Compared, study: Study) -> SafeString:
    """How many runs of a study were made of a configuration, as a link to them."""
    if not each.runs:
        words = _("measured on other storage") if each.is_repeated else _("not measured yet")
        return format_html("<span>{}</span>", words)
    query = {"study": study.slug, "configuration": each.configuration.pk}
    if each.environment:
        query["environment"] = each.environment.pk
    words = ngettext("%(number)s run", "%(number)s runs", each.runs) % {"number": each.runs}
    return format_html('<a href="{}?{}">{}</a>', reverse("runs"), urlencode(query), words)


@register.filter
def group_rows(section: ShownSection) -> SafeString:
    """The rows of a section's table."""
    runs_address, table = reverse("runs"), section.table
    # words stand outside of f-strings, in which they would not be found for the catalogue
    baseline = escape(_("baseline"))
    rows = []
    for group in table.groups:
        current, badge = "", ""
        if group.is_baseline:
            current, badge = ' class="current"', f' <span class="badge accent">{baseline}</span>'
        swatch = f'<span class="swatch {group.swatch}"></span>' if section.has_swatches else ""
        doubts = f' <span class="badge warn">{escape(group.doubts)}</span>' if group.doubts else ""
        cells = "".join(
            _line_cell(line, column, group)
            for line, column in zip(group.lines, table.columns, strict=True)
        )
        rows.append(
            f'<tr{current}><th scope="row">{swatch}{_name(group.label)}{badge}</th>'
            f"{_cell(group.n, f'{_runs_link(group, runs_address)}{doubts}')}{cells}</tr>"
        )
    return SafeString("".join(rows))


@register.filter
def overview_rows(overview: ShownOverview) -> SafeString:
    """The rows of the table before the charts."""
    compare, apart = reverse("compare"), escape(_("Individual samples"))
    baseline, doubted = escape(_("baseline")), escape(_("doubted"))
    to_baseline = escape(_("Show everything as a share of this one"))
    differ, rows = bool(overview.parts_title), []
    for shown in overview.rows:
        row = shown.row
        badge = f' <span class="badge accent">{baseline}</span>' if shown.is_baseline else ""
        if shown.against:
            address = f"{compare}?{escape(shown.against)}"
            badge = (
                f' <a class="to-baseline" href="{address}" title="{to_baseline}"'
                f' aria-label="{baseline}: {escape(row.label)}">{baseline}</a>'
            )
        name = _name(row.label)
        if shown.whole:
            name = f"<details class=cut><summary>{name}</summary>{_name(shown.whole)}</details>"
        # on a phone the workload stands below the name, without a column of its own
        workload = f' data-workload="{escape(shown.workload)}"' if differ else ""
        swatch = f'<span class="swatch {shown.swatch}"></span>' if overview.has_swatches else ""
        cells = [f'<th scope="row"{workload}>{swatch}{name}{badge}</th>']
        if differ:
            cells.append(f'<td class="part">{escape(shown.workload)}</td>')
        n = str(row.n)
        if shown.apart:
            n = f'<a href="{compare}?{escape(shown.apart)}" title="{apart}">{n}</a>'
        elif len(row.runs) == 1:
            n = f'<a href="{reverse("run", args=row.runs)}" title="#{row.runs[0]}">{n}</a>'
        elif row.n == 1 and len(row.runs) <= LISTED_RUNS:
            n = f'<a href="{reverse("runs")}?runs={",".join(map(str, row.runs))}">{n}</a>'
        if row.doubted:
            words = escape(_("%(n)s doubted") % {"n": row.doubted})
            n += f' <span class="badge warn">{words}</span>'
        cells.append(f'<td class="number count" data-value="{row.n}">{n}</td>')
        cells += [_overview_cell(cell, doubted) for cell in shown.cells]
        current = ' class="current"' if shown.is_baseline else ""
        rows.append(f"<tr{current}>{''.join(cells)}</tr>")
    return SafeString("".join(rows))


def _overview_cell(cell: ShownCell, doubted: str) -> str:
    level = "" if cell.level is None else f" level-{cell.level}"
    mark = f'\u00a0<span title="{doubted}">○</span>' if cell.is_doubted else ""
    # it stays with what stands last: by itself it would be a line of its own
    marks = [*[""] * (len(cell.lines) - 1), mark]
    lines = " ".join(
        _overview_value(line, each) for line, each in zip(cell.lines, marks, strict=False)
    )
    if cell.notes:
        lines += f" <small class=note>{escape(cell.notes)}</small>"
    return f'<td class="number{level}" data-value="{exact(cell.exact)}">{lines or "–"}</td>'


def _overview_value(line: tuple[str, str, str], mark: str) -> str:
    operation, number, share = line
    named = f"<small class=soft>{escape(operation)}</small> " if operation else ""
    share = f"<small class=share>{share}{mark}</small>" if share else ""
    if share and mark:
        return f'<span class="value doubted"><span>{named}{number}</span> {share}</span>'
    return f"<span class=value>{named}{number}{f' {share}' if share else mark}</span>"


# a number and its unit stay in one line of a name
_UNIT = re.compile(r"(?<=\d) (?=[^\W\d]{1,3}\b|%)")


def _name(text: str) -> str:
    return escape(dotted(_UNIT.sub("\u00a0", text)))


# more of them stay folded until somebody wants to know
_MOST_UNFOLDED = 8


@register.filter
def verdict_lines(table: SectionTable) -> SafeString:
    """What may be said of each group against the baseline, and why not more; empty without one."""
    by_column = [
        (column.figure.title, [line for line in column.verdicts if line.why])
        for column in table.columns
    ]
    every = [line for _title, lines in by_column for line in lines]
    repeats = "".join(map(_repeats, table.columns))
    if not every:
        return SafeString(repeats)
    has_verdicts = any(line.row.verdict is not Word.NONE for line in every)
    unfolded = " open" if has_verdicts and len(every) <= _MOST_UNFOLDED else ""
    title, between = escape(_("Against the baseline, in words")), escape(_(": "))
    lists = "".join(
        f'<div><b>{escape(title)}</b><ul aria-label="{escape(title)}">'
        + "".join(f"<li>{escape(line.row.label)}{between}{escape(line.why)}</li>" for line in lines)
        + "</ul></div>"
        for title, lines in by_column
        if lines
    )
    return SafeString(
        f'<details class="verdicts small"{unfolded}><summary>{title}</summary>'
        f"<div>{lists}</div></details>{repeats}"
    )


def _repeats(table: Table) -> str:
    """What the repeats of groups say against each other, a line each."""
    return "".join(
        f'<p class="small"><span class="badge warn">{escape(_("doubt"))}</span> '
        f"{escape(table.figure.title)}, {escape(line.row.label)}: {escape(sentence)}</p>"
        for line in table.repeats
        for sentence in line.row.repeats
    )


def _line_cell(line: Line | None, column: Table, group: GroupLine) -> str:
    """The median, then its interval and what may be said against the baseline, where there is one."""
    if line is None:
        return _cell("", "–")
    parts = [f"<b>{line.median}</b>"] if line.median else []
    parts += [f'<em class="soft small">{escape(remark)}</em>' for remark in line.remarks]
    if line.interval:
        kind = escape(line.coverage or _("range"))
        parts.append(f'<small title="{kind}">{line.interval}</small>')
    own = [f"n = {line.row.n}"] if line.median and line.row.n != group.n else []
    own += [escape(line.doubts)] if line.doubts and line.doubts != group.doubts else []
    parts += [f"<small>{words}</small>" for words in own]
    if column.figure.has_baseline and (line.percent or line.row.against):
        parts.append(_against(line))
    return _cell(exact(line.row.median), "".join(parts) or "–")


def _against(line: Line) -> str:
    """The share of the baseline with its interval, and the word of the verdict."""
    found, percent = line.row.against, f"{line.percent} %" if line.percent else ""
    interval = f" <span>({line.percent_interval})</span>" if line.percent_interval else ""
    word = ""
    if found and found.text:
        why = f' title="{escape(found.sentence)}"' if found.sentence else ""
        word = f' <b class="{found.word}"{why}>{escape(found.text)}</b>'
    return f'<span class="against">{percent}{interval}{word}</span>'


def _cell(value: object, html: str) -> str:
    """A number, and the exact one to sort by."""
    return f'<td class="number" data-value="{value}">{html}</td>'


def _runs_link(group: GroupLine, runs_address: str) -> str:
    """How many runs, and the way to them."""
    if not group.n:
        return "0"
    if group.n == 1:
        return f'<a href="{reverse("run", args=[group.runs])}">1</a>'
    title = ""
    if group.more_runs:
        more = escape(_("and %(n)s more") % {"n": group.more_runs})
        title = f' title="{more}"'
    return f'<a href="{runs_address}?runs={group.runs}"{title}>{group.n}</a>'
