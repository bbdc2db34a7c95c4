"""Files that could not be read, until somebody looked at them and put them aside."""

from __future__ import annotations

from django import forms
from django.contrib import messages
from django.http import HttpRequest, HttpResponse, HttpResponseRedirect
from django.shortcuts import render
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from benchdash.accounts.roles import Role
from benchdash.pages.access import needs, person
from benchdash.pages.preferences import way_back
from benchdash.pages.run_changes import MOST_AT_ONCE
from benchdash.results.ids import read_ids
from benchdash.results.paging import page_of
from benchdash.results.uploads import LONGEST_REASON, put_aside, refused_files, take_back


class AsideForm(forms.Form):
    """Why they may be passed over; it may stay empty."""

    reason = forms.CharField(
        label=gettext_lazy("Reason"), required=False, max_length=LONGEST_REASON
    )


@needs(Role.CONTRIBUTOR)
def refused_uploads(request: HttpRequest) -> HttpResponse:
    """Those that wait for a look, or with `?aside=1` those put aside; a POST moves the ticked."""
    form = AsideForm(request.POST or None)
    chosen = _chosen(request)
    if request.method == "POST" and not chosen:
        form.add_error(None, _("Tick the files first."))
    elif request.method == "POST" and form.is_valid():
        messages.success(request, _moved(request, chosen, form.cleaned_data["reason"]))
        return HttpResponseRedirect(way_back(request))
    aside = "aside" in request.GET
    files = refused_files(aside=aside).select_related("archive", "created_by", "put_aside_by")
    context = {"aside": aside, "page": page_of(files, request.GET), "form": form, "chosen": chosen}
    return render(request, "uploads/refused.html", context)


def _moved(request: HttpRequest, chosen: set[int], reason: str) -> str:
    if request.POST.get("act") == "take-back":
        count = take_back(chosen)
        sentence = ngettext("{n} file taken back.", "{n} files taken back.", count)
    else:
        count = put_aside(chosen, reason, person(request))
        sentence = ngettext("{n} file put aside.", "{n} files put aside.", count)
    return sentence.format(n=count)


def _chosen(request: HttpRequest) -> set[int]:
    return set(read_ids(request.POST.getlist("uploads")[:MOST_AT_ONCE]))
