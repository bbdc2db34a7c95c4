"""The first page: studies, newest runs, and what needs attention."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from benchdash.accounts.roles import Role
from benchdash.pages.access import needs
from benchdash.results.models import Run, Study

SHOWN_STUDIES = 12
SHOWN_RUNS = 8


@needs(Role.VISITOR)
def home(request: HttpRequest) -> HttpResponse:
    """What is new; what to do first where there is nothing yet."""
    runs = Run.objects.filter(deleted_at=None).select_related("configuration", "study")
    context = {"studies": Study.objects.all()[:SHOWN_STUDIES], "runs": runs[:SHOWN_RUNS]}
    return render(request, "home.html", context)
