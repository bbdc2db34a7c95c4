"""The words of the records that runs point at, read once for all runs."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from benchdash.inventory.models import Configuration, Facet
from benchdash.results.comparison.environments import EnvironmentWords, environment_words
from benchdash.results.comparison.selection import SelectedRun
from benchdash.results.models import Condition, Run, Study, Workload
from benchdash.results.words import label_text, study_text
from benchdash.vocabulary.workloads import AXES


class ConditionWords(NamedTuple):
    """A condition of the study at hand; its place in the tuple of them is its colour."""

    label: str
    configuration_id: int
    environment_id: int | None
    is_baseline: bool


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
    """By id: workloads as axes that were printed, configurations in words, the rest.

    `others` are the configurations and environments of the study's runs that are no condition.
    """

    workloads: dict[int, dict[str, Any]]
    configurations: dict[int, ConfigurationWords]
    facets: dict[int, dict[str, FacetWords]]
    environments: dict[int, EnvironmentWords]
    studies: dict[int, str]
    conditions: tuple[ConditionWords, ...]
    others: tuple[tuple[int, int | None], ...]


def read_records(runs: Sequence[SelectedRun], study: str | None) -> Records:
    """The records of `runs`, and the conditions of `study` (its slug) where it is one; 8 queries."""
    conditions = _conditions(study)
    configurations = _configurations(_ids(runs, "configuration_id"), conditions)
    return Records(
        workloads=_workloads(runs),
        configurations=configurations,
        facets=_facets({one.stack for one in configurations.values()}),
        environments=environment_words(_ids(runs, "environment_id")),
        studies={
            study.pk: study_text(study, "title")
            for study in Study.objects.filter(pk__in=_ids(runs, "study_id")).only(
                "title", "translations"
            )
        },
        conditions=conditions,
        others=_others(study, conditions),
    )


def _ids(runs: Sequence[SelectedRun], name: str) -> set[int]:
    return {pk for run in runs if (pk := getattr(run, name)) is not None}


def _configurations(
    ids: set[int], conditions: Sequence[ConditionWords]
) -> dict[int, ConfigurationWords]:
    """By the label of a condition where that, and nothing else, is the configuration's."""
    rows = Configuration.objects.filter(pk__in=ids).values_list("pk", "name", "stack")
    known = {pk: ConfigurationWords(name, stack, len(conditions)) for pk, name, stack in rows}
    used = Counter(one.configuration_id for one in conditions)
    said = Counter([one.label for one in conditions] + [words.name for words in known.values()])
    for place, one in enumerate(conditions):
        words = known.get(one.configuration_id)
        if words is None or not one.label or used[one.configuration_id] > 1:
            continue
        alone = said[one.label] == 1 + (words.name == one.label)
        name = one.label if alone else words.name
        known[one.configuration_id] = words._replace(name=name, place=place)
    return known


def _workloads(runs: Sequence[SelectedRun]) -> dict[int, dict[str, Any]]:
    rows = Workload.objects.filter(pk__in=_ids(runs, "workload_id")).values_list("pk", *AXES)
    return {
        pk: {name: v for name, v in zip(AXES, values, strict=True) if v not in (None, "")}
        for pk, *values in rows
    }


def _facets(stacks: set[int]) -> dict[int, dict[str, FacetWords]]:
    found: dict[int, dict[str, FacetWords]] = {stack: {} for stack in stacks}
    rows = Facet.objects.filter(stack__in=stacks).order_by("stack", "key", "number", "text")
    for stack, key, text, number in rows.values_list("stack", "key", "text", "number"):
        before = found[stack].get(key)
        words = FacetWords(f"{before.text} + {text}", None) if before else FacetWords(text, number)
        found[stack][key] = words
    return found


def _conditions(study: str | None) -> tuple[ConditionWords, ...]:
    rows = Condition.objects.filter(study__slug=study).select_related("study")
    return tuple(
        ConditionWords(
            label_text(row.label, row.study),
            row.configuration_id,
            row.environment_id,
            row.is_baseline,
        )
        for row in rows.order_by("position", "pk")
    )


def _others(
    study: str | None, conditions: Sequence[ConditionWords]
) -> tuple[tuple[int, int | None], ...]:
    """In the order in which the configurations were made: a later one changes no colour."""
    if study is None:
        return ()
    told = {one.configuration_id for one in conditions}
    rows = (
        Run.objects.filter(study__slug=study, configuration__isnull=False, deleted_at=None)
        .order_by("configuration", "environment")
        .values_list("configuration", "environment")
        .distinct()
    )
    return tuple(row for row in rows if row[0] not in told)
