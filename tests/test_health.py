"""What supervisors ask the web process, however they reach it; and what its log says."""

from __future__ import annotations

import logging
import os
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import contextmanager

import pytest
from django.db import InterfaceError, OperationalError

from benchdash import health, log_context
from tests.another_process import wait_until_it_answers
from tools.project import ROOT, VENV
from tools.servers import free_port

HOSTS = ["127.0.0.1", "10.1.2.3", "not-a-host-of-ours.example"]


@pytest.fixture(scope="module")
def settings_of_a_server(tmp_path_factory):
    """Reached by another name, by HTTPS alone."""
    var = tmp_path_factory.mktemp("health")
    return {
        "PATH": os.environ["PATH"],
        "VAR_DIR": str(var),
        "DATABASE_URL": f"sqlite:///{var}/own.sqlite3",
        "SECRET_KEY": "fifty characters sign the cookies of this test's house",
        "FIELD_ENCRYPTION_KEY": "dGVzdHMgZW5jcnlwdCB3aXRoIHRoaXMga2V5IG9ubHk=",
        "ALLOWED_HOSTS": "bench.example",
        "HTTPS": "true",
    }


@contextmanager
def web(settings):
    port = free_port()
    command = [f"{VENV}/bin/uvicorn", "benchdash.asgi:application", "--port", str(port)]
    with subprocess.Popen([*command, "--lifespan", "off"], cwd=ROOT, env=settings) as process:
        try:
            wait_until_it_answers(port)
            yield port
        finally:
            process.terminate()


def answer_of(port, path, host, method="GET"):
    """`(status, text)`, redirects not followed."""
    request = urllib.request.Request(
        f"http://127.0.0.1:{port}{path}", headers={"Host": host}, method=method
    )
    opener = urllib.request.build_opener(NoRedirect)
    try:
        with opener.open(request) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        with error:
            return error.code, error.read().decode()


class NoRedirect(urllib.request.HTTPRedirectHandler):
    def redirect_request(self, *_request):
        return None


def test_a_server_answers_whoever_supervises_it_and_is_ready_once_it_is_prepared(
    settings_of_a_server,
):
    with web(settings_of_a_server) as port:
        for host in HOSTS:
            assert answer_of(port, "/healthz", host) == (200, "ok\n")
            reply = answer_of(port, "/readyz", host)
            assert reply == (503, "The database lacks migrations: run prepare.\n")
        assert answer_of(port, "/", "bench.example")[0] == 301
    migrate = [sys.executable, "manage.py", "migrate", "--verbosity", "0"]
    subprocess.run(migrate, cwd=ROOT, env=settings_of_a_server, check=True)
    with web(settings_of_a_server) as port:
        for host in HOSTS:
            assert answer_of(port, "/readyz", host) == (200, "ok\n")
        assert answer_of(port, "/readyz", HOSTS[0], "HEAD") == (200, "")


@pytest.mark.parametrize(
    ("error", "away"),
    [
        (OperationalError("connection to server at 127.0.0.1 failed"), True),
        (OperationalError("database is locked"), True),
        (OperationalError("disk I/O error"), True),
        (InterfaceError("the connection is closed"), True),
        (OperationalError("no such column: results_run.nonsense"), False),
        (ValueError("database"), False),
        (None, False),
    ],
)
def test_a_database_that_is_away_is_distinguished_from_a_bug(error, away):
    assert health.is_away(error) is away


@pytest.mark.parametrize("given_id", ["from-the-proxy", "a/b:c=d+e.f_1", "x" * 64])
def test_a_request_keeps_the_id_that_the_proxy_gave(given_id):
    with log_context.of_request(given_id) as known:
        assert known == given_id
        assert record_within().request_id == given_id
    assert record_within().request_id == "-"


@pytest.mark.parametrize("given_id", ["", "two words", "line\nERROR forged", "x" * 65, "é", '"'])
def test_an_id_that_could_forge_a_line_of_the_log_is_replaced(given_id):
    with log_context.of_request(given_id) as known:
        assert known.isalnum()
        assert len(known) == 32


def record_within():
    record = logging.LogRecord("any", logging.INFO, "file", 1, "said", (), None)
    log_context.Context().filter(record)
    return record
