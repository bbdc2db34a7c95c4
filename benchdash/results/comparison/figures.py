"""One measure over like groups: what a chart and its table show."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from benchdash.analysis.intervals import Interval, Kind, interval, ratio, ratio_interval
from benchdash.analysis.scales import spans_decades
from benchdash.analysis.summary import Summary, summarise
from benchdash.results.comparison.charts import chart_of, number_place, slots
from benchdash.results.comparison.grouping import Group
from benchdash.results.criteria import Criteria
from benchdash.results.parameters import MeasureName
from benchdash.vocabulary.measures import METRICS, Metric

Verdict = Literal["better", "worse", "no_difference", "unknown"]


@dataclass(frozen=True, slots=True)
class Row:
    """One group: its single values by run, what they amount to, and against the baseline.

    `notes` counts the runs whose tool declined to print a value, by what it said instead.
    """

    group: Group
    values: dict[int, float]
    summary: Summary | None
    interval: Interval | None
    ratio: float | None
    ratio_interval: Interval | None
    notes: dict[str, int]
    verdict: Verdict


@dataclass(frozen=True, slots=True)
class Figure:
    """A measure, its rows, the axis that shows all of them, and the chart.

    `along` is the place, among a group's values, of the number that lines run along. `latency` has
    the same groups, for a second plot.
    """

    measure: MeasureName
    rows: tuple[Row, ...]
    axis: str
    chart: str
    along: int | None
    latency: Figure | None = None

    @property
    def metric(self) -> Metric:
        return METRICS[self.measure.metric]

    @property
    def slots(self) -> list[int]:
        """The colour of each row."""
        return slots(self.chart, self.along, [row.group for row in self.rows])


def figure(
    measure: MeasureName,
    values: dict[int, float],
    groups: Sequence[Group],
    baseline: str | None,
    criteria: Criteria,
) -> Figure | None:
    """The figure of one measure; None where no group has a value or a note of it."""
    base = next((_own(group, values) for group in groups if group.key == baseline), {})
    rows = tuple(_row(measure, group, values, base, group.key == baseline) for group in groups)
    if not any(row.values or row.notes for row in rows):
        return None
    chart = chart_of(criteria, groups, has_baseline=any(row.ratio is not None for row in rows))
    return Figure(measure, rows, _axis(rows, criteria), chart, number_place(groups))


def _own(group: Group, values: dict[int, float]) -> dict[int, float]:
    return {run.id: values[run.id] for run in group.runs if run.id in values}


def _row(
    measure: MeasureName,
    group: Group,
    values: dict[int, float],
    base: dict[int, float],
    is_baseline: bool,
) -> Row:
    own = _own(group, values)
    repeats, against = list(own.values()), list(base.values())
    uncertain = None if is_baseline else ratio_interval(repeats, against)
    return Row(
        group=group,
        values=own,
        summary=summarise(repeats),
        interval=interval(repeats),
        ratio=ratio(repeats, against),
        ratio_interval=uncertain,
        notes=_notes(measure, group),
        verdict=_verdict(uncertain, METRICS[measure.metric].higher_is_better),
    )


def _notes(measure: MeasureName, group: Group) -> dict[str, int]:
    said = (measure.operation, measure.metric)
    return dict(
        Counter(
            note["note"]
            for run in group.runs
            for note in run.notes
            if (note["operation"], note["metric"]) == said
        )
    )


def _verdict(against: Interval | None, higher_is_better: bool | None) -> Verdict:
    """Only a bootstrap interval carries one: a range of a few runs says too little."""
    if against is None or against.kind is not Kind.BOOTSTRAP or higher_is_better is None:
        return "unknown"
    if against.holds(1):
        return "no_difference"
    return "better" if (against.low > 1) is higher_is_better else "worse"


def _axis(rows: Sequence[Row], criteria: Criteria) -> str:
    if criteria.axis != "auto":
        return criteria.axis
    medians = [row.summary.median for row in rows if row.summary]
    return "log" if spans_decades(medians) else "linear"
