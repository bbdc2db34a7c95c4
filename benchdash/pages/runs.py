"""The list of runs, and what is done to several at once."""

from __future__ import annotations

from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _

from benchdash.accounts.roles import Role
from benchdash.pages.access import needs
from benchdash.pages.record_names import record_names
from benchdash.pages.run_changes import MOST_AT_ONCE, ChangeForm
from benchdash.pages.run_filter import RunFilter
from benchdash.pages.saved_filters import chips
from benchdash.results.headlines import headlines
from benchdash.results.ids import read_ids
from benchdash.results.models import Run
from benchdash.results.paging import page_of

NUMBERS_IN_A_LIST = 2
IN_A_LIST = Run.objects.select_related("configuration", "study").prefetch_related("tags")
IN_A_LIST = IN_A_LIST.defer("details", "conditions")


@needs(Role.VISITOR, to_write=Role.CONTRIBUTOR)
def runs(request: HttpRequest) -> HttpResponse:
    """Runs, newest first, narrowed by the address; a POST acts on those that were ticked."""
    change = ChangeForm(request.POST or None)
    chosen = _chosen(request)
    if request.method == "POST" and not chosen:
        change.add_error(None, _("Tick the runs first."))
    elif request.method == "POST" and (done := change.apply(chosen)):
        messages.success(request, done)
        return HttpResponseRedirect(request.get_full_path())
    for sentences in change.errors.values():
        messages.error(request, " ".join(map(str, sentences)))  # its field may be out of sight
    form = RunFilter(request.GET)
    page = page_of(form.narrow(IN_A_LIST), request.GET)
    context = {
        "filter": form,
        "page": page,
        "headlines": headlines(page.rows, NUMBERS_IN_A_LIST),
        "change": change,
        "chosen": chosen,
    }
    return render(request, "runs/list.html", context | record_names(request) | chips(request))


def _chosen(request: HttpRequest) -> set[int]:
    return set(read_ids(request.POST.getlist("runs")[:MOST_AT_ONCE]))
