"""The list of runs: how it is narrowed, which filters people keep, and what is done to several."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

from django import forms
from django.contrib import messages
from django.db.models import F
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect, QueryDict
from django.shortcuts import render
from django.urls import reverse
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from benchdash.accounts.models import User
from benchdash.accounts.roles import Role, role_of
from benchdash.errors import Refused, side_by_side
from benchdash.pages.access import needs, needs_a_person, person
from benchdash.pages.run_changes import ChangeForm, record_names, ticked_runs
from benchdash.pages.run_columns import (
    Layout,
    Offered,
    SortedPage,
    heads,
    layout_of,
    offered,
    sorted_page,
    widened,
)
from benchdash.pages.run_facets import TYPED, chosen_links, facet_links, read_run_query
from benchdash.pages.run_rows import listed, run_rows
from benchdash.prepared import OneOf, Prepared
from benchdash.results.annotations import used_tags
from benchdash.results.doubts import DOUBTED_SAMPLE
from benchdash.results.facets import MOST_COUNTED, count_of
from benchdash.results.ids import read_ids
from benchdash.results.language import in_language
from benchdash.results.models import Run, SavedFilter
from benchdash.results.models.run import LIVING
from benchdash.results.paging import PAGE, Page, first_page, is_first, page_of
from benchdash.results.run_filters import STATES, RunQuery, matching
from benchdash.results.sorting import one_per_sample


@needs(Role.VISITOR, to_write=Role.CONTRIBUTOR)
def runs(request: HttpRequest) -> HttpResponse:
    """Runs, newest first, narrowed by the address; a POST acts on those that were ticked."""
    run_query, nonsense = read_run_query(request.GET, role_of(request.user))
    change = ChangeForm(request.POST if "act" in request.POST else None)
    if change.is_bound and (done := _changed(request, change)):
        messages.success(request, done)
        return HttpResponseRedirect(request.get_full_path())
    for sentences in change.errors.values():  # a field may be out of sight
        messages.error(request, " ".join(map(in_language, sentences)))
    for sentence in nonsense:
        messages.error(request, sentence)
    chosen = set(read_ids(request.POST.getlist("runs")))
    layout = layout_of(request.GET, with_plans=role_of(request.user) >= Role.VIEWER)
    for sentence in layout.refusals():
        messages.error(request, sentence)
    count = count_of(run_query)
    page = _page(request, run_query, layout, count)
    context = {
        "run_query": run_query,
        "chosen": list(chosen_links(request, run_query)),
        "other_filters": [pair for pair in run_query.pairs() if pair[0] not in TYPED],
        "typed": {name: " ".join(run_query.chosen.get(name, ())) for name in TYPED},
        "left_out": _left_out(run_query),
        "count": min(count, MOST_COUNTED),
        "and_more": count > MOST_COUNTED,
        "page": page,
        "nothing": not (page.rows or request.GET or Run.objects.exists()),
        "rows": widened(
            run_rows(request, page.rows, chosen),
            page.rows,
            layout,
            binary=bool(getattr(request.user, "binary_units", False)),
        ),
        "layout": layout,
        "heads": heads(layout),
    }
    if request.GET.get("columns"):  # without scripts, a link asks for them
        context["columns"] = _offered(request, page, layout)
    if request.GET.get("filters"):  # without scripts, a link asks for them
        context |= {"facets": facet_links(request, run_query), "and_filters": "&filters=counted"}
    if request.method == "POST":  # without scripts, a button asks for the fields
        context |= _fields(request, change)
    return render(request, "runs/list.html", context | chips(request, run_query, layout))


@needs(Role.VISITOR)
def counted_filters(request: HttpRequest) -> HttpResponse:
    """What the list can be narrowed by, which scripts add once it would be in sight."""
    run_query, _nonsense = read_run_query(request.GET, role_of(request.user))
    layout = layout_of(request.GET, with_plans=role_of(request.user) >= Role.VIEWER)
    context = {"facets": facet_links(request, run_query), "layout": layout}
    return render(request, "runs/facets.html", context)


@needs(Role.VISITOR)
def run_columns(request: HttpRequest) -> HttpResponse:
    """The columns to choose from, which scripts add once they would be in sight."""
    run_query, _nonsense = read_run_query(request.GET, role_of(request.user))
    layout = layout_of(request.GET, with_plans=role_of(request.user) >= Role.VIEWER)
    page = _page(request, run_query, layout, count_of(run_query) if layout.sort else 0)
    columns = _offered(request, page, layout)
    return render(
        request, "runs/columns.html", {"run_query": run_query, "layout": layout, "columns": columns}
    )


def _page(
    request: HttpRequest, run_query: RunQuery, layout: Layout, count: int
) -> Page[Run] | SortedPage:
    """The part of the list that the address shows; `count` samples match."""
    if is_first(request.GET) and not (run_query.chosen or layout.sort):
        return first_page(listed([pk for (pk,) in _NEWEST()]))
    found = matching(run_query, Run.objects.only("pk"))
    if layout.sort:
        return sorted_page(found, layout, request.GET, are_few=count <= MOST_COUNTED)
    page = page_of(one_per_sample(found), request.GET)
    return replace(page, rows=listed([run.pk for run in page.rows]))


# the page that is opened most
_NEWEST = Prepared(
    lambda: one_per_sample(Run.objects.filter(LIVING)).order_by("-pk").values_list("pk")[: PAGE + 1]
)


def _offered(request: HttpRequest, page: Page[Run] | SortedPage, layout: Layout) -> list[Offered]:
    settings = sorted({f"setting.{name}" for run in page.rows for name in run.settings})
    with_plans = role_of(request.user) >= Role.VIEWER
    return offered(layout, page.rows, settings, with_plans=with_plans)


def _changed(request: HttpRequest, change: ChangeForm) -> str:
    """What was done to the runs, or "" and the reason in the form."""
    try:
        runs = ticked_runs(request.POST)
    except Refused as refused:
        change.add_error(None, refused.sentence)
        return ""
    return change.apply(runs, person(request))


def _left_out(run_query: RunQuery) -> int:
    """How many runs only their doubts leave out; one query where they do."""
    if "exclude" not in run_query.chosen.get("doubts", ()):
        return 0
    return matching(run_query.without({"doubts"})).filter(DOUBTED_SAMPLE).count()


@needs(Role.CONTRIBUTOR)
def change_runs(request: HttpRequest) -> HttpResponse:
    """The fields for acts on ticked runs, which scripts add to the list with the first tick."""
    return render(request, "runs/change.html", _fields(request, ChangeForm()))


def _fields(request: HttpRequest, change: ChangeForm) -> dict[str, Any]:
    return record_names(request) | {"change": change, "known_tags": _TAGS.all()}


_TAGS = used_tags().values_list("name", flat=True)
MOST_FILTERS = 30
LONGEST_QUERY = 1000
_QUICK = (
    *(("state", name, STATES[name][0]) for name in ("unassigned", "set-aside", "same", "doubted")),
    ("doubts", "exclude", _("leave out doubted")),
)


@dataclass(frozen=True, slots=True)
class Chip:
    """A filter to press: the address it leads to, and whether the page is there."""

    text: str
    query: str
    current: bool
    saved: bool = False


class SaveForm(forms.Form):
    """A name for the filter at hand."""

    name = forms.CharField(label=_("Name"), max_length=60)
    query = forms.CharField(required=False, widget=forms.HiddenInput)


def chips(request: HttpRequest, run_query: RunQuery, layout: Layout) -> dict[str, object]:
    """The context of the chips; one query for whoever has signed in."""
    here = f"{run_query.query()}{layout.suffix}".lstrip("&")
    signed_in = request.user if isinstance(request.user, User) else None
    own = _SAVED([signed_in.pk]) if signed_in else ()
    return {
        "quick": [_quick(run_query, name, value, str(text)) for name, value, text in _QUICK],
        "saved": [Chip(name, query, query == here, saved=True) for name, query in own],
        "save": SaveForm(initial={"query": here}) if here and signed_in else None,
    }


_SAVED = Prepared(
    lambda person: SavedFilter.objects.filter(OneOf(F("person_id"), person)).values_list(
        "name", "query"
    )
)


def _quick(run_query: RunQuery, name: str, value: str, text: str) -> Chip:
    """Pressed once it narrows by the value, pressed again no more; all else stays."""
    there = run_query.toggled(name, value, alone=True)
    return Chip(text, there.query(), value in run_query.chosen.get(name, ()))


@needs_a_person
@require_POST
def save_filter(request: HttpRequest) -> HttpResponse:
    """Keep the filter under a name, or say why not; the list stays narrowed by it."""
    sent = QueryDict(request.POST.get("query", ""))
    layout = layout_of(sent, with_plans=True)
    query = f"{read_run_query(sent, role_of(request.user))[0].query()}{layout.suffix}".lstrip("&")
    try:
        _keep(person(request), SaveForm(request.POST), query)
    except Refused as refused:
        messages.error(request, in_language(refused.sentence))
    return HttpResponseRedirect(f"{reverse('runs')}?{query}")


@needs_a_person
@require_POST
def forget_filter(request: HttpRequest) -> HttpResponse:
    """Drop one of the person's own filters; the list stays narrowed by it, so it can be saved anew."""
    found = SavedFilter.objects.filter(
        person=person(request), name=request.POST.get("name", "")
    ).first()
    if found is None:
        return HttpResponseRedirect(reverse("runs"))
    found.delete()
    sentence = gettext("The filter “%(name)s” was deleted; the list is still narrowed by it.")
    messages.success(request, sentence % {"name": found.name})
    return HttpResponseRedirect(f"{reverse('runs')}?{found.query}")


def _keep(owner: User, form: SaveForm, query: str) -> None:
    """The same name again means the new one."""
    if not query or not form.data.get("name", "").strip():
        raise Refused(gettext("A saved filter needs a name and something to filter by."))
    if not form.is_valid():
        sentences = [str(each) for errors in form.errors.values() for each in errors]
        raise Refused(side_by_side(sentences, " "))
    if len(query) > LONGEST_QUERY:
        raise Refused(_too_long(query))
    name = form.cleaned_data["name"]
    own = SavedFilter.objects.filter(person=owner)
    if own.exclude(name=name).count() >= MOST_FILTERS:
        raise Refused("You have {n} saved filters; delete one of them first.", n=MOST_FILTERS)
    SavedFilter.objects.update_or_create(person=owner, name=name, defaults={"query": query})


def _too_long(query: str) -> str:
    """What to do about a filter that is not kept."""
    if "run" in QueryDict(query):
        return gettext(
            "This filter is too long to be saved, because it names each of its runs. "
            "Give these runs a tag, and save the filter by that tag."
        )
    return gettext("This filter is too long to be saved. Shorten its text.")
