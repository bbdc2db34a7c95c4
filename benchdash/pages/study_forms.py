"""Writing a study: its words, and the conditions that it compares."""

from __future__ import annotations

from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.views.decorators.http import require_POST

from benchdash.accounts.roles import Role
from benchdash.errors import Refused
from benchdash.inventory.models import Configuration
from benchdash.pages.access import needs
from benchdash.pages.edit_conflicts import is_unchanged, mark
from benchdash.results.factors import read_factor
from benchdash.results.models import Condition, Study
from benchdash.results.records import add_condition, choose_baseline, remove_condition, write_study

TRANSLATED = ("title", "question", "words")


class StudyForm(forms.Form):
    """The words of a study, in English and, where somebody wrote them, in Japanese."""

    title = forms.CharField(label=gettext_lazy("Title"), max_length=200)
    question = forms.CharField(
        label=gettext_lazy("Question"),
        required=False,
        widget=forms.Textarea({"rows": 2}),
        help_text=gettext_lazy("What you want to know, in one or two sentences."),
    )
    factors = forms.CharField(
        label=gettext_lazy("Factors"),
        required=False,
        widget=forms.Textarea({"rows": 3, "class": "code"}),
        help_text=gettext_lazy(
            "What the study varies, one a line: layer.drbd.protocol, workload.block_bytes, "
            "environment.kernel"
        ),
    )
    words = forms.CharField(
        label=gettext_lazy("Words"),
        required=False,
        widget=forms.Textarea({"rows": 14}),
        help_text=gettext_lazy("Markdown."),
    )
    source_url = forms.URLField(
        label=gettext_lazy("Published at"), required=False, assume_scheme="https"
    )
    ja_title = forms.CharField(
        label=gettext_lazy("Title in Japanese"), required=False, max_length=200
    )
    ja_question = forms.CharField(
        label=gettext_lazy("Question in Japanese"),
        required=False,
        widget=forms.Textarea({"rows": 2}),
    )
    ja_words = forms.CharField(
        label=gettext_lazy("Words in Japanese"), required=False, widget=forms.Textarea({"rows": 8})
    )

    def clean_factors(self) -> list[str]:
        said = [line.strip() for line in self.cleaned_data["factors"].splitlines() if line.strip()]
        try:
            return [str(read_factor(name, "factors")) for name in said]
        except Refused as refused:
            raise forms.ValidationError(refused.sentence) from refused

    def written(self) -> dict[str, Any]:
        """The fields of the record."""
        said = dict(self.cleaned_data)
        japanese = {name: text for name in TRANSLATED if (text := said.pop(f"ja_{name}"))}
        return said | {"translations": {"ja": japanese} if japanese else {}}


class ConditionForm(forms.Form):
    """One more configuration for a study."""

    configuration = forms.ModelChoiceField(
        Configuration.objects.only("name"),
        label=gettext_lazy("Configuration"),
        empty_label=gettext_lazy("choose one"),
    )
    label = forms.CharField(
        label=gettext_lazy("Label"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("What it is called in this study, if not by its own name."),
    )


@needs(Role.CONTRIBUTOR)
def new_study(request: HttpRequest) -> HttpResponse:
    """A form for a new study."""
    return _edited(request, Study())


@needs(Role.CONTRIBUTOR)
def edit_study(request: HttpRequest, slug: str) -> HttpResponse:
    """The same form for one that is there."""
    return _edited(request, get_object_or_404(Study, slug=slug))


def _edited(request: HttpRequest, study: Study) -> HttpResponse:
    initial = _initial(study)
    form = StudyForm(request.POST or None, initial=initial)
    if form.is_valid() and is_unchanged(form, request.POST, initial):
        try:
            return redirect("study", write_study(study, **form.written()).slug)
        except Refused as refused:
            form.add_error(refused.field or None, refused.sentence)
    seen = mark(initial) if study.pk else ""
    return render(request, "studies/edit.html", {"form": form, "study": study, "seen": seen})


def _initial(study: Study) -> dict[str, str]:
    japanese = study.translations.get("ja", {})
    words = {name: getattr(study, name) for name in ("title", "question", "words", "source_url")}
    return (
        words
        | {"factors": "\n".join(study.factors)}
        | {f"ja_{name}": japanese.get(name, "") for name in TRANSLATED}
    )


@needs(Role.CONTRIBUTOR)
def study_conditions(request: HttpRequest, slug: str) -> HttpResponse:
    """Add what the study compares; what is there can be taken away or made the baseline."""
    study = get_object_or_404(Study, slug=slug)
    form = ConditionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        said = form.cleaned_data
        try:
            add_condition(study, said["configuration"], None, said["label"])
            return redirect("study_conditions", slug)
        except Refused as refused:
            form.add_error(refused.field or None, refused.sentence)
    conditions = study.conditions.select_related("configuration").prefetch_related(
        "environment__names"
    )
    context = {"form": form, "study": study, "conditions": conditions}
    return render(request, "studies/conditions.html", context)


@needs(Role.CONTRIBUTOR)
@require_POST
def change_condition(request: HttpRequest, slug: str, pk: int) -> HttpResponse:
    """Take a condition away, or make it the baseline."""
    condition = get_object_or_404(
        Condition.objects.select_related("study"), pk=pk, study__slug=slug
    )
    if "remove" in request.POST:
        remove_condition(condition)
        messages.success(request, _("Taken out of the study; its runs stay."))
    elif "baseline" in request.POST:
        choose_baseline(condition)
    return redirect("study_conditions", slug)
