"""Who holds a job: the living worker alone writes, and a dead one is soon replaced."""

from __future__ import annotations

import signal
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from benchdash.jobs import giving_up, job_states, leases, logs, queueing
from benchdash.jobs.models import Job, JobStep, TunableChange
from tests.workers.jobs_by_hand import carried, job, sh, step, target
from tests.workers.running import until, worker
from tests.workers.sshd import sshd
from workers import cleanup, execution, tunables
from workers.detached_steps import Following
from workers.remote_job import nodes_of

pytestmark = pytest.mark.django_db(transaction=True)
S = Job.State
WELL_UNDER_A_MINUTE = timedelta(seconds=30)


class Swap:
    """A host whose `vm.swappiness` is a file, and takes as long to be set as another file says."""

    def __init__(self, place):
        self.value, self.slow, self.calls = place / "value", place / "slow", place / "calls"
        self.value.write_text("60\n")
        script = f"""#!/bin/sh
[ "$1" = -n ] && exec cat {self.value}
echo "$2" >> {self.calls}
[ -f {self.slow} ] && sleep "$(cat {self.slow})"
echo "${{2#*=}}" > {self.value}
"""
        (place / "sysctl").write_text(script)
        (place / "sysctl").chmod(0o755)
        self.more = f"SetEnv PATH={place}:/usr/bin:/bin\n"

    @property
    def was_asked(self):
        return self.calls.exists()


@pytest.fixture
def swap(tmp_path):
    return Swap(tmp_path)


@pytest.fixture
def host(swap):
    with sshd(more=swap.more) as server:
        yield server


def swappiness():
    setting = {"name": "sysctl", "where": "vm.swappiness", "value": "10"}
    return step("sysctl", name="swap", phase="before", root=True, tunable=setting)


def on_its_way(*steps, on):
    """A job in the hands of a worker, which measures."""
    late = leases.claim(job(*steps, on=on).pk, job_states.ACTIVE)
    nodes = nodes_of(late)
    nodes.contact()
    for state in (S.PREPARING, S.RUNNING, S.UNREACHABLE):
        job_states.move(late, state)
    return late, nodes


def given_up(late):
    """An admin gives it up while its worker sleeps."""
    giving_up.give_up(late, "It never returns.", late.plan.launched_by)


def refused(act, *words):
    with pytest.raises(leases.LeaseLostError):
        act(*words)
    return True


def test_no_step_is_written_by_a_worker_that_wakes_up_after_its_job_was_given_up(own_server):
    late, nodes = on_its_way(sh("true"), on=target(own_server))
    (measured,) = late.steps.all()
    nodes.of(measured).start(measured)
    leases.record(late, measured, state=JobStep.State.RUNNING)
    until(lambda: nodes.of(measured).status(measured).state == "ended")
    given_up(late)
    as_it_was = JobStep.objects.values().get()
    assert as_it_was["reason"] == "The job was given up."
    assert refused(Following(late, nodes, [measured], time.monotonic() + 60).run)
    assert refused(cleanup.end_step, late, nodes, measured, JobStep.State.CANCELLED, "late")
    assert JobStep.objects.values().get() == as_it_was


def test_no_setting_is_made_or_written_by_one(host, swap):
    late, nodes = on_its_way(swappiness(), on=target(host))
    tunables.note_all(late, nodes)
    (setting,) = late.steps.all()
    given_up(late)
    as_it_was = TunableChange.objects.values().get()
    assert refused(tunables.set_tunable, setting, nodes)
    TunableChange.objects.update(changed_at=timezone.now())
    swap.value.write_text("10\n")
    assert refused(tunables.put_back, late, nodes)
    assert TunableChange.objects.values().get() == as_it_was | {
        "changed_at": TunableChange.objects.get().changed_at
    }
    assert not swap.was_asked
    assert JobStep.objects.get().state == JobStep.State.SKIPPED


def test_one_that_sleeps_while_a_setting_is_made_does_not_say_that_it_was(host, swap):
    late, nodes = on_its_way(swappiness(), on=target(host))
    tunables.note_all(late, nodes)
    swap.slow.write_text("2")
    with ThreadPoolExecutor(1) as pool:
        setting = pool.submit(_apart, tunables.set_tunable, late.steps.get(), nodes)
        until(lambda: swap.was_asked)
        given_up(late)
        with pytest.raises(leases.LeaseLostError):
            setting.result()
    assert JobStep.objects.get().state == JobStep.State.LOST


def _apart(act, *words):
    try:
        act(*words)
    finally:
        connection.close()


def test_it_says_nothing_frees_nothing_and_ends_nothing(own_server):
    made = job(sh("true"), on=target(own_server))
    late = leases.claim(made.pk, job_states.ACTIVE)
    assert queueing.take_hosts(late)
    Job.objects.filter(pk=made.pk).update(lease_until=None)
    assert leases.claim(made.pk, job_states.ACTIVE)  # another worker has it now
    refused(job_states.add_event, late, "late")
    refused(execution._leave_hosts, late, S.WAITING, "late")
    refused(execution._set_outcome, late, S.FAILED, "late")
    refused(giving_up.leave, late)
    made.refresh_from_db()
    assert (made.state, made.outcome, made.locks.count()) == (S.QUEUED, "", 1)
    assert made.steps.get().state == JobStep.State.WAITING
    assert not made.events.filter(reason="late").exists()


def test_a_worker_that_is_killed_while_a_setting_is_made_is_soon_replaced(host, swap):
    swap.slow.write_text("300")
    made = job(swappiness(), sh("echo measured"), on=target(host))
    with worker() as first:
        queueing.notify([made.pk])
        until(lambda: swap.was_asked)
        first.send_signal(signal.SIGKILL)
        first.wait()
    swap.slow.unlink()
    made.refresh_from_db()
    assert timezone.now() < made.lease_until < timezone.now() + WELL_UNDER_A_MINUTE
    # as if the time of the dead worker's lease were over
    Job.objects.filter(pk=made.pk).update(lease_until=None, look_at=None)
    made = carried(made)
    assert (made.state, made.reason) == (S.DONE, "")
    assert logs.whole(made.steps.get(name="measure")) == b"measured\n"
    assert swap.value.read_text() == "60\n"


def test_a_lease_is_held_through_work_that_takes_longer(own_server, monkeypatch):
    monkeypatch.setattr(leases, "LEASE", timedelta(seconds=1.5))
    monkeypatch.setattr(leases, "RENEW_EVERY_S", 0.1)
    made = job(sh("true"), on=target(own_server))
    held = leases.claim(made.pk, job_states.ACTIVE)
    first = held.lease_until
    with leases.held(held):
        until(lambda: timezone.now() > first + timedelta(seconds=0.5))
        assert leases.claim(made.pk, job_states.ACTIVE) is None
    leases.release(held)
    assert leases.claim(made.pk, job_states.ACTIVE).fence == held.fence + 1


def test_a_lease_that_was_lost_is_not_renewed(own_server, monkeypatch):
    monkeypatch.setattr(leases, "RENEW_EVERY_S", 0.01)
    made = job(sh("true"), on=target(own_server))
    late = leases.claim(made.pk, job_states.ACTIVE)
    Job.objects.filter(pk=made.pk).update(lease_until=None)
    now = leases.claim(made.pk, job_states.ACTIVE)
    with leases.held(late):
        until(lambda: f"lease-{made.pk}" not in {thread.name for thread in threading.enumerate()})
    made.refresh_from_db()
    assert made.lease_until == now.lease_until


def test_work_without_end_loses_its_lease_too(own_server, monkeypatch):
    monkeypatch.setattr(leases, "LEASE", timedelta(seconds=0.3))
    monkeypatch.setattr(leases, "RENEW_EVERY_S", 0.05)
    monkeypatch.setattr(leases, "LONGEST_TURN", timedelta(seconds=0.5))
    made = job(sh("true"), on=target(own_server))
    late = leases.claim(made.pk, job_states.ACTIVE)
    with leases.held(late):
        until(lambda: leases.claim(made.pk, job_states.ACTIVE))
    refused(leases.keep, late)
