"""Filters of the runs list at one press: those that everyone has, and a person's own."""

from __future__ import annotations

from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from benchdash.accounts.models import User
from benchdash.pages.access import needs_a_person, person
from benchdash.pages.run_filter import STATES, TOOLS, RunFilter
from benchdash.results.models import SavedFilter

MOST_FILTERS = 30
LONGEST_QUERY = 1000
_QUICK = (
    *(("state", name, STATES[name][0]) for name in ("unassigned", "set-aside", "same")),
    *(("tool", tool, tool) for tool in TOOLS),
)


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter to press: the address it leads to, and whether the page is there."""

    words: str
    query: str
    current: bool
    saved: bool = False


class SaveForm(forms.Form):
    """A name for the filter at hand."""

    name = forms.CharField(label=_("Name"), max_length=60)
    query = forms.CharField(required=False, max_length=LONGEST_QUERY, widget=forms.HiddenInput)


def chips(request: HttpRequest) -> dict[str, object]:
    """The context of `runs/chips.html`; one query for whoever has signed in."""
    here = narrowing(request.GET.urlencode())
    signed_in = request.user if isinstance(request.user, User) else None
    own = SavedFilter.objects.filter(person=signed_in) if signed_in else ()
    return {
        "quick": [
            _quick(QueryDict(here), name, value, str(words)) for name, value, words in _QUICK
        ],
        "saved": [Chip(one.name, one.query, one.query == here, saved=True) for one in own],
        "save": SaveForm(initial={"query": here}) if here and signed_in else None,
    }


def narrowing(query: str) -> str:
    """The query string less what narrows nothing (pages, empty fields), in one order."""
    said = QueryDict(query)
    kept = QueryDict(mutable=True)
    for name in RunFilter.base_fields:
        if value := said.get(name, "").strip():
            kept[name] = value
    return kept.urlencode()


@needs_a_person
@require_POST
def save_filter(request: HttpRequest) -> HttpResponse:
    """Keep the filter under a name; the same name again means the new one."""
    form = SaveForm(request.POST)
    query = narrowing(form.cleaned_data["query"]) if form.is_valid() else ""
    own = SavedFilter.objects.filter(person=person(request))
    if not query or len(query) > LONGEST_QUERY:
        messages.error(request, _("A saved filter needs a name and something to narrow by."))
    elif own.exclude(name=form.cleaned_data["name"]).count() >= MOST_FILTERS:
        sentence = _("You have {n} saved filters; forget one of them first.")
        messages.error(request, str(sentence).format(n=MOST_FILTERS))
    else:
        SavedFilter.objects.update_or_create(
            person=person(request), name=form.cleaned_data["name"], defaults={"query": query}
        )
    return HttpResponseRedirect(f"{reverse('runs')}?{query}")


@needs_a_person
@require_POST
def forget_filter(request: HttpRequest) -> HttpResponse:
    """Drop one of the person's own filters."""
    name = request.POST.get("name", "")
    SavedFilter.objects.filter(person=person(request), name=name).delete()
    return HttpResponseRedirect(reverse("runs"))


def _quick(here: QueryDict, name: str, value: str, words: str) -> Chip:
    """Pressed once it narrows by the value, pressed again no more; all else stays."""
    current = here.get(name) == value
    there = here.copy()
    if current:
        del there[name]
    else:
        there[name] = value
    return Chip(words, there.urlencode(), current)
