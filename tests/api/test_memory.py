"""One request of archives that unpack to far more than they are, to a real web process and worker."""

from __future__ import annotations

import http.client
import io
import os
import time
import zipfile
from contextlib import closing
from itertools import chain
from pathlib import Path
from threading import Event, Thread

import pytest
from django.contrib.auth.models import Group

from benchdash.accounts.models import Token, User
from benchdash.results.models import Upload
from tests.another_process import another_process, serving

pytestmark = pytest.mark.django_db(transaction=True)
EDGE = "a-line-that-stands-in-no-file"
MOST_RISE = 300 * 2**20
PATIENCE_S = 120
WORKER = ("celery", "--quiet", "--app", "workers.celery", "worker", "--concurrency", "2")


def bomb():
    """A zip of 478 KiB: 88 MiB of zeros, and 400 KB of noise that make the ratio usual."""
    target = io.BytesIO()
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        with archive.open("zeros.txt", "w") as file:
            for _ in range(88):
                file.write(bytes(2**20))
        archive.writestr("noise.bin", os.urandom(400_000))
    return target.getvalue()


def sixteen():
    """Names and bytes of as many of them, no two alike."""
    plain = bomb()
    for number in range(16):
        # a zip ends with the length of its comment, and the comment
        yield f"{number}.zip", plain[:-2] + b"\2\0" + b"%02d" % number


def form(files):
    sent = io.BytesIO()
    for name, data in files:
        head = f'Content-Disposition: form-data; name="file"; filename="{name}"'
        sent.write(f"--{EDGE}\r\n{head}\r\n\r\n".encode() + data + b"\r\n")
    return sent.getvalue() + f"--{EDGE}--\r\n".encode()


class Memory:
    """The most that some processes and their children had at once, beyond what they have now."""

    def __init__(self, *pids):
        self.pids = pids
        self.start = self.now()
        self.rise = 0
        self.ended = Event()
        self.thread = Thread(target=self._watch)

    def __enter__(self):
        self.thread.start()
        return self

    def __exit__(self, *_error):
        self.ended.set()
        self.thread.join()

    def now(self):
        return sum(map(resident, chain.from_iterable(map(family, self.pids))))

    def _watch(self):
        while not self.ended.wait(0.02):
            self.rise = max(self.rise, self.now() - self.start)


def family(pid):
    """The process and those that it started."""
    yield pid
    for path in Path(f"/proc/{pid}/task").glob("*/children"):
        for child in path.read_text().split():
            yield from family(int(child))


def resident(pid):
    try:
        return int(Path(f"/proc/{pid}/statm").read_text().split()[1]) * os.sysconf("SC_PAGESIZE")
    except OSError:
        return 0


def listens_on(port):
    """The process of the server with this port in its command."""
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        if f"--port\0{port}\0".encode() in path.read_bytes():
            return int(path.parent.name)
    return pytest.fail("nobody listens")


def call(port, method, path, body=None, headers=None):
    with closing(http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE_S)) as connection:
        connection.request(method, path, body, headers or {})
        answer = connection.getresponse()
        answer.read()
        return answer.status


def read_meanwhile(port):
    """Until nothing waits any more; pages answer."""
    until = time.monotonic() + PATIENCE_S
    while Upload.objects.filter(outcome=Upload.Outcome.WAITING).exists():
        assert call(port, "GET", "/api/v1/runs/") == 200
        assert time.monotonic() < until
        time.sleep(0.1)


def test_no_request_fills_the_memory_of_the_web_process_or_of_the_workers():
    person = User.objects.create(username="script")
    person.groups.add(Group.objects.get_or_create(name="contributor")[0])
    _, token = Token.objects.create(person, name="script")
    content = f"multipart/form-data; boundary={EDGE}"
    headers = {"Authorization": f"Token {token}", "Content-Type": content}
    first, body = form([("first.txt", b"\n" * 5 * 2**20)]), form(sixteen())
    worker = another_process("-m", *WORKER, "--without-mingle", "--without-gossip")
    with serving() as port, worker as process:
        # what the processes have once each has done its work
        assert call(port, "POST", "/api/v1/uploads/", first, headers) == 202
        read_meanwhile(port)
        with Memory(listens_on(port), process.pid) as memory:
            assert call(port, "POST", "/api/v1/uploads/", body, headers) == 200
            read_meanwhile(port)
        assert 0 < memory.rise < MOST_RISE
    sentence = Upload.objects.get(name="15.zip").sentence
    assert (
        sentence == "it and the archives before it unpack to more than 512 MiB: send it separately"
    )
