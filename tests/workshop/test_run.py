"""`make run` as people and scripts start and end it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import time
import urllib.parse
import urllib.request
from contextlib import suppress
from http.cookiejar import CookieJar
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from benchdash.workshop.place import ROOT
from benchdash.workshop.servers import free_port

PATIENCE_S = 60


class House:
    """`make run` on a var/ of its own."""

    def __init__(self, var: Path) -> None:
        self.var = var
        self.port = free_port()
        self.started: subprocess.Popen | None = None

    def start(self, **environment: str) -> subprocess.Popen:
        """Start it in a session of its own, as a terminal does; its words go to `said`."""
        inherited = {name: os.environ[name] for name in ("PATH", "HOME") if name in os.environ}
        environment = inherited | {"VAR_DIR": str(self.var), "PORT": str(self.port)} | environment
        with self.log.open("wb") as log:
            # a shell that runs these tests in the background ignores SIGINT, and so would make
            self.started = subprocess.Popen(
                ["env", "--default-signal=INT", "make", "run"],
                cwd=ROOT,
                env=environment,
                stdout=log,
                stderr=log,
                start_new_session=True,
            )
        return self.started

    def wait_until_it_answers(self) -> str:
        """What it said when it answered."""
        until = time.monotonic() + PATIENCE_S
        while "answers at" not in self.said:
            assert self.started.poll() is None, self.said
            assert time.monotonic() < until, self.said
            time.sleep(0.05)
        return self.said

    @property
    def log(self) -> Path:
        return self.var.with_suffix(".log")

    @property
    def said(self) -> str:
        return self.log.read_text()

    def processes(self) -> dict[int, str]:
        """Every process that knows this var/, whoever its parent is by now."""
        found = ((int(each.name), self._command(each)) for each in Path("/proc").glob("[0-9]*"))
        return {pid: command for pid, command in found if command}

    def _command(self, process: Path) -> str:
        """The command line of a process that knows this var/; empty for any other."""
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


@pytest.fixture(scope="module")
def var(tmp_path_factory):
    return tmp_path_factory.mktemp("run") / "var"


@pytest.fixture
def house(var):
    house = House(var)
    yield house
    for process in house.processes():
        with suppress(ProcessLookupError):  # it may end with the one before
            os.kill(process, signal.SIGKILL)
    house.started.wait()


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


def test_only_the_first_start_loads_the_demo_and_says_how_to_sign_in(house):
    house.start()
    said = house.wait_until_it_answers()
    address = f"http://127.0.0.1:{house.port}/"
    assert address in said
    assert "Loading the demo studies" in said
    password = re.search(r"admin with the password (\S+) \(shown this once\)", said)[1]
    assert sign_in(house.port, password) == address
    os.killpg(house.started.pid, signal.SIGINT)
    assert house.left() == []
    house.start()
    said = house.wait_until_it_answers()
    assert "password" not in said
    assert "demo" not in said
    assert sign_in(house.port, password) == address


@pytest.mark.parametrize("told", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_terminal_that_ends_or_closes_leaves_nothing_behind(house, told):
    house.start()
    house.wait_until_it_answers()
    assert any("uvicorn" in command for command in house.processes().values())
    assert any("celery" in command for command in house.processes().values())
    os.killpg(house.started.pid, told)
    assert house.left() == []


@pytest.mark.parametrize("told", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("who", ["make run", "benchdash.workshop.run"])
def test_one_process_that_is_ended_takes_the_others_along(house, told, who):
    house.start()
    house.wait_until_it_answers()
    os.kill(next(one for one, command in house.processes().items() if who in command), told)
    assert house.left() == []


@pytest.mark.parametrize("after_s", [0.1, 0.5, 1.0, 1.5])
def test_an_early_end_leaves_nothing_behind(house, after_s):
    started = house.start()
    time.sleep(after_s)
    os.killpg(started.pid, signal.SIGINT)
    assert house.left() == []


def test_a_worker_that_dies_takes_the_web_along_and_is_named(house):
    house.start()
    house.wait_until_it_answers()
    worker = min(one for one, command in house.processes().items() if "celery" in command)
    os.kill(worker, signal.SIGKILL)
    assert house.started.wait(15) != 0
    assert house.left() == []
    assert "The worker process ended by itself" in house.said


def test_a_second_start_on_the_same_var_is_told_where_the_first_answers(house, var):
    house.start()
    house.wait_until_it_answers()
    second = subprocess.run(
        ["make", "run"],
        cwd=ROOT,
        env=os.environ | {"VAR_DIR": str(var), "PORT": str(free_port())},
        capture_output=True,
        text=True,
        check=False,
    )
    assert second.returncode != 0
    assert f"already runs on {var}, at http://127.0.0.1:{house.port}/" in second.stderr
    assert house.started.poll() is None


def elsewhere(var: Path) -> dict[str, str]:
    """The settings of a database of one's own, which is not the embedded default."""
    return {
        "DATABASE_URL": f"sqlite:///{var}/own.sqlite3",
        "SECRET_KEY": "fifty characters sign the cookies of this test's house",
        "FIELD_ENCRYPTION_KEY": Fernet.generate_key().decode(),
    }


def test_with_a_database_of_ones_own_it_answers_at_the_address_that_it_tells(house, var):
    house.start(**elsewhere(var))
    password = re.search(r"with the password (\S+)", house.wait_until_it_answers())[1]
    assert sign_in(house.port, password) == f"http://127.0.0.1:{house.port}/"


@pytest.mark.parametrize("name", ["SECRET_KEY", "FIELD_ENCRYPTION_KEY"])
def test_a_key_that_is_missing_is_named_in_one_sentence(house, var, name):
    settings = elsewhere(var)
    del settings[name]
    assert house.start(**settings).wait(PATIENCE_S) != 0
    assert f"{name} must be set where DATABASE_URL is" in house.said
    assert "Traceback" not in house.said


def test_a_database_that_does_not_answer_is_said_in_one_sentence(house, var):
    nowhere = f"postgres://nobody@127.0.0.1:{free_port()}/none"
    assert house.start(**elsewhere(var) | {"DATABASE_URL": nowhere}).wait(PATIENCE_S) != 0
    assert "The database cannot be used: connection" in house.said
    assert "Traceback" not in house.said


def test_a_port_that_is_taken_is_refused_in_one_sentence(house):
    with socket.create_server(("127.0.0.1", house.port)):
        assert house.start().wait(10) != 0
    assert f"Port {house.port} cannot be used (Address already in use)" in house.said
    assert "Traceback" not in house.said
    assert house.processes() == {}


@pytest.mark.parametrize("port", ["0", "65536", "http", "-1"])
def test_a_port_that_is_none_is_refused_in_one_sentence(house, port):
    assert house.start(PORT=port).wait(10) != 0
    assert f"PORT is '{port}': a port is a number from 1 to 65535." in house.said
