"""The tray: runs and configurations that stay ticked from page to page, to compare them.

It lives in the session, so that it serves visitors too, and for one visit: a session lasts for weeks,
and what was ticked on another day would be compared, or deleted, unnoticed.
"""

from __future__ import annotations

import time
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from urllib.parse import urlencode

from django.contrib import messages
from django.db.models import Count, OuterRef, Subquery
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from benchdash.accounts.roles import Role
from benchdash.inventory.models import Configuration
from benchdash.pages.access import needs
from benchdash.pages.preferences import way_back
from benchdash.results.ids import read_ids
from benchdash.results.models import Run
from benchdash.results.models.run import LIVING
from benchdash.results.run_names import WORKLOAD_COLUMNS, with_names

KINDS = ("runs", "configurations")
KEY = "tray"
VISIT_S = 12 * 3600  # after which nobody still means what was put in last
IdsByKind = dict[str, list[int]]


@dataclass(frozen=True, slots=True)
class Tray:
    """What was taken along and is still there, in the order in which it was taken."""

    runs: dict[int, Run]
    configurations: dict[int, Configuration]

    def __len__(self) -> int:
        return len(self.runs) + len(self.configurations)

    @property
    def query(self) -> str:
        """The address of the compare page with exactly these."""
        pairs = [("configuration", pk) for pk in self.configurations]
        return urlencode(pairs + [("run", pk) for pk in self.runs])


def tray_of(request: HttpRequest) -> Tray:
    """The tray of whoever looks; no query where it is empty, else one for each kind."""
    runs, configurations = (ids_in(request)[kind] for kind in KINDS)
    if not (runs or configurations):  # most often: building the questions takes a millisecond
        return Tray({}, {})
    members = Run.objects.filter(LIVING, sample=OuterRef("sample")).order_by().values("sample")
    living = with_names(Run.objects.filter(LIVING)).annotate(
        members=Subquery(members.annotate(n=Count("pk")).values("n"))
    )
    living = living.only(
        *("label", "tool", "tool_version", "started_at", "created_at", "configuration__name"),
        *(f"workload__{name}" for name in WORKLOAD_COLUMNS),
    )
    there = living.in_bulk(runs) if runs else {}
    stacks = Configuration.objects.only("name").in_bulk(configurations) if configurations else {}
    return Tray(
        {pk: there[pk] for pk in runs if pk in there},
        {pk: stacks[pk] for pk in configurations if pk in stacks},
    )


def ids_in(request: HttpRequest) -> IdsByKind:
    """The ids by kind as the session has them; none of an earlier visit."""
    stored = request.session.get(KEY, {}) if hasattr(request, "session") else {}
    if stored.get("changed_at", 0) < time.time() - VISIT_S:
        stored = {}
    return {kind: list(stored.get(kind, ())) for kind in KINDS}


def use_up(request: HttpRequest, used: Mapping[str, Collection[int]]) -> bool:
    """Take out what something was made of; False where the tray had none of it."""
    before = ids_in(request)
    after = {kind: [pk for pk in pks if pk not in used[kind]] for kind, pks in before.items()}
    if after != before:
        _keep(request, after)
    return after != before


def _keep(request: HttpRequest, ids: IdsByKind) -> None:
    request.session[KEY] = {**ids, "changed_at": time.time()}


MOST = 100


@needs(Role.VISITOR)
@require_POST
def change_tray(request: HttpRequest) -> HttpResponse:
    """Take the ticked along, leave the unticked; `drop` names one to leave (runs-12), or all."""
    ids = _changed(ids_in(request), request)
    if sum(map(len, ids.values())) > MOST:
        sentence = _("The tray holds at most {n} records: compare these first, or empty it.")
        messages.error(request, sentence.format(n=MOST))
    else:
        _keep(request, _there(ids))
    if "HX-Request" in request.headers:
        return render(request, "tray/response.html", {"tray_next": way_back(request)})
    return HttpResponseRedirect(way_back(request))


def _changed(ids: IdsByKind, request: HttpRequest) -> IdsByKind:
    dropped = request.POST.get("drop", "")
    if dropped == "all":
        return {kind: [] for kind in KINDS}
    if dropped:
        return {kind: [pk for pk in pks if f"{kind}-{pk}" != dropped] for kind, pks in ids.items()}
    return {kind: _ticked(kind, pks, request) for kind, pks in ids.items()}


def _there(ids: IdsByKind) -> IdsByKind:
    """The ids of records that can be compared; a box may stand beside a deleted run."""
    runs = set(Run.objects.filter(LIVING, pk__in=ids["runs"]).values_list("pk", flat=True))
    found = Configuration.objects.filter(pk__in=ids["configurations"])
    there = {"runs": runs, "configurations": set(found.values_list("pk", flat=True))}
    return {kind: [pk for pk in pks if pk in there[kind]] for kind, pks in ids.items()}


def _ticked(kind: str, ids: list[int], request: HttpRequest) -> list[int]:
    ticked, shown = (read_ids(request.POST.getlist(name)) for name in (kind, f"shown_{kind}"))
    left = [pk for pk in ids if pk not in shown or pk in ticked]
    return list(dict.fromkeys([*left, *ticked]))
