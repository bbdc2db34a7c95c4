"""The overview of a comparison as its table shows it."""

from __future__ import annotations

import math
from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from benchdash.pages.line_colours import slots_of_lines
from benchdash.results.comparison.overview import (
    COST,
    cell_notes,
    cell_texts,
    moved_by,
    operation_titles,
)
from benchdash.results.comparison.tables import LISTED_RUNS, swatch
from benchdash.results.comparison.values import natural
from benchdash.results.comparison.view import (
    ComparisonView,
    FactorValue,
    Overview,
    OverviewCell,
    OverviewColumn,
    OverviewRow,
    OverviewValue,
)
from benchdash.results.criteria import Criteria

LEVELS = 8  # shades in frontend/styles/overview.css
FOLDED = 12  # rows of a folded table there
_MOST_UNFOLDED = 16  # to fold fewer would hide next to nothing


@dataclass(frozen=True, slots=True)
class ShownCell:
    """`exact` sorts; each of `lines` is operation (where it needs saying), number, share.

    `notes` are what was printed in place of a number; `level` is from 0 to `LEVELS`, the best of a
    column; None where no way is better.
    """

    exact: float | None
    lines: tuple[tuple[str, str, str], ...]
    notes: str
    level: int | None
    is_doubted: bool


@dataclass(frozen=True, slots=True)
class ShownRow:
    """`apart` is empty where a query of its samples would be too long, or it is a single one.

    `whole` is the name where the label is cut; `against` is the query that makes it the baseline, empty where it cannot become that.
    """

    row: OverviewRow
    swatch: str
    whole: str
    workload: str
    is_baseline: bool
    apart: str
    against: str
    cells: tuple[ShownCell, ...]


@dataclass(frozen=True, slots=True)
class ShownColumn:
    """What stands in the head of a column: its unit and what its shares are of, its order where it has one.

    Addresses have it by `name`.
    """

    view: OverviewColumn
    name: str
    unit: str
    order: str


@dataclass(frozen=True, slots=True)
class ShownOverview:
    """The view, and its rows in words.

    Where `is_folded`, only the first rows and the baseline are seen until somebody wants all: those
    first that are best in the columns `sorted_by`, one for each workload, unless the address has
    them in the order of `sort`. Rows have swatches where lines below are drawn in their colours.
    """

    view: Overview
    rows: tuple[ShownRow, ...]
    has_swatches: bool
    sorted_by: tuple[int, ...] = ()
    sort: str = ""

    @property
    def is_folded(self) -> bool:
        return len(self.rows) > _MOST_UNFOLDED

    @property
    def best_first(self) -> str:
        """What orders the rows of a folded table."""
        return _(", ").join(self.view.columns[place].title for place in self.sorted_by)

    @property
    def columns(self) -> Iterator[ShownColumn]:
        """What stands in the heads."""
        for place, column in enumerate(self.view.columns):
            values = [one for row in self.view.rows for one in row.cells[place].values]
            yield ShownColumn(
                view=column,
                name=column.measures[0],
                unit=_unit(column, values),
                order=_order(column)
                if self.sorted_by == (place,)
                else self.orders.get(column.measures[0], ""),
            )

    @property
    def orders(self) -> dict[str, str]:
        """The order of the column by which the rows were asked for."""
        down = self.sort.startswith("-")
        return {self.sort.removeprefix("-"): "descending" if down else "ascending"}

    @property
    def parts_title(self) -> str:
        """In what rows differ that were measured differently; empty where they do not."""
        every = [one for row in self.view.rows for one in row.differs_by]
        if not every:
            return ""
        axis = _telling_axis(self.view)
        return next((one.title for one in every if one.name == axis), _("Workload"))

    @property
    def unshared(self) -> int:
        """In how many columns some rows of a workload have nothing, and others have."""
        measured: dict[str, list[list[bool]]] = {}
        for row in self.rows:
            there = [bool(one.lines or one.notes) for one in row.cells]
            measured.setdefault(row.workload, []).append(there)
        parted = [
            [len(set(column)) > 1 for column in zip(*rows, strict=True)]
            for rows in measured.values()
        ]
        return sum(map(any, zip(*parted, strict=True)))

    @property
    def has_shares(self) -> bool:
        """Whether there are any of a baseline."""
        return any(one.share is not None for one in self._values)

    @property
    def has_shares_of_best(self) -> bool:
        """Whether there are any of best values, since nothing is the baseline."""
        return any(one.of_best is not None for one in self._values)

    @property
    def has_doubted(self) -> bool:
        """Whether a value rests on a doubted sample."""
        return any(cell.is_doubted for row in self.rows for cell in row.cells)

    @property
    def may_have_baseline(self) -> bool:
        """Whether a press makes one of the groups the baseline."""
        return any(row.against for row in self.rows)

    @property
    def _values(self) -> Iterator[OverviewValue]:
        return (one for row in self.view.rows for cell in row.cells for one in cell.values)

    @property
    def has_averages(self) -> bool:
        """Whether a share can be another than that of the medians beside it."""
        return any(row.n > 1 for row in self.view.rows)


class _Table(NamedTuple):
    """What rows are shown by: the axis that tells workloads apart, and whether each column names operations.

    By key of a group the query that makes it the baseline, and its whole name; the best value of
    those that can be held against each other.
    """

    axis: str
    titles: Sequence[Mapping[str, str]]
    against: Mapping[str, str]
    whole: Mapping[str, str]
    best: Mapping[Hashable, float]


def shown_overview(
    view: ComparisonView, criteria: Criteria, *, stands_still: bool = False
) -> ShownOverview | None:
    """None where there is nothing to lay beside anything, and for links of before there was one.

    Where it stands still nothing leads to another baseline.
    """
    overview = view.overview
    if overview is None or len(overview.rows) < 2:
        return None
    against = {}
    if not stands_still and len(view.groups) > 1:
        keys = (group.key for group in view.groups if group.key != view.baseline)
        against = {key: criteria.changed(baseline=key).query() for key in keys}
    whole = {group.key: group.whole for group in view.groups}
    shown = _Table(
        _telling_axis(overview), operation_titles(overview), against, whole, _best_values(overview)
    )
    has_lines = bool(slots_of_lines(one for part in view.sections for one in part.figures))
    rows = tuple(_row(row, view, shown) for row in overview.rows)
    shown_rows = ShownOverview(overview, rows, has_lines)
    return _sorted(shown_rows, criteria.sort) or _best_first(shown_rows)


def _sorted(shown: ShownOverview, sort: str) -> ShownOverview | None:
    """As a press on a heading sorts them: what is blank comes last. None without such a column."""
    name = sort.removeprefix("-")
    places = {column.measures[0]: place for place, column in enumerate(shown.view.columns)}
    if not name or name not in ("group", "workload", "n", *places):
        return None

    def key(row: ShownRow) -> Any:
        if name == "n":
            return row.row.n
        if name in places:
            return row.cells[places[name]].exact
        text = row.row.label if name == "group" else row.workload
        return natural(text) if text else None

    blank = [row for row in shown.rows if key(row) is None]
    rows = [row for row in shown.rows if key(row) is not None]
    rows.sort(key=key, reverse=sort.startswith("-"))
    return replace(shown, rows=(*rows, *blank), sort=sort)


def _best_first(shown: ShownOverview) -> ShownOverview:
    """Where only the first rows are seen, these are as many of each workload, its best ones.

    Of more workloads than rows that are seen, these are of all tools.
    """
    if not shown.is_folded:
        return shown
    tools: dict[str, dict[str, list[ShownRow]]] = {}
    for row in shown.rows:
        tool = next((one.text for one in row.row.differs_by if one.name == "tool"), "")
        tools.setdefault(tool, {}).setdefault(row.workload, []).append(row)
    in_turn = zip_longest(*(own.values() for own in tools.values()))
    workloads = [rows for one_each in in_turn for rows in one_each if rows]
    columns = [_telling_column(own, shown.view.columns) for own in workloads]
    ordered = [
        rows if place is None else sorted(rows, key=lambda row: _badness(row, place, shown.view))
        for rows, place in zip(workloads, columns, strict=True)
    ]
    some = max(1, FOLDED // len(ordered))
    rows = [row for own in ordered for row in own[:some]]
    rows += [row for own in ordered for row in own[some:]]
    sorted_by = dict.fromkeys(place for place in columns if place is not None)
    return replace(shown, rows=tuple(rows), sorted_by=tuple(sorted_by))


def _telling_column(rows: Sequence[ShownRow], columns: Sequence[OverviewColumn]) -> int | None:
    """That of one measure with a better side which most of the rows have; the first of several.

    Not what a byte costs: reading is cheaper than writing.
    """
    counts = {
        place: sum(row.cells[place].exact is not None for row in rows)
        for place, column in enumerate(columns)
        if column.higher_is_better is not None
        and len(column.measures) == 1
        and column.measures[0] != str(COST)
    }
    best = max(counts, key=lambda place: counts[place], default=None)
    return best if best is not None and counts[best] else None


def _badness(row: ShownRow, place: int, view: Overview) -> float:
    """How far it is from the best: what has no number is furthest."""
    value = row.cells[place].exact
    if value is None:
        return math.inf
    return -value if view.columns[place].higher_is_better else value


def _unit(column: OverviewColumn, values: Sequence[OverviewValue]) -> str:
    return " · ".join(filter(None, (column.unit_beside_title, _shares_of(values))))


def _shares_of(values: Sequence[OverviewValue]) -> str:
    if any(one.share is not None for one in values):
        return _("% of baseline")
    return _("% of best") if any(one.of_best is not None for one in values) else ""


def _order(column: OverviewColumn) -> str:
    return "descending" if column.higher_is_better else "ascending"


def _axis_text(one: FactorValue) -> str:
    """Its text, with its title where that says little: `randread`, `Queue depth 8`."""
    needs_title = not isinstance(one.value, str)
    return f"{one.title} {one.text}" if needs_title else one.text


def _telling_axis(overview: Overview) -> str:
    """The axis that alone tells workloads apart: the only one, or the tool; empty where none does."""
    workloads = {row.differs_by for row in overview.rows}
    names = {tuple(one.name for one in own) for own in workloads}
    if len(names) == 1 and len(next(iter(names))) == 1:
        return next(iter(names))[0]
    tools = {one.text for own in workloads for one in own if one.name == "tool"}
    return "tool" if len(tools) == len(workloads) > 1 else ""


def _workload(differs_by: Sequence[FactorValue], axis: str) -> str:
    if axis:
        return next((one.text for one in differs_by if one.name == axis), "")
    return " · ".join(_axis_text(one) for one in differs_by if one.value not in (None, ""))


def _best_values(overview: Overview) -> dict[Hashable, float]:
    """The best of the values that can be held against each other, where there are two."""
    found: dict[Hashable, list[float]] = {}
    better: dict[Hashable, bool] = {}
    for row in overview.rows:
        for cell, column in zip(row.cells, overview.columns, strict=True):
            for one in cell.values:
                if one.value > 0 and column.higher_is_better is not None:
                    place = _place(row, one)
                    found.setdefault(place, []).append(one.value)
                    better[place] = column.higher_is_better
    return {
        place: max(values) if better[place] else min(values)
        for place, values in found.items()
        if len(values) > 1
    }


def _place(row: OverviewRow, value: OverviewValue) -> Hashable:
    """What a value can be held against: the same measure of like runs that moved the same."""
    is_cost = value.measure == str(COST)
    return row.differs_by, value.measure, frozenset(moved_by(row) if is_cost else ())


def _row(row: OverviewRow, view: ComparisonView, shown: _Table) -> ShownRow:
    columns = view.overview.columns if view.overview else ()
    several = row.n > 1 and len(row.runs) <= LISTED_RUNS
    return ShownRow(
        row=row,
        swatch=swatch(row.slot),
        whole=shown.whole.get(row.group, ""),
        workload=_workload(row.differs_by, shown.axis),
        is_baseline=row.group == view.baseline,
        # a name for each run would be half of the page
        apart=f"run={','.join(map(str, row.runs))}&group=run" if several else "",
        against=shown.against.get(row.group, ""),
        cells=tuple(
            _cell(row, cell, cell_texts(row, cell, column, own), shown.best)
            for cell, column, own in zip(row.cells, columns, shown.titles, strict=True)
        ),
    )


def _cell(
    row: OverviewRow,
    cell: OverviewCell,
    lines: tuple[tuple[str, str, str], ...],
    best: Mapping[Hashable, float],
) -> ShownCell:
    first = cell.values[0] if cell.values else None
    return ShownCell(
        exact=first.value if first else None,
        lines=lines,
        notes=cell_notes(cell, row.n),
        level=_level(first.value, best.get(_place(row, first))) if first else None,
        is_doubted=any(one.doubted for one in cell.values),
    )


def _level(value: float, best: float | None) -> int | None:
    """How near it is to the best, which is the largest or the smallest of those beside it."""
    if best is None or value <= 0:
        return None
    return round(LEVELS * min(value / best, best / value))
