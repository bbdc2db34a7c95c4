"""Which runs are compared, with what their plans and doubts say: a fixed number of queries."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any, NamedTuple

from django.db.models import (
    Case,
    Expression,
    F,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    TextField,
    Value,
    When,
)
from django.db.models.functions import Cast

from benchdash.errors import Refused
from benchdash.prepared import OneOf, Prepared
from benchdash.results.by_machine import machine_of
from benchdash.results.comparison.doubted import with_doubts
from benchdash.results.comparison.environments import in_whole_environments
from benchdash.results.comparison.plans import with_looks
from benchdash.results.comparison.records import STUDY_COLUMNS
from benchdash.results.comparison.selected_runs import SelectedRun
from benchdash.results.criteria import Criteria
from benchdash.results.doubts import DOUBTED
from benchdash.results.models import Run, Sample, Study
from benchdash.results.models.run import LIVING, NOT_COUNTED
from benchdash.results.run_filters import RunQuery, is_filter
from benchdash.vocabulary.settings import Setting

# more than a page can show or a person can read; it also bounds the time of an answer
MOST_RUNS = 10_000


# studies are read already, and doubted runs are left out only after they were counted
_READ_APART = ("study", "doubts")
# what a run may have of its own within its sample: several hosts may have measured it together
_OF_ONE_RUN = {
    *("run", "execution", "upload", "artifact", "text", "tag", "label", "doubt", "state"),
    *("counted", "version", "since", "until"),
}
# each by itself: joined, PostgreSQL reads all samples that there are for a few thousand; said twice,
# as of a mere = it reads a few hundred from one end to the other for each rather than use the index
_OWN = {"pk": OuterRef("sample"), "pk__gte": OuterRef("sample")}
BESIDE = Subquery(Sample.objects.filter(**_OWN).values("beside"))
# as text: most runs of a list have the settings of another, which are read once
SETTINGS = Cast("settings", TextField())
# columns of a run, in the order of the fields of a sample
COLUMNS = (
    *("id", "tool", "study_id", "configuration_id", "environment_id", "workload_id"),
    *("tool_version", "label", "notes", "not_counted", "started_at", "sample_id"),
    *(BESIDE, SETTINGS),
)


class ChosenRuns(NamedTuple):
    """The counted samples, oldest first, and how many others match, by reason.

    `studies` are those that the runs were chosen by.
    """

    runs: list[SelectedRun]
    not_counted: dict[str, int]
    studies: Sequence[Study] = ()


def choose_runs(criteria: Criteria, known: Sequence[Study] = ()) -> ChosenRuns:
    """The runs that match, with their doubts and what their plans say; none where nothing narrows them down.

    Studies that are `known` are not read again. Refused where a study does not exist, or they are
    more than a comparison takes.
    """
    studies = studies_of(criteria, known)
    missing = set(criteria.studies) - {study.slug for study in studies}
    if missing:
        # an empty answer would look like that of a study without runs
        raise Refused("There is no study “{name}”.", "study", name=min(missing))
    filters = _filters(criteria)
    if studies and not filters and criteria.doubts == "include":
        runs = _OF_STUDIES([study.pk for study in studies])
    elif conditions := _conditions(filters, studies):
        runs = list(_matching(conditions, criteria))
    else:
        return ChosenRuns([], {})
    if len(runs) > MOST_RUNS:
        raise Refused(
            "More than {n} runs match: narrow them down by study, configuration or tool.",
            n=MOST_RUNS,
        )
    samples = samples_of(map(selected, runs))
    not_counted = Counter(sample.not_counted for sample in samples if sample.not_counted)
    counted = with_looks(with_doubts([one for one in samples if not one.not_counted]))
    return ChosenRuns(in_whole_environments(counted), dict(not_counted), studies)


def _matching(conditions: Q, criteria: Criteria) -> QuerySet[Run, Any]:
    """Their `COLUMNS`."""
    found = Run.objects.filter(conditions, deleted_at=None)
    if _OF_ONE_RUN & dict(criteria.pairs()).keys():
        # half a sample is none: what matches brings the others of its sample
        found = Run.objects.filter(sample__in=found.values("sample"), deleted_at=None)
    return _columns_of(found, _left_out(criteria))


def _columns_of(runs: QuerySet[Run], not_counted: Expression) -> QuerySet[Run, Any]:
    """Of one run more than may be."""
    rows = runs.order_by("pk").annotate(not_counted=not_counted).values_list(*COLUMNS)
    return rows[: MOST_RUNS + 1]


# what each page of a study asks
_OF_STUDIES = Prepared(
    lambda studies: _columns_of(
        Run.objects.filter(OneOf(F("study_id"), studies), deleted_at=None), NOT_COUNTED
    )
)


def selected(columns: Sequence[Any]) -> SelectedRun:
    """A run out of its `COLUMNS`."""
    *plain, text = columns
    settings, series = _without_series(text)
    run = SelectedRun(*(*plain, settings))
    if series:
        run = run._replace(series=series)
    if run.configuration_id is None and run.environment_id is None:
        run = run._replace(machine=machine_of(run.tool, run.label))
    return run


@lru_cache(maxsize=4096)
def settings_of(text: str) -> tuple[tuple[str, Setting], ...]:
    """By name, out of their JSON."""
    return tuple(sorted(json.loads(text).items()))


@lru_cache(maxsize=4096)
def _without_series(text: str) -> tuple[tuple[tuple[str, Setting], ...], str]:
    """The settings, and the series that they name, "" where they name none."""
    settings = dict(settings_of(text))
    series = str(settings.pop("series", ""))
    return tuple(settings.items()), series


def samples_of(runs: Iterable[SelectedRun]) -> list[SelectedRun]:
    """The samples that the runs are, in the order of their first runs."""
    members: dict[int, list[SelectedRun]] = {}
    for run in runs:
        members.setdefault(run.sample_id, []).append(run)
    return [_sample(own) if len(own) > 1 else own[0] for own in members.values()]


def samples_listed(firsts: Mapping[int, int]) -> list[SelectedRun]:
    """The samples of `{id: id of the run that a list has for it}`, in that order; one query."""
    shown = Q(LIVING) | Q(OneOf(F("pk"), list(firsts.values())))
    rows = Run.objects.filter(shown, OneOf(F("sample_id"), list(firsts))).order_by("pk")
    runs = rows.annotate(not_counted=NOT_COUNTED).values_list(*COLUMNS)
    samples = {
        sample.sample_id: sample._replace(id=firsts[sample.sample_id])
        for sample in samples_of(map(selected, runs))
    }
    return [samples[sample] for sample in firsts if sample in samples]


def _sample(runs: list[SelectedRun]) -> SelectedRun:
    """It counts where all of its runs do; a result that its file no longer gives is none of them."""
    runs = [run for run in runs if run.not_counted != "withdrawn"] or runs
    started = [run.started_at for run in runs if run.started_at]
    machines = sorted({run.machine for run in runs} - {""})
    return runs[0]._replace(
        machine=" + ".join(machines),
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


def studies_of(criteria: Criteria, known: Sequence[Study] = ()) -> list[Study]:
    """The studies that runs are chosen by; one query, none where all of them are `known`."""
    if {*criteria.studies} <= {study.slug for study in known}:
        return [study for study in known if study.slug in criteria.studies]
    return list(Study.objects.filter(slug__in=criteria.studies).only(*STUDY_COLUMNS))


def _filters(criteria: Criteria) -> dict[str, tuple[str, ...]]:
    """What narrows the runs down within their studies, as `RunQuery` takes it."""
    found: dict[str, tuple[str, ...]] = {}
    for name, value in criteria.pairs():
        if is_filter(name) and name not in _READ_APART:
            found[name] = (*found.get(name, ()), value)
    return found


def _conditions(filters: Mapping[str, tuple[str, ...]], studies: Sequence[Study]) -> Q:
    """False where nothing narrows the runs down."""
    of_studies = Q(study__in=studies) if studies else Q()
    return RunQuery(filters).condition & of_studies
