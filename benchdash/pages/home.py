"""The first page: what is one's own, newest first; for a newcomer how to begin."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db.models import Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from benchdash.accounts.roles import Role, role_of
from benchdash.jobs.models import Target
from benchdash.jobs.queries import running, troubled_targets, waiting
from benchdash.pages.access import needs
from benchdash.pages.job_rows import job_rows
from benchdash.pages.run_rows import listed, run_rows
from benchdash.pages.studies import as_cards, newest_cards
from benchdash.prepared import Prepared
from benchdash.results.demonstration import demo_slugs
from benchdash.results.models import Run, Upload
from benchdash.results.models.run import LIVING
from benchdash.results.sorting import one_per_sample

SHOWN_STUDIES = 12
SHOWN_RUNS = 10
SHOWN_TROUBLES = 5
SHOWN_JOBS = 10


# nobody stored what came with the installation
OWN = Q(study=None) | ~Q(study__slug__in=demo_slugs()) | Q(created_by__isnull=False)
_NEWEST = Prepared(
    lambda: (
        one_per_sample(Run.objects.filter(LIVING))
        .filter(OWN)
        .order_by("-pk")
        .values_list("pk")[:SHOWN_RUNS]
    )
)


@needs(Role.VISITOR)
def home(request: HttpRequest) -> HttpResponse:
    """Own runs, jobs and studies before the examples; how to begin where nothing is one's own."""
    role = role_of(request.user)
    newest = listed([pk for (pk,) in _NEWEST()])
    cards = as_cards(newest_cards()[:SHOWN_STUDIES])
    examples = [card for card in cards if card["is_example"]]
    context: dict[str, Any] = {
        "rows": run_rows(request, newest, slim=True),
        "studies": [card for card in cards if not card["is_example"]],
        "examples": examples,
        # one with numbers shows what a study is
        "example": next((card for card in examples if card["chart"]), None),
        "largest": settings.MAX_UPLOAD_BYTES,
    }
    context["is_new"] = not (context["rows"] or context["studies"])
    if role >= Role.VIEWER:
        context |= {
            "running": job_rows(running()[:SHOWN_JOBS]),
            "waiting_count": waiting().count(),
            "troubled": list(troubled_targets()),
        }
        context["is_new"] &= not Target.objects.exists()
    if role >= Role.CONTRIBUTOR:
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
