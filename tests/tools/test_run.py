"""`make run` as people and scripts start and end it."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import time
from pathlib import Path

import pytest
from cryptography.fernet import Fernet

from tests.tools.instance import (
    MAKE_TOKEN,
    PATIENCE_S,
    Instance,
    send_large_file,
    sign_in,
    wait_until_read,
)
from tools.project import ROOT
from tools.servers import free_port


@pytest.fixture(scope="module")
def var(tmp_path_factory):
    return tmp_path_factory.mktemp("run") / "var"


@pytest.fixture
def instance(var):
    instance = Instance(var)
    yield instance
    instance.end()


def test_only_the_first_start_loads_the_demo_and_says_how_to_sign_in(instance):
    instance.start()
    output = instance.wait_until_it_answers()
    address = f"http://127.0.0.1:{instance.port}/"
    assert address in output
    assert "Loading the demo studies" in output
    password = re.search(r"admin with the password (\S+) \(shown this once\)", output)[1]
    assert sign_in(instance.port, password) == address
    os.killpg(instance.started.pid, signal.SIGINT)
    assert instance.left() == []
    instance.start()
    output = instance.wait_until_it_answers()
    assert "password" not in output
    assert "demo" not in output
    assert sign_in(instance.port, password) == address


@pytest.mark.parametrize("signal_sent", [signal.SIGINT, signal.SIGTERM, signal.SIGHUP])
def test_a_terminal_that_ends_or_closes_leaves_nothing_behind(instance, signal_sent):
    instance.start()
    instance.wait_until_it_answers()
    assert any("uvicorn" in command for command in instance.processes().values())
    assert any("celery" in command for command in instance.processes().values())
    os.killpg(instance.started.pid, signal_sent)
    assert instance.left() == []


@pytest.mark.parametrize("signal_sent", [signal.SIGTERM, signal.SIGKILL])
@pytest.mark.parametrize("program", ["make run", "tools.run"])
def test_one_process_that_is_ended_takes_the_others_along(instance, signal_sent, program):
    instance.start()
    instance.wait_until_it_answers()
    os.kill(
        next(one for one, command in instance.processes().items() if program in command),
        signal_sent,
    )
    assert instance.left() == []


@pytest.mark.parametrize("after_s", [0.1, 0.5, 1.0, 1.5])
def test_an_early_end_leaves_nothing_behind(instance, after_s):
    started = instance.start()
    time.sleep(after_s)
    os.killpg(started.pid, signal.SIGINT)
    assert instance.left() == []


def test_what_dies_is_started_again_and_goes_on_with_what_was_requested(instance):
    instance.start()
    instance.wait_until_it_answers()
    worker = min(one for one, command in instance.processes().items() if "--beat" in command)
    os.kill(worker, signal.SIGKILL)
    instance.wait_for_output("The worker process ended (killed by SIGKILL): it starts again in 1 s")
    token = instance.manage("shell", "-c", MAKE_TOKEN).split()[-1]
    upload = send_large_file(instance.port, token)
    assert wait_until_read(instance.port, token, upload) == "stored"
    assert instance.started.poll() is None


def test_a_second_start_on_the_same_var_learns_where_the_first_answers(instance, var):
    instance.start()
    instance.wait_until_it_answers()
    second = subprocess.run(
        ["make", "run"],
        cwd=ROOT,
        env=os.environ | {"VAR_DIR": str(var), "PORT": str(free_port())},
        capture_output=True,
        text=True,
        check=False,
    )
    assert second.returncode != 0
    assert f"already runs on {var}, at http://127.0.0.1:{instance.port}/" in second.stderr
    assert instance.started.poll() is None


def elsewhere(var: Path) -> dict[str, str]:
    """The settings of a database of one's own, which is not the embedded default."""
    return {
        "DATABASE_URL": f"sqlite:///{var}/own.sqlite3",
        "SECRET_KEY": "fifty characters sign the cookies of this test's instance",
        "FIELD_ENCRYPTION_KEY": Fernet.generate_key().decode(),
    }


def test_with_a_database_of_ones_own_it_answers_at_the_address_that_it_tells(instance, var):
    instance.start(**elsewhere(var))
    password = re.search(r"with the password (\S+)", instance.wait_until_it_answers())[1]
    assert sign_in(instance.port, password) == f"http://127.0.0.1:{instance.port}/"


@pytest.mark.parametrize("name", ["SECRET_KEY", "FIELD_ENCRYPTION_KEY"])
def test_a_key_that_is_missing_is_named_in_one_sentence(instance, var, name):
    settings = elsewhere(var)
    del settings[name]
    assert instance.start(**settings).wait(PATIENCE_S) != 0
    assert f"{name} must be set where DATABASE_URL is" in instance.output
    assert "Traceback" not in instance.output


def test_a_database_that_does_not_answer_is_stated_in_one_sentence(instance, var):
    nowhere = f"postgres://nobody@127.0.0.1:{free_port()}/none"
    assert instance.start(**elsewhere(var) | {"DATABASE_URL": nowhere}).wait(PATIENCE_S) != 0
    assert "The database cannot be used: connection" in instance.output
    assert "Traceback" not in instance.output


def test_a_port_that_is_taken_is_refused_in_one_sentence(instance):
    with socket.create_server(("127.0.0.1", instance.port)):
        assert instance.start().wait(10) != 0
    assert f"Port {instance.port} cannot be used (Address already in use)" in instance.output
    assert "Traceback" not in instance.output
    assert instance.processes() == {}


@pytest.mark.parametrize("port", ["0", "65536", "http", "-1"])
def test_a_port_that_is_none_is_refused_in_one_sentence(instance, port):
    assert instance.start(PORT=port).wait(10) != 0
    assert f"PORT is '{port}': a port is a number from 1 to 65535." in instance.output
