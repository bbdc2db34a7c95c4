from __future__ import annotations

import pytest

from tests.conftest import need
from tests.workers.sshd import sshd


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
