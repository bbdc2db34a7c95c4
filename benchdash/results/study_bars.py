"""The one chart that a study's card has room for: its conditions by what differs most."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import log10
from typing import Any, NamedTuple

from django.db.models import F, Window
from django.db.models.functions import RowNumber

from benchdash.analysis.drawing import spans_decades
from benchdash.errors import Refused
from benchdash.results.comparison.compare import study_charts
from benchdash.results.comparison.figures import unit_for
from benchdash.results.comparison.measures import first_family_of
from benchdash.results.comparison.tables import swatch
from benchdash.results.criteria import Criteria
from benchdash.results.models import Condition, Measurement, Run, Study
from benchdash.results.parameters import HELD, MeasureName
from benchdash.results.titles import held_text, held_title, label_text, measure_title
from benchdash.vocabulary.measures import METRICS, OPERATIONS
from benchdash.vocabulary.workloads import AXES

MOST_BARS = 8
# of each study the newest: a card shall not cost more where a study has thousands
_NEWEST_RUNS = 200


class CardRun(NamedTuple):
    """A counted run; `workload` is its tool and axes, in the order of `HELD`."""

    id: int
    study: int
    configuration: int
    environment: int | None
    name: str
    workload: tuple[Any, ...]


@dataclass(frozen=True, slots=True)
class CardBar:
    """One condition; `length` is in percent of the longest, `swatch` has the classes of its colour."""

    label: str
    swatch: str
    text: str
    length: float


@dataclass(frozen=True, slots=True)
class CardChart:
    """The bars that fit, best first where not all do; `groups` counts all.

    `held` says which of several workloads they are of.
    """

    title: str
    held: str
    unit: str
    is_log: bool
    bars: tuple[CardBar, ...]
    groups: int


@dataclass(frozen=True, slots=True)
class _Group:
    label: str
    slot: int
    runs: list[int]
    values: list[float]


def card_charts(studies: Sequence[Study], conditions: Sequence[Condition]) -> dict[int, CardChart]:
    """By id of a study its chart, where it has numbers; two queries for all of them."""
    runs = _newest_runs(studies)
    values = _headline_values(run.id for run in runs)
    runs_of, conditions_of = defaultdict(list), defaultdict(list)
    for run in runs:
        runs_of[run.study].append(run)
    for condition in conditions:
        conditions_of[condition.study_id].append(condition)
    charts = {}
    for study in studies:
        chart = _chart(study, runs_of[study.pk], conditions_of[study.pk], values)
        if chart:
            charts[study.pk] = chart
    return charts


def _chart(
    study: Study,
    runs: Sequence[CardRun],
    conditions: Sequence[Condition],
    values: dict[int, dict[MeasureName, float]],
) -> CardChart | None:
    criteria = _first_chart(study)
    measured = [run for run in runs if run.id in values]
    held = _differing_places(measured, criteria)
    like = _most_alike(measured, held)
    there = dict.fromkeys(name for run in like for name in values[run.id])
    groups = _groups(like, conditions, study)
    candidates = {
        name: _with_values(groups, name, values) for name in _wanted(list(there), criteria)
    }
    if not candidates:
        return None
    name = max(
        candidates,
        key=lambda one: _tells([statistics.median(group.values) for group in candidates[one]]),
    )
    words = (
        f"{held_title(HELD[place])} {held_text(HELD[place], like[0].workload[place])}"
        for place in held
    )
    return _drawn(name, ", ".join(words), candidates[name])


def _first_chart(study: Study) -> Criteria:
    """What the study's own first chart shows; nothing where its address no longer reads."""
    try:
        return study_charts(study)[0]
    except Refused:
        return Criteria()


def _differing_places(runs: Sequence[CardRun], criteria: Criteria) -> list[int]:
    """The places in `HELD` in which runs differ that shall be alike."""
    return [
        place
        for place, name in enumerate(HELD)
        if name not in criteria.across and len({run.workload[place] for run in runs}) > 1
    ]


def _most_alike(runs: Sequence[CardRun], held: Sequence[int]) -> list[CardRun]:
    """The runs of the workload that most configurations were measured with."""
    parts: dict[tuple[Any, ...], list[CardRun]] = {}
    for run in runs:
        parts.setdefault(tuple(run.workload[place] for place in held), []).append(run)
    return max(
        parts.values(),
        key=lambda part: len({(run.configuration, run.environment) for run in part}),
        default=[],
    )


def _wanted(there: Sequence[MeasureName], criteria: Criteria) -> list[MeasureName]:
    chosen = [name for name in criteria.measures if name in there]
    if chosen:
        return chosen
    families = criteria.families or first_family_of(METRICS[name.metric].family for name in there)
    return [name for name in there if METRICS[name.metric].family in families[:1]]


def _groups(runs: Sequence[CardRun], conditions: Sequence[Condition], study: Study) -> list[_Group]:
    """The runs of each condition, then those of each further configuration."""
    places = _places(conditions)
    placed = [(run, _place(run, places)) for run in runs]
    others = sorted({run.configuration for run, place in placed if place is None})
    found: dict[int, _Group] = {}
    for run, place in placed:
        slot = len(conditions) + others.index(run.configuration) if place is None else place
        if slot not in found:
            label = "" if place is None else label_text(conditions[place].label, study)
            found[slot] = _Group(label or run.name, slot, [], [])
        found[slot].runs.append(run.id)
    return [found[slot] for slot in sorted(found)]


def _with_values(
    groups: Sequence[_Group], name: MeasureName, values: dict[int, dict[MeasureName, float]]
) -> list[_Group]:
    """Those in which the measure was measured."""
    told = (
        replace(group, values=[values[run][name] for run in group.runs if name in values[run]])
        for group in groups
    )
    return [group for group in told if group.values]


def _places(conditions: Sequence[Condition]) -> dict[tuple[int, int | None], int]:
    """The first condition of each configuration in an environment, None for one open to all."""
    keys = ((one.configuration_id, one.environment_id) for one in conditions)
    found: dict[tuple[int, int | None], int] = {}
    for place, key in enumerate(keys):
        found.setdefault(key, place)
    return found


def _place(run: CardRun, places: dict[tuple[int, int | None], int]) -> int | None:
    """A condition in the run's own environment comes before one that is open to all."""
    own = places.get((run.configuration, run.environment))
    return places.get((run.configuration, None)) if own is None else own


def _tells(medians: Sequence[float]) -> tuple[int, float]:
    """In how many conditions it was measured, and how far they are apart."""
    return len(medians), max(medians) / min(medians) if min(medians) > 0 else 0.0


def _drawn(name: MeasureName, held: str, groups: Sequence[_Group]) -> CardChart:
    medians = [statistics.median(group.values) for group in groups]
    metric = METRICS[name.metric]
    is_log = spans_decades(medians)
    unit = unit_for(metric, medians, "log" if is_log else "linear")
    rows = list(zip(groups, medians, strict=True))
    if len(rows) > MOST_BARS:
        highest_first = metric.higher_is_better is not False
        rows = sorted(rows, key=lambda row: row[1], reverse=highest_first)[:MOST_BARS]
    bars = (
        CardBar(
            label=group.label,
            swatch=swatch(group.slot),
            text=unit.text(median),
            length=_length(median, medians, is_log=is_log),
        )
        for group, median in rows
    )
    title = measure_title(name)
    return CardChart(title, held, unit.name, is_log, tuple(bars), len(groups))


def _length(median: float, medians: Sequence[float], *, is_log: bool) -> float:
    """From zero; on a log axis from a tenth of the smallest."""
    most = max(medians)
    if not most:
        return 0.0
    if not is_log:
        return round(100 * median / most, 2)
    floor = log10(min(medians)) - 1
    return round(100 * (log10(median) - floor) / (log10(most) - floor), 2)


def _newest_runs(studies: Sequence[Study]) -> list[CardRun]:
    """Those that belong to a configuration, oldest first; one query."""
    newest = Window(RowNumber(), partition_by="study", order_by=F("pk").desc())
    rows = (
        Run.objects.filter(study__in=studies, counted=True, configuration__isnull=False)
        .annotate(nth=newest)
        .filter(nth__lte=_NEWEST_RUNS)
        .order_by("pk")
        .values_list(
            *("pk", "study", "configuration", "environment", "configuration__name", "tool"),
            *(f"workload__{axis}" for axis in AXES),
        )
    )
    return [CardRun(row[0], row[1], row[2], row[3], row[4], row[5:]) for row in rows]


def _headline_values(runs: Iterable[int]) -> dict[int, dict[MeasureName, float]]:
    """By run its means, in base units; one query."""
    rows = Measurement.objects.filter(
        run__in=list(runs), measure__statistic="mean", measure__operation__in=list(OPERATIONS)
    ).values_list("run", "measure__operation", "measure__metric", "value")
    names: dict[tuple[str, str], MeasureName] = {}
    found: dict[int, dict[MeasureName, float]] = {}
    for run, operation, metric, value in rows:
        name = names.get((operation, metric))
        if name is None:
            name = names[operation, metric] = MeasureName(operation, metric, "mean")
        found.setdefault(run, {})[name] = value
    return found
