"""The page of results over time: of a configuration, a host, a recipe, or any runs that were filtered."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext as _

from benchdash.accounts.roles import Role, role_of
from benchdash.errors import Refused
from benchdash.inventory.models import Configuration, Host
from benchdash.pages.access import needs
from benchdash.pages.history_figures import history_figure
from benchdash.pages.run_facets import chosen_links, read_run_query
from benchdash.results.history import FEW, MOST_SAMPLES, History, history_of
from benchdash.results.language import in_language
from benchdash.results.parameters import read_measure
from benchdash.results.run_filters import RunQuery
from benchdash.results.titles import measure_title
from benchdash.vocabulary.measures import FAMILIES, METRICS

# what is shown of the runs, not which they are
_OF_THE_PAGE = ("series", "measure")


@needs(Role.VISITOR)
def history(request: HttpRequest) -> HttpResponse:
    """The series of the runs that the address chooses; what makes no sense in it is said and ignored."""
    query = request.GET.copy()
    wanted = {name: query.pop(name, [""])[-1].strip() for name in _OF_THE_PAGE}
    run_query, nonsense = read_run_query(query, role_of(request.user))
    measure = None
    try:
        measure = read_measure(wanted["measure"]) if wanted["measure"] else None
    except Refused as refused:
        nonsense.append(in_language(refused.sentence))
    try:
        found = history_of(run_query, wanted["series"], measure)
    except Refused as refused:
        nonsense.append(in_language(refused.sentence))
        wanted["series"] = ""
        found = history_of(run_query, "", measure)
    for sentence in nonsense:
        messages.error(request, sentence)
    context = history_of_part(found, request) | {
        "run_query": run_query,
        "chosen": list(chosen_links(request, run_query)),
        "subject": _subject(request, run_query),
        "view": "".join(f"&{urlencode({name: value})}" for name, value in wanted.items() if value),
        "series": found.series,
        "series_chosen": wanted["series"],
        "few": FEW,
        "measures": list(_measures(found)),
        "measure_chosen": str(measure or ""),
        "runs": f"{reverse('runs')}?{run_query.query()}",
    }
    return render(request, "history/page.html", context)


def history_of_part(found: History, request: HttpRequest) -> dict[str, Any]:
    """The context of `history/figures.html`, which pages of records have too."""
    binary = bool(getattr(request.user, "binary_units", False))
    figures = [history_figure(one, binary=binary) for one in found.drawn]
    return {
        "history": found,
        "most_samples": MOST_SAMPLES,
        "figures": figures,
        "has_charts": any(figure.is_drawn for figure in figures),
    }


def of_record(request: HttpRequest, **filters: str) -> dict[str, Any]:
    """The most measured series of a record's runs, and the query of all; as `history_of_part`."""
    run_query = RunQuery({name: (value,) for name, value in filters.items()})
    return history_of_part(history_of(run_query, few=1), request) | {
        "history_query": run_query.query()
    }


def _measures(found: History) -> list[tuple[str, list[tuple[str, str]]]]:
    """(title, measures with their words): first what people look for, then each family."""
    groups = [(_("Headlines"), found.headlines)]
    for family, title in FAMILIES.items():
        own = tuple(one for one in found.measures if METRICS[one.metric].family == family)
        groups.append((_(title), own))
    return [
        (title, [(str(one), measure_title(one)) for one in own]) for title, own in groups if own
    ]


def _subject(request: HttpRequest, run_query: RunQuery) -> dict[str, str] | None:
    """The one record whose runs these are: its name, and its page; one query at most."""
    if len(run_query.chosen) != 1 or len(values := next(iter(run_query.chosen.values()))) != 1:
        return None
    (kind,), (value,) = run_query.chosen, values
    if kind == "configuration":
        name = Configuration.objects.filter(pk=value).values_list("name", flat=True).first()
        return {"name": name, "page": reverse("configuration", args=[int(value)])} if name else None
    if kind == "host":
        page = ""
        if role_of(request.user) >= Role.VIEWER:
            pk = Host.objects.filter(name=value).values_list("pk", flat=True).first()
            page = reverse("host", args=[pk]) if pk else ""
        return {"name": value, "page": page}
    return {"name": value, "page": ""} if kind == "recipe" else None
