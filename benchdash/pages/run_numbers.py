"""All numbers of one run as tables: operations and metrics down, statistics across."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.utils.functional import cached_property

from benchdash.parsers.result import Name
from benchdash.results.comparison.percentiles import Curve, Curves, Point
from benchdash.results.models import Run
from benchdash.vocabulary.measures import METRICS, OPERATIONS, STATISTICS, percentile

MOST_COLUMNS = 6


@dataclass(slots=True)
class MetricRow:
    """One metric of an operation: values beside `Numbers.statistics`, None where not printed."""

    metric: str
    by_statistic: dict[str, float] = field(default_factory=dict)
    note: str = ""


@dataclass(slots=True)
class OperationRows:
    """What was measured while the tool did one thing."""

    operation: str
    rows: dict[str, MetricRow] = field(default_factory=dict)

    def row(self, metric: str) -> MetricRow:
        return self.rows.setdefault(metric, MetricRow(metric))


@dataclass(frozen=True)
class Numbers:
    """Every number of a run, and the values that its tool declined to print."""

    by_name: dict[Name, float]
    statistics: list[str]
    operations: list[OperationRows]
    percentiles: list[Curves]

    @cached_property
    def columns(self) -> list[tuple[str, str]]:
        """(metric, statistic) as columns, where these are few; else none, and metrics are rows."""
        rows = [row for operation in self.operations for row in operation.rows.values()]
        found = {(row.metric, name) for row in rows for name in row.by_statistic or ("mean",)}
        places = {name: place for place, name in enumerate(STATISTICS)}
        columns = sorted(found, key=lambda pair: (_METRIC_PLACE[pair[0]], places[pair[1]]))
        return columns if len(columns) <= MOST_COLUMNS else []

    @cached_property
    def cells(self) -> list[tuple[str, list[tuple[str, str, float | None, str]]]]:
        """(operation, (metric, statistic, value, note) for each column)."""
        return [
            (each.operation, [_cell(each, *column) for column in self.columns])
            for each in self.operations
        ]


def numbers_of(run: Run) -> Numbers:
    """The measurements and notes of `run`, in the order of the vocabulary; one query."""
    found = run.measurements.values_list(
        "measure__operation", "measure__metric", "measure__statistic", "value"
    )
    by_name = {(o, m, s): value for o, m, s, value in found}
    operations: dict[str, OperationRows] = {}
    curves: dict[tuple[str, str], list[Point]] = {}
    for operation, metric, statistic, value in sorted(found, key=lambda row: _place(*row[:3])):
        percent = percentile(statistic)
        if percent is not None:
            curves.setdefault((operation, metric), []).append(Point(percent, value, 1))
            continue
        rows = operations.setdefault(operation, OperationRows(operation))
        rows.row(metric).by_statistic[statistic] = value
    for note in run.notes:
        rows = operations.setdefault(note["operation"], OperationRows(note["operation"]))
        rows.row(note["metric"]).note = note["note"]
    printed = {
        s for rows in operations.values() for r in rows.rows.values() for s in r.by_statistic
    }
    return Numbers(
        by_name,
        [statistic for statistic in STATISTICS if statistic in printed],
        list(operations.values()),
        [_alone(*name, points) for name, points in curves.items()],
    )


_METRIC_PLACE = {name: place for place, name in enumerate(METRICS)}
_OPERATION_PLACE = {name: place for place, name in enumerate(OPERATIONS)}


def _alone(operation: str, metric: str, points: list[Point]) -> Curves:
    rising = tuple(sorted(points, key=lambda point: point.percent))
    return Curves(operation, metric, (Curve("", 0, rising),))


def _place(operation: str, metric: str, statistic: str) -> tuple[int, str, int, str]:
    place = _OPERATION_PLACE.get(operation, len(OPERATIONS))
    return place, operation, _METRIC_PLACE[metric], statistic


def _cell(rows: OperationRows, metric: str, statistic: str) -> tuple[str, str, float | None, str]:
    row = rows.rows.get(metric)
    if row is None:
        return metric, statistic, None, ""
    return metric, statistic, row.by_statistic.get(statistic), row.note
