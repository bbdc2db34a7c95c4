"""Studies: the list, and one with its text, conditions and comparison."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any, NamedTuple
from urllib.parse import parse_qsl

from django.db.models import Exists, F, OuterRef
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.text import Truncator
from django.utils.translation import ngettext

from benchdash.accounts.roles import Role
from benchdash.inventory.models import Configuration, Environment
from benchdash.pages.access import needs
from benchdash.pages.comparison_context import study_comparisons
from benchdash.pages.stack_drawing import differing
from benchdash.pages.tags_and_notes import annotations_of
from benchdash.prepared import OneOf, Prepared, asked_once
from benchdash.results.comparison.cards import card_charts, card_conditions
from benchdash.results.comparison.records import CONDITIONS, MEASURED
from benchdash.results.demonstration import demo_slugs
from benchdash.results.models import Run, Study
from benchdash.results.models.run import LIVING
from benchdash.results.paging import Page, first_page, is_first, page_of
from benchdash.results.study_series import series_of_study
from benchdash.results.titles import label_text, stack_line_title, study_text
from benchdash.vocabulary.storage.stack import lines

MOST_DRAWINGS = 12


class ComparedConfiguration(NamedTuple):
    """A configuration with its storage stack."""

    pk: int
    name: str
    deleted_at: datetime | None
    tree: dict[str, Any]


class ComparedCondition(NamedTuple):
    """A condition with the ids of what it is."""

    label: str
    configuration: int
    environment: int | None
    is_baseline: bool


@dataclass(frozen=True, slots=True)
class Compared:
    """A configuration (in an environment) of a study, and how many runs it has there.

    A condition `is_repeated` where its own storage was not measured, and charts show runs on other
    storage that were made for it.
    """

    configuration: ComparedConfiguration
    environment: Environment | None
    runs: int
    condition: ComparedCondition | None = None
    is_repeated: bool = False


@needs(Role.VISITOR)
def studies(request: HttpRequest) -> HttpResponse:
    """All studies, the newest first."""
    deleted = "deleted" in request.GET
    page: Page[Any]
    if is_first(request.GET) and not deleted:
        page = first_page(newest_cards(), CARDS_A_PAGE)
    else:
        page = page_of(DELETED_CARDS if deleted else CARDS, request.GET, CARDS_A_PAGE)
    context = {"studies": as_cards(page.rows), "page": page, "deleted": deleted}
    return render(request, "studies/list.html", context)


@needs(Role.VISITOR)
@asked_once()
def study(request: HttpRequest, slug: str) -> HttpResponse:
    """One study."""
    found = get_object_or_404(Study, slug=slug)
    compared, loose = compared_in(found)
    has_runs = bool(loose) or any(each.runs for each in compared)
    context: dict[str, Any] = {
        "study": found,
        "compared": compared,
        "differing": differing(each.configuration.tree for each in compared),
        # charts of a study can be of runs that are other studies'
        "has_runs": has_runs,
        "waits": not (has_runs or _borrows(found)),
        "loose": loose,
        "beside": series_of_study(found),
    }
    if not context["waits"]:
        context["comparisons"] = study_comparisons(found, request.user)
        compared = context["compared"] = _with_repeated(compared, found, context["comparisons"])
    if len(compared) > MOST_DRAWINGS:
        context["table"] = _table(compared, found.factors)
        context["conditions"] = sum(each.condition is not None for each in compared)
        context["beyond"] = len(compared) - context["conditions"]
    return render(request, "studies/study.html", context | annotations_of(found, request))


def _with_repeated(
    compared: list[Compared], study: Study, comparisons: Sequence[dict[str, Any]]
) -> list[Compared]:
    shown = [
        one["comparison"].view.unmeasured
        for one in comparisons
        if "comparison" in one and one["comparison"].criteria.studies == (study.slug,)
    ]
    if not shown:
        return compared
    missing = set.intersection(*map(set, shown))
    return [
        replace(each, is_repeated=True)
        if each.condition
        and not each.runs
        and label_text(each.condition.label, study) not in missing
        else each
        for each in compared
    ]


def _borrows(study: Study) -> bool:
    return any(("study", study.slug) not in parse_qsl(chart) for chart in study.charts)


CARDS_A_PAGE = 24
_CARDS = Study.objects.only("slug", "title", "question", "translations", "charts").annotate(
    measured=Exists(Run.objects.filter(LIVING, study=OuterRef("pk")))
)
CARDS = _CARDS.filter(deleted_at=None)
DELETED_CARDS = _CARDS.exclude(deleted_at=None)


class StudyOfCard(NamedTuple):
    """What a card needs of a study."""

    pk: int
    slug: str
    title: str
    question: str
    translations: dict[str, Any]
    charts: list[str]
    measured: bool


def newest_cards() -> list[StudyOfCard]:
    """A page of them, and one more where there are more; one query."""
    return [StudyOfCard(*row) for row in _NEWEST()]


_NEWEST: Prepared[Any] = Prepared(
    lambda: CARDS.order_by("-pk").values_list(*StudyOfCard._fields)[: CARDS_A_PAGE + 1]
)


def as_cards(found: Sequence[Any]) -> list[dict[str, Any]]:
    """Studies out of `CARDS` or `newest_cards`: words, whether there are runs, and the chart; six queries."""
    conditions = card_conditions(found)
    counts = Counter(condition.study_id for condition in conditions)
    charts = card_charts(found, conditions)
    return [
        {
            "address": reverse("study", args=[each.slug]),
            "is_example": each.slug in demo_slugs(),
            "title": study_text(each, "title"),
            "question": Truncator(study_text(each, "question")).chars(180),
            "conditions": ngettext(
                "{number} condition", "{number} conditions", counts[each.pk]
            ).format(number=counts[each.pk])
            if counts[each.pk]
            else "",
            "measured": each.measured,
            "chart": charts.get(each.pk),
        }
        for each in found
    ]


def compared_in(study: Study) -> tuple[list[Compared], int]:
    """The conditions in their order, then what else the study's runs were measured on.

    And how many of its runs have no configuration.
    """
    counts, loose = _run_counts(study)
    conditions = [ComparedCondition(*row) for row in CONDITIONS([study.pk])]
    places = {*counts, *((one.configuration, one.environment) for one in conditions)}
    configurations = {
        row[0]: ComparedConfiguration(*row)
        for row in _CONFIGURATIONS({pk for pk, _place in places})
    }
    environments = Environment.objects.prefetch_related("names").in_bulk(
        {place for _pk, place in places if place}
    )
    # a condition in one environment takes its runs before one that is open to all
    taken = {
        one: _taken(counts, one) for one in sorted(conditions, key=lambda one: not one.environment)
    }
    compared = [
        Compared(
            configurations[one.configuration],
            environments.get(one.environment or 0),
            taken[one],
            condition=one,
        )
        for one in conditions
    ]
    compared += [
        Compared(configurations[configuration], environments.get(environment or 0), runs)
        for (configuration, environment), runs in counts.items()
    ]
    return compared, loose


def _run_counts(study: Study) -> tuple[dict[tuple[int, int | None], int], int]:
    """`{(configuration id, environment id): living runs}`, and those without a configuration."""
    counts, loose = {}, 0
    for configuration, environment, runs in MEASURED([study.pk]):
        if configuration is None:
            loose += runs
        elif runs:
            counts[configuration, environment] = runs
    return counts, loose


_CONFIGURATIONS: Prepared[Any] = Prepared(
    lambda ids: Configuration.objects.filter(OneOf(F("id"), ids)).values_list(
        "pk", "name", "deleted_at", "stack__tree"
    )
)


def _taken(counts: dict[tuple[int, int | None], int], condition: ComparedCondition) -> int:
    """The runs of a condition, taken out of `counts`; one without environment takes the rest."""
    keys = [
        (c, e)
        for c, e in counts
        if c == condition.configuration
        and (condition.environment is None or e == condition.environment)
    ]
    return sum(counts.pop(key) for key in keys)


def _table(compared: list[Compared], factors: Sequence[str]) -> dict[str, Any]:
    """Many conditions as rows under the options that differ, where drawings would be a wall.

    What the study varies comes first.
    """
    flat = [lines(each.configuration.tree) for each in compared]
    keys = dict.fromkeys(key for one in flat for key in one)
    odd = [key for key in keys if key != "layers" and len({one.get(key) for one in flat}) > 1]
    varied = [factor.removeprefix("layer.") for factor in factors]
    odd.sort(key=lambda key: varied.index(key) if key in varied else len(varied))
    rows = [
        (each, [one.get(key, "") for key in odd]) for each, one in zip(compared, flat, strict=True)
    ]
    return {"titles": list(map(stack_line_title, odd)), "rows": rows}
