"""Studies: the list, and one with its words, its conditions and its comparison."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import Any

from django.db.models import Count, Exists, OuterRef, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from benchdash.accounts.roles import Role
from benchdash.inventory.models import Configuration, Environment
from benchdash.pages.access import needs
from benchdash.pages.comparing import study_comparisons
from benchdash.pages.stack_drawing import differing
from benchdash.pages.tags_and_notes import annotations_of
from benchdash.results.models import Condition, Run, Study
from benchdash.results.models.run import LIVING
from benchdash.results.study_bars import card_charts
from benchdash.vocabulary.storage.stack import lines

MOST_DRAWINGS = 12


@dataclass(frozen=True, slots=True)
class Compared:
    """A configuration (in an environment) of a study, and how many runs it has there."""

    configuration: Configuration
    environment: Environment | None
    runs: int
    condition: Condition | None = None


@needs(Role.VISITOR)
def studies(request: HttpRequest) -> HttpResponse:
    """All studies, the newest first."""
    return render(request, "studies/list.html", {"studies": as_cards(Study.objects.all())})


@needs(Role.VISITOR)
def study(request: HttpRequest, slug: str) -> HttpResponse:
    """One study."""
    found = get_object_or_404(Study, slug=slug)
    compared = compared_in(found)
    odd = differing(each.configuration.stack.tree for each in compared)
    context: dict[str, Any] = {
        "study": found,
        "compared": compared,
        "differing": odd,
        "waits": not any(each.runs for each in compared),
        "loose": Run.objects.filter(LIVING, study=found, configuration=None).exists(),
    }
    if not context["waits"]:
        context["comparisons"] = study_comparisons(found, request.user)
    if len(compared) > MOST_DRAWINGS:
        context["table"] = _table(compared)
    return render(request, "studies/study.html", context | annotations_of(found, request))


def as_cards(studies: QuerySet[Study]) -> list[dict[str, Any]]:
    """Each study with its number of conditions, whether it has runs, and its chart: four queries."""
    measured = Exists(Run.objects.filter(LIVING, study=OuterRef("pk")))
    found = list(studies.annotate(measured=measured))
    conditions = list(Condition.objects.filter(study__in=found).order_by("position", "pk"))
    counts = Counter(condition.study_id for condition in conditions)
    charts = card_charts(found, conditions)
    return [
        {
            "study": each,
            "conditions": counts[each.pk],
            "measured": each.measured,
            "chart": charts.get(each.pk),
        }
        for each in found
    ]


def compared_in(study: Study) -> list[Compared]:
    """The conditions in their order, then what else the study's runs were measured on."""
    counts = _run_counts(study)
    conditions = study.conditions.select_related("configuration__stack").prefetch_related(
        "environment__names"
    )
    # a condition in one environment takes its runs before one that is open to all
    compared = [
        Compared(c.configuration, c.environment, _taken(counts, c), condition=c)
        for c in sorted(conditions, key=lambda c: c.environment_id is None)
    ]
    compared.sort(key=lambda each: each.condition.position if each.condition else 0)
    if not counts:
        return compared
    others = Configuration.objects.select_related("stack").in_bulk({key[0] for key in counts})
    places = Environment.objects.prefetch_related("names").in_bulk(
        {key[1] for key in counts if key[1]}
    )
    return compared + [
        Compared(others[configuration], places.get(environment or 0), runs)
        for (configuration, environment), runs in counts.items()
    ]


def _run_counts(study: Study) -> dict[tuple[int, int | None], int]:
    """`{(configuration id, environment id): living runs}`."""
    rows = Run.objects.filter(LIVING, study=study, configuration__isnull=False)
    counted = rows.order_by("configuration", "environment").values_list(
        "configuration", "environment"
    )
    return {(c, e): runs for c, e, runs in counted.annotate(Count("pk"))}


def _taken(counts: dict[tuple[int, int | None], int], condition: Condition) -> int:
    """The runs of a condition, taken out of `counts`; one without environment takes the rest."""
    keys = [
        (c, e)
        for c, e in counts
        if c == condition.configuration_id
        and (condition.environment_id is None or e == condition.environment_id)
    ]
    return sum(counts.pop(key) for key in keys)


def _table(compared: list[Compared]) -> dict[str, Any]:
    """Many conditions as rows under the options that differ, where drawings would be a wall."""
    flat = [lines(each.configuration.stack.tree) for each in compared]
    keys = dict.fromkeys(key for one in flat for key in one)
    odd = [key for key in keys if key != "layers" and len({one.get(key) for one in flat}) > 1]
    rows = [
        (each, [one.get(key, "") for key in odd]) for each, one in zip(compared, flat, strict=True)
    ]
    return {"keys": odd, "rows": rows}
