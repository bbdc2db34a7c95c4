"""One box over everything."""

from __future__ import annotations

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from benchdash.accounts.roles import Role, role_of
from benchdash.jobs.queries import search as found_by
from benchdash.pages.access import needs
from benchdash.results.search import SHOWN


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
    """What was found, by kind of record."""
    form = SearchForm(request.GET)
    query = form.cleaned_data["q"] if form.is_valid() else ""
    form.fields["q"].widget.attrs["autofocus"] = not query
    groups = found_by(query, role_of(request.user))
    context = {"form": form, "query": query, "groups": groups, "shown": SHOWN}
    return render(request, "search/page.html", context)
