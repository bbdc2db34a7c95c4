"""Environments: the list, one with its machines side by side, and two against each other."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.db.models import Exists, OuterRef, Prefetch, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render
from django.utils.translation import gettext_lazy as _

from benchdash.accounts.roles import Role
from benchdash.inventory.models import Environment, EnvironmentMachine, EnvironmentName
from benchdash.pages.access import needs
from benchdash.pages.runs import IN_A_LIST, NUMBERS_IN_A_LIST
from benchdash.pages.templatetags.machines import alike_machines
from benchdash.results.headlines import headlines
from benchdash.results.models import Run
from benchdash.results.models.run import LIVING
from benchdash.results.paging import page_of
from benchdash.results.words import fact_title
from benchdash.vocabulary.differences import differences
from benchdash.vocabulary.facts import NETWORK
from benchdash.vocabulary.machines import lines, machine_lines

NEWEST_RUNS = 20
MEASURED = Exists(Run.objects.filter(LIVING, environment=OuterRef("pk")))


class EnvironmentChoice(forms.ModelChoiceField):  # type: ignore[type-arg] # no generic at run time
    """An environment by its newest name."""

    def label_from_instance(self, environment: Environment) -> str:
        return environment.title


class Pair(forms.Form):
    """Two environments to lay side by side."""

    left = EnvironmentChoice(
        Environment.objects.prefetch_related("names"),
        label=_("Environment"),
        empty_label=_("choose one"),
    )
    right = EnvironmentChoice(
        Environment.objects.prefetch_related("names"),
        label=_("Other environment"),
        empty_label=_("choose one"),
    )


@needs(Role.VISITOR)
def environments(request: HttpRequest) -> HttpResponse:
    """All environments, the newest first."""
    page = page_of(with_machines().annotate(measured=MEASURED), request.GET)
    return render(request, "environments/list.html", {"page": page})


@needs(Role.VISITOR)
def environment(request: HttpRequest, pk: int) -> HttpResponse:
    """One environment."""
    found = get_object_or_404(with_machines(), pk=pk)
    runs = list(IN_A_LIST.filter(LIVING, environment=found).order_by("-pk")[:NEWEST_RUNS])
    context: dict[str, Any] = {
        "environment": found,
        "machines": side_by_side(found.parts.all()),
        "network": {key: NETWORK[key].shown(value) for key, value in found.network.items()},
        "captures": found.captures.select_related("captured_by"),
        "runs": runs,
        "headlines": headlines(runs, NUMBERS_IN_A_LIST),
    }
    return render(request, "environments/environment.html", context)


@needs(Role.VISITOR)
def environment_diff(request: HttpRequest) -> HttpResponse:
    """Two environments side by side, equal lines folded."""
    form = Pair(request.GET or None)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        pair = [form.cleaned_data["left"], form.cleaned_data["right"]]
        found = differences(*(_lines(each) for each in pair))
        differ = any(not line.equal for line in found)
        context |= {"pair": pair, "lines": found, "differ": differ}
    return render(request, "environments/diff.html", context)


def with_machines() -> QuerySet[Environment]:
    """Environments with their machines and their names, the newest name first: three queries."""
    parts = EnvironmentMachine.objects.select_related("snapshot__host")
    return Environment.objects.prefetch_related(
        Prefetch("parts", parts), Prefetch("names", EnvironmentName.objects.all())
    )


def side_by_side(parts: Iterable[EnvironmentMachine]) -> dict[str, Any]:
    """Machines as columns, alike ones as one: `roles`, and rows (fact, texts or None, differs)."""
    columns = [(roles, machine_lines(facts)) for roles, facts in alike_machines(parts)]
    keys = dict.fromkeys(key for _roles, facts in columns for key in facts)
    rows = [(key, [facts.get(key) for _roles, facts in columns]) for key in keys]
    return {
        "roles": [roles for roles, _facts in columns],
        "rows": [(key, values, len(set(values)) > 1) for key, values in rows],
    }


def _lines(environment: Environment) -> dict[str, str]:
    machines = {part.role: part.snapshot.facts for part in environment.parts.all()}
    flat = lines(machines, environment.network) if machines else {}
    return {fact_title(key): text for key, text in flat.items()}
