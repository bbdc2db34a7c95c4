"""The events of a job in short answers, for servers without ASGI and proxies that hold answers back.

The browser asks again by itself, and goes on where it was.
"""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404

from benchdash.accounts.roles import Role
from benchdash.jobs.following import EVERYTHING, LOG, Place, pieces_after, standings
from benchdash.jobs.models import Job
from benchdash.jobs.telling import (
    LiveNumbers,
    told_end,
    told_log,
    told_points,
    told_standing,
)
from benchdash.pages.access import needs

AGAIN_MS = 1000


def asked_place(query: str | None, header: str | None) -> Place:
    """Where a watcher goes on: the last event it saw, else the place that its page ended at."""
    return Place.read(header or query or "")


@needs(Role.VIEWER)
def job_events(request: HttpRequest, pk: int) -> HttpResponse:
    """What came since."""
    get_object_or_404(Job.objects.only("pk"), pk=pk)
    place = asked_place(request.GET.get("after"), request.headers.get("last-event-id"))
    standing = standings([pk])[pk]  # first: what an ended job printed is there
    pieces = pieces_after(pk, place, EVERYTHING)
    printed = [told_log(piece) for piece in pieces if piece.stream in LOG]
    told = [f"retry: {AGAIN_MS}\n\n".encode(), *printed, told_standing(standing)]
    numbers = LiveNumbers(pk)
    if standing.ended or any(map(numbers.reads, pieces)):
        numbers.catch_up()
        end = pieces[-1].end if pieces else place  # behind the CPU too, which no log event tells
        told.append(told_points(numbers.whole(), anew=True, place=end))
    if standing.ended and not pieces:
        told.append(told_end())
    return HttpResponse(
        b"".join(told), content_type="text/event-stream", headers={"Cache-Control": "no-store"}
    )
