"""What watchers of a job are told, as server-sent events (WHATWG HTML, section 9.2)."""

from __future__ import annotations

import base64
import json
from collections.abc import Iterable
from typing import Any

from benchdash.jobs.following import EVERYTHING, Piece, Place, Standing, pieces_after
from benchdash.jobs.models import JobStep
from benchdash.parsers.live import PROC_STAT, LiveReader, Point

MOST_POINTS = 600


def told_log(piece: Piece) -> bytes:
    """One piece of the log; its id is the place to go on from."""
    text = base64.b64encode(piece.data).decode()
    words = {"step": piece.step, "stream": piece.stream, "data": text}
    return _event("log", words, str(piece.end))


def told_standing(standing: Standing) -> bytes:
    """A word that is another one whenever the page has to look again."""
    return _event("standing", {"version": standing.version, "ended": standing.ended})


def told_points(
    points: Iterable[tuple[int, Point]], *, anew: bool = False, place: Place | None = None
) -> bytes:
    """`(step, point)`; `anew`: these are all, not the next; `place` to go on from."""
    rows = [[step, p.operation, p.metric, p.seconds, p.value] for step, p in points]
    return _event("points", {"anew": anew, "points": rows}, str(place or ""))


def told_end() -> bytes:
    """Nothing more comes."""
    return _event("end", {})


def _event(name: str, words: dict[str, Any], identity: str = "") -> bytes:
    data = json.dumps(words, separators=(",", ":"))
    head = f"id: {identity}\n" if identity else ""
    return f"{head}event: {name}\ndata: {data}\n\n".encode()


class LiveNumbers:
    """The numbers that a job's measuring steps tell while they run."""

    def __init__(self, job: int) -> None:
        self._job = job
        steps = JobStep.objects.filter(job=job).exclude(tool="").values_list("pk", "tool")
        self._readers = {
            (pk, stream): LiveReader(tool)
            for pk, its_tool in steps
            for stream, tool in (("out", its_tool), ("cpu", PROC_STAT))
        }
        self._points: list[tuple[int, Point]] = []
        self.place = Place()

    def reads(self, piece: Piece) -> bool:
        """Whether it can tell a number."""
        return (piece.step, piece.stream) in self._readers

    def feed(self, pieces: Iterable[Piece]) -> list[tuple[int, Point]]:
        """The points that these pieces tell; they are kept too."""
        new = []
        for piece in pieces:
            self.place = piece.end
            if reader := self._readers.get((piece.step, piece.stream)):
                new += [(piece.step, point) for point in reader.feed(piece.data)]
        self._points += new
        return new

    def catch_up(self) -> None:
        """Feed all that came until now."""
        while pieces := pieces_after(self._job, self.place, EVERYTHING):
            self.feed(pieces)

    def whole(self) -> list[tuple[int, Point]]:
        """All that were told, thinned where they are more than a chart can show."""
        every = len(self._points) // (MOST_POINTS * max(1, self._series())) + 1
        return [each for each in self._points if int(each[1].seconds) % every == 0]

    def _series(self) -> int:
        return len({(step, point.operation, point.metric) for step, point in self._points})


def numbers_so_far(job: int) -> LiveNumbers:
    """What was told from the beginning until now."""
    numbers = LiveNumbers(job)
    numbers.catch_up()
    return numbers
