"""Pages and an upload in a database of many runs: seconds of each, and of SQL by hand.

SQL by hand gets the same answer from the same database, with its ids looked up beforehand. It is
held against what the page's own takes in PostgreSQL; the whole page is held against that of another
size.

Seconds are those of the processor: what else the machine does at the time is not in them.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from collections.abc import Callable
from dataclasses import replace
from datetime import UTC, datetime
from hashlib import sha256
from pathlib import Path
from typing import Any

from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import connection
from django.test import Client

from benchdash.accounts.models import User
from benchdash.results.models import Run
from benchmarks.plain_sql import PlainSQL
from benchmarks.report import timed
from benchmarks.within.by_hand import ByHand
from benchmarks.within.many_runs import SAMPLES, fill
from benchmarks.within.named_things import cookie_of

UNTIL = datetime(2026, 11, 1, tzinfo=UTC)
REPEATS = 7
OF_STUDY = 6_000  # runs of the one large study, beside as many as are asked for
HOST, SMALL, LARGE = "store-05", "study-25", "study-large"
NARROWED = f"host={HOST}&workload.pattern=randwrite&workload.block_bytes=4096&since="
# lists of like length: a million runs fill a page of fifty since October; 10,000 give forty, but only over all years
MANY, SINCE, SINCE_OF_FEW = 100_000, "2026-10-01", "2024-01-01"

Work = Callable[[], object]


def measured(runs: int) -> dict[str, list[float]]:
    """`{name: [seconds of the whole, seconds in queries, seconds by hand]}`, medians."""
    call_command("migrate", verbosity=0)
    return measured_for(fill(runs + OF_STUDY, until=UNTIL, study_runs=OF_STUDY).person)


def measured_for(person: User) -> dict[str, list[float]]:
    """The same of a database that is filled, as one who may upload sees it."""
    client = Client(headers={"cookie": cookie_of(person)})
    since = SINCE if Run.objects.count() > MANY else SINCE_OF_FEW
    narrowed = f"{NARROWED}{since}"
    hand = ByHand(HOST, since)
    pages: dict[str, tuple[str, Work | None]] = {
        "runs list": ("/runs/", hand.listed),
        "runs list, narrowed": (f"/runs/?{narrowed}", hand.listed_narrowed),
        "runs list, sorted": ("/runs/?column=iops&sort=-iops", hand.listed_sorted),
        "runs list, sorted by configuration": (
            "/runs/?sort=configuration",
            hand.listed_by_configuration,
        ),
        "filters counted": ("/runs/facets/", None),
        "filters counted of a tool": ("/runs/facets/?tool=fio", None),
        "filters counted, narrowed": (f"/runs/facets/?{narrowed}", hand.counted_narrowed),
        "search": (f"/search/?q={HOST}", hand.host_found),
        "search for what is not there": ("/search/?q=nosuchword", hand.nothing_found),
        "list of studies": ("/studies/", hand.studies),
        "compare form": ("/compare/", hand.compare_form),
        "overview of a study": (f"/compare/?study={SMALL}", hand.comparison(SMALL)),
        "study of 6,000 runs": (f"/studies/{LARGE}/", hand.study(LARGE)),
    }
    processor = Processor()
    found = {
        name: _timed(lambda path=path: _look(client, path), by_hand, processor)  # type: ignore[misc]
        for name, (path, by_hand) in pages.items()
    }
    return found | {"upload of one file": _timed(*_uploads(client, processor), processor)}


class Processor:
    """Seconds that this process and the server's own for each connection have had of it.

    Linux counts them; a question is asked in one thread of each.
    """

    def __init__(self) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_backend_pid()")
            self.servers = [_count_of(cursor.fetchone()[0])]

    def add(self, pid: int) -> None:
        """A further connection's."""
        self.servers.append(_count_of(pid))

    def of_servers(self) -> float:
        """What answers took."""
        return sum(int(count.read_text().split()[0]) for count in self.servers) / 1e9

    def of_all(self) -> float:
        """With what was done here."""
        return time.process_time() + self.of_servers()


def _count_of(pid: int) -> Path:
    return Path(f"/proc/{pid}/schedstat")


def _look(client: Client, path: str) -> None:
    assert client.get(path).status_code == 200


def _uploads(client: Client, processor: Processor) -> tuple[Work, Work]:
    """A file with numbers that no other has, by the page; the rows of the last one, by hand."""
    text = (SAMPLES / "fio/local-3.36-mixed.json").read_text(encoding="utf-8")
    plain = PlainSQL(os.environ["DATABASE_URL"])
    processor.add(plain.database.connection.info.backend_pid)

    def upload() -> None:
        before = Run.objects.order_by("-pk").values_list("pk", flat=True).first() or 0
        content = text.replace("11390.804598", f"{11390 + before / 1000}")
        file = SimpleUploadedFile("mixed.json", content.encode())
        answer = client.post("/uploads/", {"file": file})
        assert answer.status_code in (200, 302), answer.status_code
        last = Run.objects.order_by("-pk").first()
        assert last and last.pk != before and last.same_as_id is None

    def by_hand() -> None:
        file = plain.newest()
        runs = [(run | {"digest": _hash("run", run)}, numbers) for run, numbers in file.runs]
        artifact = file.artifact | {"sha256": _hash("file", file.artifact)}
        plain.write([replace(file, artifact=artifact, runs=runs)])

    return upload, by_hand


def _hash(kind: str, row: dict[str, Any]) -> str:
    return sha256(f"after {kind} {row['id']}".encode()).hexdigest()


def _timed(subject: Work, by_hand: Work | None, processor: Processor) -> list[float]:
    cache.clear()
    subject()
    turns = [_turn(subject, by_hand, processor) for _ in range(REPEATS)]
    return [statistics.median(times) for times in zip(*turns, strict=True)]


def _turn(subject: Work, by_hand: Work | None, processor: Processor) -> tuple[float, float, float]:
    whole = timed(subject, processor.of_all)
    queries = timed(subject, processor.of_servers)
    hand = timed(by_hand, processor.of_servers) if by_hand else 0.0
    return whole, queries, hand


if __name__ == "__main__":
    print(json.dumps(measured(int(sys.argv[1]))))
