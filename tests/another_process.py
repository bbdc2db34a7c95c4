"""Another process of the house on the database of the test."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from contextlib import contextmanager, suppress

import pytest
from django.db import connection

from tools.project import ROOT
from tools.servers import free_port

PATIENCE_S = 90


def database_url():
    """The address of the test database."""
    configured = connection.settings_dict
    if connection.vendor == "sqlite":
        return f"sqlite:///{configured['NAME']}"
    return f"postgres://{configured['USER']}@{configured['HOST']}:{configured['PORT']}/{configured['NAME']}"


@contextmanager
def another_process(*arguments, **environment):
    """A Python process that is killed when the block is left, with those that it started.

    A worker's own would keep its output open, and whoever waits for its end, for ever.
    """
    process = subprocess.Popen(
        [sys.executable, *arguments],
        env=os.environ | {"DATABASE_URL": database_url()} | environment,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    try:
        yield process
    finally:
        with suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.communicate()


@contextmanager
def serving(log=None):
    """The server that people use, uvicorn in a process of its own; gives its port."""
    port = free_port()
    command = [sys.executable, "-m", "uvicorn", "benchdash.asgi:application", "--port", str(port)]
    command += ["--lifespan", "off", "--log-level", "warning"]
    env = os.environ | {"DATABASE_URL": database_url(), "DJANGO_SETTINGS_MODULE": "tests.settings"}
    server = subprocess.Popen(command, cwd=ROOT, env=env, stderr=log)
    try:
        wait_until_it_answers(port)
        yield port
    finally:
        server.terminate()
        server.wait(10)


def wait_until_it_answers(port):
    """Until somebody listens there."""
    until = time.monotonic() + PATIENCE_S
    while time.monotonic() < until:
        with suppress(OSError), socket.create_connection(("127.0.0.1", port)):
            return
        time.sleep(0.05)
    pytest.fail("uvicorn does not answer")
