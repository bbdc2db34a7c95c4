from __future__ import annotations

import threading

import pytest
from django.db import connection

from tests.conftest import need
from tests.workers.running import PATIENCE_S
from tests.workers.sshd import sshd
from workers.tasks import carry_on


@pytest.fixture(scope="session")
def a_server():
    """A real sshd for all tests that leave it as it is."""
    need("sshd")
    with sshd() as one:
        yield one


@pytest.fixture
def own_server():
    """A real sshd for a test that stops it, or changes its key."""
    need("sshd")
    with sshd() as one:
        yield one


@pytest.fixture
def shelf_server(own_server):
    """Whose log says what was made, looked at and unmade."""
    yield own_server
    (own_server.folder / "log").unlink(missing_ok=True)
    assert own_server.left() == []


@pytest.fixture
def background():
    """`background(made)`: a turn of the job in a thread, as a worker's task would take it."""
    threads = []

    def turn(made):
        thread = threading.Thread(target=_turn, args=(made.pk,))
        thread.start()
        threads.append(thread)
        return thread

    yield turn
    for thread in threads:
        thread.join(PATIENCE_S)


def _turn(pk):
    try:
        carry_on(pk)
    finally:
        connection.close()


@pytest.fixture
def folder(mounted):
    """Where a real ext4 is mounted, with its usual options."""
    return mounted[1]
