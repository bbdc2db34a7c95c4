"""Writing an environment down, and naming one."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from benchdash.accounts.roles import Role
from benchdash.errors import Refused
from benchdash.inventory.models import Environment, EnvironmentName
from benchdash.inventory.records import Look, name_environment, record_environment
from benchdash.pages.access import needs, person
from benchdash.pages.machine_fields import Machines, machine_fields
from benchdash.pages.machine_texts import Texts, pressed, start, texts_of
from benchdash.results.ids import read_id


class NameForm(forms.Form):
    """The name of content: of new content, or another one for content that is there."""

    name = forms.CharField(label=_("Name"), max_length=200)


@needs(Role.CONTRIBUTOR)
def new_environment(request: HttpRequest) -> HttpResponse:
    """A new one, typed in; `from` takes the facts of another one to change."""
    again = pressed(request.POST)
    if request.method != "POST" or again is not None:
        machines = machine_fields(_start(request) if again is None else again)
        return _shown(request, NameForm(initial=request.POST.dict()), machines)
    form, machines = NameForm(request.POST), machine_fields(request.POST)
    machines.read()
    if form.is_valid() and not machines.is_wrong:
        try:
            return redirect("environment", _recorded(form, machines, request).pk)
        except Refused as refused:
            form.add_error("name" if refused.field == "name" else None, refused.sentence)
    return _shown(request, form, machines)


@needs(Role.CONTRIBUTOR)
@require_POST
def machine_rows(request: HttpRequest) -> HttpResponse:
    """The fields alone, after a button among them, for the pages that they stand in."""
    texts = pressed(request.POST)
    machines = machine_fields(request.POST if texts is None else texts)
    return render(request, "environments/machine_fields.html", {"machines": machines})


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
    look = Look(captured_by=person(request))
    name = form.cleaned_data["name"]
    return record_environment(machines.facts, machines.network, name=name, look=look)


def _shown(request: HttpRequest, form: NameForm, machines: Machines) -> HttpResponse:
    return render(request, "environments/edit.html", {"form": form, "machines": machines})


def _start(request: HttpRequest) -> Texts:
    origin = read_id(request.GET.get("from"))
    return texts_of(get_object_or_404(Environment, pk=origin)) if origin else start()
