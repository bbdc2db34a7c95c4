"""Jobs that are given up: their hosts are free at once, and seen to when they answer again."""

from __future__ import annotations

import subprocess
from datetime import timedelta

import pytest
from django.utils import timezone

from benchdash.errors import Refused
from benchdash.jobs import giving_up, job_states, leases, logs
from benchdash.jobs.models import HostLock, Job
from benchdash.results.models import Run
from tests.conftest import need
from tests.workers.jobs_by_hand import carried, job, sh, target
from tests.workers.mount_options import journaled, options, restored
from tests.workers.running import in_state, until
from workers import target_check
from workers.tasks import check_target

pytestmark = pytest.mark.django_db(transaction=True)
S = Job.State


@pytest.fixture
def given_up(own_server, background):
    """`given_up(step, …)`: a job that was given up while its measuring step ran."""

    def made(*steps):
        one = job(*steps, on=target(own_server))
        turn = background(one)
        until(lambda: logs.received(one.steps.get(name="measure"), "out") > 0)
        own_server.stop()
        until(in_state(one, S.UNREACHABLE))
        turn.join(60)
        return giving_up.give_up(one, "It never returns.", one.plan.launched_by)

    return made


def nothing_is_left(one, server):
    assert one.nodes.get().left_at is None
    running = ["pgrep", "-f", one.token]
    until(lambda: subprocess.run(running, capture_output=True, check=False).stdout == b"")
    assert server.left() == []
    return True


def test_the_next_job_finds_the_host_as_it_was(given_up, own_server, folder):
    lost = given_up(journaled(folder), sh("echo begun; sleep 300"))
    assert (lost.state, HostLock.objects.count()) == (S.LOST, 0)
    assert "noatime" in options(folder)
    subprocess.run(["pgrep", "-f", lost.token], check=True, stdout=subprocess.DEVNULL)
    own_server.start()
    after = carried(job(sh(f"grep {folder} /proc/mounts"), on=lost.nodes.get().target))
    assert (after.state, after.reason) == (S.DONE, "")
    assert b"noatime" not in logs.whole(after.steps.get())
    assert restored() and nothing_is_left(lost, own_server)
    assert logs.whole(lost.steps.get(name="measure")) == b"begun\n"
    lost.refresh_from_db()
    assert lost.state == S.LOST


def test_a_check_of_the_connection_sees_to_it_too(given_up, own_server, folder):
    tidy = sh("echo tidy", name="tidy", phase="cleanup")
    lost = given_up(journaled(folder), sh("echo begun; sleep 300"), tidy)
    on = lost.nodes.get().target
    check_target(on.pk)
    assert lost.nodes.get().left_at  # nobody answers yet
    own_server.start()
    check_target(on.pk)
    assert restored() and "noatime" not in options(folder)
    assert nothing_is_left(lost, own_server)
    assert lost.steps.get(name="tidy").state == "done"
    assert lost.events.last().reason == "What it left on store-1 was stopped and undone."


def test_a_check_leaves_a_host_alone_where_a_job_measures(given_up, own_server):
    lost = given_up(sh("echo begun; sleep 300"))
    own_server.start()
    on = lost.nodes.get().target
    HostLock.objects.create(host=on.host, job=job(sh("true"), on=on))
    target_check.check(on)
    assert lost.nodes.get().left_at


def test_two_workers_do_not_see_to_it_at_once(given_up, own_server):
    lost = given_up(sh("echo begun; sleep 300"))
    own_server.start()
    assert leases.claim(lost.pk, job_states.ENDED)  # another worker is at it
    after = carried(job(sh("true"), on=lost.nodes.get().target), turns=1)
    assert (after.state, after.locks.count()) == (S.WAITING, 0)
    assert after.reason == "Another worker is cleaning up what an earlier job left there."
    Job.objects.filter(pk=lost.pk).update(lease_until=None)
    assert carried(after).state == S.DONE
    assert nothing_is_left(lost, own_server)


def test_what_it_measured_meanwhile_is_kept_and_set_aside(given_up, own_server):
    need("fio")
    fio = "fio --name=x --rw=write --size=1m --output-format=json --output=result.out"
    lost = given_up(sh(f"echo begun; {fio}; sleep 2", tool="fio", result="result.out"))
    own_server.start()
    until(lambda: list(own_server.control.glob("*/*/exit")))
    check_target(lost.nodes.get().target_id)
    run = Run.objects.get(artifact__steps__job=lost)
    assert run.set_aside_reason == "The job was given up."
    assert nothing_is_left(lost, own_server)


def test_hosts_that_measured_together_are_seen_to_one_by_one(a_server, own_server, background):
    need("fio")
    fio = "fio --name=x --rw=write --size=1m --output-format=json --output=result.out"
    measured = {"tool": "fio", "result": "result.out", "together": True}
    on = {"node-a": target(a_server), "node-b": target(own_server, "store-2")}
    waits = sh("echo begun; sleep 300", node="node-a", **measured)
    ends = sh(f"echo begun; {fio}; sleep 2", node="node-b", **measured)
    one = job(waits, ends, on=on)
    turn = background(one)
    until(lambda: all(logs.received(step, "out") for step in one.steps.all()))
    own_server.stop()
    until(in_state(one, S.UNREACHABLE))
    turn.join(60)
    giving_up.give_up(one, "It never returns.", one.plan.launched_by)
    own_server.start()
    until(lambda: list(own_server.control.glob("*/*/exit")))
    for each in on.values():
        check_target(each.pk)
    run = Run.objects.get(artifact__steps__job=one)
    assert (run.label, run.set_aside_reason) == ("store-2", "The job was given up.")
    assert not one.nodes.exclude(left_at=None).exists() and own_server.left() == []


def test_a_setting_that_cannot_be_put_back_stops_what_comes_after(
    given_up,
    own_server,
    folder,
):
    lost = given_up(journaled(folder), sh("echo begun; sleep 300"))
    own_server.start()
    on = lost.nodes.get().target
    subprocess.run(["umount", folder], check=True)
    stopped = carried(job(sh("echo never"), on=on, whatever_conditions=False))
    assert stopped.state == S.FAILED
    assert f"of {folder} cannot be read" in stopped.reason
    insisted = carried(job(sh("echo measured"), on=on))
    assert insisted.state == S.DONE
    assert any("cannot be read" in each["sentence"] for each in insisted.conditions)
    check_target(on.pk)
    on.refresh_from_db()
    (line,) = (line for line in on.findings["lines"] if line["name"] == "left by a job")
    assert "cannot be read" in line["text"] and line["ok"] is False
    giving_up.give_up(lost, "The disk is gone.", lost.plan.launched_by)
    check_target(on.pk)
    on.refresh_from_db()
    assert "cannot be read" not in str(on.findings)


def test_a_worker_that_still_holds_it_writes_nothing_more(a_server):
    made = job(sh("true"), on=target(a_server))
    held = leases.claim(made.pk, job_states.ACTIVE)
    for state in (S.PREPARING, S.RUNNING, S.UNREACHABLE):
        job_states.move(held, state)
    giving_up.give_up(made, "It never returns.", made.plan.launched_by)
    with pytest.raises(leases.LeaseLostError):
        job_states.move(held, S.RUNNING)
    with pytest.raises(leases.LeaseLostError):
        logs.store(held, made.steps.get(), "out", b"late")
    with pytest.raises(leases.LeaseLostError):
        leases.keep(held)
    assert leases.claim(made.pk, job_states.ACTIVE) is None


def test_a_setting_that_a_job_could_not_put_back_is_tried_again(a_server, mounted):
    device, folder = mounted
    on = target(a_server)
    made = carried(job(journaled(folder), sh(f"umount {folder}"), on=on))
    assert (made.state, bool(made.nodes.get().left_at)) == (S.FAILED, True)
    assert "cannot be read" in made.reason
    subprocess.run(["mount", "-o", "noatime", device, folder], check=True)
    after = carried(job(sh("true"), on=on, whatever_conditions=True))
    assert after.state == S.DONE
    assert restored() and "noatime" not in options(folder)
    assert nothing_is_left(made, a_server)


def test_a_job_that_cannot_leave_its_host_is_stuck_too(a_server):
    made = job(sh("true"), on=target(a_server))
    held = leases.claim(made.pk, job_states.ACTIVE)
    for state in (S.PREPARING, S.RUNNING, S.COLLECTING):
        job_states.move(held, state)
    job_states.move(held, S.COLLECTING, "3 processes of tidy have not ended yet.")
    assert giving_up.give_up(made, "It hangs.", made.plan.launched_by).state == S.LOST


def test_a_job_whose_turns_break_off_without_a_reason_is_stuck_after_minutes(a_server):
    made = job(sh("true"), on=target(a_server))
    held = leases.claim(made.pk, job_states.ACTIVE)
    for state in (S.PREPARING, S.RUNNING, S.COLLECTING):
        job_states.move(held, state)
    with pytest.raises(Refused):
        giving_up.give_up(made, "It hangs.", made.plan.launched_by)
    Job.objects.filter(pk=made.pk).update(state_at=timezone.now() - timedelta(minutes=11))
    assert giving_up.give_up(made, "It hangs.", made.plan.launched_by).state == S.LOST


def test_what_was_cleaning_up_is_let_go_on_to_its_end(own_server, background, tmp_path):
    gate, mark = tmp_path / "gate", tmp_path / "tidied"
    script = f"until [ -e {gate} ]; do sleep 0.1; done; touch {mark}"
    one = job(sh("true"), sh(script, name="tidy", phase="cleanup"), on=target(own_server))
    turn = background(one)
    until(lambda: one.steps.get(name="tidy").state == "running")
    own_server.stop()
    until(in_state(one, S.UNREACHABLE))
    turn.join(60)
    giving_up.give_up(one, "It never returns.", one.plan.launched_by)
    own_server.start()
    gate.touch()
    check_target(one.nodes.get().target_id)
    assert one.steps.get(name="tidy").state == "done"
    assert mark.exists() and nothing_is_left(one, own_server)


def test_what_cannot_be_seen_to_is_waited_for_and_named(given_up, own_server):
    lost = given_up(sh("echo begun; sleep 300"))
    own_server.start()
    old = lost.nodes.get().target
    old.user = "nobody-like-that"
    old.save()
    good = target(own_server)
    after = carried(job(sh("true"), on=good), turns=1)
    assert (after.state, after.locks.count()) == (S.WAITING, 0)
    assert f"What job {lost} left there cannot be cleaned up" in after.reason
    assert "does not let nobody-like-that in" in after.reason
    giving_up.give_up(lost, "The user is gone.", lost.plan.launched_by)
    assert carried(after).state == S.DONE
