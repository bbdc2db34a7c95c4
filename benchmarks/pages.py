"""What pages cost beside the sign-in page, and what fifty readers wait on one web process.

A real web process on PostgreSQL, as people run it; a contributor who has signed in looks.
"""

from __future__ import annotations

import http.client
import random
import re
import statistics
import time
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass

from benchmarks.instance import environment_of, manage, web
from benchmarks.report import Row, timed
from tools import servers

TURNS, READERS, CLICKS, BETWEEN_S = 25, 50, 8, 3.0
FILL = "from benchmarks.within.pages import fill_database; print('filled', *fill_database())"
LISTS = ("/studies/", "/runs/", "/configurations/", "/environments/", "/jobs/", "/uploads/")


def run() -> list[Row]:
    """A row for each page, and one for the readers."""
    with servers.folder() as place, servers.postgres() as address:
        environment = environment_of(address, place)
        manage(environment, "migrate")
        manage(environment, "collectstatic", "--noinput")
        filled = re.search(r"filled (\S+) (\d+) (\S+)", manage(environment, "shell", "-c", FILL))
        assert filled is not None
        study, its_run, cookie = filled.groups()
        limits = dict.fromkeys(LISTS, 4.0) | {
            "/": 8.0,
            f"/studies/{study}/": 8.0,
            f"/runs/{its_run}/": None,
        }
        with web(environment, place) as (port, _pid):
            reader = Reader(port, cookie)
            rows = [_cost(reader, path, limit) for path, limit in limits.items()]
            return [*rows, _crowd(reader, list(limits))]


@dataclass(frozen=True, slots=True)
class Reader:
    """Who asks for pages of a web process, each time over a connection of its own."""

    port: int
    cookie: str

    def look(self, path: str, cookie: str | None = None) -> int:
        """The bytes of the answer."""
        connection = http.client.HTTPConnection("127.0.0.1", self.port, timeout=60)
        headers = {"Cookie": self.cookie if cookie is None else cookie, "Accept-Encoding": "gzip"}
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        assert answer.status == 200, (path, answer.status)
        size = len(answer.read())
        connection.close()
        return size


def _cost(reader: Reader, path: str, limit: float | None) -> Row:
    """The page and the sign-in page in turns."""
    sizes = [reader.look(path) for _ in range(3)]
    pairs = [
        (timed(lambda: reader.look(path)), timed(lambda: reader.look("/sign-in/", cookie="")))
        for _ in range(TURNS)
    ]
    mine, sign_in = (statistics.median(times) * 1e3 for times in zip(*pairs, strict=True))
    ratio = statistics.median(page / rival for page, rival in pairs)
    note = f"{mine:.1f} ms, the sign-in page {sign_in:.1f} ms; {sizes[-1] / 1024:.0f} KiB sent"
    name = re.sub(r"\d+|bench", "…", path)
    return Row(f"page {name}, to the sign-in page", ratio, at_most=limit, note=note)


def _crowd(reader: Reader, paths: list[str]) -> Row:
    """Each reader clicks, reads for some seconds, and clicks again."""

    def visit(number: int) -> list[float]:
        chance = random.Random(number)
        times = []
        for _ in range(CLICKS):
            time.sleep(chance.uniform(0, 2 * BETWEEN_S))
            path = chance.choice(paths)
            times.append(timed(lambda path=path: reader.look(path)))
        return times

    quiet = _slow([timed(lambda path=path: reader.look(path)) for path in paths * 10])
    with ThreadPoolExecutor(READERS) as readers:
        crowded = _slow([each for times in readers.map(visit, range(READERS)) for each in times])
    note = f"{crowded * 1e3:.0f} ms (95 of 100 pages), one reader alone {quiet * 1e3:.0f} ms"
    return Row(f"{READERS} readers on one web process", crowded / quiet, at_most=5, note=note)


def _slow(times: list[float]) -> float:
    return statistics.quantiles(times, n=20)[-1]
