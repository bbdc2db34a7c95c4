"""One job: what happens, what it printed, what it changed and put back, the runs it made."""

from __future__ import annotations

from typing import Any
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.http import require_POST

from benchdash.accounts.roles import Role
from benchdash.errors import Refused
from benchdash.jobs import giving_up, launching
from benchdash.jobs.following import last_place, pieces_after, standings
from benchdash.jobs.models import Job
from benchdash.jobs.progress import ENDED
from benchdash.jobs.queries import runs_of, whole_jobs
from benchdash.pages.access import needs, person
from benchdash.pages.live_words import live_words
from benchdash.pages.runs import IN_A_LIST, NUMBERS_IN_A_LIST
from benchdash.results.headlines import headlines

TAIL_BYTES = 2**16


@needs(Role.VIEWER)
def job(request: HttpRequest, pk: int) -> HttpResponse:
    """Everything about one job; scripts go on where the log ends here."""
    found = get_object_or_404(whole_jobs(), pk=pk)
    pieces = pieces_after(pk, last_place(pk, TAIL_BYTES))
    text = b"".join(piece.data for piece in pieces)
    context = _told(found) | {
        "place_end": pieces[-1].end if pieces else "",
        "live_words": live_words(found.steps.all(), binary=person(request).binary_units),
        "log": text.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n"),
    }
    return render(request, "jobs/job.html", context)


@needs(Role.VIEWER)
def job_progress(request: HttpRequest, pk: int) -> HttpResponse:
    """The part of the page that changes, for scripts that are told of a change."""
    return render(request, "jobs/progress.html", _told(get_object_or_404(whole_jobs(), pk=pk)))


@needs(Role.OPERATOR)
@require_POST
def change_job(request: HttpRequest, pk: int) -> HttpResponse:
    """Cancel, retry, or another priority."""
    found = get_object_or_404(Job, pk=pk)
    try:
        if "cancel" in request.POST:
            launching.cancel(found, person(request))
        elif "retry" in request.POST:
            again = launching.retry(found, person(request))
            messages.success(request, _("This is the new attempt."))
            return redirect("job", again.pk)
        elif "priority" in request.POST:
            launching.prioritise(found, _number(request.POST["priority"]), person(request))
    except Refused as refused:
        messages.error(request, refused.sentence)
    return redirect("job", pk)


@needs(Role.ADMIN)
@require_POST
def give_up_job(request: HttpRequest, pk: int) -> HttpResponse:
    """Free the hosts of a job that is stuck there, for a reason that stays."""
    try:
        giving_up.give_up(
            get_object_or_404(Job, pk=pk), request.POST.get("reason", ""), person(request)
        )
    except Refused as refused:
        messages.error(request, refused.sentence)
    return redirect("job", pk)


def _number(text: str) -> int:
    digits = text.strip().removeprefix("-")
    if not digits.isdecimal() or len(digits) > 4:
        raise Refused(_("A priority is a number from -100 to 100."), "priority")
    return int(text)


def _told(found: Job) -> dict[str, Any]:
    runs = list(IN_A_LIST.filter(pk__in=runs_of(found).values("pk")).order_by("pk"))
    ended = found.state in ENDED
    until = found.ended_at or timezone.now()
    return {
        "job": found,
        "ended": ended,
        "stuck": giving_up.is_stuck(found),
        "left": ", ".join(n.target.host.name for n in found.nodes.all() if n.left_at),
        "elapsed_s": (until - found.started_at).total_seconds() if found.started_at else None,
        "version": standings([found.pk])[found.pk].version,
        "changes": [step for step in found.steps.all() if hasattr(step, "change")],
        "runs": runs,
        "headlines": headlines(runs, NUMBERS_IN_A_LIST),
        "compare": _comparison(found, runs),
    }


def _comparison(found: Job, runs: list[Any]) -> str:
    """The address that lays the runs beside others: of the study, of the plan, or by themselves."""
    if not runs:
        return ""
    study = found.plan.study
    asked = [("study", study.slug)] if study else [("run", str(run.pk)) for run in runs]
    return f"{reverse('compare')}?{urlencode(asked)}"
