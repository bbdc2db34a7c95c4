"""The events of jobs as long answers: one reader of the database for all who watch.

An ASGI application of its own: it holds no thread of the pages, however many watch.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from importlib import import_module
from typing import TYPE_CHECKING, Any, TypeVar

from django.conf import settings
from django.contrib.auth import get_user
from django.db import DatabaseError, close_old_connections

from benchdash import health
from benchdash.accounts.roles import Role, role_of
from benchdash.jobs.job_events import (
    LiveNumbers,
    end_event,
    log_event,
    numbers_so_far,
    points_event,
    state_event,
)
from benchdash.jobs.logs import (
    EVERYTHING,
    LOG,
    LogPosition,
    StateVersion,
    new_pieces,
    pieces_after,
    state_versions,
    steps_of,
)
from benchdash.jobs.models import Job
from benchdash.pages.job_events import AGAIN_MS, requested_position
from benchdash.serving.protocol import Receive, Scope, Send, client_left, request_without_body

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

HEARTBEAT_S = 15.0
LONGEST_S = 600.0  # then the browser comes again, and its session is checked anew

_tailer: Tailer | None = None


def _the_tailer() -> Tailer:
    global _tailer  # noqa: PLW0603 - one a process, made in its loop
    _tailer = _tailer or Tailer()
    return _tailer


async def application(job: int, scope: Scope, receive: Receive, send: Send) -> None:
    """Answer a watcher until the job is over, the watcher leaves, or it is time to come again."""
    try:
        status = await read(_allowed, scope, job)
    except DatabaseError as error:
        if not health.is_away(error):
            raise
        status = 503  # the browser comes again
    kind = b"text/event-stream" if status == 200 else b"text/plain"
    headers = [
        (b"content-type", kind),
        (b"cache-control", b"no-store"),
        (b"x-accel-buffering", b"no"),
        (b"x-content-type-options", b"nosniff"),
    ]
    await send({"type": "http.response.start", "status": status, "headers": headers})
    if status == 200:
        streaming = asyncio.create_task(_stream(job, _place(scope), send))
        leaving = asyncio.create_task(client_left(receive))
        done, pending = await asyncio.wait(
            {streaming, leaving}, timeout=LONGEST_S, return_when=asyncio.FIRST_COMPLETED
        )
        for task in pending:
            task.cancel()
        await asyncio.gather(*pending, return_exceptions=True)
        if leaving in done:
            return
        for task in done:
            task.result()
    await send({"type": "http.response.body", "body": b""})


async def _stream(job: int, place: LogPosition, send: Send) -> None:
    async def send_event(event: bytes) -> None:
        await send({"type": "http.response.body", "body": event, "more_body": True})

    async with _the_tailer().watch(job) as (watched, mine):
        await send_event(f"retry: {AGAIN_MS}\n\n".encode())
        if watched.version:
            await send_event(state_event(watched.version))
        points = watched.numbers.whole()
        seen = watched.numbers.position.chunk
        await send_event(points_event(points, anew=True))
        while pieces := await read(pieces_after, job, place):
            for piece in pieces:
                await send_event(log_event(piece))
            place = pieces[-1].end
        while True:
            try:
                item = await asyncio.wait_for(mine.get(), HEARTBEAT_S)
            except TimeoutError:
                await send_event(b": still here\n\n")
                continue
            if item is None:
                return
            chunk, event = item
            is_log = event.startswith(b"id: ")
            if chunk > (place.chunk if is_log else seen):
                await send_event(event)
            if event == end_event():
                return


def _place(scope: Scope) -> LogPosition:
    request = request_without_body(scope)
    return requested_position(request.GET.get("after"), request.headers.get("last-event-id"))


def _allowed(scope: Scope, job: int) -> int:
    """The HTTP status for whoever asks: who may see jobs has signed in."""
    request = request_without_body(scope)
    if request.method != "GET":
        return 405
    store = import_module(settings.SESSION_ENGINE).SessionStore
    request.session = store(request.COOKIES.get(settings.SESSION_COOKIE_NAME))
    if role_of(get_user(request)) < Role.VIEWER:
        return 403
    return 200 if Job.objects.filter(pk=job).exists() else 404


log = logging.getLogger(__name__)

T = TypeVar("T")
LOOK_EVERY_S = 0.2
STATE_EVERY = 5  # looks
MOST_WAITING = 1000
ALWAYS = 2**63

# one thread for all: it is the one reader, and the database sees one connection
_reader = ThreadPoolExecutor(1, thread_name_prefix="live")


async def read(query: Callable[..., T], *arguments: Any) -> T:
    """Ask the database, away from the loop."""

    def work() -> T:
        close_old_connections()
        try:
            return query(*arguments)
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(_reader, work)


@dataclass(eq=False)
class Watched:
    """A job that somebody watches: where its log was read to, and who waits for more.

    What waits for a watcher is `(chunk, bytes)`; None where nothing more will come.
    """

    steps: tuple[int, ...]
    numbers: LiveNumbers
    version: StateVersion | None = None
    watchers: set[asyncio.Queue[tuple[int, bytes] | None]] = field(default_factory=set)

    def publish(self, chunk: int, event: bytes) -> None:
        """Send to all; who does not keep up is let go, and comes again by itself."""
        for watcher in list(self.watchers):
            with suppress(asyncio.QueueFull):
                watcher.put_nowait((chunk, event))
                continue
            self.let_go(watcher)

    def let_go(self, watcher: asyncio.Queue[tuple[int, bytes] | None]) -> None:
        """End one watcher's answer."""
        self.watchers.discard(watcher)
        while not watcher.empty():
            watcher.get_nowait()
        watcher.put_nowait(None)


class Tailer:
    """Looks for what is new of all watched jobs, while there are any."""

    def __init__(self) -> None:
        self._jobs: dict[int, Watched] = {}
        self._turn = asyncio.Lock()
        self._task: asyncio.Task[None] | None = None

    @asynccontextmanager
    async def watch(
        self, job: int
    ) -> AsyncIterator[tuple[Watched, asyncio.Queue[tuple[int, bytes] | None]]]:
        """A queue of the job's events from now on."""
        mine: asyncio.Queue[tuple[int, bytes] | None] = asyncio.Queue(MOST_WAITING)
        async with self._turn:
            if job not in self._jobs:
                steps = await read(steps_of, job)
                self._jobs[job] = Watched(steps, await read(numbers_so_far, job))
            watched = self._jobs[job]
            watched.watchers.add(mine)
            if self._task is None or self._task.done():
                self._task = asyncio.create_task(self._look())
        try:
            yield watched, mine
        finally:
            watched.watchers.discard(mine)

    async def _look(self) -> None:
        look = 0
        try:
            while self._forget_unwatched():
                await self._publish_pieces()
                if look % STATE_EVERY == 0:
                    await self._publish_states()
                look += 1
                await asyncio.sleep(LOOK_EVERY_S)
        except DatabaseError as error:  # restarted, say: browsers come again by themselves
            log.warning("watchers are let go: %s", error)
            for watched in self._jobs.values():
                for watcher in list(watched.watchers):
                    watched.let_go(watcher)

    def _forget_unwatched(self) -> bool:
        self._jobs = {job: watched for job, watched in self._jobs.items() if watched.watchers}
        return bool(self._jobs)

    async def _publish_pieces(self) -> None:
        jobs = dict(self._jobs)
        places = {job: watched.numbers.position for job, watched in jobs.items()}
        steps = {job: watched.steps for job, watched in jobs.items()}
        for job, pieces in (await read(new_pieces, places, steps, EVERYTHING)).items():
            for piece in pieces:
                if piece.stream not in LOG:
                    continue
                jobs[job].publish(piece.end.chunk, log_event(piece))
            if points := jobs[job].numbers.feed(pieces):
                jobs[job].publish(pieces[-1].end.chunk, points_event(points))

    async def _publish_states(self) -> None:
        jobs = dict(self._jobs)
        for job, version in (await read(state_versions, list(jobs))).items():
            watched = jobs[job]
            if version != watched.version:
                watched.publish(ALWAYS, state_event(version))
            elif version.ended:  # it stood so a second ago: its log is whole
                watched.publish(ALWAYS, end_event())
            watched.version = version
