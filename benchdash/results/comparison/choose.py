"""Which runs are compared: two queries, whatever their number."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from typing import NamedTuple

from django.db.models import Case, Exists, Expression, OuterRef, Q, Value, When

from benchdash.errors import Refused
from benchdash.inventory.models import EnvironmentMachine, Facet
from benchdash.results.annotations import tagged
from benchdash.results.brought import brought_by
from benchdash.results.comparison.records import STUDY_COLUMNS, SelectedRun, environments_with
from benchdash.results.criteria import Criteria
from benchdash.results.doubts import DOUBTED
from benchdash.results.factors import NONE
from benchdash.results.models import Run, Study
from benchdash.results.models.run import NOT_COUNTED
from benchdash.results.run_settings import by_setting
from benchdash.vocabulary.workloads import AXES, axis_from_text

# more than a page can show or a person can read; it also bounds the time of an answer
MOST_RUNS = 10_000


# what a run may have of its own within its sample
_OF_ONE_RUN = ("runs", "executions", "uploads", "text", "tags")
# columns of a run, under the names that a sample has them by
_COLUMNS = (
    *("id", "tool", "study_id", "configuration_id", "environment_id", "workload_id"),
    *("tool_version", "label", "notes", "not_counted", "started_at", "sample_id"),
    *("sample__beside", "settings"),
)


class ChosenRuns(NamedTuple):
    """The counted samples, oldest first, and how many others match, by reason.

    `studies` are those that the runs were chosen by.
    """

    runs: list[SelectedRun]
    not_counted: dict[str, int]
    studies: Sequence[Study] = ()


def choose_runs(criteria: Criteria) -> ChosenRuns:
    """The runs that match, none where nothing narrows them down.

    Refused where a study does not exist, or they are more than a comparison takes.
    """
    studies = studies_of(criteria)
    missing = set(criteria.studies) - {study.slug for study in studies}
    if missing:
        # an empty answer would look like that of a study without runs
        raise Refused("There is no study “{name}”.", "study", name=min(missing))
    conditions = _conditions(criteria, studies)
    if not conditions:
        return ChosenRuns([], {})
    found = Run.objects.filter(conditions, deleted_at=None)
    if any(getattr(criteria, name) for name in _OF_ONE_RUN):
        # half a sample is none: what matches brings the others of its sample
        found = Run.objects.filter(sample__in=found.values("sample"), deleted_at=None)
    rows = found.order_by("pk").annotate(not_counted=_left_out(criteria)).values_list(*_COLUMNS)
    runs = list(rows[: MOST_RUNS + 1])
    if len(runs) > MOST_RUNS:
        raise Refused(
            "More than {n} runs match: narrow them down by study, configuration or tool.",
            n=MOST_RUNS,
        )
    samples = samples_of(
        SelectedRun(*columns)._replace(settings=tuple(sorted(settings.items())))
        for *columns, settings in runs
    )
    not_counted = Counter(sample.not_counted for sample in samples if sample.not_counted)
    return ChosenRuns(
        [sample for sample in samples if not sample.not_counted], dict(not_counted), studies
    )


def samples_of(runs: Iterable[SelectedRun]) -> list[SelectedRun]:
    """The samples that the runs are, in the order of their first runs."""
    members: dict[int, list[SelectedRun]] = {}
    for run in runs:
        members.setdefault(run.sample_id, []).append(run)
    return [
        _sample(own) if len(own) > 1 else own[0]._replace(runs=(own[0].id,))
        for own in members.values()
    ]


def _sample(runs: list[SelectedRun]) -> SelectedRun:
    """It counts where all of its runs do; a result that its file no longer gives is none of them."""
    runs = [run for run in runs if run.not_counted != "withdrawn"] or runs
    started = [run.started_at for run in runs if run.started_at]
    return runs[0]._replace(
        runs=tuple(run.id for run in runs),
        jobs=len(runs) if len(runs) > 1 else None,
        not_counted=next((run.not_counted for run in runs if run.not_counted), ""),
        started_at=min(started, default=None),
        notes=[note for run in runs for note in run.notes],
    )


def _left_out(criteria: Criteria) -> Expression:
    """Why a run does not count here; doubts leave one out only where that was asked for."""
    if criteria.doubts == "include":
        return NOT_COUNTED
    doubted = When(Q(DOUBTED, counted=True), then=Value("doubted"))
    return Case(doubted, default=NOT_COUNTED)


def studies_of(criteria: Criteria) -> list[Study]:
    """The studies that runs are chosen by; one query, none where there are none."""
    if not criteria.studies:
        return []
    return list(Study.objects.filter(slug__in=criteria.studies).only(*STUDY_COLUMNS))


def _conditions(criteria: Criteria, studies: Sequence[Study]) -> Q:
    """False where nothing narrows the runs down."""
    found = _picked(criteria) & _narrowed(criteria, studies)
    for one in criteria.filters:
        found &= _KINDS[one.factor.kind](one.factor.name, one.values)
    return found


def _picked(criteria: Criteria) -> Q:
    picked = Q()
    if criteria.runs:
        picked |= Q(pk__in=criteria.runs)
    if criteria.executions:
        picked |= Q(execution__in=criteria.executions)
    if criteria.configurations:
        picked |= Q(configuration__in=criteria.configurations)
    return picked


def _narrowed(criteria: Criteria, studies: Sequence[Study]) -> Q:
    lookups = {
        "study__in": studies,
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
    if criteria.uploads:
        found &= brought_by(criteria.uploads)
    if criteria.text:
        found &= Q(label__icontains=criteria.text) | Q(configuration__name__icontains=criteria.text)
    return found


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time(), tzinfo=UTC)


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
    "setting": by_setting,
}
