"""The numbers of the chosen runs: which measures there are, and the values of those to show."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass

from django.db.models import Count

from benchdash.results.comparison.records import SelectedRun
from benchdash.results.criteria import Criteria
from benchdash.results.models import Measure, Measurement
from benchdash.results.parameters import MeasureName
from benchdash.vocabulary.measures import FAMILIES, METRICS, OPERATIONS, STATISTICS, percentile

Values = dict[MeasureName, dict[int, float]]
# of a family the headline numbers; all others are there to be chosen one by one
_HEADLINES = {"latency": ("mean", "p99", "max")}
_USUAL = ("mean", "total")
_RATES = ("throughput", "iops", "transactions", "metadata")
# dbench prints no mean
_LATENCIES = (
    ("latency", "mean"),
    ("completion_latency", "mean"),
    ("latency", "max"),
)


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


def read_numbers(runs: Sequence[SelectedRun], criteria: Criteria) -> Numbers:
    """What there is to show, and the values of what is shown; four queries at most."""
    offers = offered(runs)
    shown = values_of(wanted(offers, criteria), offers, runs)
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
    """All measures of the runs, noted ones too, in the order of the vocabulary; two queries."""
    counts = dict(
        Measurement.objects.filter(run__in=[run.id for run in runs])
        .values_list("measure")
        .annotate(runs=Count("run"))
        .values_list("measure", "runs")
    )
    rows = Measure.objects.filter(pk__in=counts).values_list(
        "pk", "operation", "metric", "statistic"
    )
    found = {MeasureName(*words): (counts[pk], pk) for pk, *words in rows}
    noted = {
        MeasureName(note["operation"], note["metric"], "mean") for run in runs for note in run.notes
    }
    every = found | {name: (0, None) for name in noted if name not in found}
    return [Offered(name, *every[name]) for name in sorted(every, key=_place)]


def wanted(offers: Sequence[Offered], criteria: Criteria) -> list[MeasureName]:
    """The measures asked for; where none are, those of the first family that was measured."""
    if criteria.measures:
        return list(criteria.measures)
    families = criteria.families or first_family(offers)
    return [
        offer.measure
        for family in families
        for offer in offers
        if METRICS[offer.measure.metric].family == family and _is_headline(offer.measure, family)
    ]


def first_family(offers: Iterable[Offered]) -> tuple[str, ...]:
    """The first family, in the order of the vocabulary, that has a measure."""
    return first_family_of(METRICS[offer.measure.metric].family for offer in offers)


def first_family_of(families: Iterable[str]) -> tuple[str, ...]:
    """The one of `families` that the vocabulary has first."""
    there = set(families)
    return tuple(family for family in FAMILIES if family in there)[:1]


def values_of(
    measures: Sequence[MeasureName], offers: Sequence[Offered], runs: Sequence[SelectedRun]
) -> Values:
    """`{measure: {run id: value}}`; one query."""
    names = {
        offer.number: offer.measure
        for offer in offers
        if offer.number is not None and offer.measure in measures
    }
    rows = Measurement.objects.filter(
        measure__in=list(names), run__in=[run.id for run in runs]
    ).values_list("measure", "run", "value")
    values: Values = {name: {} for name in measures}
    for number, run, value in rows:
        values[names[number]][run] = value
    return values


def latency_of(measure: MeasureName, there: Collection[MeasureName]) -> MeasureName | None:
    """The latency, among those that are there, of what `measure` counts by the second."""
    if METRICS[measure.metric].family not in _RATES:
        return None
    names = (MeasureName(measure.operation, *words) for words in _LATENCIES)
    return next((name for name in names if name in there), None)


def is_latency(measure: MeasureName) -> bool:
    """True for what percentiles are drawn of."""
    return METRICS[measure.metric].family == "latency"


def _is_headline(measure: MeasureName, family: str) -> bool:
    # dbench's rows a call are twenty charts of their own
    return measure.operation in OPERATIONS and measure.statistic in _HEADLINES.get(family, _USUAL)


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
