"""Latency percentiles of like groups: the tail that a median hides."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from benchdash.analysis.summary import summarise
from benchdash.results.comparison.grouping import Group
from benchdash.results.comparison.measured import Offered, Values
from benchdash.results.parameters import MeasureName
from benchdash.vocabulary.measures import METRICS, percentile

# more lines than this cannot be told apart
MOST_CURVES = 12


@dataclass(frozen=True, slots=True)
class Point:
    """The median over `n` runs of one percentile (0 to 100), in base units."""

    percent: float
    value: float
    n: int


@dataclass(frozen=True, slots=True)
class Curve:
    """One line: points in rising order of percent."""

    label: str
    slot: int
    points: tuple[Point, ...]


@dataclass(frozen=True, slots=True)
class Curves:
    """The curves of one metric of one operation; `left_out` counts groups beyond the twelfth."""

    operation: str
    metric: str
    curves: tuple[Curve, ...]
    left_out: int = 0


def percentiles_behind(
    measures: Sequence[MeasureName], offers: Sequence[Offered]
) -> list[MeasureName]:
    """All percentiles of each latency that is among `measures`."""
    latencies = _latencies(measures)
    return [
        offer.measure
        for offer in offers
        if (offer.measure.operation, offer.measure.metric) in latencies
        and percentile(offer.measure.statistic) is not None
    ]


def curves_of(values: Values, groups: Sequence[Group]) -> tuple[Curves, ...]:
    """The curves of each latency whose percentiles are in `values`, where a group has two."""
    found = []
    percentiles = [name for name in values if percentile(name.statistic) is not None]
    for operation, metric in _latencies(percentiles):
        names = [one for one in percentiles if (one.operation, one.metric) == (operation, metric)]
        every = [_curve(group, names, values) for group in groups]
        drawn = [curve for curve in every if len(curve.points) > 1]
        if drawn:
            shown = tuple(drawn[:MOST_CURVES])
            found.append(Curves(operation, metric, shown, len(drawn) - len(shown)))
    return tuple(found)


def _latencies(measures: Sequence[MeasureName]) -> dict[tuple[str, str], None]:
    return dict.fromkeys(
        (measure.operation, measure.metric)
        for measure in measures
        if METRICS[measure.metric].family == "latency"
    )


def _curve(group: Group, names: Sequence[MeasureName], values: Values) -> Curve:
    points = (_point(group, name, values[name]) for name in names)
    known = sorted((point for point in points if point), key=lambda point: point.percent)
    return Curve(group.label, group.slot, tuple(known))


def _point(group: Group, name: MeasureName, values: dict[int, float]) -> Point | None:
    summary = summarise([values[run.id] for run in group.runs if run.id in values])
    percent = percentile(name.statistic)
    if summary is None or percent is None:
        return None
    return Point(percent, summary.median, summary.n)
