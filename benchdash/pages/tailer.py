"""One reader of the database for all who watch jobs, in the loop of the web process."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import asynccontextmanager, suppress
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, TypeVar

from django.db import DatabaseError, close_old_connections

from benchdash.jobs.following import EVERYTHING, LOG, Standing, news, standings, steps_of
from benchdash.jobs.telling import (
    LiveNumbers,
    numbers_so_far,
    told_end,
    told_log,
    told_points,
    told_standing,
)

if TYPE_CHECKING:
    from collections.abc import AsyncIterator

log = logging.getLogger(__name__)

T = TypeVar("T")
LOOK_EVERY_S = 0.2
STANDING_EVERY = 5  # looks
MOST_WAITING = 1000
ALWAYS = 2**63

# one thread for all: it is the one reader, and the database sees one connection
_reader = ThreadPoolExecutor(1, thread_name_prefix="live")


async def read(question: Callable[..., T], *words: Any) -> T:
    """Ask the database, away from the loop."""

    def asked() -> T:
        close_old_connections()
        try:
            return question(*words)
        finally:
            close_old_connections()

    return await asyncio.get_running_loop().run_in_executor(_reader, asked)


@dataclass(eq=False)
class Watched:
    """A job that somebody watches: where its log was read to, and who is told of more.

    What waits for a watcher is `(chunk, bytes)`; None where nothing more will come.
    """

    steps: tuple[int, ...]
    numbers: LiveNumbers
    standing: Standing | None = None
    watchers: set[asyncio.Queue[tuple[int, bytes] | None]] = field(default_factory=set)

    def tell(self, chunk: int, told: bytes) -> None:
        """Tell all; who does not keep up is let go, and comes again by itself."""
        for watcher in list(self.watchers):
            with suppress(asyncio.QueueFull):
                watcher.put_nowait((chunk, told))
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
        """A queue of what the job's watchers are told from now on."""
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
                await self._tell_news()
                if look % STANDING_EVERY == 0:
                    await self._tell_standings()
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

    async def _tell_news(self) -> None:
        jobs = dict(self._jobs)
        places = {job: watched.numbers.place for job, watched in jobs.items()}
        steps = {job: watched.steps for job, watched in jobs.items()}
        for job, pieces in (await read(news, places, steps, EVERYTHING)).items():
            for piece in pieces:
                if piece.stream not in LOG:
                    continue
                jobs[job].tell(piece.end.chunk, told_log(piece))
            if points := jobs[job].numbers.feed(pieces):
                jobs[job].tell(pieces[-1].end.chunk, told_points(points))

    async def _tell_standings(self) -> None:
        jobs = dict(self._jobs)
        for job, standing in (await read(standings, list(jobs))).items():
            watched = jobs[job]
            if standing != watched.standing:
                watched.tell(ALWAYS, told_standing(standing))
            elif standing.ended:  # it stood so a second ago: its log is whole
                watched.tell(ALWAYS, told_end())
            watched.standing = standing
