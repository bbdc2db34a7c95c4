"""The list of jobs: what runs, what waits and in which order, what is over."""

from __future__ import annotations

from typing import Any

from django import forms
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils.translation import gettext_lazy as _

from benchdash.accounts.roles import Role
from benchdash.inventory.models import Host
from benchdash.jobs import queries
from benchdash.jobs.models import Job, Plan
from benchdash.pages.access import needs
from benchdash.results.paging import page_of

SHOWN_ACTIVE = 200


class JobFilter(forms.Form):
    """A GET form; an unknown value narrows nothing."""

    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[
            ("", _("all")),
            ("running", _("on a host")),
            ("waiting", _("in the queue")),
            ("ended", _("over")),
            *Job.State.choices,
        ],
    )
    host = forms.ModelChoiceField(
        Host.objects.filter(targets__isnull=False).distinct(),
        label=_("Host"),
        required=False,
        empty_label=_("all"),
    )
    plan = forms.ModelChoiceField(
        Plan.objects.only("title").order_by("-pk"), required=False, widget=forms.HiddenInput
    )

    def narrow(self, jobs: QuerySet[Job]) -> QuerySet[Job]:
        """The jobs that were asked for."""
        self.full_clean()
        said = self.cleaned_data
        if state := said.get("state"):
            jobs = jobs.filter(state__in=queries.GROUPS.get(state, {state}))
        if host := said.get("host"):
            jobs = jobs.filter(nodes__target__host=host).distinct()
        return jobs.filter(plan=plan) if (plan := said.get("plan")) else jobs


@needs(Role.VIEWER)
def jobs(request: HttpRequest) -> HttpResponse:
    """Three lists: on hosts, in the queue with its order, over."""
    form = JobFilter(request.GET)
    context: dict[str, Any] = {
        "filter": form,
        "running": form.narrow(queries.running())[:SHOWN_ACTIVE],
        "waiting": form.narrow(queries.waiting())[:SHOWN_ACTIVE],
        "page": page_of(form.narrow(queries.ended()), request.GET),
        "shown": SHOWN_ACTIVE,
        "troubled": queries.troubled_targets(),
    }
    return render(request, "jobs/list.html", context)
