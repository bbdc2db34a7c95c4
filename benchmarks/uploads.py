"""What storing files costs, against nothing but the SQL of the same rows.

A real server under uvicorn, the command as a process with its start, fio JSON with 63 numbers.
"""

from __future__ import annotations

import http.client
import json
import re
import sqlite3
import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from hashlib import sha256
from pathlib import Path

from benchmarks.instance import Web, environment_of, manage, web
from benchmarks.plain_sql import PlainSQL, StoredFile
from benchmarks.report import Row, timed
from tools import servers

FILES, SINGLE, TOGETHER, TURNS = 1000, 200, 100, 3
RIVAL_TO_FLOOR = 3.7
BOUNDARY = "a-line-that-stands-in-no-file"
DURABLE = {"fsync": "on", "synchronous_commit": "on", "full_page_writes": "on"}
A_TOKEN = """
from django.contrib.auth.models import Group
from benchdash.accounts.models import Token, User
person = User.objects.create(username="script")
person.groups.add(Group.objects.get_or_create(name="contributor")[0])
print("token", Token.objects.create(person, name="script")[1])
"""


def run() -> list[Row]:
    """PostgreSQL as durable as it comes, and SQLite as the project sets it."""
    with servers.folder() as place:
        files = _files(place / "files")
        with servers.postgres(**DURABLE) as address, _instance(address, place) as instance:
            rows = _against_floor(instance, files, "PostgreSQL", limits=(4, 3, 3))
        address = f"sqlite:///{place / 'benchmark.sqlite3'}"
        with _instance(address, place) as instance:
            rows += _against_floor(instance, files, "SQLite", limits=(None, None, None))
            rows += [_against_rival(instance, files, place), _against_json(instance, files)]
    return rows


def _files(folder: Path) -> list[Path]:
    """One file of fio, its times a little longer in each."""
    folder.mkdir()
    text = (Path(__file__).parent / "inputs" / "fio.json").read_text()
    paths = []
    for number in range(FILES):
        factor = 1 + number * 1e-4
        scaled = re.sub(r"(?<= : )\d+\.\d{6}", partial(_times, factor), text)
        paths.append(folder / f"{number:04}.json")
        paths[-1].write_text(scaled)
    return paths


def _times(factor: float, number: re.Match[str]) -> str:
    return f"{float(number[0]) * factor:.6f}"


@dataclass(frozen=True, slots=True)
class Instance:
    """A running benchdash: its database by plain SQL, its command, one connection to its API."""

    sql: PlainSQL
    environment: dict[str, str]
    web: Web
    connection: http.client.HTTPConnection
    token: str

    def empty(self) -> None:
        """Delete all files, and close the connection, which the server may have dropped."""
        self.sql.clear()
        self.connection.close()

    def ingest(self, folder: Path) -> None:
        """`manage.py ingest`, a process from start to end."""
        manage(self.environment, "ingest", str(folder))

    def post(self, files: list[Path]) -> None:
        """One request."""
        body = b"".join(_part(path) for path in files) + f"--{BOUNDARY}--\r\n".encode()
        content = f"multipart/form-data; boundary={BOUNDARY}"
        headers = {"Authorization": f"Token {self.token}", "Content-Type": content}
        self.connection.request("POST", "/api/v1/uploads/", body, headers)
        answer = self.connection.getresponse()
        answer.read()
        assert answer.status in (200, 201), answer.status


def _part(path: Path) -> bytes:
    name = f'Content-Disposition: form-data; name="file"; filename="{path.name}"'
    return f"--{BOUNDARY}\r\n{name}\r\n\r\n".encode() + path.read_bytes() + b"\r\n"


@contextmanager
def _instance(address: str, place: Path) -> Iterator[Instance]:
    """A migrated database and a web process that is up."""
    environment = environment_of(address, place)
    manage(environment, "migrate")
    token = manage(environment, "shell", "-c", A_TOKEN).split("token ")[1].split()[0]
    with web(environment, place) as process:
        connection = http.client.HTTPConnection("127.0.0.1", process.port)
        yield Instance(PlainSQL(address), environment, process, connection, token)


def _against_floor(
    instance: Instance, files: list[Path], name: str, limits: tuple[float | None, ...]
) -> list[Row]:
    """One upload a request, the command, many files a request."""
    instance.ingest(files[0].parent)
    stored = instance.sql.read()
    assert len(stored) == FILES, "each file of the benchmark is stored"
    hundreds = [files[n : n + TOGETHER] for n in range(0, FILES, TOGETHER)]
    subjects: tuple[tuple[str, int, Callable[[], object]], ...] = (
        ("one upload", SINGLE, lambda: [instance.post([file]) for file in files[:SINGLE]]),
        ("ingest of 1,000 files", FILES, lambda: instance.ingest(files[0].parent)),
        ("requests with 100 files", FILES, lambda: [instance.post(some) for some in hundreds]),
    )
    return [
        _row(f"{what}, {name}", instance, stored[:count], subject, limit)
        for (what, count, subject), limit in zip(subjects, limits, strict=True)
    ]


def _row(
    name: str,
    instance: Instance,
    stored: list[StoredFile],
    subject: Callable[[], object],
    limit: float | None,
) -> Row:
    """Both into an empty database, in turns."""
    pairs = []
    for _ in range(TURNS):
        instance.empty()
        floor = timed(lambda: instance.sql.write(stored))
        instance.empty()
        pairs.append((timed(subject), floor))
    ratio = statistics.median(mine / floor for mine, floor in pairs)
    mine_ms = statistics.median(mine for mine, _ in pairs) / len(stored) * 1000
    floor_ms = statistics.median(floor for _, floor in pairs) / len(stored) * 1000
    rates = f"{1000 / mine_ms:.0f} files a second, plain SQL {1000 / floor_ms:.0f}"
    note = f"{rates} ({mine_ms:.2f} and {floor_ms:.2f} ms a file)"
    return Row(name, ratio, at_most=limit, note=note)


def _against_rival(instance: Instance, files: list[Path], place: Path) -> Row:
    """A rival that keeps one averaged row a file: 3.7 times the SQL of that, 340 files a second.

    SQLite as it comes is taken for its floor, since nobody knows its settings. It waits for the
    disk at each file and swings with it: from 0.9 to 3 for the same code, so that it has no limit.
    """
    mine, floors = [], []
    for _ in range(3 * TURNS):
        instance.empty()
        floors.append(timed(partial(_averaged_rows, place / "rival.sqlite3", files[:SINGLE])))
        mine.append(timed(lambda: [instance.post([file]) for file in files[:SINGLE]]))
    ratio = statistics.median(mine) / (RIVAL_TO_FLOOR * statistics.median(floors))
    rate = SINGLE / statistics.median(mine)
    note = f"{rate:.0f} files a second; a machine at rest of this size gave the rival 340"
    return Row("one upload, SQLite, to a rival", ratio, note=note)


def _against_json(instance: Instance, files: list[Path]) -> Row:
    """What one upload takes of the processor, to the same by hand: its JSON read, its rows written.

    By hand is the next file, in this process: where the machine slows down, it slows down both. No
    wait for a disk is in it, so that it holds what an upload may cost on any machine: 7 when the
    limit was set, and a tenth more.
    """
    instance.empty()
    instance.ingest(files[0].parent)
    stored = {one.artifact["sha256"]: one for one in instance.sql.read()}
    instance.empty()

    def by_hand(path: Path) -> None:
        content = path.read_bytes()
        json.loads(content)
        instance.sql.write([stored[sha256(content).hexdigest()]])

    instance.post([files[-1]])
    ratios = []
    for first in range(0, FILES - 2 * TOGETHER, 2 * TOGETHER):
        before, hand = instance.web.cpu_s(), 0.0
        for number in range(first, first + 2 * TOGETHER, 2):
            instance.post([files[number]])
            hand += timed(partial(by_hand, files[number + 1]), time.process_time)
        ratios.append((instance.web.cpu_s() - before) / hand)
    note = f"of the processor, to its JSON read and its rows written by hand; {_spread(ratios)}"
    ratio = statistics.median(ratios)
    return Row("one upload, SQLite, to its JSON", ratio, at_most=7.7, note=note)


def _spread(ratios: list[float]) -> str:
    return f"from {min(ratios):.1f} to {max(ratios):.1f}"


def _averaged_rows(path: Path, files: list[Path]) -> None:
    path.unlink(missing_ok=True)
    connection = sqlite3.connect(path)
    connection.execute("CREATE TABLE average (name, bandwidth REAL, iops REAL, latency REAL)")
    for file in files:
        with connection:
            row = (file.name, 1.0, 2.0, 3.0)
            connection.execute("INSERT INTO average VALUES (?, ?, ?, ?)", row)
    connection.close()
