"""Further columns of the runs list, and its order: both stand in the address."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import QuerySet
from django.http import QueryDict
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from benchdash.errors import N_
from benchdash.inventory.models import Facet
from benchdash.pages.run_rows import listed
from benchdash.pages.templatetags.units import measured_value
from benchdash.results.column_values import (
    HEADLINE_METRICS,
    PLAIN,
    Cell,
    column_cells,
    is_column,
    is_number,
    measures_of,
)
from benchdash.results.comparison.choose import samples_listed
from benchdash.results.ids import read_id
from benchdash.results.language import in_language
from benchdash.results.models import Measure, Run
from benchdash.results.paging import PAGE
from benchdash.results.run_filters import filter_title
from benchdash.results.sorting import in_order
from benchdash.results.titles import measure_title, operation_title
from benchdash.vocabulary.machines import FACTS, PARTS
from benchdash.vocabulary.measures import METRICS
from benchdash.vocabulary.near import near
from benchdash.vocabulary.tools import TOOLS
from benchdash.vocabulary.workloads import AXES

MOST_COLUMNS = 12
_MOST_PAGES = 10**9
_USUAL = ("run", "configuration", "study", "when")
_OF_JOBS = "plan"  # which visitors do not see
_SHORT = 32  # characters that stand on one line


@dataclass(frozen=True, slots=True)
class Layout:
    """The chosen columns, and by which one the list is sorted; "" is newest first.

    `unknown` are names that mean no column here.
    """

    columns: tuple[str, ...] = ()
    sort: str = ""
    unknown: tuple[str, ...] = ()

    @property
    def suffix(self) -> str:
        """What it adds to a query string, after an &; "" where all is as by default."""
        pairs = [("column", name) for name in self.columns]
        pairs += [("sort", self.sort)] if self.sort else []
        return f"&{urlencode(pairs)}" if pairs else ""

    def refusals(self) -> list[str]:
        """A sentence for each name that means nothing."""
        known = [*_USUAL, *PLAIN, *HEADLINE_METRICS, *(f"workload.{axis}" for axis in AXES)]
        sentences = (N_("Runs have no column “{name}”.", name=name) for name in self.unknown)
        return [
            in_language(near(sentence, name, known, known))
            for sentence, name in zip(sentences, self.unknown, strict=True)
        ]


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column: its words, what a press makes of the layout, and where it stands."""

    title: str
    suffix: str
    direction: str
    is_number: bool


@dataclass(frozen=True, slots=True)
class SortedPage:
    """The rows of one page of a sorted list, and the numbers of its neighbours."""

    rows: list[Run]
    before: int | None
    behind: int | None
    newer: None = None
    older: None = None


def layout_of(query: QueryDict, *, with_plans: bool) -> Layout:
    """What an address says of columns and order."""
    named = [name for name in dict.fromkeys(query.getlist("column")) if name not in ("", *_USUAL)]
    known = [name for name in named if is_column(name) and (with_plans or name != _OF_JOBS)]
    sort = query.get("sort", "")
    by = sort.removeprefix("-")
    sorts = not by or (is_column(by) and (with_plans or by != _OF_JOBS))
    unknown = [name for name in named if name not in known]
    return Layout(
        tuple(known[:MOST_COLUMNS]),
        sort if by and sorts else "",
        tuple(dict.fromkeys(unknown if sorts else [*unknown, by])),
    )


def sorted_page(
    runs: QuerySet[Run], layout: Layout, query: QueryDict, *, are_few: bool
) -> SortedPage:
    """A page of `runs`, one a sample, in the order of the layout; a fixed number of queries."""
    number = min(read_id(query.get("page")) or 1, _MOST_PAGES)
    start = (number - 1) * PAGE
    shown = in_order(runs, layout.sort, slice(start, start + PAGE + 1), are_few=are_few)
    return SortedPage(
        listed(shown[:PAGE]),
        number - 1 if number > 1 else None,
        number + 1 if len(shown) > PAGE else None,
    )


def heads(layout: Layout) -> dict[str, Any]:
    """The heads of the usual columns by name, and `further` ones of the chosen columns."""
    return {name: _head(layout, name, "") for name in _USUAL} | {
        "further": [_head(layout, name, column_title(name)) for name in layout.columns]
    }


def _head(layout: Layout, name: str, title: str) -> Head:
    """Pressed first it sorts upwards (numbers downwards), then the other way, then no more."""
    first, second = (f"-{name}", name) if is_number(name) else (name, f"-{name}")
    following = {first: second, second: ""}.get(layout.sort, first)
    directions = {name: "ascending", f"-{name}": "descending"}
    return Head(
        title,
        Layout(layout.columns, following).suffix or "&",
        directions.get(layout.sort, "none"),
        is_number(name),
    )


def column_title(name: str) -> str:
    """What a column is called in the reader's language."""
    if name in HEADLINE_METRICS:
        return _(METRICS[name].title)
    if measures := measures_of(name, ""):
        return measure_title(measures[0])
    return filter_title(name)


@dataclass(frozen=True, slots=True)
class Offered:
    """Columns of one kind: name, title, and whether it is shown."""

    title: str
    columns: list[tuple[str, str, bool]]


def offered(
    layout: Layout, runs: Sequence[Run], settings: Sequence[str], *, with_plans: bool
) -> list[Offered]:
    """What can be added: of layers and numbers those that the listed runs have; two queries."""
    stacks = {run.configuration_id for run in runs}
    layers = Facet.objects.filter(stack__configurations__in=stacks - {None})
    kinds = {
        _("Run"): [*PLAIN[:2], *PLAIN[4:], *([_OF_JOBS] if with_plans else [])],
        _("Numbers"): [*HEADLINE_METRICS, *_numbers_of(runs)],
        _("Workload"): [f"workload.{axis}" for axis in AXES],
        _("Layers"): [
            f"layer.{key}"
            for key in layers.order_by("key").values_list("key", flat=True).distinct()
        ],
        _("Machine"): [f"environment.{fact}" for fact in (*FACTS, *PARTS)],
        _("Settings"): list(settings),
    }
    known = {name for names in kinds.values() for name in names}
    others = [name for name in layout.columns if name not in known]
    kinds[_("Run")] += others
    return [
        Offered(title, [(name, column_title(name), name in layout.columns) for name in names])
        for title, names in kinds.items()
        if names
    ]


def _numbers_of(runs: Collection[Run]) -> list[str]:
    """The headlines that these runs have, and the slowest percent of what they time."""
    headlines = {name for run in runs if run.tool in TOOLS for name in TOOLS[run.tool].headlines}
    there = Measure.objects.filter(
        measurements__run__in=[run.pk for run in runs], statistic__in=("mean", "p99")
    )
    rows = there.order_by("operation", "metric").values_list("operation", "metric", "statistic")
    return [".".join(words) for words in rows.distinct() if words[:2] in headlines]


def widened(
    rows: Sequence[SafeString], runs: Sequence[Run], layout: Layout, *, binary: bool
) -> Sequence[SafeString]:
    """The rows of `run_rows` for these runs, with the chosen columns; a fixed number of queries."""
    if not layout.columns:
        return rows
    samples = samples_listed({run.sample_id: run.pk for run in runs})
    cells = column_cells(layout.columns, samples)
    titles = {name: column_title(name) for name in layout.columns}
    return [
        SafeString(
            row.removesuffix("</tr>")
            + "".join(
                _cell(name, titles[name], cells[name].get(run.pk), binary=binary)
                for name in layout.columns
            )
            + "</tr>"
        )
        for row, run in zip(rows, runs, strict=True)
    ]


def _cell(name: str, title: str, cell: Cell | None, *, binary: bool) -> SafeString:
    """A phone shows the title beside the value; an empty cell it leaves out."""
    if cell is None:
        return SafeString("<td></td>")
    is_short = len(cell.text) <= _SHORT
    kind = "number" if is_number(name) else "whole" if is_short else ""
    text: str = cell.text
    if cell.measured:
        measure, value = cell.measured
        text = measured_value(value, measure.metric, binary=binary)
        if name in HEADLINE_METRICS:
            operation = operation_title(measure.operation)
            text += format_html(' <span class="small soft below">{}</span>', operation)
    return format_html('<td class="{}" data-label="{}">{}</td>', kind, title, text)
