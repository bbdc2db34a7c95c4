"""The headline numbers of all groups in one table, before any chart: what people read first."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from statistics import median
from typing import NamedTuple

from django.utils.translation import gettext as _

from benchdash.analysis.differences import modes_of
from benchdash.results.comparison.doubted import concerned
from benchdash.results.comparison.evidence import ByRun, done_for
from benchdash.results.comparison.figures import printed_instead
from benchdash.results.comparison.groups import Group
from benchdash.results.comparison.likeness import LikeRuns
from benchdash.results.comparison.measures import Values
from benchdash.results.comparison.sentences import share_alone
from benchdash.results.comparison.tables import note_text
from benchdash.results.comparison.view import (
    Note,
    Overview,
    OverviewCell,
    OverviewColumn,
    OverviewRow,
    OverviewValue,
)
from benchdash.results.titles import measure_title, metric_title, operation_title
from benchdash.vocabulary.measures import FAMILIES, METRICS, OPERATIONS, MeasureName
from benchdash.vocabulary.measures import shown as in_own_unit
from benchdash.vocabulary.prefixes import ShownUnit, shown_unit

MOST_ROWS = 400
# of one kind of number; with more operations than that, a cell names its own
_MOST_OPERATIONS = 4
# further apart, one unit would show small values as 1.09e-05
_ONE_UNIT = 1e3
# below it in the unit of the largest value, that of the middle is used: 45.8 MB/s for 0.0458 GB/s
_LEGIBLE = 0.1
COST = MeasureName("run", "cpu", "per_byte")

_Place = tuple[int, MeasureName, frozenset[str]]
Shares = Sequence[Mapping[MeasureName, Mapping[str, float | None]]]


class _Row(NamedTuple):
    """A group within a part; the values of its samples, and how many are doubted, by measure."""

    part: int
    like: LikeRuns
    group: Group
    values: dict[MeasureName, list[float]]
    doubted: dict[MeasureName, int]

    def place(self, name: MeasureName) -> _Place:
        """What its value is held against: what a byte costs is of the operations that moved it."""
        moved = {one.operation for one in self.values if one.metric == "throughput"}
        return self.part, name, frozenset(moved if name == COST else ())


def overview_of(
    parts: Sequence[LikeRuns],
    values: Values,
    shares: Shares,
    baseline: str | None,
    *,
    binary: bool,
) -> Overview:
    """A row for each group of each part; `shares` of the baseline are by part, measure and group.

    Without a baseline they are of the best values.
    """
    every: dict[MeasureName, ByRun] = {
        name: own for name, own in values.items() if METRICS[name.metric].family != "cpu"
    }
    if cost := _cost_per_byte(values):
        every[COST] = cost
    groups = [
        _Row(number, like, group, _values(group, every), _doubted(group, every))
        for number, like in enumerate(parts)
        for group in like.groups
    ]
    columns = _columns([row for row in groups if row.values])
    columns += _columns_of_fast(groups, columns, every)
    # one that was too fast for each of them was measured as well
    rows = [
        row
        for row in groups
        if row.values or any(printed_instead(row.group, names) for names in columns)
    ]
    best = {} if baseline else _best_values(rows)
    shares = _with_costs(shares, rows, baseline)
    return Overview(
        columns=tuple(_column(names, rows, binary=binary) for names in columns),
        rows=tuple(_row(row, columns, shares, best) for row in rows[:MOST_ROWS]),
        left_out=max(0, len(rows) - MOST_ROWS),
    )


def operation_titles(overview: Overview) -> tuple[Mapping[str, str], ...]:
    """For each column the words for operations; none where its values do not say what they are of.

    They do where any cell has several, and of what a byte costs where rows moved theirs by
    different operations.
    """
    moved = {moved_by(row) for row in overview.rows}
    values = [one for row in overview.rows for cell in row.cells for one in cell.values]
    operations = dict.fromkeys(one.measure.partition(".")[0] for one in values)
    titles = {operation: operation_title(operation) for operation in operations}
    return tuple(
        titles
        if any(len(row.cells[place].values) > 1 for row in overview.rows)
        or (column.measures == (str(COST),) and len(moved) > 1)
        else {}
        for place, column in enumerate(overview.columns)
    )


def moved_by(row: OverviewRow) -> tuple[str, ...]:
    """The operations that moved bytes, in the order of their columns."""
    names = (one.measure.split(".") for cell in row.cells for one in cell.values)
    return tuple(operation for operation, metric, _statistic in names if metric == "throughput")


def cell_texts(
    row: OverviewRow, cell: OverviewCell, column: OverviewColumn, titles: Mapping[str, str]
) -> tuple[tuple[str, str, str], ...]:
    """Of each value the operation (where the column has `operation_titles`), the number, the share."""
    if not (titles and cell.values):
        operations = [""]
    elif column.measures == (str(COST),):
        operations = [" + ".join(titles[operation] for operation in moved_by(row))]
    else:
        operations = [titles[one.measure.partition(".")[0]] for one in cell.values]
    return tuple(
        (
            operation,
            " / ".join(_text(value, one, column) for value in one.modes or (one.value,)),
            "" if share is None else share_alone(share),
        )
        for operation, one in zip(operations, cell.values, strict=False)
        for share in [one.of_best if one.share is None else one.share]
    )


def cell_notes(cell: OverviewCell, n: int) -> str:
    """What the tool printed in place of values, and of how many of the row's `n` samples there are some."""
    texts = [note_text(one, is_alone=not cell.values) for one in cell.notes]
    fewest = min((one.n for one in cell.values), default=n)
    if fewest < n and not texts:
        texts = [f"n = {fewest}"]
    return _("; ").join(texts)


def _text(value: float, one: OverviewValue, column: OverviewColumn) -> str:
    """The number, with its unit where the column has none for all."""
    if column.shown:
        return column.shown.text(value)
    return in_own_unit(value, one.measure.split(".")[1])


def _cost_per_byte(values: Values) -> ByRun:
    """CPU seconds for each byte, user and system together, of the runs that printed both."""
    spent: dict[int, float] = {}
    for name, own in values.items():
        if name.operation == "run" and METRICS[name.metric].family == "cpu":
            for run, share in own.items():
                spent[run] = spent.get(run, 0.0) + share
    done = done_for(COST, "throughput", values)
    # 0 % is a share too small to be printed, and nothing costs no CPU
    return {run: share / done[run] for run, share in spent.items() if share and done.get(run)}


def _with_costs(shares: Shares, rows: Sequence[_Row], baseline: str | None) -> Shares:
    """The shares, with what a byte costs of what it costs the baseline, where that did the same."""
    base = {
        row.place(COST): median(row.values[COST])
        for row in rows
        if row.group.key == baseline and COST in row.values
    }
    found = [dict(own) for own in shares]
    for row in rows:
        own, cost = row.values.get(COST), base.get(row.place(COST))
        if own and cost and row.group.key != baseline and row.part < len(found):
            share = median(own) / cost
            found[row.part][COST] = {**found[row.part].get(COST, {}), row.group.key: share}
    return found


def _values(group: Group, values: Mapping[MeasureName, ByRun]) -> dict[MeasureName, list[float]]:
    found = {
        name: [own[run.id] for run in group.runs if run.id in own] for name, own in values.items()
    }
    return {name: own for name, own in found.items() if own}


def _doubted(group: Group, values: Mapping[MeasureName, ByRun]) -> dict[MeasureName, int]:
    doubted = [run for run in group.runs if run.doubts]
    return {
        name: sum(run.id in own and concerned(run, name) for run in doubted)
        for name, own in values.items()
    }


def _columns(rows: Sequence[_Row]) -> list[tuple[MeasureName, ...]]:
    """The measures of each column.

    An operation each where at least half of the rows have several; one column for all of them where
    most have one of their own, or where they are too many.
    """
    kinds: dict[tuple[str, str], dict[MeasureName, None]] = {}
    crowded: Counter[tuple[str, str]] = Counter()
    for row in rows:
        own: dict[tuple[str, str], int] = {}
        for name in row.values:
            kind = name.metric, name.statistic
            kinds.setdefault(kind, {})[name] = None
            own[kind] = own.get(kind, 0) + 1
        crowded.update({kind: 1 if count > 1 else -1 for kind, count in own.items()})
    columns: list[tuple[MeasureName, ...]] = []
    for kind in sorted(kinds, key=_place):
        names = sorted(kinds[kind], key=_operation_place)
        if crowded[kind] >= 0 and len(names) <= _MOST_OPERATIONS:
            columns += [(name,) for name in names]
        else:
            columns.append(tuple(names))
    return columns


def _columns_of_fast(
    rows: Sequence[_Row], columns: Sequence[tuple[MeasureName, ...]], every: Collection[MeasureName]
) -> list[tuple[MeasureName, ...]]:
    """A column more for each group that is in none of them: the first measure it was too fast for."""
    added: dict[tuple[MeasureName, ...], None] = {}
    for row in rows if columns else ():
        if row.values or any(printed_instead(row.group, names) for names in (*columns, *added)):
            continue
        noted = [(name,) for name in every if printed_instead(row.group, [name])]
        added |= dict.fromkeys(noted[:1])
    return list(added)


def _place(kind: tuple[str, str]) -> tuple[int, int, str]:
    metric, statistic = kind
    families = list(FAMILIES)
    return families.index(METRICS[metric].family), list(METRICS).index(metric), statistic


def _operation_place(name: MeasureName) -> tuple[int, str]:
    known = list(OPERATIONS)
    place = known.index(name.operation) if name.operation in known else len(known)
    return place, name.operation


def _column(
    names: tuple[MeasureName, ...], rows: Sequence[_Row], *, binary: bool
) -> OverviewColumn:
    first = names[0]
    metric = METRICS[first.metric]
    medians = [median(row.values[name]) for row in rows for name in names if name in row.values]
    shown: ShownUnit | None
    if first == COST:
        title, shown, unit = _("CPU per byte"), _cost_unit(medians), "s/B"
    else:
        title = measure_title(first) if len(names) == 1 else metric_title(first)
        shown, unit = shown_unit(metric, medians, binary=binary), metric.unit
        above = [value for value in medians if value > 0]
        if above and min(above) < _LEGIBLE * shown.factor:
            shown = shown_unit(metric, [math.sqrt(min(above) * max(above))], binary=binary)
        if above and max(above) > _ONE_UNIT * min(above):
            shown = None
    better = _higher_is_better(first)
    return OverviewColumn(
        measures=tuple(map(str, names)),
        title=title,
        unit=unit,
        shown=shown,
        higher_is_better=better,
        best=_best(medians, higher_is_better=better),
    )


def _higher_is_better(name: MeasureName) -> bool | None:
    return False if name == COST else METRICS[name.metric].higher_is_better


def _best_values(rows: Sequence[_Row]) -> dict[_Place, float]:
    """By part, measure and what was done the best median, where there are two to choose from."""
    medians: dict[_Place, list[float]] = {}
    for row in rows:
        for name, own in row.values.items():
            medians.setdefault(row.place(name), []).append(median(own))
    best = {
        place: _best(own, higher_is_better=_higher_is_better(place[1]))
        for place, own in medians.items()
        if len(own) > 1
    }
    return {place: value for place, value in best.items() if value}


def _best(medians: Sequence[float], *, higher_is_better: bool | None) -> float | None:
    if higher_is_better is None or not medians:
        return None
    return max(medians) if higher_is_better else min(medians)


def _cost_unit(values: Iterable[float]) -> ShownUnit:
    return (
        ShownUnit("s/GB", 1e-9) if max(values, default=0.0) >= 1e-9 else ShownUnit("ms/GB", 1e-12)
    )


def _row(
    row: _Row,
    columns: Sequence[tuple[MeasureName, ...]],
    shares: Shares,
    best: Mapping[_Place, float],
) -> OverviewRow:
    own = shares[row.part] if row.part < len(shares) else {}
    return OverviewRow(
        differs_by=row.like.differs_by,
        group=row.group.key,
        label=row.group.label,
        slot=row.group.slot,
        runs=tuple(pk for run in row.group.runs for pk in run.members),
        n=len(row.group.runs),
        doubted=sum(bool(run.doubts) for run in row.group.runs),
        cells=tuple(
            OverviewCell(tuple(_cell(row, names, own, best)), tuple(_notes(row.group, names)))
            for names in columns
        ),
    )


def _notes(group: Group, names: Collection[MeasureName]) -> Iterator[Note]:
    yield from (Note(note, runs) for note, runs in printed_instead(group, names).items())


def _cell(
    row: _Row,
    names: Collection[MeasureName],
    shares: Mapping[MeasureName, Mapping[str, float | None]],
    best: Mapping[_Place, float],
) -> Iterator[OverviewValue]:
    for name in names:
        if own := row.values.get(name):
            modes, its_best = modes_of(own) or (), best.get(row.place(name))
            yield OverviewValue(
                measure=str(name),
                value=median(own),
                n=len(own),
                share=shares.get(name, {}).get(row.group.key),
                modes=tuple(map(median, modes)),
                doubted=row.doubted[name],
                of_best=median(own) / its_best if its_best else None,
            )
