"""Environments: the list, one with its machines side by side, two compared, and the forms."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.db.models import Exists, OuterRef, Prefetch, Q, QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from benchdash.accounts.roles import Role
from benchdash.errors import Refused
from benchdash.inventory.models import Environment, EnvironmentMachine, EnvironmentName
from benchdash.inventory.records import CaptureInfo, name_environment, record_environment
from benchdash.pages.access import needs, person
from benchdash.pages.machine_forms import (
    MANAGED,
    Machines,
    after_button,
    machines_like,
    new_machines,
)
from benchdash.pages.run_rows import LISTED, run_rows
from benchdash.pages.templatetags.machines import alike_machines
from benchdash.pages.templatetags.records import doubt_badge
from benchdash.results.doubts import DOUBTED_ENVIRONMENT, doubts_of
from benchdash.results.ids import read_id
from benchdash.results.models import Doubt, Run
from benchdash.results.models.run import LIVING
from benchdash.results.paging import page_of
from benchdash.results.sorting import one_per_sample
from benchdash.results.titles import fact_title
from benchdash.vocabulary.differences import differences
from benchdash.vocabulary.machines import NETWORK, lines, machine_lines

NEWEST_RUNS = 20
MEASURED = Exists(Run.objects.filter(LIVING, environment=OuterRef("pk")))
DOUBTS = {"only": Q(DOUBTED_ENVIRONMENT), "exclude": ~Q(DOUBTED_ENVIRONMENT)}


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
    """All environments, the newest first; `doubts=only` those with doubts, `exclude` the others."""
    found = with_machines().annotate(measured=MEASURED)
    choice = request.GET.get("doubts", "")
    if choice in DOUBTS:
        found = found.filter(DOUBTS[choice])
    page = page_of(found, request.GET)
    ids = [each.pk for each in page.rows]
    doubts = {
        pk: doubt_badge(own, reverse("environment", args=[pk]))
        for pk, own in doubts_of(ids, "environment").items()
    }
    context = {"page": page, "doubts": doubts, "only_doubted": choice == "only"}
    return render(request, "environments/list.html", context)


@needs(Role.VISITOR)
def environment(request: HttpRequest, pk: int) -> HttpResponse:
    """One environment."""
    found = get_object_or_404(with_machines(), pk=pk)
    runs = one_per_sample(LISTED.filter(LIVING, environment=found)).order_by("-pk")[:NEWEST_RUNS]
    context: dict[str, Any] = {
        "environment": found,
        "machines": side_by_side(found.parts.all()),
        "network": {key: NETWORK[key].shown(value) for key, value in found.network.items()},
        "captures": found.captures.select_related("captured_by"),
        "doubts": Doubt.objects.filter(environment=found).prefetch_related("past_dismissals"),
        "rows": run_rows(request, runs, slim=True),
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


class NameForm(forms.Form):
    """The name of content: of new content, or another one for content that is there."""

    name = forms.CharField(label=_("Name"), max_length=200)


@needs(Role.CONTRIBUTOR)
def new_environment(request: HttpRequest) -> HttpResponse:
    """A new one, typed in; `from` takes the facts of another one to change."""
    changed = after_button(request.POST)
    if request.method != "POST" or changed:
        machines = changed or _first_machines(request)
        return _shown(request, NameForm(initial=request.POST.dict()), machines)
    form, machines = NameForm(request.POST), Machines(request.POST)
    if all([form.is_valid(), machines.is_valid()]):
        try:
            return redirect("environment", _recorded(form, machines, request).pk)
        except Refused as refused:
            form.add_error("name" if refused.field == "name" else None, refused.sentence)
    return _shown(request, form, machines)


@needs(Role.CONTRIBUTOR)
@require_POST
def machine_rows(request: HttpRequest) -> HttpResponse:
    """The fields alone, after a button among them; where there were none, in their drawer."""
    machines = after_button(request.POST) or Machines(request.POST).unread()
    part = "machine_fields" if MANAGED in request.POST else "drawer"
    return render(request, f"environments/{part}.html", {"machines": machines})


@needs(Role.CONTRIBUTOR)
def name_of_environment(request: HttpRequest, pk: int) -> HttpResponse:
    """Let a name point at this content."""
    found = get_object_or_404(Environment, pk=pk)
    newest = EnvironmentName.objects.filter(environment=found).first()
    form = NameForm(request.POST or None, initial={"name": newest.name if newest else ""})
    if request.method == "POST" and form.is_valid():
        try:
            name_environment(found, form.cleaned_data["name"])
            return redirect("environment", pk)
        except Refused as refused:
            form.add_error("name", refused.sentence)
    return render(request, "environments/rename.html", {"form": form, "environment": found})


def _recorded(form: NameForm, machines: Machines, request: HttpRequest) -> Environment:
    capture = CaptureInfo(captured_by=person(request))
    name = form.cleaned_data["name"]
    return record_environment(machines.facts, machines.network, name=name, capture=capture)


def _shown(request: HttpRequest, form: NameForm, machines: Machines) -> HttpResponse:
    return render(request, "environments/edit.html", {"form": form, "machines": machines})


def _first_machines(request: HttpRequest) -> Machines:
    origin = read_id(request.GET.get("from"))
    return machines_like(get_object_or_404(Environment, pk=origin)) if origin else new_machines()
