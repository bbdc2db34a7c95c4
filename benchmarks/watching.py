"""How soon a stored log line is sent, and what a hundred watchers cost compared with one."""

from __future__ import annotations

import asyncio
import random
import re
import statistics
import time
from collections.abc import Callable
from functools import partial

import psycopg

from benchmarks.instance import environment_of, manage, web
from benchmarks.report import Row
from tools import servers

WATCHERS, LINES = 100, 20
PROMISED_S = 0.5
SETUP = """
from django.conf import settings
from django.contrib.auth.models import Group
from django.test import Client
from benchdash.accounts.models import User
from benchdash.jobs.models import Job, JobStep, Plan
person = User.objects.create(username="watcher")
person.groups.add(Group.objects.get_or_create(name="viewer")[0])
client = Client()
client.force_login(person)
name = settings.SESSION_COOKIE_NAME
plan = Plan.objects.create(title="watched", recipe_name="fio", recipe="")
job = Job.objects.create(plan=plan, position=1, state="running")
step = JobStep.objects.create(job=job, position=1, phase="measure", node="node-a", name="fio",
    folder="1-fio", command="fio", timeout_s=60, tool="fio")
print("watched", f"{name}={client.cookies[name].value}", job.pk, step.pk)
"""
STORE = (
    'INSERT INTO jobs_logchunk (step_id, stream, "offset", data, received_at) '
    "VALUES (%s, 'out', %s, %s, now())"
)


def run() -> list[Row]:
    """On PostgreSQL, with the server as people run it."""
    with servers.folder() as place, servers.postgres() as address:
        environment = environment_of(address, place)
        manage(environment, "migrate")
        found = re.search(r"watched (\S+) (\d+) (\d+)", manage(environment, "shell", "-c", SETUP))
        assert found is not None
        cookie, job, step = found[1], found[2], int(found[3])
        with (
            web(environment, place) as (port, _pid),
            psycopg.connect(address, autocommit=True) as sql,
        ):
            lates = []
            for count in (1, WATCHERS):
                seen = sql.execute("SELECT coalesce(max(id), 0) FROM jobs_logchunk").fetchone()
                head = f"GET /jobs/{job}/events/?after={seen[0]}-0 HTTP/1.1\r\nHost: 127.0.0.1\r\n"
                head += f"Cookie: {cookie}\r\n\r\n"
                store = partial(_store, sql, step)
                lates.append(asyncio.run(_delays(port, head, store, count)))
    one, many = (statistics.quantiles(late, n=20)[-1] for late in lates)
    note = f"{one:.2f} s for one, {many:.2f} s for the last of {WATCHERS} (95 of 100 lines)"
    return [
        Row("log line sent, of the promised half second", many / PROMISED_S, at_most=1, note=note)
    ]


def _store(sql: psycopg.Connection, step: int) -> None:
    sql.execute(STORE, [step, time.monotonic_ns(), b"a line\n"])


async def _delays(port: int, head: str, store: Callable[[], None], count: int) -> list[float]:
    """Seconds from stored until the last watcher has it, line by line."""
    watchers = [await _watcher(port, head) for _ in range(count)]
    lates = []
    for _line_number in range(LINES):
        await asyncio.sleep(random.uniform(0.5, 0.9))  # never in step with who looks
        store()
        stored = time.monotonic()
        await asyncio.gather(*(_line(reader) for reader, _writer in watchers))
        lates.append(time.monotonic() - stored)
    for _reader, writer in watchers:
        writer.close()
    return lates


async def _watcher(port: int, head: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(head.encode())
    await reader.readuntil(b"event: points")
    return reader, writer


async def _line(reader: asyncio.StreamReader) -> None:
    async with asyncio.timeout(30):
        await reader.readuntil(b"event: log")
