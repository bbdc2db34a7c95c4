"""The one chart that a study's card has room for: its conditions by what differs most.

A comparison in brief: of each study the newest runs, the largest part of them that is alike, and
the medians of one measure.
"""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import log10
from typing import NamedTuple

from django.db.models import F, OuterRef, Q
from django.utils.translation import gettext as _

from benchdash.analysis.differences import modes_of
from benchdash.analysis.drawing import spans_decades
from benchdash.errors import Refused
from benchdash.prepared import OneOf, Prepared
from benchdash.results.comparison.choose import BESIDE, SETTINGS, samples_of, settings_of
from benchdash.results.comparison.doubted import concerned, with_doubts
from benchdash.results.comparison.figures import unit_for
from benchdash.results.comparison.groups import CONFIGURATION, Group
from benchdash.results.comparison.likeness import alike
from benchdash.results.comparison.measures import headline_families, in_order, means_of, wanted
from benchdash.results.comparison.records import Workloads, workload_words
from benchdash.results.comparison.selected_runs import SelectedRun
from benchdash.results.comparison.tables import swatch
from benchdash.results.criteria import Criteria, read_query
from benchdash.results.models import Condition, Run, Study
from benchdash.results.titles import label_text, measure_title
from benchdash.vocabulary.measures import METRICS, MeasureName

MOST_BARS = 8
# of each study the newest: a card shall not cost more where a study has thousands
NEWEST_RUNS = 100
# notes and the like cost more than all else, and no card shows them
_COLUMNS = ("id", "tool", "study_id", "configuration_id", "environment_id", "workload_id")
# built once: Django takes as long for that as the database for the answer
_SHOWN = (
    Run.objects.filter(counted=True, configuration__isnull=False)
    .order_by("pk")
    .values_list(*_COLUMNS, SETTINGS, "sample_id", BESIDE, "configuration__name")
)
# walks an index from each study's newest run; a window would number all that there are. A sample
# is whole or not there: half of one would be unlike the others
_OLDEST = Prepared(
    lambda studies: (
        Study.objects.filter(OneOf(F("id"), studies))
        .order_by()
        .annotate(
            oldest_sample=Run.objects.filter(study=OuterRef("pk"), counted=True)
            .order_by("-pk")
            .values("sample")[NEWEST_RUNS - 1 : NEWEST_RUNS]
        )
        .annotate(
            oldest=Run.objects.filter(sample=OuterRef("oldest_sample"))
            .order_by("pk")
            .values("pk")[:1]
        )
        .values_list("pk", "oldest")
    )
)


class CardCondition(NamedTuple):
    """What a card needs of a condition; the names are columns."""

    study_id: int
    label: str
    configuration_id: int
    environment_id: int | None


_CONDITIONS = Prepared(
    lambda studies: (
        Condition.objects.filter(OneOf(F("study_id"), studies))
        .order_by("position", "pk")
        .values_list(*CardCondition._fields)
    )
)


@dataclass(frozen=True, slots=True)
class CardBar:
    """One condition; `length` is in percent of the longest, `swatch` has the classes of its colour.

    `doubted` is how many of its samples are.
    """

    label: str
    swatch: str
    text: str
    length: float
    doubted: int = 0


@dataclass(frozen=True, slots=True)
class CardChart:
    """The bars that fit, from the end that people prefer where not all do; `groups` counts all.

    `held` says which of several workloads they are of.
    """

    title: str
    held: str
    unit: str
    is_log: bool
    bars: tuple[CardBar, ...]
    groups: int

    @property
    def doubted(self) -> int:
        """How many samples behind the bars are."""
        return sum(bar.doubted for bar in self.bars)


def card_conditions(studies: Sequence[Study]) -> list[CardCondition]:
    """The conditions of all of them, each study's in their order; one query."""
    return [CardCondition(*row) for row in _CONDITIONS([study.pk for study in studies])]


def card_charts(
    studies: Sequence[Study], conditions: Sequence[CardCondition]
) -> dict[int, CardChart]:
    """By id of a study its chart, where it has numbers; five queries for all of them."""
    newest, names = _newest_runs(studies)
    means = means_of(newest)
    runs = with_doubts([run for run in newest if run.id in means])
    workloads = workload_words({run.workload_id for run in runs})
    runs_of, conditions_of = defaultdict(list), defaultdict(list)
    for run in runs:
        runs_of[run.study_id].append(run)
    for condition in conditions:
        conditions_of[condition.study_id].append(condition)
    charts = {}
    for study in studies:
        groups = _groups(study, runs_of[study.pk], conditions_of[study.pk], names)
        chart = _chart(study, groups, workloads, means) if groups else None
        if chart:
            charts[study.pk] = chart
    return charts


def _newest_runs(studies: Sequence[Study]) -> tuple[list[SelectedRun], dict[int, str]]:
    """Those that belong to a configuration, oldest first, and its name by its id; two queries."""
    runs, names = [], {}
    for *ids, settings, sample, beside, name in _SHOWN.filter(_newest(studies)):
        pk, tool, study, configuration, environment, workload = ids
        run = SelectedRun(
            pk,
            tool,
            study,
            configuration,
            environment,
            workload,
            settings=settings_of(settings),
            sample_id=sample,
            beside=beside,
        )
        runs.append(run)
        names[run.configuration_id or 0] = name
    return samples_of(runs), names


def _newest(studies: Sequence[Study]) -> Q:
    """The newest runs of each, in whole samples; one query."""
    found, few = Q(), []
    for study, oldest in _OLDEST([study.pk for study in studies]):
        if oldest is None:
            few.append(study)
        else:
            found |= Q(study=study, pk__gte=oldest)
    return found | Q(study__in=few)


def _groups(
    study: Study,
    runs: Sequence[SelectedRun],
    conditions: Sequence[CardCondition],
    names: Mapping[int, str],
) -> list[Group]:
    """The runs of each condition, then those of each further configuration."""
    places: dict[tuple[int | None, int | None], int] = {}
    for place, one in enumerate(conditions):
        places.setdefault((one.configuration_id, one.environment_id), place)
    beyond = len(conditions)
    members: dict[tuple[int, int], list[SelectedRun]] = defaultdict(list)
    for run in runs:
        configuration = run.configuration_id or 0
        # a condition in the run's own environment comes before one that is open to all
        own = places.get((configuration, run.environment_id))
        place = places.get((configuration, None), beyond) if own is None else own
        members[place, 0 if place < beyond else configuration].append(run)
    measured = sum(place < beyond for place, _configuration in members)
    groups = []
    for number, (place, configuration) in enumerate(sorted(members)):
        label = label_text(conditions[place].label, study) if place < beyond else ""
        own_runs = tuple(members[place, configuration])
        name = label or names[own_runs[0].configuration_id or 0]
        slot = place if place < beyond else beyond + number - measured
        groups.append(Group(key="", label=name, slot=slot, at=(), runs=own_runs, pools={}))
    return groups


def _chart(
    study: Study,
    groups: Sequence[Group],
    workloads: Workloads,
    means: Mapping[int, Mapping[MeasureName, float]],
) -> CardChart | None:
    try:
        criteria = read_query(study.charts[0]) if study.charts else Criteria()
    except Refused:  # an address that was stored and no longer makes sense
        criteria = Criteria()
    like = alike(groups, [CONFIGURATION], criteria.across, workloads)[0]
    there = in_order(
        {name for group in like.groups for run in group.runs for name in means[run.id]}
    )
    tools = {run.tool for group in like.groups for run in group.runs}
    families = (criteria.families or headline_families(there, tools))[:1]
    by_family = wanted(there, criteria.changed(measures=(), families=families), tools)
    medians = {
        name: _medians(name, like.groups, means)
        for name in [name for name in criteria.measures if name in there] or by_family
    }
    if not medians:
        return None
    name = max(medians, key=lambda name: _contrast(list(medians[name].values())))
    # a card is small: what its runs have, not what they lack
    held = _(", ").join(
        f"{one.title} {one.text}" for one in like.differs_by if one.value is not None
    )
    measured = [
        (group, medians[name][group.slot]) for group in like.groups if group.slot in medians[name]
    ]
    return _drawn(name, held, measured, means)


def _medians(
    name: MeasureName,
    groups: Sequence[Group],
    means: Mapping[int, Mapping[MeasureName, float]],
) -> dict[int, float]:
    """By slot, of the groups in which it was measured."""
    values = {
        group.slot: [means[run.id][name] for run in group.runs if name in means[run.id]]
        for group in groups
    }
    return {slot: statistics.median(own) for slot, own in values.items() if own}


def _contrast(medians: Sequence[float]) -> tuple[int, float]:
    """In how many conditions it was measured, and how far they are apart."""
    return len(medians), max(medians) / min(medians) if min(medians) > 0 else 0.0


def _modes(
    name: MeasureName, group: Group, means: Mapping[int, Mapping[MeasureName, float]]
) -> tuple[float, ...]:
    """The medians of both where no single number represents the samples."""
    found = modes_of([means[run.id][name] for run in group.runs if name in means[run.id]])
    return tuple(map(statistics.median, found or ()))


def _drawn(
    name: MeasureName,
    held: str,
    measured: Sequence[tuple[Group, float]],
    means: Mapping[int, Mapping[MeasureName, float]],
) -> CardChart:
    medians = [median for _group, median in measured]
    metric = METRICS[name.metric]
    is_log = spans_decades(medians)
    unit = unit_for(metric, medians, "log" if is_log else "linear")
    if len(measured) > MOST_BARS:
        highest_first = metric.higher_is_better is not False
        measured = sorted(measured, key=lambda one: one[1], reverse=highest_first)[:MOST_BARS]
    bars = (
        CardBar(
            label=group.label,
            swatch=swatch(group.slot),
            text=" / ".join(map(unit.text, _modes(name, group, means) or (median,))),
            length=_length(median, medians, is_log=is_log),
            doubted=sum(
                concerned(run, name)
                for run in group.runs
                if run.doubts and name in means.get(run.id, ())
            ),
        )
        for group, median in measured
    )
    return CardChart(measure_title(name), held, unit.name, is_log, tuple(bars), len(medians))


def _length(median: float, medians: Sequence[float], *, is_log: bool) -> float:
    """From zero; on a log axis from a tenth of the smallest."""
    most = max(medians)
    if not most:
        return 0.0
    if not is_log:
        return round(100 * median / most, 2)
    floor = log10(min(medians)) - 1
    return round(100 * (log10(median) - floor) / (log10(most) - floor), 2)
