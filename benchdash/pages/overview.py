"""The overview of a comparison as its table shows it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.utils.translation import gettext as _

from benchdash.results.comparison.overview import cell_texts
from benchdash.results.comparison.tables import LISTED_RUNS, swatch
from benchdash.results.comparison.view import (
    ComparisonView,
    FactorValue,
    Overview,
    OverviewCell,
    OverviewColumn,
    OverviewRow,
)
from benchdash.results.criteria import Criteria

LEVELS = 8  # shades in frontend/styles/overview.css


@dataclass(frozen=True, slots=True)
class ShownCell:
    """`exact` sorts; each of `lines` is operation (where it needs saying), number, share.

    `level` is from 0 to `LEVELS`, the best of a column; None where no way is better.
    """

    exact: float | None
    lines: tuple[tuple[str, str, str], ...]
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
class ShownOverview:
    """The view, and its rows in words."""

    view: Overview
    rows: tuple[ShownRow, ...]

    @property
    def parts_title(self) -> str:
        """In what rows differ that were measured differently; empty where they do not."""
        names = {tuple(one.title for one in row.row.differs_by) for row in self.rows}
        if not any(names):
            return ""
        return next(iter(names))[0] if _is_one_axis(self.view) else _("Workload")

    @property
    def unshared(self) -> int:
        """In how many columns a row has nothing: those that not all groups can be compared by."""
        columns = zip(*(row.cells for row in self.rows), strict=True)
        return sum(not all(cell.lines for cell in column) for column in columns)

    @property
    def has_shares(self) -> bool:
        return any(share for row in self.rows for cell in row.cells for *_, share in cell.lines)

    @property
    def has_averages(self) -> bool:
        """Whether a share can be another than that of the medians beside it."""
        return any(row.n > 1 for row in self.view.rows)


class _ByGroup(NamedTuple):
    """By key of a group: the query that makes it the baseline, the colour of its line, its whole name."""

    against: Mapping[str, str]
    slots: Mapping[str, int]
    whole: Mapping[str, str]


def shown_overview(view: ComparisonView, criteria: Criteria | None = None) -> ShownOverview | None:
    """None where there is nothing to lay beside anything, and for links of before there was one.

    Without `criteria` it stands still: nothing leads to another baseline.
    """
    overview = view.overview
    if overview is None or len(overview.rows) < 2:
        return None
    bare = _is_one_axis(overview)
    against = {}
    if criteria and len(view.groups) > 1:
        keys = (group.key for group in view.groups if group.key != view.baseline)
        against = {key: criteria.changed(baseline=key).query() for key in keys}
    # a line has one colour, that of its groups
    drawn = (figure for part in view.sections for figure in part.figures if figure.chart == "lines")
    slots = {row.group: row.slot for figure in drawn for row in figure.rows}
    whole = {group.key: group.whole for group in view.groups}
    groups = _ByGroup(against, slots, whole)
    rows = (_row(row, view, groups, bare=bare) for row in overview.rows)
    return ShownOverview(overview, tuple(rows))


def _axis_text(one: FactorValue) -> str:
    """Its text, with its title where that says little: `randread`, `Queue depth 8`."""
    needs_title = not isinstance(one.value, str)
    return f"{one.title} {one.text}" if needs_title else one.text


def _is_one_axis(overview: Overview) -> bool:
    """Whether all rows differ in one and the same axis, which then is the column's title."""
    names = {tuple(one.name for one in row.differs_by) for row in overview.rows}
    return len(names) == 1 and len(next(iter(names))) == 1


def _row(row: OverviewRow, view: ComparisonView, groups: _ByGroup, *, bare: bool) -> ShownRow:
    columns = view.overview.columns if view.overview else ()
    several = row.n > 1 and len(row.runs) <= LISTED_RUNS
    return ShownRow(
        row=row,
        swatch=swatch(groups.slots.get(row.group, row.slot)),
        whole=groups.whole.get(row.group, ""),
        workload=" · ".join(
            one.text if bare else _axis_text(one)
            for one in row.differs_by
            if bare or one.value not in (None, "")
        ),
        is_baseline=row.group == view.baseline,
        # a name for each run would be half of the page
        apart=f"run={','.join(map(str, row.runs))}&group=run" if several else "",
        against=groups.against.get(row.group, ""),
        cells=tuple(_cell(cell, column) for cell, column in zip(row.cells, columns, strict=True)),
    )


def _cell(cell: OverviewCell, column: OverviewColumn) -> ShownCell:
    first = cell.values[0] if cell.values else None
    return ShownCell(
        exact=first.value if first else None,
        lines=cell_texts(cell, column),
        level=_level(first.value, column) if first else None,
        is_doubted=any(one.doubted for one in cell.values),
    )


def _level(value: float, column: OverviewColumn) -> int | None:
    if column.higher_is_better is None or not column.best or value <= 0:
        return None
    share = value / column.best if column.higher_is_better else column.best / value
    return round(LEVELS * min(1.0, share))
