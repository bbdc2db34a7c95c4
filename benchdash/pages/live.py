"""The events of jobs as long answers: one reader of the database for all who watch.

An ASGI application of its own: it holds no thread of the pages, however many watch.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, MutableMapping
from importlib import import_module
from io import BytesIO
from typing import Any

from django.conf import settings
from django.contrib.auth import get_user
from django.core.handlers.asgi import ASGIRequest

from benchdash.accounts.roles import Role, role_of
from benchdash.jobs.following import Place, pieces_after
from benchdash.jobs.models import Job
from benchdash.jobs.telling import (
    told_end,
    told_log,
    told_points,
    told_standing,
)
from benchdash.pages.job_events import AGAIN_MS, asked_place
from benchdash.pages.tailer import Tailer, read

Message = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Message]]
Send = Callable[[Message], Awaitable[None]]

HEARTBEAT_S = 15.0
LONGEST_S = 600.0  # then the browser comes again, and is asked anew who it is

_tailer: Tailer | None = None


def _the_tailer() -> Tailer:
    global _tailer  # noqa: PLW0603 - one a process, made in its loop
    _tailer = _tailer or Tailer()
    return _tailer


async def application(job: int, scope: Message, receive: Receive, send: Send) -> None:
    """Answer a watcher until the job is over, the watcher leaves, or it is time to ask anew."""
    status = await read(_allowed, scope, job)
    kind = b"text/event-stream" if status == 200 else b"text/plain"
    headers = [
        (b"content-type", kind),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    if status == 200:
        telling = asyncio.create_task(_tell(job, _place(scope), send))
        leaving = asyncio.create_task(_left(receive))
        done, pending = await asyncio.wait(
            {telling, leaving}, timeout=LONGEST_S, return_when=asyncio.FIRST_COMPLETED
        )
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
        if leaving in done:
            return
        for task in done:
            task.result()
    await send({"type": "http.response.body", "body": b""})


async def _tell(job: int, place: Place, send: Send) -> None:
    async def say(told: bytes) -> None:
        await send({"type": "http.response.body", "body": told, "more_body": True})

    async with _the_tailer().watch(job) as (watched, mine):
        await say(f"retry: {AGAIN_MS}\n\n".encode())
        if watched.standing:
            await say(told_standing(watched.standing))
        points = watched.numbers.whole()
        seen = watched.numbers.place.chunk
        await say(told_points(points, anew=True))
        while pieces := await read(pieces_after, job, place):
            for piece in pieces:
                await say(told_log(piece))
            place = pieces[-1].end
        while True:
            try:
                item = await asyncio.wait_for(mine.get(), HEARTBEAT_S)
            except TimeoutError:
                await say(b": still here\n\n")
                continue
            if item is None:
                return
            chunk, told = item
            is_log = told.startswith(b"id: ")
            if chunk > (place.chunk if is_log else seen):
                await say(told)
            if told == told_end():
                return


async def _left(receive: Receive) -> None:
    while (await receive())["type"] != "http.disconnect":
        pass


def _place(scope: Message) -> Place:
    request = ASGIRequest(scope, BytesIO())
    return asked_place(request.GET.get("after"), request.headers.get("last-event-id"))


def _allowed(scope: Message, job: int) -> int:
    """The HTTP status for whoever asks: who may see jobs has signed in."""
    request = ASGIRequest(scope, BytesIO())
    if request.method != "GET":
        return 405
    store = import_module(settings.SESSION_ENGINE).SessionStore
    request.session = store(request.COOKIES.get(settings.SESSION_COOKIE_NAME))
    if role_of(get_user(request)) < Role.VIEWER:
        return 403
    return 200 if Job.objects.filter(pk=job).exists() else 404
