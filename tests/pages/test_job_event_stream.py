"""Watching a job on the server that people use: uvicorn, its own process, many watchers."""

from __future__ import annotations

import asyncio
import base64
import json
import re
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing

import pytest
from django.conf import settings
from django.contrib.auth.models import Group
from django.db import connection
from django.test import Client

from benchdash.accounts.models import User
from benchdash.jobs import job_states
from benchdash.jobs.models import Job
from tests.another_process import serving
from tests.jobs.records import FIO, a_job, print_out

pytestmark = pytest.mark.django_db(transaction=True)
S = Job.State
PATIENCE_S = 90


@pytest.fixture
def house_address():
    """The port of a server over the test's database."""
    with serving() as port:
        yield port


def in_own_loop(coroutine):
    """Run it in a thread: a browser of an earlier test keeps its loop in this one."""
    with ThreadPoolExecutor(1) as thread:
        return thread.submit(asyncio.run, coroutine).result()


@pytest.fixture
def cookie():
    """The session of a viewer."""
    person = User.objects.create(username="eve")
    person.groups.add(Group.objects.get(name="viewer"))
    client = Client()
    client.force_login(person)
    return f"{settings.SESSION_COOKIE_NAME}={client.cookies[settings.SESSION_COOKIE_NAME].value}"


class Watcher:
    """One browser that listens; `events` are (name, data, id)."""

    def __init__(self, port, job, cookie, place=""):
        self.port, self.job, self.cookie, self.place = port, job, cookie, place
        self.events, self.rest = [], ""

    async def open(self):
        self.reader, self.writer = await asyncio.open_connection("127.0.0.1", self.port)
        header = f"Last-Event-ID: {self.place}\r\n" if self.place else ""
        self.writer.write(
            f"GET /jobs/{self.job}/events/ HTTP/1.1\r\nHost: 127.0.0.1\r\n"
            f"Cookie: {self.cookie}\r\n{header}\r\n".encode()
        )
        head = await asyncio.wait_for(self.reader.readuntil(b"\r\n\r\n"), PATIENCE_S)
        self.status = int(head.split()[1])
        return self

    async def until(self, name, count=1):
        """Listen until so many events of that name came."""
        async with asyncio.timeout(PATIENCE_S):
            while sum(event[0] == name for event in self.events) < count:
                self.take(await self.reader.read(2**16))
        return [event for event in self.events if event[0] == name]

    def take(self, data):
        assert data, "the server ended the answer"
        text = re.sub(r"\r\n[0-9a-f]+\r\n|^[0-9a-f]+\r\n", "", self.rest + data.decode())
        *whole, self.rest = text.split("\n\n")
        for block in whole:
            if found := re.search(r"(?:id: (.*)\n)?event: (\w+)\ndata: (.*)", block):
                self.events.append((found[2], json.loads(found[3]), found[1]))

    @property
    def printed(self):
        logs = (data for name, data, _id in self.events if name == "log")
        return b"".join(base64.b64decode(data["data"]) for data in logs)

    def close(self):
        self.writer.close()


def test_what_is_stored_is_reported_at_once_and_a_watcher_goes_on_where_it_was(
    house_address, cookie
):
    job = a_job(S.RUNNING)
    print_out(job, b"before\n")

    async def watch():
        watcher = await Watcher(house_address, job.pk, cookie).open()
        await watcher.until("log")
        stored = time.monotonic()
        await asyncio.to_thread(stored_elsewhere, job, FIO)
        await watcher.until("log", 2)
        late_s = time.monotonic() - stored
        points = await watcher.until("points", 2)
        watcher.close()
        await asyncio.to_thread(stored_elsewhere, job, b"while away\n")
        again = await Watcher(house_address, job.pk, cookie, place(watcher)).open()
        await again.until("log")
        again.close()
        return watcher, again, late_s, points

    watcher, again, late_s, points = in_own_loop(watch())
    assert watcher.printed == b"before\n" + FIO
    assert again.printed == b"while away\n"
    assert points[-1][1]["points"][0][1:] == ["write", "throughput", 1, 44.9 * 2**20]
    assert late_s < 5  # 0.3 s where the machine is idle; benchmarks measure it


def place(watcher):
    return [identity for name, _data, identity in watcher.events if name == "log"][-1]


def stored_elsewhere(job, data):
    """As a worker would, in another thread with a connection of its own."""
    with closing(connection):
        print_out(job, data)


def test_many_watch_and_none_waits_for_another_and_pages_go_on(house_address, cookie):
    job = a_job(S.RUNNING)

    async def watch():
        watchers = [Watcher(house_address, job.pk, cookie) for _ in range(60)]
        await asyncio.gather(*(watcher.open() for watcher in watchers))
        await asyncio.gather(*(watcher.until("state") for watcher in watchers))
        await asyncio.to_thread(stored_elsewhere, job, b"to all\n")
        await asyncio.gather(*(watcher.until("log") for watcher in watchers))
        page = await answer(house_address, "/sign-in/")
        for watcher in watchers:
            watcher.close()
        return watchers, page

    watchers, page = in_own_loop(watch())
    assert {watcher.printed for watcher in watchers} == {b"to all\n"}
    assert page == 200


async def answer(port, path):
    reader, writer = await asyncio.open_connection("127.0.0.1", port)
    writer.write(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\nConnection: close\r\n\r\n".encode())
    head = await asyncio.wait_for(reader.readuntil(b"\r\n"), PATIENCE_S)
    writer.close()
    return int(head.split()[1])


def test_a_change_of_state_is_reported_and_the_end_ends_the_answer(house_address, cookie):
    job = a_job(S.RUNNING)

    def over():
        with closing(connection):
            job_states.move(job, S.COLLECTING)
            job_states.move(job, S.DONE)

    async def watch():
        watcher = await Watcher(house_address, job.pk, cookie).open()
        await watcher.until("state")
        await asyncio.to_thread(over)
        await watcher.until("end")
        watcher.close()
        return [data for name, data, _id in watcher.events if name == "state"]

    states = in_own_loop(watch())
    assert states[0]["ended"] is False
    assert states[-1]["ended"] is True
    assert len({data["version"] for data in states}) == len(states)


def test_only_who_may_see_jobs_may_watch(house_address, cookie):
    job = a_job(S.RUNNING)

    async def status(number, name):
        watcher = await Watcher(house_address, number, name).open()
        watcher.close()
        return watcher.status

    assert in_own_loop(status(job.pk, cookie)) == 200
    assert in_own_loop(status(job.pk, "sessionid=forged")) == 403
    assert in_own_loop(status(job.pk + 1, cookie)) == 404
