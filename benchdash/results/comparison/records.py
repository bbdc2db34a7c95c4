"""What runs point at, in words: read once for all runs.

`values.py` looks up in them what a run has of a factor.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple

from django.db.models import Count, F

from benchdash.inventory.models import Configuration, Facet
from benchdash.prepared import OneOf, Prepared
from benchdash.results.comparison.selected_runs import SelectedRun
from benchdash.results.comparison.series import (
    Options,
    is_set_by,
    repeated_conditions,
    varied_options,
)
from benchdash.results.environment_words import EnvironmentWords, environment_words
from benchdash.results.models import Condition, Run, Study, Workload
from benchdash.results.models.run import LIVING
from benchdash.results.study_zones import zones_by_condition
from benchdash.results.titles import SEVERAL, label_text, series_text, study_text
from benchdash.results.upload_runs import paths_of
from benchdash.vocabulary.settings import ZONE
from benchdash.vocabulary.workloads import AXES

# of a study what a comparison shows; its description may be long
STUDY_COLUMNS = (
    *("slug", "title", "translations", "delta", "factors", "published_as", "series"),
    "measured_by",
)


_DISKLESS = "drbd.diskless"


class WorkloadWords(NamedTuple):
    """The axes of a workload that are known; its other options, None where nobody knows them.

    Of the options those that differ from the other workloads at hand.
    """

    axes: dict[str, Any]
    options: str | None


Workloads = Mapping[int, WorkloadWords]  # by id


class ConditionWords(NamedTuple):
    """A condition of the study at hand; its place in the tuple of them is its colour.

    `zone` is the set of hosts that it is, "" where it is none.
    """

    label: str
    configuration_id: int
    environment_id: int | None
    is_baseline: bool
    zone: str = ""


class ConfigurationWords(NamedTuple):
    """A configuration as the study at hand calls it; its place is behind all conditions if it is none."""

    name: str
    stack: int
    place: int


class FacetWords(NamedTuple):
    """A layer option of a stack: several values where several layers have it."""

    text: str
    number: float | None


@dataclass(frozen=True, slots=True)
class Records:
    """By id: workloads, configurations in words, the rest.

    `others` are the configurations and environments of the study's runs that are no condition,
    `unmeasured` the labels of conditions that none of the runs is of, `published` what the results
    that are no series by name are called in their studies, `series` those that have a name,
    `files` those that runs came in where they are compared one by one and their labels are alike.
    """

    workloads: Workloads
    configurations: dict[int, ConfigurationWords]
    facets: dict[int, dict[str, FacetWords]]
    environments: dict[int, EnvironmentWords]
    studies: dict[int, str]
    conditions: tuple[ConditionWords, ...]
    others: tuple[tuple[int, int | None], ...]
    unmeasured: tuple[str, ...]
    published: dict[int, str]
    series: dict[tuple[int, str], str]
    files: Mapping[int, str] = field(default_factory=dict)


def read_records(runs: Sequence[SelectedRun], studies: Sequence[Study]) -> Records:
    """The records of `runs`, and the conditions of the study where they were chosen by one.

    Nine queries at most.
    """
    study = studies[0] if len(studies) == 1 else None
    conditions = _conditions(study) if study else ()
    configurations = _configurations(_ids(runs, "configuration_id"), conditions)
    options: dict[int, Options] = {}
    if study and any(run.series for run in runs):
        listed = {one.configuration_id for one in conditions}
        options = varied_options({*configurations, *listed}, study)
        configurations = _as_conditions(configurations, conditions, options)
    others = _ids(runs, "study_id") - {study.pk for study in studies}
    further = Study.objects.filter(pk__in=others).only(*STUDY_COLUMNS) if others else ()
    every = (*studies, *further)
    return Records(
        workloads=workload_words(_ids(runs, "workload_id")),
        configurations=configurations,
        facets=_without_idle(_facets({one.stack for one in configurations.values()}), study),
        environments=environment_words(_ids(runs, "environment_id")),
        studies={study.pk: study_text(study, "title") for study in every},
        conditions=conditions,
        others=_others(study, conditions) if study else (),
        unmeasured=tuple(_unmeasured(runs, conditions, configurations, options)),
        published={one.pk: study_text(one, "published_as") for one in every},
        series={(one.pk, name): series_text(one, name) for one in every for name in one.series},
    )


def with_job_names(runs: Sequence[SelectedRun], workloads: Workloads) -> Sequence[SelectedRun]:
    """The runs, with the names of jobs of which fio's terse output tells nothing else."""
    unknown = {pk for pk, words in workloads.items() if not words.axes}
    if not unknown:
        return runs
    return [
        run._replace(job_name=run.label)
        if run.tool == "fio" and run.workload_id in unknown
        else run
        for run in runs
    ]


def with_files(records: Records, runs: Sequence[SelectedRun]) -> Records:
    """The records with the names of the runs' files, where labels do not tell them apart; one query."""
    used = Counter(run.label for run in runs)
    alike = {run.id for run in runs if used[run.label] > 1}
    if not alike:
        return records
    paths = paths_of(alike)
    return replace(records, files={run: path.rpartition("/")[2] for run, path in paths.items()})


def _unmeasured(
    runs: Sequence[SelectedRun],
    conditions: Sequence[ConditionWords],
    configurations: Mapping[int, ConfigurationWords],
    options: Mapping[int, Options],
) -> Iterator[str]:
    """The labels of those that were not measured, and not repeated on other storage, in their zone or
    by settings.
    """
    measured = {(run.configuration_id, run.environment_id) for run in runs}
    measured |= {(configuration, None) for configuration, _environment in measured}
    repeated = {configurations[pk].place for pk, _none in measured if pk is not None}
    settings = [dict(own) for own in {run.settings for run in runs if run.series}]
    for place, one in enumerate(conditions):
        own = options.get(one.configuration_id, frozenset())
        is_there = (one.configuration_id, one.environment_id) in measured
        is_repeated = bool(options) and place in repeated
        in_zone = one.zone and any(each.get(ZONE) == one.zone for each in settings)
        if not (
            is_there or is_repeated or in_zone or any(is_set_by(own, each) for each in settings)
        ):
            yield one.label


def _ids(runs: Sequence[SelectedRun], name: str) -> set[int]:
    return {pk for run in runs if (pk := getattr(run, name)) is not None}


def _configurations(
    ids: set[int], conditions: Sequence[ConditionWords]
) -> dict[int, ConfigurationWords]:
    """By the label of a condition where that, and nothing else, is the configuration's."""
    known = {
        pk: ConfigurationWords(name, stack, len(conditions))
        for pk, name, stack in _CONFIGURATIONS(ids)
    }
    used = Counter(one.configuration_id for one in conditions)
    names = Counter([one.label for one in conditions] + [words.name for words in known.values()])
    for place, one in enumerate(conditions):
        words = known.get(one.configuration_id)
        if words is None or not one.label or used[one.configuration_id] > 1:
            continue
        alone = names[one.label] == 1 + (words.name == one.label)
        name = one.label if alone else words.name
        known[one.configuration_id] = words._replace(name=name, place=place)
    return known


def _as_conditions(
    known: dict[int, ConfigurationWords],
    conditions: Sequence[ConditionWords],
    options: Mapping[int, Options],
) -> dict[int, ConfigurationWords]:
    """Those that were measured since, under the name of the condition that they repeat.

    Where conditions differ by their environment alone, the storage does not say which it is.
    """
    listed = {one.configuration_id: place for place, one in enumerate(conditions)}
    repeated = repeated_conditions(options, listed)
    used = Counter(repeated.values())
    sharing = Counter(one.configuration_id for one in conditions)
    for pk, place in repeated.items():
        one = conditions[place]
        if (label := one.label) and sharing[one.configuration_id] == 1:
            own = known[pk].name
            name = label if used[place] == 1 else f"{label} ({own})"
            known[pk] = known[pk]._replace(name=name, place=place)
    return known


def workload_words(ids: Collection[int]) -> Workloads:
    """What is known of each workload; one query."""
    axes, options = {}, {}
    for pk, other, *values in _WORKLOADS(ids):
        axes[pk] = {name: v for name, v in zip(AXES, values, strict=True) if v not in (None, "")}
        options[pk] = other
    texts = _different_options(options)
    return {pk: WorkloadWords(axes[pk], texts[pk]) for pk in axes}


def _different_options(options: dict[int, dict[str, str] | None]) -> dict[int, str | None]:
    known = [one for one in options.values() if one is not None]
    names = sorted({name for one in known for name in one})
    differing = [name for name in names if len({one.get(name) for one in known}) > 1]
    return {
        pk: None
        if one is None
        else ", ".join(f"{name}={one[name]}" for name in differing if name in one)
        for pk, one in options.items()
    }


def _facets(stacks: set[int]) -> dict[int, dict[str, FacetWords]]:
    found: dict[int, dict[str, FacetWords]] = {stack: {} for stack in stacks}
    for stack, key, text, number in _FACETS(stacks):
        before = found[stack].get(key)
        words = (
            FacetWords(before.text + SEVERAL + text, None) if before else FacetWords(text, number)
        )
        found[stack][key] = words
    return found


def _without_idle(
    facets: dict[int, dict[str, FacetWords]], study: Study | None
) -> dict[int, dict[str, FacetWords]]:
    """The same without a DRBD's “not diskless” where none is: nobody asks whether it is."""
    texts = {own[_DISKLESS].text for own in facets.values() if _DISKLESS in own}
    is_asked = study is not None and f"layer.{_DISKLESS}" in study.factors
    if is_asked or texts - {"no"}:
        return facets
    return {
        stack: {key: words for key, words in own.items() if key != _DISKLESS}
        for stack, own in facets.items()
    }


def _conditions(study: Study) -> tuple[ConditionWords, ...]:
    zones = zones_by_condition(study)
    return tuple(
        ConditionWords(
            label_text(label, study), configuration, environment, baseline, zones.get(label, "")
        )
        for label, configuration, environment, baseline in CONDITIONS([study.pk])
    )


def _others(
    study: Study, conditions: Sequence[ConditionWords]
) -> tuple[tuple[int, int | None], ...]:
    """In the order in which the configurations were made: a later one changes no colour."""
    listed = {one.configuration_id for one in conditions}
    return tuple(
        (configuration, environment)
        for configuration, environment, _living in MEASURED([study.pk])
        if configuration is not None and configuration not in listed
    )


_CONFIGURATIONS = Prepared(
    lambda ids: Configuration.objects.filter(OneOf(F("id"), ids)).values_list("pk", "name", "stack")
)
_WORKLOADS = Prepared(
    lambda ids: Workload.objects.filter(OneOf(F("id"), ids)).values_list("pk", "options", *AXES)
)
_FACETS = Prepared(
    lambda stacks: (
        Facet.objects.filter(OneOf(F("stack_id"), stacks))
        .order_by("stack", "key", "number", "text")
        .values_list("stack", "key", "text", "number")
    )
)
CONDITIONS: Prepared[Any] = Prepared(
    lambda study: (
        Condition.objects.filter(OneOf(F("study_id"), study))
        .order_by("position", "pk")
        .values_list("label", "configuration", "environment", "is_baseline")
    )
)
# what the runs of studies were measured on, and how many of them were not withdrawn
MEASURED: Prepared[Any] = Prepared(
    lambda studies: (
        Run.objects.filter(OneOf(F("study_id"), studies), deleted_at=None)
        .order_by("configuration", "environment")
        .values_list("configuration", "environment")
        .annotate(living=Count("pk", filter=LIVING))
    )
)
