"""Writing an environment down, and naming one."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy as _

from benchdash.accounts.roles import Role
from benchdash.errors import Refused
from benchdash.inventory.models import Environment, EnvironmentName
from benchdash.inventory.records import Look, name_environment, record_environment
from benchdash.pages.access import needs, person
from benchdash.pages.typed_machines import START, read_machines, written_machines
from benchdash.vocabulary.facts import FACTS, NETWORK, PARTS


class EnvironmentForm(forms.Form):
    """A name, and the machines by role as YAML."""

    name = forms.CharField(label=_("Name"), max_length=200)
    machines = forms.CharField(
        label=_("Machines"),
        strip=False,
        widget=forms.Textarea({"rows": 22, "class": "code", "spellcheck": "false"}),
        help_text=_(
            "One block a machine, named by its role (node-a, node-b, client, guest-3), and one "
            "for the network. What you leave empty is not said. Sizes as 8G or 1TB."
        ),
    )


class NameForm(forms.Form):
    """Another name for content that is there."""

    name = forms.CharField(label=_("Name"), max_length=200)


@needs(Role.CONTRIBUTOR)
def new_environment(request: HttpRequest) -> HttpResponse:
    """A new one, typed in; `from` takes the facts of another one to change."""
    form = EnvironmentForm(request.POST or None, initial={"machines": _start(request)})
    if request.method == "POST" and form.is_valid():
        try:
            return redirect("environment", _recorded(form, request).pk)
        except Refused as refused:
            form.add_error("name" if refused.field == "name" else "machines", refused.sentence)
    context = {"form": form, "facts": FACTS, "parts": PARTS, "network": NETWORK}
    return render(request, "environments/edit.html", context)


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


def _recorded(form: EnvironmentForm, request: HttpRequest) -> Environment:
    facts, network = read_machines(form.cleaned_data["machines"])
    look = Look(captured_by=person(request))
    return record_environment(facts, network, name=form.cleaned_data["name"], look=look)


def _start(request: HttpRequest) -> str:
    origin = request.GET.get("from", "")
    return (
        written_machines(get_object_or_404(Environment, pk=origin)) if origin.isdecimal() else START
    )
