"""Filters of the runs list at one press: those that everyone has, and a person's own."""

from __future__ import annotations

from dataclasses import dataclass

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from benchdash.accounts.models import User
from benchdash.errors import Refused
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
    query = forms.CharField(required=False, widget=forms.HiddenInput)


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
    """Keep the filter under a name, or say why not; the list stays narrowed by it."""
    query = narrowing(request.POST.get("query", ""))
    try:
        _keep(person(request), SaveForm(request.POST), query)
    except Refused as refused:
        messages.error(request, refused.sentence)
    return HttpResponseRedirect(f"{reverse('runs')}?{query}")


@needs_a_person
@require_POST
def forget_filter(request: HttpRequest) -> HttpResponse:
    """Drop one of the person's own filters."""
    name = request.POST.get("name", "")
    SavedFilter.objects.filter(person=person(request), name=name).delete()
    return HttpResponseRedirect(reverse("runs"))


def _keep(owner: User, form: SaveForm, query: str) -> None:
    """The same name again means the new one."""
    if not query or not form.data.get("name", "").strip():
        raise Refused(gettext("A saved filter needs a name and something to narrow by."))
    if not form.is_valid():
        raise Refused(" ".join(str(sentence) for sentence in form.errors["name"]))
    if len(query) > LONGEST_QUERY:
        raise Refused(_too_long(query))
    name = form.cleaned_data["name"]
    own = SavedFilter.objects.filter(person=owner)
    if own.exclude(name=name).count() >= MOST_FILTERS:
        sentence = gettext("You have {n} saved filters; forget one of them first.")
        raise Refused(sentence.format(n=MOST_FILTERS))
    SavedFilter.objects.update_or_create(person=owner, name=name, defaults={"query": query})


def _too_long(query: str) -> str:
    """What to do about a filter that is not kept."""
    if "runs" in QueryDict(query):
        return gettext(
            "This filter is too long to be saved, because it names each of its runs. "
            "Give these runs a tag, and save the filter by that tag."
        )
    return gettext("This filter is too long to be saved. Shorten its text.")


def _quick(here: QueryDict, name: str, value: str, words: str) -> Chip:
    """Pressed once it narrows by the value, pressed again no more; all else stays."""
    current = here.get(name) == value
    there = here.copy()
    if current:
        del there[name]
    else:
        there[name] = value
    return Chip(words, there.urlencode(), current)
