"""The overview of a comparison as its table shows it."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.translation import gettext as _

from benchdash.results.comparison.sentences import percent_text
from benchdash.results.comparison.tables import LISTED_RUNS, swatch
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
from benchdash.results.factors import Factor
from benchdash.results.titles import operation_title
from benchdash.vocabulary.measures import shown as in_own_unit

LEVELS = 8  # shades in frontend/styles/compare.css


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
    """`apart` is empty where a query of its samples would be too long, or it is a single one."""

    row: OverviewRow
    swatch: str
    workload: str
    is_baseline: bool
    apart: str
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
    def has_shares(self) -> bool:
        return any(share for row in self.rows for cell in row.cells for *_, share in cell.lines)


def shown_overview(view: ComparisonView) -> ShownOverview | None:
    """None where there is nothing to lay beside anything, and for links of before there was one."""
    overview = view.overview
    if overview is None or len(overview.rows) < 2:
        return None
    bare = _is_one_axis(overview)
    rows = (_row(row, overview.columns, view.baseline, bare=bare) for row in overview.rows)
    return ShownOverview(overview, tuple(rows))


def _axis_text(one: FactorValue) -> str:
    """Its text, with its title where that says little: `randread`, `Queue depth 8`."""
    says_little = not isinstance(one.value, str)
    return f"{one.title} {one.text}" if says_little else one.text


def _is_one_axis(overview: Overview) -> bool:
    """Whether all rows differ in one and the same axis, which then is the column's title."""
    names = {tuple(one.name for one in row.differs_by) for row in overview.rows}
    return len(names) == 1 and len(next(iter(names))) == 1


def _row(
    row: OverviewRow, columns: tuple[OverviewColumn, ...], baseline: str | None, *, bare: bool
) -> ShownRow:
    several = row.n > 1 and len(row.runs) <= LISTED_RUNS
    return ShownRow(
        row=row,
        swatch=swatch(row.slot),
        workload=" · ".join(
            one.text if bare else _axis_text(one)
            for one in row.differs_by
            if bare or one.value not in (None, "")
        ),
        is_baseline=row.group == baseline,
        apart=Criteria(runs=row.runs, group=(Factor("run"),)).query() if several else "",
        cells=tuple(_cell(cell, column) for cell, column in zip(row.cells, columns, strict=True)),
    )


def _cell(cell: OverviewCell, column: OverviewColumn) -> ShownCell:
    first = cell.values[0] if cell.values else None
    return ShownCell(
        exact=first.value if first else None,
        lines=tuple(
            (
                operation_title(one.measure.partition(".")[0]) if len(cell.values) > 1 else "",
                " / ".join(_text(value, one, column) for value in one.modes or (one.value,)),
                "" if one.share is None else f"{percent_text(one.share)} %",
            )
            for one in cell.values
        ),
        level=_level(first.value, column) if first else None,
        is_doubted=any(one.doubted for one in cell.values),
    )


def _text(value: float, one: OverviewValue, column: OverviewColumn) -> str:
    """The number, with its unit where the column has none for all."""
    if column.shown:
        return column.shown.text(value)
    return in_own_unit(value, one.measure.split(".")[1])


def _level(value: float, column: OverviewColumn) -> int | None:
    if column.higher_is_better is None or not column.best or value <= 0:
        return None
    share = value / column.best if column.higher_is_better else column.best / value
    return round(LEVELS * min(1.0, share))
