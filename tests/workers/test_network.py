"""A link that is cut for real: a host in a network namespace of its own. Needs root."""

from __future__ import annotations

import os
import shutil
import subprocess
from contextlib import ExitStack

import pytest
from django.utils import timezone

from benchdash.jobs import launching, logs
from benchdash.jobs.models import Job
from tests.workers.jobs_by_hand import carried, due_now, job, sh, target
from tests.workers.running import COUNTING, counted, in_state, nothing_of, some_output, until
from tests.workers.sshd import sshd

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
S = Job.State


def ip(*arguments):
    return subprocess.run(["ip", *arguments], check=True, capture_output=True)


class Link:
    """Between this machine and the host's namespace."""

    def __init__(self, name):
        self.name = name

    def cut(self):
        ip("-n", self.name, "link", "set", f"{self.name}h", "down")

    def heal(self):
        ip("-n", self.name, "link", "set", f"{self.name}h", "up")


@pytest.fixture
def far_host():
    """(a server in a namespace of its own, the link to it)."""
    if os.geteuid() != 0 or not shutil.which("ip"):
        pytest.skip("root or iproute2 is missing: no network namespace can be made")
    number = os.getpid() % 250 + 1
    name, here, there = f"bd{number}", f"10.214.{number}.1", f"10.214.{number}.2"
    with ExitStack() as undo:
        try:
            ip("netns", "add", name)
        except subprocess.CalledProcessError as error:
            pytest.skip(f"a network namespace is missing: {error.stderr.decode().strip()}")
        undo.callback(ip, "netns", "delete", name)
        ip("link", "add", f"{name}v", "type", "veth", "peer", "name", f"{name}h", "netns", name)
        ip("addr", "add", f"{here}/24", "dev", f"{name}v")
        ip("link", "set", f"{name}v", "up")
        ip("-n", name, "addr", "add", f"{there}/24", "dev", f"{name}h")
        Link(name).heal()
        ip("-n", name, "link", "set", "lo", "up")
        with sshd(there, ("ip", "netns", "exec", name)) as server:
            yield server, Link(name)


def test_a_cut_link_costs_no_byte_and_ends_no_run(far_host, background):
    server, link = far_host
    made = job(sh(COUNTING.format(lines=100)), on=target(server))
    turn = background(made)
    until(some_output(made))
    link.cut()
    until(in_state(made, S.UNREACHABLE))
    turn.join(60)
    healed_at = timezone.now()
    link.heal()
    due_now(made)
    made = carried(made)
    step = made.steps.get()
    assert (made.state, logs.whole(step)) == (S.DONE, counted(100))
    # it lasted as long as it ran, not until it was heard of
    assert step.started_at < step.ended_at < healed_at


def test_a_job_cancelled_behind_a_cut_link_ends_once_it_is_healed(far_host, background):
    server, link = far_host
    made = job(sh("echo begun; sleep 300"), on=target(server))
    turn = background(made)
    until(some_output(made))
    link.cut()
    launching.cancel(made, made.plan.launched_by)
    turn.join(60)
    assert Job.objects.get(pk=made.pk).state == S.CANCELLING
    link.heal()
    made = carried(made)
    assert (made.state, logs.whole(made.steps.get())) == (S.CANCELLED, b"begun\n")
    until(lambda: nothing_of(made))  # what followed it on the old connection sees so in a moment
