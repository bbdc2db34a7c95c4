"""Configurations: the list, one with its stack, runs and history, two side by side, and the form."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import Exists, OuterRef
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from benchdash.accounts.roles import Role
from benchdash.errors import Refused
from benchdash.inventory.models import Configuration, Facet
from benchdash.inventory.records import change_configuration as write_configuration
from benchdash.inventory.records import (
    delete_configuration,
    record_configuration,
    restore_configuration,
)
from benchdash.pages.access import needs, person
from benchdash.pages.edit_conflicts import is_unchanged, mark
from benchdash.pages.history import of_record
from benchdash.pages.layer_edits import Edited, edited
from benchdash.pages.layer_fields import COMMON_STACKS, is_for, layer_fields, written_in
from benchdash.pages.run_rows import LISTED, run_rows
from benchdash.pages.stack_drawing import boxes, differing
from benchdash.pages.tags_and_notes import annotations_of
from benchdash.results.ids import read_id
from benchdash.results.language import in_language
from benchdash.results.models import Run, Study
from benchdash.results.models.run import LIVING
from benchdash.results.paging import page_of
from benchdash.results.sorting import one_per_sample
from benchdash.results.titles import kind_title, stack_line_title
from benchdash.vocabulary.differences import Line, differences
from benchdash.vocabulary.storage import KINDS
from benchdash.vocabulary.storage.alignment import misalignments, proposals
from benchdash.vocabulary.storage.normal_form import Tree
from benchdash.vocabulary.storage.notation import parse, print_stack
from benchdash.vocabulary.storage.stack import default_lines, lines, walk

NEWEST_RUNS = 10
LIVING_ONES = Configuration.objects.filter(deleted_at=None)
MEASURED = Exists(Run.objects.filter(LIVING, configuration=OuterRef("pk")))


class ConfigurationFilter(forms.Form):
    """A GET form over the list."""

    text = forms.CharField(label=_("Text"), required=False, max_length=200)
    layer = forms.ChoiceField(
        label=_("Layer"),
        required=False,
        choices=lambda: [
            ("", _("all")),
            *((kind.name, kind_title(kind)) for kind in KINDS.values()),
        ],
    )
    deleted = forms.BooleanField(label=_("Deleted"), required=False)


class Pair(forms.Form):
    """Two configurations to lay side by side."""

    left = forms.ModelChoiceField(
        LIVING_ONES.only("name"),
        label=_("Configuration"),
        empty_label=_("choose one"),
    )
    right = forms.ModelChoiceField(
        LIVING_ONES.only("name"),
        label=_("Other configuration"),
        empty_label=_("choose one"),
    )


@needs(Role.VISITOR)
def configurations(request: HttpRequest) -> HttpResponse:
    """All configurations, the newest first."""
    form = ConfigurationFilter(request.GET)
    form.is_valid()
    rows = Configuration.objects.select_related("stack").annotate(measured=MEASURED)
    rows = rows.filter(deleted_at__isnull=not form.cleaned_data.get("deleted"))
    if text := form.cleaned_data.get("text"):
        rows = rows.filter(name__icontains=text)
    if layer := form.cleaned_data.get("layer"):
        rows = rows.filter(
            Exists(Facet.objects.filter(stack=OuterRef("stack"), key="layer", text=layer))
        )
    page = page_of(rows, request.GET)
    nothing = not (page.rows or request.GET or Configuration.objects.exists())
    context = {"filter": form, "page": page, "nothing": nothing}
    return render(request, "configurations/list.html", context)


@needs(Role.VISITOR)
def configuration(request: HttpRequest, pk: int) -> HttpResponse:
    """One configuration."""
    found = get_object_or_404(Configuration.objects.select_related("stack", "created_by"), pk=pk)
    runs = one_per_sample(LISTED.filter(LIVING, configuration=found)).order_by("-pk")[:NEWEST_RUNS]
    context: dict[str, Any] = {
        "configuration": found,
        "layers": list(walk(found.stack.tree)),
        "box": boxes(found.stack.tree),
        "misaligned": misalignments(found.stack.tree),
        "rows": run_rows(request, runs, slim=True, own=True),
        "studies": Study.objects.filter(
            conditions__configuration=found, deleted_at=None
        ).distinct(),
        "namesakes": LIVING_ONES.filter(stack=found.stack_id).exclude(pk=pk),
        "pair": Pair(initial={"left": found}),
    }
    context |= of_record(request, configuration=str(pk)) | annotations_of(found, request)
    return render(request, "configurations/configuration.html", context)


@needs(Role.VISITOR)
def configuration_diff(request: HttpRequest) -> HttpResponse:
    """Two configurations side by side, equal lines folded."""
    form = Pair(request.GET or None)
    context: dict[str, Any] = {"form": form}
    if form.is_valid():
        pair = [form.cleaned_data["left"], form.cleaned_data["right"]]
        trees = [each.stack.tree for each in pair]
        context |= {
            "pair": pair,
            "differing": differing(trees),
            "lines": _differences(*trees),
        }
    return render(request, "configurations/diff.html", context)


def _differences(left: Tree, right: Tree) -> list[Line]:
    defaults = (_titled(default_lines(left)), _titled(default_lines(right)))
    return differences(_titled(lines(left)), _titled(lines(right)), defaults=defaults)


def _titled(flat: dict[str, str]) -> dict[str, str]:
    return {stack_line_title(key): text for key, text in flat.items()}


Wrong = dict[str, str]  # a sentence by the field of a layer, or by EDIT
EDIT = "edit"  # the button that adds, moves or removes a layer
_NOT_SAVED = {"preview", "template", EDIT}  # buttons that change what is shown, and store nothing


class ConfigurationForm(forms.Form):
    """A name, the layers as text, notes."""

    name = forms.CharField(label=_("Name"), max_length=200)
    layers = forms.CharField(
        label=_("Layers"),
        strip=False,
        widget=forms.Textarea({"rows": 10, "class": "code", "spellcheck": "false"}),
        help_text=_(
            "One layer per line, from the filesystem down to the disks, each with its "
            "options as name=value. With several legs, each begins with “- ”; @node-b "
            "names another node."
        ),
    )
    notes = forms.CharField(
        label=_("Notes"),
        required=False,
        widget=forms.Textarea({"rows": 4}),
        help_text=_("Markdown."),
    )

    def __init__(self, *args: Any, stored: dict[str, Any] | None = None, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.stored = stored

    def clean_layers(self) -> dict[str, Any]:
        text = self.cleaned_data["layers"]
        # stored layers stay as they are, with words that are not known any more
        if self.stored and text.split() == print_stack(self.stored).split():
            return self.stored
        try:
            return parse(text)
        except Refused as refused:
            raise forms.ValidationError(refused.sentence) from refused


@needs(Role.CONTRIBUTOR)
def new_configuration(request: HttpRequest) -> HttpResponse:
    """A new one: empty, from a common stack (`template`), or from another one (`from`)."""
    form, wrong, after = _form(request, _start(request))
    if _is_to_be_saved(request, form, wrong):
        values = form.cleaned_data
        try:
            made = record_configuration(
                values["name"], values["layers"], notes=values["notes"], by=person(request)
            )
            return redirect("configuration", made.pk)
        except Refused as refused:
            _add(form, refused)
    return _shown(request, form, Configuration(), wrong, after)


@needs(Role.CONTRIBUTOR)
def edit_configuration(request: HttpRequest, pk: int) -> HttpResponse:
    """Name and notes move; layers only while nothing was measured on them."""
    found = get_object_or_404(Configuration.objects.select_related("stack"), pk=pk)
    initial = _initial(found)
    form, wrong, after = _form(request, initial, found.stack.tree)
    if _is_to_be_saved(request, form, wrong) and is_unchanged(form, request.POST, initial):
        try:
            write_configuration(found, **form.cleaned_data)
            return redirect("configuration", pk)
        except Refused as refused:
            _add(form, refused)
    return _shown(request, form, found, wrong, after)


@needs(Role.CONTRIBUTOR)
@require_POST
def change_configuration(request: HttpRequest, pk: int) -> HttpResponse:
    """Delete a configuration, or bring it back."""
    found = get_object_or_404(Configuration, pk=pk)
    if request.POST.get("act") == "delete":
        delete_configuration(found)
        sentence = gettext(
            "“{name}” has been deleted; it can be restored for 30 days, and longer while it has runs."
        )
        messages.success(request, sentence.format(name=found.name))
    elif request.POST.get("act") == "restore":
        restore_configuration(found)
        messages.success(request, gettext("“{name}” has been restored.").format(name=found.name))
    return redirect("configuration", pk)


def _form(
    request: HttpRequest, initial: dict[str, str], stored: dict[str, Any] | None = None
) -> tuple[ConfigurationForm, Wrong, Edited | None]:
    """The form, with what was typed and pressed in the fields of the layers written into their text."""
    if request.method != "POST":
        return ConfigurationForm(initial=initial, stored=stored), {}, None
    posted = request.POST.copy()
    common = _common(request.POST)
    posted["layers"], wrong = (common, {}) if common else written_in(request.POST)
    after = None
    if EDIT in posted and not wrong and is_for(request.POST):
        try:
            after = edited(str(posted["layers"]), request.POST)
            posted["layers"] = after.text
        except Refused as refused:
            wrong = {EDIT: in_language(refused.sentence)}
    form = ConfigurationForm(posted, initial=initial, stored=stored)
    if _NOT_SAVED & posted.keys():  # who draws a stack first has no name for it yet
        form.fields["name"].required = False
    return form, wrong, after


def _common(query: QueryDict) -> str:
    """The layers of the common stack that is asked for; what was typed beside them stays."""
    common = COMMON_STACKS.get(query.get("template", ""))
    return common.layers if common else ""


def _is_to_be_saved(request: HttpRequest, form: ConfigurationForm, wrong: Wrong) -> bool:
    return form.is_valid() and not wrong and not _NOT_SAVED & request.POST.keys()


def _shown(
    request: HttpRequest,
    form: ConfigurationForm,
    found: Configuration,
    wrong: Wrong,
    after: Edited | None,
) -> HttpResponse:
    first = form.stored or _read(form.initial.get("layers", ""))
    tree = form.cleaned_data.get("layers") if form.is_bound else first
    typed = QueryDict() if _common(request.POST) else request.POST
    has_runs = found.pk is not None and found.runs.exists()
    if has_runs:  # its layers stay as they are
        form.fields["layers"].widget.attrs["readonly"] = True
    layers = layer_fields(tree, typed, wrong, after) if tree and not has_runs else []
    context = {
        "form": form,
        "configuration": found,
        "tree": tree,
        "layers_text": form["layers"].value(),
        "layer_fields": layers,
        "add_below": max(
            (one.place.number for one in layers if one.place.takes_more), default=None
        ),
        "has_runs": has_runs,
        "can_add": not has_runs and (bool(tree) or not (form["layers"].value() or "").strip()),
        "is_unreadable": not tree and bool((form["layers"].value() or "").strip()),
        "proposals": proposals(tree) if tree else [],
        "edit_refused": wrong.get(EDIT, ""),
        "typed": typed,
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
    try:
        return parse(layers) if layers else None
    except Refused:  # a copy of what is not known any more: the form says it when it is sent
        return None


def _add(form: forms.Form, refused: Refused) -> None:
    form.add_error(refused.field if refused.field in form.fields else None, refused.sentence)
