"""Further columns of the runs list, and its order: both stand in the address."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from django.db.models import F, OrderBy, QuerySet
from django.db.models.fields.json import KeyTransform
from django.db.models.functions import Coalesce
from django.http import QueryDict
from django.utils.html import format_html
from django.utils.safestring import SafeString

from benchdash.inventory.models import EnvironmentMachine
from benchdash.results.factors import Factor
from benchdash.results.ids import read_id
from benchdash.results.models import Run
from benchdash.results.paging import PAGE
from benchdash.results.run_filters import filter_title
from benchdash.results.titles import value_text
from benchdash.vocabulary.settings import NAME
from benchdash.vocabulary.workloads import AXES

MOST_COLUMNS = 12
# beyond, a sorted list is narrowed down, not turned on
LAST_PAGE = 200
_SETTING = "setting."
_FIXED: dict[str, Any] = {
    "run": F("label"),
    "configuration": F("configuration__name"),
    "study": F("study__title"),
    "when": Coalesce("started_at", "created_at"),
}
_CHOSEN: dict[str, Any] = {
    "tool": F("tool"),
    "version": F("tool_version"),
    **{f"workload.{axis}": F(f"workload__{axis}") for axis in AXES},
}
_HOST = "host"


@dataclass(frozen=True, slots=True)
class Layout:
    """The chosen columns, and by which one the list is sorted; "" is newest first."""

    columns: tuple[str, ...] = ()
    sort: str = ""

    @property
    def suffix(self) -> str:
        """What it adds to a query string, after an &; "" where all is as by default."""
        pairs = [("column", name) for name in self.columns]
        pairs += [("sort", self.sort)] if self.sort else []
        return f"&{urlencode(pairs)}" if pairs else ""


@dataclass(frozen=True, slots=True)
class Head:
    """The head of a column: its words, and what a press makes of the layout."""

    title: str
    suffix: str
    direction: str


@dataclass(frozen=True, slots=True)
class SortedPage:
    """The rows of one page of a sorted list, and the numbers of its neighbours."""

    rows: list[Run]
    before: int | None
    behind: int | None
    newer: None = None
    older: None = None


def layout_of(query: QueryDict) -> Layout:
    """What an address says of columns and order; what is no column is left out."""
    named = [name for name in dict.fromkeys(query.getlist("column")) if _is_column(name)]
    sort = query.get("sort", "")
    return Layout(tuple(named[:MOST_COLUMNS]), sort if _expression(sort.lstrip("-")) else "")


def _is_column(name: str) -> bool:
    return name == _HOST or (name not in _FIXED and _expression(name) is not None)


def _expression(name: str) -> Any:
    """What the database sorts by; None where there is no such column, or no order of it."""
    if name.startswith(_SETTING) and NAME.fullmatch(name.removeprefix(_SETTING)):
        return KeyTransform(name.removeprefix(_SETTING), F("settings"))
    return _FIXED.get(name) or _CHOSEN.get(name)


def sorted_page(runs: QuerySet[Run], layout: Layout, query: QueryDict) -> SortedPage:
    """A page in the order that the layout says, runs without a value last; one query."""
    number = min(read_id(query.get("page")) or 1, LAST_PAGE)
    by = _expression(layout.sort.lstrip("-"))
    order = OrderBy(by, descending=layout.sort.startswith("-"), nulls_last=True)
    start = (number - 1) * PAGE
    rows = list(runs.order_by(order, "-pk")[start : start + PAGE + 1])
    return SortedPage(
        rows[:PAGE],
        number - 1 if number > 1 else None,
        number + 1 if len(rows) > PAGE and number < LAST_PAGE else None,
    )


def heads(layout: Layout) -> dict[str, Any]:
    """The heads of the usual columns by name, and `further` ones of the chosen columns."""
    return {name: _head(layout, name, "") for name in _FIXED} | {
        "further": [_head(layout, name, filter_title(name)) for name in layout.columns]
    }


def _head(layout: Layout, name: str, title: str) -> Head:
    """Pressed first it sorts upwards, then downwards, then no more."""
    if _expression(name) is None:
        return Head(title, "", "")
    following = {name: f"-{name}", f"-{name}": ""}.get(layout.sort, name)
    directions = {name: "ascending", f"-{name}": "descending"}
    return Head(
        title, Layout(layout.columns, following).suffix or "&", directions.get(layout.sort, "none")
    )


def offered(layout: Layout, settings: Sequence[str]) -> list[tuple[str, str, bool]]:
    """Name, title and whether it is shown of each column that can be added."""
    names = dict.fromkeys([_HOST, *_CHOSEN, *settings, *layout.columns])
    return [(name, filter_title(name), name in layout.columns) for name in names]


def widened(
    rows: Sequence[SafeString], runs: Sequence[Run], layout: Layout
) -> Sequence[SafeString]:
    """The rows of `run_rows` for these runs, with the chosen columns; two queries at most."""
    if not layout.columns:
        return rows
    ids = [run.pk for run in runs]
    stored = [name for name in layout.columns if name != _HOST]
    expressions = {f"column_{n}": _expression(name) for n, name in enumerate(stored)}
    values_of = Run.objects.filter(pk__in=ids).annotate(**expressions)
    hosts = _hosts(ids) if _HOST in layout.columns else {}
    found = {}
    for pk, *values in values_of.values_list("pk", *expressions):
        texts = dict(zip(stored, map(_text, stored, values), strict=True))
        texts[_HOST] = ", ".join(sorted(hosts.get(pk, ())))
        line = [format_html("<td>{}</td>", texts[name]) for name in layout.columns]
        found[pk] = SafeString("".join(line))
    return [
        SafeString(f"{row.removesuffix('</tr>')}{found[run.pk]}</tr>")
        for row, run in zip(rows, runs, strict=True)
    ]


def _hosts(ids: Sequence[int]) -> Mapping[int, set[str]]:
    parts = EnvironmentMachine.objects.filter(
        environment__runs__in=ids, snapshot__host__isnull=False
    )
    found: dict[int, set[str]] = {}
    for pk, name in parts.values_list("environment__runs", "snapshot__host__name"):
        found.setdefault(pk, set()).add(name)
    return found


def _text(name: str, value: Any) -> str:
    if value in (None, ""):
        return ""
    kind, _dot, rest = name.partition(".")
    return value_text(Factor(kind, rest), value) if rest else str(value)
