"""The numbers of samples: which measures there are, the values of those to show, the first of each."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import zip_longest
from types import MappingProxyType
from typing import Any, NamedTuple

from django.db.models import Count, F, QuerySet

from benchdash.analysis.joining import Bins, bins_of, helpers, join, join_percentile
from benchdash.prepared import OneOf, Prepared
from benchdash.results.comparison.evidence import needed_beside
from benchdash.results.comparison.selected_runs import SelectedRun
from benchdash.results.criteria import Criteria
from benchdash.results.models import Measure, Measurement, Run
from benchdash.results.parameters import BESIDE_RATES
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
# of latency beside other families, by operation: one typical number and one of the tail
_FEW_LATENCIES = (_LATENCIES, (("completion_latency", "p99"), ("latency", "p99")))
_MOST_FAMILIES = 3
_HEADLINE_RANKS = {
    name: {measure: rank for rank, measure in enumerate(tool.headlines)}
    for name, tool in TOOLS.items()
}


@dataclass(frozen=True, slots=True)
class Offered:
    """A measure that some of the samples have, and how many of them."""

    measure: MeasureName
    samples: int
    number: int | None  # its row; None where every run declined to print it


@dataclass(frozen=True, slots=True)
class Numbers:
    """The values that figures show, those behind their curves and second plots, all that there is.

    `overview` has those of the table before the figures.
    """

    shown: Values
    beside: Values
    offers: tuple[Offered, ...] = ()
    overview: Values = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Headline:
    """One of the few numbers of a run that people look for first: a mean in base units."""

    operation: str
    metric: str
    value: float


def read_numbers(
    runs: Sequence[SelectedRun], criteria: Criteria, *, with_overview: bool = True
) -> Numbers:
    """What there is to show, and the values of what is shown; three queries at most."""
    offers = offered(runs)
    there = [offer.measure for offer in offers]
    printed = [offer.measure for offer in offers if offer.number is not None]
    shown = wanted(there, criteria, {run.tool for run in runs})
    beside: dict[MeasureName, None] = {}
    if criteria.latency in BESIDE_RATES:
        beside |= dict.fromkeys(name for one in shown if (name := latency_of(one, set(there))))
    tails = {(name.operation, name.metric) for name in shown if is_latency(name)}
    beside |= dict.fromkeys(
        name
        for name in there
        if (name.operation, name.metric) in tails and percentile(name.statistic) is not None
    )
    beside |= dict.fromkeys(needed_beside(shown, printed))
    overview = headline_measures(there, runs) if with_overview else []
    values = values_of(list(dict.fromkeys([*shown, *beside, *overview])), offers, runs)
    return Numbers(
        shown={name: values[name] for name in shown},
        beside={name: values[name] for name in beside},
        offers=tuple(offers),
        overview={name: values[name] for name in overview},
    )


def headline_measures(
    there: Sequence[MeasureName], runs: Sequence[SelectedRun]
) -> list[MeasureName]:
    """What people look for first, of the tools at hand; with the CPU of whole runs, for its cost."""
    found: dict[MeasureName, None] = {}
    for tool in dict.fromkeys(run.tool for run in runs if run.tool in TOOLS):
        means = [MeasureName(*name, "mean") for name in TOOLS[tool].headlines]
        found |= dict.fromkeys(name for name in means if not is_latency(name))
        for alternatives in (*TOOLS[tool].primary, *TOOLS[tool].primary_of_large_blocks):
            found |= dict.fromkeys([name for name in alternatives if name in there][:1])
    found |= dict.fromkeys(
        name for name in there if name.operation == "run" and METRICS[name.metric].family == "cpu"
    )
    return in_order(name for name in found if name in there and "char" not in name.operation)


def offered(runs: Sequence[SelectedRun]) -> list[Offered]:
    """All measures of the samples, noted ones too, in the order of the vocabulary; one query."""
    every = [pk for run in runs for pk in run.members]
    counted = _COUNTED_SAMPLES if len(every) > len(runs) else _COUNTED
    found = {MeasureName(*words): (samples, pk) for pk, *words, samples in counted(every)}
    noted = {
        MeasureName(note["operation"], note["metric"], "mean") for run in runs for note in run.notes
    }
    names = found | {name: (0, None) for name in noted if name not in found}
    return [Offered(name, *names[name]) for name in in_order(names)]


def _counted(runs: Sequence[int], of: str, *, distinct: bool) -> QuerySet[Measure, Any]:
    there = Measure.objects.filter(OneOf(F("measurements__run_id"), runs))
    counted = there.annotate(samples=Count(of, distinct=distinct))
    return counted.values_list("pk", "operation", "metric", "statistic", "samples")


_COUNTED = Prepared(partial(_counted, of="measurements", distinct=False))
_COUNTED_SAMPLES = Prepared(partial(_counted, of="measurements__run__sample", distinct=True))


def wanted(
    there: Sequence[MeasureName], criteria: Criteria, tools: Collection[str]
) -> list[MeasureName]:
    """The requested measures; without a request, of those that are there, a few families' main ones."""
    if criteria.measures:
        return list(criteria.measures)
    found = [
        measure
        for family in criteria.families or headline_families(there, tools)
        for measure in there
        if METRICS[measure.metric].family == family and _is_shown_by_default(measure, family)
    ]
    return found if criteria.families else [name for name in found if _is_main(name, there)]


def headline_families(there: Iterable[MeasureName], tools: Collection[str]) -> tuple[str, ...]:
    """Three families of the headlines of `tools` that have a measure: the first of each tool, then the next.

    Of more than three tools each has its first. Where there is none, the one that the vocabulary has
    first.
    """
    families = {METRICS[measure.metric].family for measure in there}
    by_tool = [
        list(dict.fromkeys(METRICS[metric].family for _operation, metric in TOOLS[tool].headlines))
        for tool in sorted(TOOLS.keys() & set(tools))
    ]
    own = [[family for family in looked_for if family in families] for looked_for in by_tool]
    in_turn = dict.fromkeys(family for each in zip_longest(*own) for family in each if family)
    firsts = {looked_for[0] for looked_for in own if looked_for}
    first = list(in_turn)[: max(_MOST_FAMILIES, len(firsts))]
    return tuple(first or [family for family in FAMILIES if family in families][:1])


def in_order(measures: Iterable[MeasureName]) -> list[MeasureName]:
    """As the vocabulary has them."""
    return sorted(measures, key=_place)


def values_of(
    measures: Sequence[MeasureName], offers: Sequence[Offered], runs: Sequence[SelectedRun]
) -> Values:
    """`{measure: {id of a sample's first run: value}}`; two queries, none for no measure."""
    several = [run for run in runs if len(run.runs) > 1]
    wanted_names = set(measures)
    if several:
        wanted_names |= {name for measure in measures for name in helpers(measure)}
    names = {
        offer.number: offer.measure
        for offer in offers
        if offer.number is not None and offer.measure in wanted_names
    }
    values: Values = {name: {} for name in [*measures, *names.values()]}
    if names:
        members = [pk for run in runs for pk in run.members]
        for run_id, number, value in _VALUES(members, names):
            # nothing takes no time: it was too short for the figures printed, or nothing was done
            if value or not is_latency(names[number]):
                values[names[number]][run_id] = value
    if several:
        _join(values, measures, several)
    return {name: values[name] for name in measures}


_VALUES = Prepared(
    lambda runs, measures: Measurement.objects.filter(
        OneOf(F("run_id"), runs), OneOf(F("measure_id"), measures)
    ).values_list("run", "measure", "value")
)


def _join(values: Values, measures: Sequence[MeasureName], several: Sequence[SelectedRun]) -> None:
    """What the runs of each sample amount to, in place of their own numbers."""
    percentiles = [name for name in measures if percentile(name.statistic) is not None]
    bins = _bins(several, percentiles) if percentiles else {}
    for run in several:
        parts = [{name: own[pk] for name, own in values.items() if pk in own} for pk in run.runs]
        for name in measures:
            percent = percentile(name.statistic)
            if percent is None:
                value = join(name, parts)
            else:
                value = _joined_percentile(percent, name, run.runs, values[name], bins)
            for pk in run.runs:
                values[name].pop(pk, None)
            if value is not None:
                values[name][run.id] = value


def _joined_percentile(
    percent: float,
    name: MeasureName,
    runs: Sequence[int],
    own: Mapping[int, float],
    bins: Mapping[tuple[int, MeasureName], Bins],
) -> float | None:
    """Out of the bins of all runs that measured it; None where one printed none."""
    kind = name._replace(statistic="")
    parts = [bins.get((pk, kind)) for pk in runs if pk in own]
    return join_percentile(percent, [part for part in parts if part]) if all(parts) else None


def _bins(
    several: Sequence[SelectedRun], percentiles: Iterable[MeasureName]
) -> dict[tuple[int, MeasureName], Bins]:
    """The bins of each run and latency; one query."""
    kinds = {name._replace(statistic="") for name in percentiles}
    rows = Run.objects.filter(pk__in=[pk for run in several for pk in run.runs])
    return {
        (pk, kind): bins
        for pk, details in rows.values_list("pk", "details")
        for kind in kinds
        if (bins := bins_of(details, kind))
    }


class Members(NamedTuple):
    """The ids of a sample's runs, and that of the run which stands for it."""

    id: int
    runs: tuple[int, ...]

    @property
    def members(self) -> tuple[int, ...]:
        return self.runs


def means_of(runs: Sequence[SelectedRun | Members]) -> dict[int, dict[MeasureName, float]]:
    """`{id of a sample's first run: {measure: mean}}`, without dbench's rows a call; one query."""
    several = [run for run in runs if len(run.runs) > 1]
    # a sample of several runs is joined with the help of their totals
    statistics = ("mean", "total") if several else ("mean",)
    found = _means([pk for run in runs for pk in run.members], statistics)
    for run in several:
        parts = [found.pop(pk, {}) for pk in run.runs]
        joined = {name: join(name, parts) for name in dict.fromkeys(n for p in parts for n in p)}
        found[run.id] = {name: value for name, value in joined.items() if value is not None}
    if several:
        found = {
            pk: {name: value for name, value in own.items() if name.statistic == "mean"}
            for pk, own in found.items()
        }
    return found


def _means(
    runs: Collection[int], statistics: tuple[str, ...] = ("mean",)
) -> dict[int, dict[MeasureName, float]]:
    found: dict[int, dict[MeasureName, float]] = defaultdict(dict)
    names: dict[tuple[str, ...], MeasureName] = {}  # a few, each of which many runs have
    for row in _MEANS[statistics](runs):
        words = row[2:]
        if words not in names:
            names[words] = MeasureName(*words)
        found[row[0]][names[words]] = row[1]
    return found


def _means_in_rows(statistics: Sequence[str], runs: Sequence[int]) -> QuerySet[Measurement, Any]:
    # joined: by the keys of measures PostgreSQL would look up each run with each of them
    rows = Measurement.objects.filter(
        OneOf(F("run_id"), runs),
        measure__statistic__in=statistics,
        measure__operation__in=OPERATIONS,
    )
    names = ("operation", "metric", "statistic")
    return rows.values_list("run_id", "value", *(f"measure__{name}" for name in names))


_MEANS: dict[tuple[str, ...], Prepared[Any]] = {
    statistics: Prepared(partial(_means_in_rows, statistics))
    for statistics in (("mean",), ("mean", "total"))
}


def headlines(
    runs: Iterable[Run], count: int, members: Mapping[int, Iterable[int]] = MappingProxyType({})
) -> dict[int, list[Headline]]:
    """Up to `count` means for each run id, in the order of its tool; one query for all runs.

    Those of whole samples for runs that stand for one: `members` are the ids of its runs.
    """
    ranks = {run.pk: _HEADLINE_RANKS.get(run.tool, {}) for run in runs}
    samples = [Members(pk, tuple(members.get(pk, (pk,)))) for pk in ranks]
    found = {}
    for run, means in means_of(samples).items():
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


def _is_main(measure: MeasureName, there: Collection[MeasureName]) -> bool:
    """Whether it is shown beside other families: of the latencies of an operation, two are."""
    if not is_latency(measure):
        return True
    few = (
        next((words for words in alternatives if (measure.operation, *words) in there), None)
        for alternatives in _FEW_LATENCIES
    )
    return measure[1:] in few


def _place(measure: MeasureName) -> tuple[float | str, ...]:
    return (
        _FAMILY_ORDER.index(METRICS[measure.metric].family),
        _OPERATION_ORDER.get(measure.operation, len(_OPERATION_ORDER)),
        measure.operation,
        _METRIC_ORDER.index(measure.metric),
        STATISTICS.index(measure.statistic) if measure.statistic in STATISTICS else len(STATISTICS),
        percentile(measure.statistic) or 0.0,
        measure.statistic,
    )


_FAMILY_ORDER = tuple(FAMILIES)
_METRIC_ORDER = tuple(METRICS)
_OPERATION_ORDER = {name: place for place, name in enumerate(OPERATIONS)}
