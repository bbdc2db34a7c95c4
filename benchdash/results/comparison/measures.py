"""The numbers of runs: which measures there are, the values of those to show, the first of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count

from benchdash.results.comparison.records import SelectedRun
from benchdash.results.criteria import Criteria
from benchdash.results.models import Measure, Measurement, Run
from benchdash.vocabulary.measures import (
    FAMILIES,
    METRICS,
    OPERATIONS,
    STATISTICS,
    MeasureName,
    percentile,
)
from benchdash.vocabulary.tools import TOOLS

Values = dict[MeasureName, dict[int, float]]
# of a family the statistics shown by default; all others are there to be chosen one by one
_SHOWN_STATISTICS = {"latency": ("mean", "p99", "max")}
_USUAL_STATISTICS = ("mean", "total")
_RATES = ("throughput", "iops", "transactions", "metadata")
# dbench prints no mean
_LATENCIES = (
    ("latency", "mean"),
    ("completion_latency", "mean"),
    ("latency", "max"),
)
_HEADLINE_RANKS = {
    name: {measure: rank for rank, measure in enumerate(tool.headlines)}
    for name, tool in TOOLS.items()
}


@dataclass(frozen=True, slots=True)
class Offered:
    """A measure that some of the runs have, and how many of them."""

    measure: MeasureName
    runs: int
    number: int | None  # its row; None where every run declined to print it


@dataclass(frozen=True, slots=True)
class Numbers:
    """The values that figures show, those behind their curves and second plots, all that there is."""

    shown: Values
    beside: Values
    offers: tuple[Offered, ...] = ()


@dataclass(frozen=True, slots=True)
class Headline:
    """One of the few numbers of a run that people look for first: a mean in base units."""

    operation: str
    metric: str
    value: float


def read_numbers(runs: Sequence[SelectedRun], criteria: Criteria) -> Numbers:
    """What there is to show, and the values of what is shown; three queries at most."""
    offers = offered(runs)
    shown = values_of(wanted([offer.measure for offer in offers], criteria), offers, runs)
    beside: dict[MeasureName, None] = {}
    if criteria.latency:
        there = {offer.measure for offer in offers}
        beside |= dict.fromkeys(name for one in shown if (name := latency_of(one, there)))
    tails = {(name.operation, name.metric) for name in shown if is_latency(name)}
    beside |= dict.fromkeys(
        offer.measure
        for offer in offers
        if (offer.measure.operation, offer.measure.metric) in tails
        and percentile(offer.measure.statistic) is not None
    )
    return Numbers(shown, values_of(list(beside), offers, runs), tuple(offers))


def offered(runs: Sequence[SelectedRun]) -> list[Offered]:
    """All measures of the runs, noted ones too, in the order of the vocabulary; one query."""
    rows = (
        Measure.objects.filter(measurements__run__in=[run.id for run in runs])
        .annotate(runs=Count("measurements"))
        .values_list("pk", "operation", "metric", "statistic", "runs")
    )
    found = {MeasureName(*words): (runs, pk) for pk, *words, runs in rows}
    noted = {
        MeasureName(note["operation"], note["metric"], "mean") for run in runs for note in run.notes
    }
    every = found | {name: (0, None) for name in noted if name not in found}
    return [Offered(name, *every[name]) for name in in_order(every)]


def wanted(there: Sequence[MeasureName], criteria: Criteria) -> list[MeasureName]:
    """The requested measures; without a request, of those that are there, the first family's."""
    if criteria.measures:
        return list(criteria.measures)
    return [
        measure
        for family in criteria.families or first_family(there)
        for measure in there
        if METRICS[measure.metric].family == family and _is_shown_by_default(measure, family)
    ]


def first_family(measures: Iterable[MeasureName]) -> tuple[str, ...]:
    """The family, of those that have a measure, that the vocabulary has first."""
    there = {METRICS[measure.metric].family for measure in measures}
    return tuple(family for family in FAMILIES if family in there)[:1]


def in_order(measures: Iterable[MeasureName]) -> list[MeasureName]:
    """As the vocabulary has them."""
    return sorted(measures, key=_place)


def values_of(
    measures: Sequence[MeasureName], offers: Sequence[Offered], runs: Sequence[SelectedRun]
) -> Values:
    """`{measure: {run id: value}}`; one query, none for no measure."""
    names = {
        offer.number: offer.measure
        for offer in offers
        if offer.number is not None and offer.measure in measures
    }
    values: Values = {name: {} for name in measures}
    if not names:
        return values
    rows = Measurement.objects.filter(
        measure__in=list(names), run__in=[run.id for run in runs]
    ).values_list("measure", "run", "value")
    for number, run, value in rows:
        values[names[number]][run] = value
    return values


def means_of(runs: Collection[int]) -> dict[int, dict[MeasureName, float]]:
    """`{run id: {measure: mean}}`, without dbench's rows a call; one query."""
    rows = Measurement.objects.filter(
        run__in=runs, measure__statistic="mean", measure__operation__in=OPERATIONS
    ).values_list("run", "measure__operation", "measure__metric", "value")
    found: dict[int, dict[MeasureName, float]] = defaultdict(dict)
    for run, operation, metric, value in rows:
        found[run][MeasureName(operation, metric, "mean")] = value
    return found


def headlines(runs: Iterable[Run], count: int) -> dict[int, list[Headline]]:
    """Up to `count` means for each run id, in the order of its tool; one query for all runs."""
    ranks = {run.pk: _HEADLINE_RANKS.get(run.tool, {}) for run in runs}
    found = {}
    for run, means in means_of(ranks).items():
        own = [name for name in means if name[:2] in ranks[run]]
        own.sort(key=lambda name: ranks[run][name[:2]])
        if own:
            found[run] = [Headline(*name[:2], means[name]) for name in own[:count]]
    return found


def latency_of(measure: MeasureName, there: Collection[MeasureName]) -> MeasureName | None:
    """The latency, among those that are there, of what `measure` counts by the second."""
    if METRICS[measure.metric].family not in _RATES:
        return None
    names = (MeasureName(measure.operation, *words) for words in _LATENCIES)
    return next((name for name in names if name in there), None)


def is_latency(measure: MeasureName) -> bool:
    """True for what percentiles are drawn of."""
    return METRICS[measure.metric].family == "latency"


def _is_shown_by_default(measure: MeasureName, family: str) -> bool:
    # dbench's rows a call are twenty charts of their own
    return measure.operation in OPERATIONS and measure.statistic in _SHOWN_STATISTICS.get(
        family, _USUAL_STATISTICS
    )


def _place(measure: MeasureName) -> tuple[int | str, ...]:
    return (
        _FAMILY_ORDER.index(METRICS[measure.metric].family),
        _OPERATION_ORDER.get(measure.operation, len(_OPERATION_ORDER)),
        measure.operation,
        _METRIC_ORDER.index(measure.metric),
        STATISTICS.index(measure.statistic) if measure.statistic in STATISTICS else len(STATISTICS),
        measure.statistic,
    )


_FAMILY_ORDER = tuple(FAMILIES)
_METRIC_ORDER = tuple(METRICS)
_OPERATION_ORDER = {name: place for place, name in enumerate(OPERATIONS)}
