"""What people write of a study, and what it compares; a study is deleted and restored here, too."""

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
from benchdash.results.parameters import LARGEST_DELTA, SMALLEST_DELTA
from benchdash.results.records import (
    add_condition,
    choose_baseline,
    delete_study,
    remove_condition,
    restore_study,
    write_study,
)
from benchdash.results.titles import study_text

TRANSLATED = ("title", "question", "words", "published_as")


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
            "What the study varies, one per line: layer.drbd.protocol, workload.block_bytes, "
            "environment.kernel"
        ),
    )
    words = forms.CharField(
        label=gettext_lazy("Description"),
        required=False,
        widget=forms.Textarea({"rows": 14}),
        help_text=gettext_lazy("Markdown."),
    )
    source_url = forms.URLField(
        label=gettext_lazy("Link to the publication"), required=False, assume_scheme="https"
    )
    published_as = forms.CharField(
        label=gettext_lazy("Name of the published results"),
        required=False,
        max_length=100,
        help_text=gettext_lazy(
            "What they are called beside your own: author, 2008. If empty, the runs of a "
            "plan do not form a series."
        ),
    )
    delta = forms.FloatField(
        label=gettext_lazy("δ, smallest difference that matters, %"),
        required=False,
        min_value=SMALLEST_DELTA,
        max_value=LARGEST_DELTA,
        help_text=gettext_lazy("If empty, this server’s default."),
    )
    ja_title = forms.CharField(
        label=gettext_lazy("Title in Japanese"), required=False, max_length=200
    )
    ja_question = forms.CharField(
        label=gettext_lazy("Question in Japanese"),
        required=False,
        widget=forms.Textarea({"rows": 2}),
    )
    ja_published_as = forms.CharField(
        label=gettext_lazy("Name of the published results in Japanese"),
        required=False,
        max_length=100,
    )
    ja_words = forms.CharField(
        label=gettext_lazy("Description in Japanese"),
        required=False,
        widget=forms.Textarea({"rows": 8}),
    )

    def clean_factors(self) -> list[str]:
        names = [line.strip() for line in self.cleaned_data["factors"].splitlines() if line.strip()]
        try:
            return [str(read_factor(name, "factors")) for name in names]
        except Refused as refused:
            raise forms.ValidationError(refused.sentence) from refused

    def written(self) -> dict[str, Any]:
        """The fields of the record."""
        values = dict(self.cleaned_data)
        japanese = {name: text for name in TRANSLATED if (text := values.pop(f"ja_{name}"))}
        return values | {"translations": {"ja": japanese} if japanese else {}}


class ConditionForm(forms.Form):
    """One more configuration for a study."""

    configuration = forms.ModelChoiceField(
        Configuration.objects.filter(deleted_at=None).only("name"),
        label=gettext_lazy("Configuration"),
        empty_label=gettext_lazy("choose one"),
    )
    label = forms.CharField(
        label=gettext_lazy("Label"),
        required=False,
        max_length=200,
        help_text=gettext_lazy("Its name in this study, if different."),
    )


@needs(Role.CONTRIBUTOR)
def new_study(request: HttpRequest) -> HttpResponse:
    """A form for a new study."""
    return _edited(request, Study())


@needs(Role.CONTRIBUTOR)
def edit_study(request: HttpRequest, slug: str) -> HttpResponse:
    """The same form for one that is there."""
    return _edited(request, get_object_or_404(Study, slug=slug))


@needs(Role.CONTRIBUTOR)
@require_POST
def change_study(request: HttpRequest, slug: str) -> HttpResponse:
    """Delete a study, or bring it back."""
    found = get_object_or_404(Study, slug=slug)
    title = study_text(found, "title")
    if request.POST.get("act") == "delete":
        delete_study(found)
        sentence = _(
            "“{name}” has been deleted; it can be restored for 30 days, and longer while it has runs."
        )
        messages.success(request, sentence.format(name=title))
    elif request.POST.get("act") == "restore":
        restore_study(found)
        messages.success(request, _("“{name}” has been restored.").format(name=title))
    return redirect("study", slug)


def _edited(request: HttpRequest, study: Study) -> HttpResponse:
    initial = _initial(study)
    form = StudyForm(request.POST or None, initial=initial)
    if form.is_valid() and is_unchanged(form, request.POST, initial):
        try:
            fields = form.written()
            # what the form has no field for stays: labels of conditions, words of series
            for language, words in study.translations.items():
                if further := {name: words[name] for name in words if name not in TRANSLATED}:
                    fields["translations"].setdefault(language, {}).update(further)
            return redirect("study", write_study(study, **fields).slug)
        except Refused as refused:
            form.add_error(refused.field or None, refused.sentence)
    seen = mark(initial) if study.pk else ""
    return render(request, "studies/edit.html", {"form": form, "study": study, "seen": seen})


def _initial(study: Study) -> dict[str, str]:
    japanese = study.translations.get("ja", {})
    words = {
        name: getattr(study, name)
        for name in ("title", "question", "words", "published_as", "source_url")
    }
    return (
        words
        | {"delta": "" if study.delta is None else f"{study.delta:g}"}
        | {"factors": "\n".join(study.factors)}
        | {f"ja_{name}": japanese.get(name, "") for name in TRANSLATED}
    )


@needs(Role.CONTRIBUTOR)
def study_conditions(request: HttpRequest, slug: str) -> HttpResponse:
    """Add what the study compares; what is there can be taken away or made the baseline."""
    study = get_object_or_404(Study, slug=slug)
    form = ConditionForm(request.POST or None)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        try:
            add_condition(study, values["configuration"], None, values["label"])
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
        messages.success(request, _("Removed from the study; its runs remain."))
    elif "baseline" in request.POST:
        choose_baseline(condition)
    return redirect("study_conditions", slug)
