"""`make run` in a process of its own, as people and scripts start it and use it."""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
import time
import urllib.parse
import urllib.request
from collections.abc import Callable
from contextlib import contextmanager, suppress
from http.cookiejar import CookieJar
from pathlib import Path
from signal import SIGKILL

from tests.results.result_files import bonnie_row
from tools.project import ROOT
from tools.servers import free_port

PATIENCE_S = 180
MAKE_TOKEN = """
from benchdash.accounts.models import Token, User
print(Token.objects.create(User.objects.get(username="admin"), name="test")[1])
"""


class Instance:
    """`make run` on a var/ of its own."""

    def __init__(self, var: Path, project: Path = ROOT) -> None:
        self.var = var
        self.project = project
        self.settings: dict[str, str] = {}
        self.port = free_port()
        self.started: subprocess.Popen | None = None

    def start(self, command: str = "exec make run", **environment: str) -> subprocess.Popen:
        """Start it in a session of its own, as a terminal does; it prints to `output`."""
        inherited = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        self.settings = inherited | {"VAR_DIR": str(self.var), "PORT": str(self.port)} | environment
        with self.log.open("wb") as log:
            # a shell that runs these tests in the background ignores SIGINT, and so would make
            self.started = subprocess.Popen(
                ["env", "--default-signal=INT", "sh", "-c", command],
                cwd=self.project,
                env=self.settings,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        return self.started

    def wait_until_it_answers(self) -> str:
        """What it had printed when it answered."""
        return self.wait_for_output("answers at")

    def wait_for_output(self, words: str) -> str:
        """All that it had printed until then."""
        until = time.monotonic() + PATIENCE_S
        while words not in self.output:
            assert self.started.poll() is None, self.output
            assert time.monotonic() < until, self.output
            time.sleep(0.05)
        return self.output

    def manage(self, *arguments: str) -> str:
        """What a command of manage.py prints, under the settings of the last start."""
        command = [sys.executable, "manage.py", *arguments]
        return subprocess.check_output(command, cwd=self.project, env=self.settings, text=True)

    def end(self) -> None:
        """Kill what still runs, and what that had started since it was listed."""
        while processes := self.processes():
            for process in processes:
                with suppress(ProcessLookupError):  # it may end with the one before
                    os.kill(process, SIGKILL)
        if self.started:
            self.started.wait()

    @property
    def log(self) -> Path:
        return self.var.with_suffix(".log")

    @property
    def output(self) -> str:
        return self.log.read_text()

    def processes(self) -> dict[int, str]:
        """Every process of this var/, whoever its parent is by now."""
        found = ((int(each.name), self._command(each)) for each in Path("/proc").glob("[0-9]*"))
        return {pid: command for pid, command in found if command}

    def _command(self, process: Path) -> str:
        """The command line of a process of this var/; empty for any other."""
        try:
            if f"VAR_DIR={self.var}\0".encode() not in (process / "environ").read_bytes():
                return ""
            return (process / "cmdline").read_text().replace("\0", " ")
        except OSError:  # it ended meanwhile
            return ""

    def left(self) -> list[str]:
        """What is still there after the time that its processes are given to end."""
        until = time.monotonic() + 15
        # one that just becomes another program has no environment for a moment
        while self._still_there() and time.monotonic() < until:
            time.sleep(0.05)
        return self._still_there()

    def _still_there(self) -> list[str]:
        make = ["make run"] if self.started.poll() is None else []
        return make + list(self.processes().values())


def sign_in(port: int, password: str) -> str:
    """The address that signing in as admin leads to."""
    browser = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(CookieJar()))
    form = f"http://127.0.0.1:{port}/sign-in/"
    with browser.open(form) as answer:
        page = answer.read().decode()
    token = re.search(r'name="csrfmiddlewaretoken" value="(\w+)"', page)[1]
    fields = {"username": "admin", "password": password, "csrfmiddlewaretoken": token, "next": "/"}
    with browser.open(form, urllib.parse.urlencode(fields).encode()) as answer:
        return answer.url


@contextmanager
def api(port: int, path: str, token: str, body: bytes | None = None, **headers: str):
    """The answer of the API to whoever has this token."""
    address = f"http://127.0.0.1:{port}/api/v1/{path}"
    headers = {"Authorization": f"Token {token}"} | headers
    with urllib.request.urlopen(urllib.request.Request(address, body, headers)) as answer:
        yield json.load(answer)


def send_large_file(port: int, token: str) -> str:
    """Send a file that is left to a worker; the path of what became of it."""
    file = "$ bonnie++\n" * 400_000 + bonnie_row()
    part = (
        f"--x\r\nContent-Disposition: form-data; name=file; filename=a\r\n\r\n{file}\r\n--x--\r\n"
    )
    kind = {"Content-Type": "multipart/form-data; boundary=x"}
    with api(port, "uploads/", token, part.encode(), **kind) as answer:
        assert answer["outcome"] == "waiting"
        return f"uploads/{answer['id']}/"


def wait_until_read(port: int, token: str, upload: str) -> str:
    """What an upload that waits for a worker becomes."""
    outcome = "waiting"

    def is_read() -> bool:
        nonlocal outcome
        with api(port, upload, token) as answer:
            outcome = answer["outcome"]
        return outcome != "waiting"

    wait_until(is_read)
    return outcome


def wait_until(condition: Callable[[], bool]) -> None:
    """Ask again and again; an AssertionError after a minute."""
    until = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < until, "it did not come"
        time.sleep(0.1)


def checkout(folder: Path, umask: int = 0o022) -> Path:
    """The files of the project as they stand here, as they come into being under this umask."""
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.check_output(listed, cwd=ROOT, text=True).split("\0")
    before = os.umask(umask)
    try:
        for name in filter(None, names):
            if (ROOT / name).is_file():
                (folder / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copyfile(ROOT / name, folder / name)
    finally:
        os.umask(before)
    return folder
