"""What people change about runs: where they belong, whether they count, whether they are shown."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils.html import format_html
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext
from django.views.decorators.http import require_POST

from benchdash.accounts.models import User
from benchdash.accounts.roles import Role, role_of
from benchdash.errors import Refused
from benchdash.inventory.models import Configuration, EnvironmentName
from benchdash.pages.access import needs, person
from benchdash.pages.settings_field import settings_field
from benchdash.pages.templatetags.words import doubt_title
from benchdash.results.annotations import tag_names, tag_runs, untag_runs
from benchdash.results.assignment import assignment_by_name
from benchdash.results.dismissals import dismiss, doubts_of_samples, take_back
from benchdash.results.ids import read_ids
from benchdash.results.language import in_language
from benchdash.results.models import Doubt, Run, Study
from benchdash.results.run_actions import (
    MOST_MATCHING,
    all_that_match,
    assign,
    count_as_repeats,
    delete,
    restore,
    set_aside,
)
from benchdash.results.run_filters import read_filters
from benchdash.vocabulary.doubts import OF_RUNS

MOST_AT_ONCE = 1000


def _kinds() -> list[tuple[str, str]]:
    titles = sorted((doubt_title(kind), kind) for kind in OF_RUNS)
    return [("", _("all")), *((kind, title) for title, kind in titles)]


def ticked_runs(sent: QueryDict, most: int = MOST_MATCHING) -> Collection[int]:
    """The ticked runs, or all that the filters in `query` match where `matching` says how many.

    Refused for none, and where others match by now.
    """
    if "matching" not in sent or "query" not in sent:
        ticked = read_ids(sent.getlist("runs")[:MOST_AT_ONCE])
        if not ticked:
            raise Refused(_("Tick the runs first."))
        return set(ticked)
    # refuses what it cannot read: less of a filter would be more runs
    found = all_that_match(read_filters(dict(QueryDict(str(sent["query"])).lists())), most)
    if str(found.samples) != sent["matching"]:
        raise Refused(
            "{n} now match, not {expected}: check the list again. Nothing was changed.",
            n=found.samples,
            expected=sent["matching"],
        )
    return found.runs


class ChangeForm(forms.Form):
    """One act on some runs, with what it needs to know; `by` is set with the act."""

    by: User

    act = forms.ChoiceField(
        choices=[(name, name) for name in ("assign", "set-aside", "count", "delete", "restore")]
        + [(name, name) for name in ("repeat", "same", "tag", "untag", "dismiss", "take-back")]
    )
    configuration = forms.CharField(
        label=gettext_lazy("Configuration"),
        required=False,
        max_length=200,
        widget=forms.TextInput({"list": "configurations", "autocomplete": "off"}),
    )
    environment = forms.CharField(
        label=gettext_lazy("Environment"),
        required=False,
        max_length=200,
        widget=forms.TextInput({"list": "environments", "autocomplete": "off"}),
    )
    study = forms.CharField(
        label=gettext_lazy("Study"),
        required=False,
        max_length=200,
        widget=forms.TextInput({"list": "studies", "autocomplete": "off"}),
    )
    settings = settings_field()
    reason = forms.CharField(label=gettext_lazy("Reason"), required=False, max_length=300)
    doubts = forms.ChoiceField(label=gettext_lazy("Doubts"), required=False, choices=_kinds)
    tags = forms.CharField(
        label=gettext_lazy("Tags"),
        required=False,
        max_length=1000,
        help_text=gettext_lazy("Separated by commas."),
        widget=forms.TextInput({"list": "tags", "autocomplete": "off"}),
    )

    def apply(self, runs: Collection[int], by: User) -> str:
        """Do it, and say what was done; a refusal stands beside its field, and "" comes back."""
        if not self.is_valid():
            return ""
        self.by = by
        try:
            return _ACTS[self.cleaned_data["act"]](self, runs)
        except Refused as refused:
            known = refused.field in self.fields
            self.add_error(refused.field if known else None, refused.sentence)
            return ""


def _assign(form: ChangeForm, runs: Collection[int]) -> str:
    values = form.cleaned_data
    assignment = assignment_by_name(
        configuration=values["configuration"],
        environment=values["environment"],
        study=values["study"],
        settings=values["settings"],
    )
    count = assign(runs, assignment)
    return ngettext("{n} run assigned.", "{n} runs assigned.", count).format(n=count)


def _set_aside(form: ChangeForm, runs: Collection[int]) -> str:
    reason = form.cleaned_data["reason"].strip()
    if not reason:
        raise Refused(_("Give a reason, so that others can judge it."), "reason")
    count = set_aside(runs, reason)
    return ngettext("{n} run set aside.", "{n} runs set aside.", count).format(n=count)


def _count(form: ChangeForm, runs: Collection[int]) -> str:
    count = set_aside(runs, "")
    return ngettext("{n} run counts again.", "{n} runs count again.", count).format(n=count)


def _delete(form: ChangeForm, runs: Collection[int]) -> str:
    count = delete(runs)
    sentence = ngettext(
        "{n} run deleted; it can be restored for 30 days.",
        "{n} runs deleted; they can be restored for 30 days.",
        count,
    )
    address = f"{reverse('runs')}?state=deleted"
    return format_html(
        '{} <a href="{}">{}</a>', sentence.format(n=count), address, _("Deleted runs")
    )


def _restore(form: ChangeForm, runs: Collection[int]) -> str:
    count = restore(runs)
    return ngettext("{n} run restored.", "{n} runs restored.", count).format(n=count)


def _tag(form: ChangeForm, runs: Collection[int]) -> str:
    count = tag_runs(runs, _given_tags(form))
    return ngettext("{n} run tagged.", "{n} runs tagged.", count).format(n=count)


def _untag(form: ChangeForm, runs: Collection[int]) -> str:
    count = untag_runs(runs, _given_tags(form))
    return ngettext("Tags removed from {n} run.", "Tags removed from {n} runs.", count).format(
        n=count
    )


def _given_tags(form: ChangeForm) -> list[str]:
    names = tag_names(form.cleaned_data["tags"])
    if not names:
        raise Refused(_("Enter a tag."), "tags")
    return names


def _repeat(form: ChangeForm, runs: Collection[int]) -> str:
    count_as_repeats(runs, repeats=True)
    return _("It now counts as a repeat.")


def _same(form: ChangeForm, runs: Collection[int]) -> str:
    count_as_repeats(runs, repeats=False)
    return _("It is the same run again, and counts once.")


def _dismiss(form: ChangeForm, runs: Collection[int]) -> str:
    values = form.cleaned_data
    count = dismiss(doubts_of_samples(runs, values["doubts"]), values["reason"], form.by)
    return ngettext("{n} doubt dismissed.", "{n} doubts dismissed.", count).format(n=count)


def _take_back(form: ChangeForm, runs: Collection[int]) -> str:
    count = take_back(doubts_of_samples(runs, form.cleaned_data["doubts"]), form.by)
    return ngettext("{n} doubt stands again.", "{n} doubts stand again.", count).format(n=count)


_ACTS = {
    "assign": _assign,
    "set-aside": _set_aside,
    "count": _count,
    "delete": _delete,
    "restore": _restore,
    "repeat": _repeat,
    "same": _same,
    "tag": _tag,
    "untag": _untag,
    "dismiss": _dismiss,
    "take-back": _take_back,
}


@needs(Role.CONTRIBUTOR)
@require_POST
def change_run(request: HttpRequest, pk: int) -> HttpResponse:
    """One act on one run, and back to its page."""
    run = get_object_or_404(Run.objects.only("pk"), pk=pk)
    form = ChangeForm(request.POST)
    if done := form.apply([run.pk], person(request)):
        messages.success(request, done)
    else:
        for sentences in form.errors.values():
            messages.error(request, " ".join(map(in_language, sentences)))
    return redirect("run", pk)


@needs(Role.CONTRIBUTOR)
@require_POST
def dismiss_doubt(request: HttpRequest, pk: int) -> HttpResponse:
    """Say that a doubt is none, and why; it stays on the page of its record with that."""
    doubt = get_object_or_404(Doubt.objects.only("run_id", "environment_id"), pk=pk)
    try:
        dismiss(Doubt.objects.filter(pk=pk), request.POST.get("reason", ""), person(request))
    except Refused as refused:
        messages.error(request, in_language(refused.sentence))
    else:
        messages.success(
            request, _("The doubt is dismissed; the reason and your name stay with it.")
        )
    return _to_its_record(doubt)


@needs(Role.CONTRIBUTOR)
@require_POST
def take_back_dismissal(request: HttpRequest, pk: int) -> HttpResponse:
    """Let a dismissed doubt stand again; who did it stays beside the dismissal."""
    doubt = get_object_or_404(Doubt.objects.only("run_id", "environment_id"), pk=pk)
    take_back(Doubt.objects.filter(pk=pk), person(request))
    messages.success(
        request, _("The doubt stands again; the dismissal and your name stay with it.")
    )
    return _to_its_record(doubt)


def _to_its_record(doubt: Doubt) -> HttpResponse:
    if doubt.environment_id:
        return redirect("environment", doubt.environment_id)
    return redirect("run", doubt.run_id)


MOST_NAMES = 500
_NAMED = Configuration.objects.filter(deleted_at=None)
_STUDIES = Study.objects.filter(deleted_at=None)


def record_names(request: HttpRequest) -> dict[str, Any]:
    """`configurations`, `environments`, `studies` for `<datalist>`s; nothing for readers."""
    if role_of(request.user) < Role.CONTRIBUTOR:
        return {}
    environments = EnvironmentName.objects.order_by("name").values_list("name", flat=True)
    return {
        "configurations": _NAMED.values_list("name", flat=True)[:MOST_NAMES],
        "environments": environments.distinct()[:MOST_NAMES],
        "studies": _STUDIES.values_list("title", flat=True)[:MOST_NAMES],
    }
