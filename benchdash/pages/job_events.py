"""The events of a job in short answers, for servers without ASGI and proxies that hold answers back.

The browser asks again by itself, and goes on where it was.
"""

from __future__ import annotations

from functools import lru_cache

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from benchdash.accounts.roles import Role
from benchdash.jobs.job_events import (
    LiveNumbers,
    end_event,
    log_event,
    points_event,
    state_event,
)
from benchdash.jobs.logs import EVERYTHING, LOG, LogPosition, pieces_after, state_versions
from benchdash.jobs.models import Job
from benchdash.pages.access import needs

AGAIN_MS = 1000
MOST_JOBS = 16


def requested_position(query: str | None, header: str | None) -> LogPosition:
    """Where a watcher goes on: the last event it saw, else the place that its page ended at."""
    return LogPosition.read(header or query or "")


@lru_cache(MOST_JOBS)
def _numbers(pk: int, _token: str) -> LiveNumbers:
    """What this process has read of a job: the next answer reads on there."""
    return LiveNumbers(pk)


@needs(Role.VIEWER)
def job_events(request: HttpRequest, pk: int) -> HttpResponse:
    """What came since."""
    job = get_object_or_404(Job.objects.only("token"), pk=pk)
    place = requested_position(request.GET.get("after"), request.headers.get("last-event-id"))
    version = state_versions([pk])[pk]  # first: what an ended job printed is there
    pieces = pieces_after(pk, place, EVERYTHING)
    printed = [log_event(piece) for piece in pieces if piece.stream in LOG]
    events = [f"retry: {AGAIN_MS}\n\n".encode(), *printed, state_event(version)]
    is_first = "last-event-id" not in request.headers  # its page has drawn no numbers yet
    if is_first or pieces:
        numbers = _numbers(pk, job.token)
        numbers.catch_up()
        end = pieces[-1].end if pieces else place  # behind the CPU too, which no log event tells
        points = numbers.between(LogPosition() if is_first else place, end)
        events.append(points_event(points, anew=is_first, position=end))
    if version.ended and not pieces:
        events.append(end_event())
    return HttpResponse(
        b"".join(events), content_type="text/event-stream", headers={"Cache-Control": "no-store"}
    )
