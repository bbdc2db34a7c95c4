"""What breaks on the way to a host, and on it. Nothing is lost and nothing runs twice."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import time
from unittest.mock import Mock, patch

import pytest

from benchdash.jobs import launching, logs
from benchdash.jobs.models import Job, JobStep
from tests.conftest import need
from tests.workers.jobs_by_hand import carried, due_now, job, sh, step, target
from tests.workers.running import (
    COUNTING,
    PATIENCE_S,
    counted,
    in_state,
    nothing_of,
    some_output,
    until,
)
from workers import connections
from workers.celery import app
from workers.tasks import check_target

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
S = Job.State


def test_an_sshd_that_restarts_costs_no_byte(own_server, background):
    made = job(sh(COUNTING.format(lines=100)), on=target(own_server))
    turn = background(made)
    until(some_output(made))
    own_server.stop()
    until(in_state(made, S.UNREACHABLE))
    turn.join(PATIENCE_S)
    assert "cannot be reached" in Job.objects.get(pk=made.pk).reason
    own_server.start()
    due_now(made)
    made = carried(made)
    assert (made.state, made.reason) == (S.DONE, "")
    assert logs.whole(made.steps.get()) == counted(100)
    told = list(made.events.values_list("after", flat=True))
    assert told[-5:] == [S.RUNNING, S.UNREACHABLE, S.RUNNING, S.COLLECTING, S.DONE]


def test_a_silent_link_is_no_lost_run(own_server, background):
    """The link is cut without a word: the server's processes stand still."""
    made = job(sh(COUNTING.format(lines=60)), on=target(own_server))
    background(made)
    until(some_output(made))
    ours = own_server.sessions()
    assert ours
    for pid in ours:
        os.kill(pid, signal.SIGSTOP)
    try:
        until(in_state(made, S.UNREACHABLE))
    finally:
        for pid in ours:
            os.kill(pid, signal.SIGCONT)
    due_now(made)
    made = carried(made)
    assert (made.state, logs.whole(made.steps.get())) == (S.DONE, counted(60))


def test_a_host_that_does_not_answer_is_waited_for(own_server):
    on = target(own_server)
    own_server.stop()
    made = carried(job(sh("echo there"), on=on), turns=1)
    assert (made.state, made.locks.count()) == (S.WAITING, 0)
    own_server.start()
    assert carried(made).state == S.DONE


def test_a_working_folder_that_cannot_be_made_is_reported_with_its_mend(a_server):
    made = carried(job(sh("echo never"), on=target(a_server, folder="/proc/benchdash")))
    assert made.state == S.FAILED
    assert made.reason.startswith("127.0.0.1 cannot write to the job's folders: ")
    mend = f"Make /proc/benchdash on the host, and let {a_server.user} write to it."
    assert made.reason.endswith(mend)
    assert made.reason.values["s1"].values["folder"] == "/proc/benchdash"


def test_a_job_that_waits_for_one_of_its_hosts_has_left_nothing_on_the_others(a_server, own_server):
    on = {"node-a": target(a_server), "node-b": target(own_server, name="store-2")}
    own_server.stop()
    made = carried(job(sh("echo there"), on=on), turns=1)
    assert (made.state, made.locks.count()) == (S.WAITING, 0)
    assert a_server.left() == []
    own_server.start()
    assert carried(made).state == S.DONE


def test_a_changed_host_key_stops_everything(own_server):
    on = target(own_server)
    own_server.stop()
    own_server.new_host_key()
    own_server.start()
    made = carried(job(sh("echo never"), on=on), turns=1)
    assert made.state == S.WAITING
    assert "shows a key other than the approved one" in made.reason
    on.refresh_from_db()
    assert on.offered_key == own_server.host_key
    assert own_server.left() == []


def test_a_host_whose_key_nobody_approved_is_not_logged_in_to(a_server):
    made = carried(job(sh("echo never"), on=target(a_server, host_key="")), turns=1)
    assert made.state == S.WAITING
    assert "approve its key" in made.reason


def test_a_user_who_is_not_let_in_is_named(a_server):
    made = carried(job(sh("echo never"), on=target(a_server, user="nobody-like-that")), turns=1)
    assert (made.state, made.locks.count()) == (S.WAITING, 0)
    assert "does not let nobody-like-that in" in made.reason


def test_a_refused_login_is_tried_once_for_a_whole_plan_which_goes_on_when_it_is_mended(a_server):
    """An account that is tried again and again is locked; cells that fail one by one are a night lost."""
    on = target(a_server, user="nobody-like-that")
    made = [job(sh("echo now"), on=on) for _cell in range(3)]
    tried = Mock(side_effect=connections._connect)
    with patch.object(connections, "_connect", tried):
        states = [carried(one, turns=2).state for one in made]
    assert (states, tried.call_count) == ([S.WAITING, S.QUEUED, S.QUEUED], 1)
    on.refresh_from_db()
    assert on.standing == "refused"
    # another login to the same host is not held up
    another = target(a_server, address="localhost")
    assert carried(job(sh("echo now"), on=another)).state == S.DONE
    on.user = another.user
    on.save()
    check_target(on.pk)
    assert [carried(one).state for one in made] == [S.DONE] * 3


def test_cancelling_ends_every_process_within_five_seconds(a_server, background):
    need("fio")
    fio = ["fio", "--name=x", "--rw=randread", "--size=1m", "--numjobs=4", "--time_based"]
    made = job(step(*fio, "--runtime=60", tool="fio"), on=target(a_server))
    turn = background(made)
    until(some_output(made))
    asked = time.monotonic()
    launching.cancel(made, made.plan.launched_by)
    turn.join(PATIENCE_S)
    carried(made)
    took = time.monotonic() - asked
    assert Job.objects.get(pk=made.pk).state == S.CANCELLED
    until(lambda: nothing_of(made))
    assert took < PATIENCE_S  # five seconds are what a person feels; the load of a test is not
    assert a_server.left() == []


def test_cancelling_while_the_link_is_down_holds_at_the_next_contact(own_server, background):
    made = job(sh("echo begun; sleep 300"), on=target(own_server))
    turn = background(made)
    until(some_output(made))
    own_server.stop()
    turn.join(PATIENCE_S)
    launching.cancel(made, made.plan.launched_by)
    made = carried(made, turns=1)
    assert made.state == S.CANCELLING
    own_server.start()
    made = carried(made)
    assert made.state == S.CANCELLED
    assert logs.whole(made.steps.get()) == b"begun\n"


def test_a_host_that_is_away_is_asked_again_by_the_next_sweep(own_server, background):
    made = job(sh("echo begun; sleep 300"), on=target(own_server))
    turn = background(made)
    until(some_output(made))
    own_server.stop()
    turn.join(PATIENCE_S)
    made.refresh_from_db()
    sweeping = app.conf.beat_schedule["jobs that are due"]["schedule"]
    assert (made.look_at - made.state_at).total_seconds() < sweeping / 2


def test_a_run_that_vanished_without_exit_code_is_lost(own_server, background):
    made = job(sh("echo begun; sleep 300"), on=target(own_server))
    turn = background(made)
    until(some_output(made))
    subprocess.run(["pkill", "-KILL", "-f", f"runner {made.token}"], check=True)
    turn.join(PATIENCE_S)
    made = carried(made)
    assert made.state == S.LOST
    assert made.steps.get().state == JobStep.State.LOST


def test_a_run_whose_folder_was_removed_is_lost_and_ended(own_server, background):
    made = job(sh("echo begun; exec sleep 300"), on=target(own_server))
    turn = background(made)
    until(some_output(made))
    (identity,) = own_server.control.glob("*/*/identity")
    # at once: of a folder that is half removed, whoever looks then may find how the run ended
    shutil.rmtree(identity.parents[1].rename(own_server.home / "removed"))
    turn.join(PATIENCE_S)
    made = carried(made)
    assert made.state == S.LOST
    assert nothing_of(made)


def test_a_job_keeps_to_the_folder_that_it_was_planned_in(a_server, tmp_path):
    on = target(a_server)
    planned, later = on.folder, tmp_path / "later"
    made = job(sh("pwd"), on=on)
    on.folder = str(later)
    on.save()
    made = carried(made)
    again = carried(launching.retry(made, made.plan.launched_by))
    for each in (made, again):
        assert (each.state, each.reason) == (S.DONE, "")
        assert logs.whole(each.steps.get()).decode().startswith(planned)
    assert not later.exists()
