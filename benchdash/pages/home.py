"""The first page: studies, newest runs, and what needs attention."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from benchdash.accounts.roles import Role, role_of
from benchdash.jobs.queries import running, troubled_targets, waiting
from benchdash.pages.access import needs
from benchdash.pages.job_rows import job_rows
from benchdash.pages.run_rows import LISTED, one_per_sample, run_rows
from benchdash.pages.studies import as_cards
from benchdash.results.models import Run, Upload
from benchdash.results.models.run import LIVING

SHOWN_STUDIES = 12
SHOWN_RUNS = 10
SHOWN_TROUBLES = 5
SHOWN_JOBS = 10


@needs(Role.VISITOR)
def home(request: HttpRequest) -> HttpResponse:
    """What is new; what to do first where there is nothing yet."""
    newest = one_per_sample(LISTED.filter(LIVING)).order_by("-pk")[:SHOWN_RUNS]
    context: dict[str, Any] = {
        "studies": as_cards(SHOWN_STUDIES),
        "rows": run_rows(request, newest, slim=True),
    }
    if role_of(request.user) >= Role.VIEWER:
        context |= {
            "running": job_rows(running()[:SHOWN_JOBS]),
            "waiting_count": waiting().count(),
            "troubled": list(troubled_targets()),
        }
    if role_of(request.user) >= Role.CONTRIBUTOR:
        context |= _what_needs_attention()
    return render(request, "home.html", context)


def _what_needs_attention() -> dict[str, Any]:
    """Files that were refused or still wait, and whether runs belong nowhere."""
    troubles = Upload.objects.filter(
        outcome__in=[Upload.Outcome.REFUSED, Upload.Outcome.WAITING], put_aside_at=None
    )
    return {
        "troubles": list(troubles.order_by("-pk")[:SHOWN_TROUBLES]),
        "unassigned": Run.objects.filter(LIVING, configuration=None).exists(),
    }
