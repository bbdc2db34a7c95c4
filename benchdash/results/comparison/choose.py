"""Which runs were asked for: two queries, whatever their number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from benchdash.errors import Refused
from benchdash.inventory.models import EnvironmentMachine, Facet
from benchdash.results.annotations import tagged
from benchdash.results.comparison.records import SelectedRun, environments_with
from benchdash.results.criteria import Criteria, Filter
from benchdash.results.factors import NONE
from benchdash.results.models import Run, Study
from benchdash.vocabulary.workloads import AXES, axis_from_text

# more than a page can show or a person can read; it also bounds the time of an answer
MOST_RUNS = 10_000


class ChosenRuns(NamedTuple):
    """The counted runs, oldest first, and how many others match, by reason."""

    runs: list[SelectedRun]
    not_counted: dict[str, int]


def choose_runs(criteria: Criteria) -> ChosenRuns:
    """The runs asked for.

    Nothing asked for gives none. Refused where a study does not exist, or they are more than a
    comparison takes.
    """
    if not criteria.chooses_runs:
        return ChosenRuns([], {})
    _check_studies(criteria)
    rows = matching_runs(criteria).order_by("pk").values_list(*SelectedRun._fields)[: MOST_RUNS + 1]
    runs = [SelectedRun(*row) for row in rows]
    if len(runs) > MOST_RUNS:
        raise Refused(
            "More than {n} runs match: narrow them down by study, configuration or tool.",
            n=MOST_RUNS,
        )
    not_counted = Counter(_why_not_counted(run) for run in runs if not run.counted)
    return ChosenRuns([run for run in runs if run.counted], dict(not_counted))


def matching_runs(criteria: Criteria) -> QuerySet[Run]:
    """All runs that match, counted or not; deleted ones never."""
    conditions = [_picked(criteria), _narrowed(criteria), *map(_filtered, criteria.filters)]
    return Run.objects.filter(*conditions, deleted_at=None)


def _check_studies(criteria: Criteria) -> None:
    """An empty answer for a study that does not exist would look like one without runs."""
    known = set(Study.objects.filter(slug__in=criteria.studies).values_list("slug", flat=True))
    missing = [slug for slug in criteria.studies if slug not in known]
    if missing:
        raise Refused("There is no study “{name}”.", "study", name=missing[0])


def _why_not_counted(run: SelectedRun) -> str:
    if run.withdrawn_at:
        return "withdrawn"
    return "set_aside" if run.set_aside_reason else "same_result"


def _picked(criteria: Criteria) -> Q:
    picked = Q()
    if criteria.runs:
        picked |= Q(pk__in=criteria.runs)
    if criteria.configurations:
        picked |= Q(configuration__in=criteria.configurations)
    return picked


def _narrowed(criteria: Criteria) -> Q:
    lookups = {
        "study__slug__in": criteria.studies,
        "environment__in": criteria.environments,
        "tool__in": criteria.tools,
        "tool_version__in": criteria.versions,
        "started_at__gte": criteria.since and _midnight(criteria.since),
        "started_at__lt": criteria.until and _midnight(criteria.until + timedelta(days=1)),
    }
    found = Q(**{lookup: value for lookup, value in lookups.items() if value})
    if criteria.hosts:
        parts = EnvironmentMachine.objects.filter(snapshot__host__name__in=criteria.hosts)
        found &= Q(environment__in=parts.values("environment"))
    if criteria.tags:
        found &= tagged(criteria.tags)
    if criteria.text:
        found &= Q(label__icontains=criteria.text) | Q(configuration__name__icontains=criteria.text)
    return found


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)


def _filtered(one: Filter) -> Q:
    return _KINDS[one.factor.kind](one.factor.name, one.values)


def _by_layer(key: str, values: Sequence[str]) -> Q:
    facets = Facet.objects.filter(stack=OuterRef("configuration__stack"), key=key)
    found = Q(Exists(facets.filter(text__in=values)))
    return found | ~Q(Exists(facets)) if NONE in values else found


def _by_workload(name: str, values: Sequence[str]) -> Q:
    typed = [axis_from_text(name, value) for value in values if value != NONE]
    found = Q(**{f"workload__{name}__in": typed})
    if NONE in values:
        found |= Q(
            **{f"workload__{name}": ""} if AXES[name].type is str else {f"workload__{name}": None}
        )
    return found


def _by_fact(name: str, values: Sequence[str]) -> Q:
    return Q(environment__in=environments_with(name, values))


_KINDS: dict[str, Callable[[str, Sequence[str]], Q]] = {
    "layer": _by_layer,
    "workload": _by_workload,
    "environment": _by_fact,
}
