"""Connections to the hosts: kept, shared, and asked at the same time."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from benchdash.jobs.models import Job, Target
from tests.conftest import need
from tests.workers.jobs_by_hand import target
from tests.workers.sshd import sshd
from tools.project import ROOT
from workers import ssh
from workers.connections import UnreachableError

pytestmark = pytest.mark.django_db(transaction=True)
S = Job.State

CONNECT_AT_ONCE = """
import threading
from contextlib import suppress
import workers.celery
from benchdash.jobs.models import Target
from workers import connections, ssh
together = threading.Barrier(8)
def ask():
    together.wait()
    with suppress(connections.UnreachableError):
        ssh.offered_key(Target(pk=1, address="127.0.0.1", port=1))
asking = [threading.Thread(target=ask) for _each in range(8)]
for each in asking:
    each.start()
for each in asking:
    each.join()
print(sum(each.name == "ssh" for each in threading.enumerate()))
"""


def test_several_hosts_are_asked_at_the_same_time(a_server, tmp_path):
    """Each one waits for the other's question."""
    mine, other = tmp_path / "mine", tmp_path / "other"
    command = "touch {} && until [ -e {} ]; do sleep 0.05; done; echo met"
    commands = [
        ssh.Command(target(a_server), command.format(mine, other)),
        ssh.Command(target(a_server, name="store-2"), command.format(other, mine)),
    ]
    assert [answer.out for answer in ssh.run_all(commands)] == [b"met\n", b"met\n"]


def test_where_one_host_does_not_answer_the_others_are_through_before_it_is_stated(a_server):
    there, away = target(a_server), target(a_server, port=1)
    commands = [ssh.Command(away, "true"), ssh.Command(there, f"mkdir {there.folder}/through")]
    with pytest.raises(UnreachableError, match=":1 cannot be reached"):
        ssh.run_all(commands)
    (Path(there.folder) / "through").rmdir()


def test_a_connection_is_shared(a_server):
    on = target(a_server)
    first, second = (ssh.run(on, "echo $SSH_CONNECTION").out for _each in range(2))
    assert first == second != b"\n"


def test_jobs_that_a_fresh_worker_carries_on_at_once_share_one_loop():
    """In a process of its own, which has asked no host before."""
    counted = subprocess.run(
        [sys.executable, "-c", CONNECT_AT_ONCE],
        cwd=ROOT,
        capture_output=True,
        text=True,
        check=True,
    )
    assert counted.stdout == "1\n"


@pytest.mark.filterwarnings("ignore:Diffie-Hellman over finite fields")
@pytest.mark.filterwarnings("ignore:.*TripleDES")
def test_old_algorithms_are_taken_only_where_they_are_allowed():
    need("sshd")
    old = "Ciphers aes128-cbc\nMACs hmac-sha1\nKexAlgorithms diffie-hellman-group14-sha1\n"
    with sshd(more=old) as server:
        on = target(server)
        # the server may be gone before what it knows is read
        with pytest.raises(UnreachableError, match=r"No matching|Connection lost"):
            ssh.run(on, "echo there")
        on.old_algorithms = True
        assert ssh.run(on, "echo there").out == b"there\n"


def test_a_host_that_shows_no_key_says_why():
    with pytest.raises(UnreachableError) as refused:
        ssh.offered_key(Target(pk=1, address="127.0.0.1", port=1))
    assert str(refused.value) == "127.0.0.1:1 did not show its key: Connection refused."
