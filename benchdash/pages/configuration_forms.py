"""Writing a configuration down: layers in the notation, seen as a drawing before they are saved."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext_lazy as _

from benchdash.accounts.roles import Role
from benchdash.errors import Refused
from benchdash.inventory.models import Configuration
from benchdash.inventory.stacks import change_configuration, record_configuration
from benchdash.pages.access import needs, person
from benchdash.pages.common_stacks import COMMON_STACKS
from benchdash.pages.edit_conflicts import is_unchanged, mark
from benchdash.pages.layer_fields import layer_fields, written_in
from benchdash.results.ids import read_id
from benchdash.vocabulary.storage import KINDS
from benchdash.vocabulary.storage.notation import parse, print_stack

Wrong = dict[str, str]  # a sentence by the field of a layer


class ConfigurationForm(forms.Form):
    """A name, the layers as text, notes."""

    name = forms.CharField(label=_("Name"), max_length=200)
    layers = forms.CharField(
        label=_("Layers"),
        strip=False,
        widget=forms.Textarea({"rows": 10, "class": "code", "spellcheck": "false"}),
        help_text=_(
            "One layer a line, from the filesystem down to the disks, each with its options as "
            "name=value. Each of several legs begins with “- ”; @node-b names another node."
        ),
    )
    notes = forms.CharField(
        label=_("Notes"),
        required=False,
        widget=forms.Textarea({"rows": 4}),
        help_text=_("Markdown."),
    )

    def clean_layers(self) -> dict[str, Any]:
        try:
            return parse(self.cleaned_data["layers"])
        except Refused as refused:
            raise forms.ValidationError(refused.sentence) from refused


@needs(Role.CONTRIBUTOR)
def new_configuration(request: HttpRequest) -> HttpResponse:
    """A new one: empty, from a common stack (`template`), or from another one (`from`)."""
    form, wrong = _form(request, _start(request))
    if _is_to_be_saved(request, form, wrong):
        said = form.cleaned_data
        try:
            made = record_configuration(
                said["name"], said["layers"], notes=said["notes"], by=person(request)
            )
            return redirect("configuration", made.pk)
        except Refused as refused:
            _add(form, refused)
    return _shown(request, form, Configuration(), wrong)


@needs(Role.CONTRIBUTOR)
def edit_configuration(request: HttpRequest, pk: int) -> HttpResponse:
    """Name and notes move; layers only while nothing was measured on them."""
    found = get_object_or_404(Configuration.objects.select_related("stack"), pk=pk)
    initial = _initial(found)
    form, wrong = _form(request, initial)
    if _is_to_be_saved(request, form, wrong) and is_unchanged(form, request.POST, initial):
        try:
            change_configuration(found, **form.cleaned_data)
            return redirect("configuration", pk)
        except Refused as refused:
            _add(form, refused)
    return _shown(request, form, found, wrong)


def _form(request: HttpRequest, initial: dict[str, str]) -> tuple[ConfigurationForm, Wrong]:
    """The form, with what was typed into the fields of the layers written into their text."""
    if request.method != "POST":
        return ConfigurationForm(initial=initial), {}
    posted = request.POST.copy()
    common = _common(request.POST)
    posted["layers"], wrong = (common, {}) if common else written_in(request.POST)
    return ConfigurationForm(posted, initial=initial), wrong


def _common(said: QueryDict) -> str:
    """The layers of the common stack that is asked for; what was typed beside them stays."""
    common = COMMON_STACKS.get(said.get("template", ""))
    return common.layers if common else ""


def _is_to_be_saved(request: HttpRequest, form: ConfigurationForm, wrong: Wrong) -> bool:
    return form.is_valid() and not wrong and not {"preview", "template"} & request.POST.keys()


def _shown(
    request: HttpRequest, form: ConfigurationForm, found: Configuration, wrong: Wrong
) -> HttpResponse:
    first = _read(form.initial.get("layers", ""))
    tree = form.cleaned_data.get("layers") if form.is_bound else first
    typed = QueryDict() if _common(request.POST) else request.POST
    context = {
        "form": form,
        "configuration": found,
        "tree": tree,
        "layers_text": form["layers"].value(),
        "layer_fields": layer_fields(tree, typed, wrong) if tree else [],
        "templates": COMMON_STACKS,
        "kinds": KINDS.values(),
        "seen": mark(_initial(found)) if found.pk else "",
    }
    return render(request, "configurations/edit.html", context)


def _start(request: HttpRequest) -> dict[str, str]:
    if common := _common(request.GET):
        return {"layers": common}
    if origin := read_id(request.GET.get("from")):
        return _initial(get_object_or_404(Configuration.objects.select_related("stack"), pk=origin))
    return {}


def _initial(configuration: Configuration) -> dict[str, str]:
    layers = print_stack(configuration.stack.tree)
    return {"name": configuration.name, "layers": layers, "notes": configuration.notes}


def _read(layers: str) -> dict[str, Any] | None:
    return parse(layers) if layers else None


def _add(form: forms.Form, refused: Refused) -> None:
    form.add_error(refused.field if refused.field in form.fields else None, refused.sentence)
