"""The events of a job for those who watch it, as server-sent events (WHATWG HTML, section 9.2)."""

from __future__ import annotations

import base64
import json
from bisect import bisect_right
from collections.abc import Iterable
from threading import Lock
from typing import Any

from benchdash.jobs.logs import EVERYTHING, LogPosition, Piece, StateVersion, pieces_after
from benchdash.jobs.models import JobStep
from benchdash.parsers.live import PROC_STAT, LiveReader
from benchdash.parsers.result import Point

MOST_POINTS = 600


def log_event(piece: Piece) -> bytes:
    """One piece of the log; its id is the position to go on from."""
    text = base64.b64encode(piece.data).decode()
    payload = {"step": piece.step, "stream": piece.stream, "data": text}
    return _event("log", payload, str(piece.end))


def state_event(state: StateVersion) -> bytes:
    """A version that is another one whenever the page has to be fetched again."""
    return _event("state", {"version": state.version, "ended": state.ended})


def points_event(
    points: Iterable[tuple[int, Point]], *, anew: bool = False, position: LogPosition | None = None
) -> bytes:
    """`(step, point)`; `anew`: these are all, not the next; `position` to go on from."""
    rows = [[step, p.operation, p.metric, p.seconds, p.value] for step, p in points]
    return _event("points", {"anew": anew, "points": rows}, str(position or ""))


def end_event() -> bytes:
    """Nothing more comes."""
    return _event("end", {})


def _event(name: str, payload: dict[str, Any], identity: str = "") -> bytes:
    data = json.dumps(payload, separators=(",", ":"))
    head = f"id: {identity}\n" if identity else ""
    return f"{head}event: {name}\ndata: {data}\n\n".encode()


class LiveNumbers:
    """The numbers that a job's measuring steps print while they run."""

    def __init__(self, job: int) -> None:
        self._job = job
        steps = JobStep.objects.filter(job=job).exclude(tool="").values_list("pk", "tool")
        self._readers = {
            (pk, stream): LiveReader(tool)
            for pk, its_tool in steps
            for stream, tool in (("out", its_tool), ("cpu", PROC_STAT))
        }
        self._points: list[tuple[int, Point]] = []
        self._chunks: list[int] = []  # of which each point came
        self._turn = Lock()
        self.position = LogPosition()

    def feed(self, pieces: Iterable[Piece]) -> list[tuple[int, Point]]:
        """The points in these pieces; they are kept too."""
        known = len(self._points)
        for piece in pieces:
            self.position = piece.end
            if reader := self._readers.get((piece.step, piece.stream)):
                self._points += [(piece.step, point) for point in reader.feed(piece.data)]
                self._chunks += [piece.end.chunk] * (len(self._points) - len(self._chunks))
        return self._points[known:]

    def catch_up(self) -> None:
        """Feed all that came until now; one thread at a time."""
        with self._turn:
            while pieces := pieces_after(self._job, self.position, EVERYTHING):
                self.feed(pieces)

    def whole(self) -> list[tuple[int, Point]]:
        """All that were read, thinned where they are more than a chart can show."""
        return _thinned(self._points)

    def between(self, after: LogPosition, until: LogPosition) -> list[tuple[int, Point]]:
        """Those that were printed behind one position and not behind the other; all of them `whole`."""
        begin, end = (bisect_right(self._chunks, position.chunk) for position in (after, until))
        return self._points[begin:end] if after.chunk else _thinned(self._points[:end])


def _thinned(points: list[tuple[int, Point]]) -> list[tuple[int, Point]]:
    series = {(step, point.operation, point.metric) for step, point in points}
    every = len(points) // (MOST_POINTS * max(1, len(series))) + 1
    return [each for each in points if int(each[1].seconds) % every == 0]


def numbers_so_far(job: int) -> LiveNumbers:
    """What was read from the beginning until now."""
    numbers = LiveNumbers(job)
    numbers.catch_up()
    return numbers
