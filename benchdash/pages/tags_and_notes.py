"""Tags and notes on the pages of studies, configurations and runs."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from functools import partial
from typing import Any, NamedTuple, cast

from django import forms
from django.contrib import messages
from django.db.models import F, QuerySet
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import get_object_or_404, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from benchdash.accounts.roles import Role
from benchdash.errors import Refused
from benchdash.inventory.models import Configuration
from benchdash.inventory.records import LONGEST_TEXT
from benchdash.pages.access import needs, person
from benchdash.prepared import OneOf, Prepared
from benchdash.results.annotations import (
    add_note,
    change_note,
    set_tags,
    tag_names,
    used_tags,
)
from benchdash.results.language import in_language
from benchdash.results.models import Note, Run, Study, Tag
from benchdash.results.models.annotation import ANNOTATED
from benchdash.results.run_names import names_of
from benchdash.results.titles import study_text

Record = Study | Configuration | Run
MODELS: dict[str, type[Record]] = {"study": Study, "configuration": Configuration, "run": Run}
_RELATIONS = {"study": "studies", "configuration": "configurations", "run": "runs"}


class TagsForm(forms.Form):
    """The tags of one record, with commas between them."""

    tags = forms.CharField(
        label=gettext_lazy("Tags"),
        required=False,
        max_length=1000,
        help_text=gettext_lazy("Separated by commas."),
        widget=forms.TextInput({"list": "tags", "autocomplete": "off"}),
    )


class NoteForm(forms.Form):
    """One note."""

    text = forms.CharField(
        label=gettext_lazy("Note"),
        max_length=LONGEST_TEXT,
        help_text=gettext_lazy("Markdown."),
        widget=forms.Textarea({"rows": 4}),
    )


class ShownNote(NamedTuple):
    """A note, and who wrote and who changed it by name."""

    pk: int
    text: str
    created_at: datetime
    created_by: str | None
    changed_at: datetime | None
    changed_by: str | None


def annotations_of(record: Record, request: HttpRequest) -> dict[str, Any]:
    """The context of `parts/annotations.html`; two queries."""
    kind = _kind(record)
    remarks = [ShownNote(*row) for row in _NOTES[kind]([record.pk])]
    context = {"kind": kind, "tags": _tags(record), "remarks": remarks}
    return {"annotated": record, "annotations": context}


def _tags(record: Record) -> list[str]:
    return [name for (name,) in _TAGS[_kind(record)]([record.pk])]


def _tags_by(relation: str, records: Collection[int]) -> QuerySet[Tag, tuple[str]]:
    return Tag.objects.filter(OneOf(F(relation), records)).values_list("name")


def _notes_by(kind: str, records: Collection[int]) -> QuerySet[Note, tuple[Any, ...]]:
    columns = "pk", "text", "created_at", "created_by__username", "changed_at"
    found = Note.objects.filter(OneOf(F(f"{kind}_id"), records))
    return found.values_list(*columns, "changed_by__username")


_TAGS = {kind: Prepared(partial(_tags_by, relation)) for kind, relation in _RELATIONS.items()}
_NOTES = {kind: Prepared(partial(_notes_by, kind)) for kind in MODELS}


@needs(Role.CONTRIBUTOR)
def change_tags(request: HttpRequest, kind: str, pk: int) -> HttpResponse:
    """Exactly these tags on one record; its page fetches the form once it is opened."""
    record = _record(kind, pk)
    if request.method != "POST":
        form = TagsForm(initial={"tags": ", ".join(_tags(record))})
        context = {"form": form, "record": record, "known_tags": used_tags()}
        return _form(request, "notes/tags.html", context)
    form = TagsForm(request.POST)
    if not form.is_valid():
        messages.error(request, " ".join(map(in_language, form.errors["tags"])))
        return _back_to(record)
    try:
        set_tags(record, tag_names(form.cleaned_data["tags"]))
    except Refused as refused:
        messages.error(request, in_language(refused.sentence))
    return _back_to(record)


@needs(Role.CONTRIBUTOR)
def new_note(request: HttpRequest, kind: str, pk: int) -> HttpResponse:
    """One more note on a record; its page fetches the form once it is opened."""
    record = _record(kind, pk)
    form = NoteForm(request.POST or None)
    if form.is_valid():
        add_note(record, form.cleaned_data["text"], person(request))
        return _back_to(record)
    return _form(request, "notes/edit.html", {"form": form, "record": record})


def _form(request: HttpRequest, template: str, context: dict[str, Any]) -> HttpResponse:
    """A page of its own, or the form alone for a page that fetches it."""
    context["base"] = "notes/form.html" if "HX-Request" in request.headers else "base.html"
    context["address"] = request.path
    if context["base"] == "base.html":
        context["name"] = _name(context["record"])
        context["back"] = _notes_of(context["record"])
    return render(request, template, context, status=422 if context["form"].is_bound else 200)


@needs(Role.CONTRIBUTOR)
def edit_note(request: HttpRequest, pk: int) -> HttpResponse:
    """Say a note in other words, or take it away."""
    note = get_object_or_404(Note.objects.select_related(*ANNOTATED), pk=pk)
    record = next(each for kind in ANNOTATED if (each := getattr(note, kind)))
    form = NoteForm(request.POST or None, initial={"text": note.text})
    if request.POST.get("act") == "remove":
        note.delete()
        messages.success(request, _("The note was deleted."))
        return _back_to(record)
    if form.is_valid():
        change_note(note, form.cleaned_data["text"], person(request))
        return _back_to(record)
    return _form(request, "notes/edit.html", {"form": form, "record": record, "note": note})


def _record(kind: str, pk: int) -> Record:
    if kind not in MODELS:
        raise Http404
    return cast("Record", get_object_or_404(MODELS[kind], pk=pk))


def _name(record: Record) -> str:
    """As its own page has it."""
    if isinstance(record, Run):
        return names_of([record.pk]).get(record.pk, str(record))
    return study_text(record, "title") if isinstance(record, Study) else str(record)


def _kind(record: Record) -> str:
    return next(kind for kind, model in MODELS.items() if isinstance(record, model))


def _notes_of(record: Record) -> str:
    key = record.slug if isinstance(record, Study) else record.pk
    return f"{reverse(_kind(record), args=[key])}#notes"


def _back_to(record: Record) -> HttpResponse:
    return HttpResponseRedirect(_notes_of(record))
