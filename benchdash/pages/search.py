"""The page of the search: one box over all kinds of records."""

from __future__ import annotations

from collections.abc import Iterable

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy as _

from benchdash.accounts.roles import Role, role_of
from benchdash.jobs.queries import search as found_by
from benchdash.pages.access import needs
from benchdash.pages.run_facets import chosen_links, read_run_query
from benchdash.pages.templatetags.records import doubt_badge
from benchdash.results.doubts import concerns, doubts_of
from benchdash.results.search import SearchQuery
from benchdash.vocabulary.doubts import Doubt


class SearchForm(forms.Form):
    """A GET form; the head of each page has the same box."""

    q = forms.CharField(
        label=_("Search for"),
        required=False,
        max_length=200,
        widget=forms.TextInput({"type": "search", "autocomplete": "off", "spellcheck": "false"}),
    )


@needs(Role.VISITOR)
def search(request: HttpRequest) -> HttpResponse:
    """What was found, by kind of record, or of one `kind` more; the filters of runs stand beside `q`."""
    form = SearchForm(request.GET)
    query = form.cleaned_data["q"] if form.is_valid() else ""
    form.fields["q"].widget.attrs["autofocus"] = not query
    filters = request.GET.copy()
    filters.pop("q", None)
    kind = filters.pop("kind", [""])[-1]
    run_query, nonsense = read_run_query(filters, role_of(request.user))
    for sentence in nonsense:
        messages.error(request, sentence)
    groups = found_by(SearchQuery(query, run_query, kind), role_of(request.user))
    runs = [run.pk for group in groups if group.kind == "runs" for run in group.rows]
    context = {
        "form": form,
        "query": query,
        "run_query": run_query,
        "chosen": list(chosen_links(request, run_query)),
        "groups": groups,
        "kind": kind,
        "doubts": {pk: _badge(pk, doubts) for pk, doubts in doubts_of(runs).items()},
    }
    return render(request, "search/page.html", context)


def _badge(run: int, doubts: Iterable[Doubt]) -> SafeString:
    """No number is shown that a doubt about some operations could concern."""
    whole = [doubt for doubt in doubts if concerns(doubt, ())]
    return doubt_badge(whole, reverse("run", args=[run]))
