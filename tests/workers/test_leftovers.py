"""What a turn that broke off left on the hosts: ended before they are free, never taken for another's."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

import pytest

from benchdash.jobs import job_states, launching, leases, logs, queueing
from benchdash.jobs.models import HostLock, Job, JobStep
from tests.capture.test_script import folder_of
from tests.workers.jobs_by_hand import carried, job, sh, target
from tests.workers.running import some_output, until
from workers import collecting, execution, ssh
from workers.remote_job import nodes_of
from workers.tasks import carry_on

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
S = Job.State


def marked(made):
    """Processes of a job, by the mark in their environment."""
    mark = f"BENCHDASH_STEP={made.token}".encode()
    found = []
    for environ in Path("/proc").glob("[0-9]*/environ"):
        try:
            found += [environ.parent.name] * (mark in environ.read_bytes())
        except OSError:
            continue
    return found


def test_what_outlives_its_dead_runner_is_ended_before_the_host_is_free(a_server, background):
    made = job(sh("echo begun; sleep 300"), on=target(a_server))
    turn = background(made)
    until(some_output(made))
    subprocess.run(["pkill", "-KILL", "-f", f"runner {made.token}"], check=True)
    turn.join(60)
    made = carried(made)
    assert (made.state, marked(made), made.locks.count()) == (S.LOST, [], 0)


def test_the_neighbour_of_a_step_that_cannot_start_is_ended(a_server, tmp_path):
    beside = {"together": True, "name": "measure"}
    refused = [{"kind": "path", "name": str(tmp_path / "of another")}]
    made = job(
        sh("echo begun; sleep 300", **beside),
        sh("echo never", node="node-b", touches=refused, **beside),
        on={"node-a": target(a_server), "node-b": target(a_server, name="store-2")},
    )
    made = carried(made)
    assert made.state == S.FAILED
    assert "is not listed as writable" in made.reason
    assert (marked(made), made.locks.count()) == ([], 0)


def test_a_start_whose_answer_was_lost_is_gone_on_with(a_server, tmp_path):
    own = str(tmp_path / "data")
    touched = [{"kind": "path", "name": own}]
    on = target(a_server, allowed=[own])
    made = job(sh(f"echo begun; exec 3> {own}; sleep 2; echo end", touches=touched), on=on)
    remote, (running,) = nodes_of(made).by_role["node-a"], made.steps.all()
    remote.install()
    remote.start(running)
    made.steps.update(state=JobStep.State.STARTING)
    Job.objects.filter(pk=made.pk).update(state=S.RUNNING)
    made = carried(made)
    assert (made.state, made.reason) == (S.DONE, "")
    assert logs.whole(running) == b"begun\nend\n"


def test_more_output_than_may_be_stored_ends_the_job_once(a_server, settings):
    settings.MAX_UPLOAD_BYTES = 2000
    made = carried(job(sh("yes"), on=target(a_server)))
    assert made.state == S.FAILED
    assert made.reason == "The output is too large to be stored."
    assert 0 < len(logs.whole(made.steps.get())) <= 2000
    assert marked(made) == []


def test_too_much_output_of_cleaning_up_is_stated_and_spoils_nothing(a_server, settings):
    settings.MAX_UPLOAD_BYTES = 2000
    made = job(sh("echo measured"), sh("yes", name="tidy", phase="cleanup"), on=target(a_server))
    made = carried(made)
    assert (made.state, made.reason, marked(made)) == (S.DONE, "", [])
    assert made.steps.get(name="tidy").state == JobStep.State.FAILED


def test_a_job_that_began_nothing_has_nothing_to_clean_up(a_server):
    """Its host is unchanged: nothing is retried there, and later jobs carry no condition for it."""
    nowhere = "/proc/nowhere/data"
    touched = [{"kind": "path", "name": nowhere}]
    on = target(a_server, allowed=[nowhere])
    tidy = sh(f"rm -r {nowhere}", name="tidy", phase="cleanup", touches=touched)
    made = carried(job(sh(f"mkdir {nowhere}", touches=touched), tidy, on=on))
    assert made.state == S.FAILED and "/proc/nowhere" in made.reason
    assert made.steps.get(name="tidy").state == JobStep.State.SKIPPED
    assert made.nodes.get().left_at is None


def test_cleaning_up_that_failed_is_tried_again_at_every_contact(own_server, tmp_path):
    busy = tmp_path / "busy"
    busy.touch()
    on = target(own_server)
    tidy = sh(f"echo tidying; test ! -e {busy}", name="tidy", phase="cleanup")
    made = carried(job(sh("echo measured"), tidy, on=on))
    assert (made.state, bool(made.nodes.get().left_at)) == (S.DONE, True)
    failed = "tidy ended with exit code 1. It said: tidying"
    after = carried(job(sh("true"), on=on))
    assert after.state == S.DONE
    said = {each["sentence"] for each in after.conditions if each["name"] == "left"}
    assert said == {f"Job {made} could not be cleaned up here: {failed}"}
    assert [each.reason for each in made.events.all()].count(failed) == 1
    busy.unlink()
    after = carried(job(sh("true"), on=on))
    assert not [each for each in after.conditions if each["name"] == "left"]
    step = made.steps.get(name="tidy")
    assert (step.state, step.reason, logs.whole(step)) == (JobStep.State.DONE, "", b"tidying\n")
    assert not made.nodes.get().left_at
    assert own_server.left() == []


def test_conditions_that_a_broken_turn_noted_still_stop_the_launch(a_server):
    said = {"when": "before", "host": "store-1", "sentence": "An array resyncs.", "blocking": True}
    noted = [said | {"node": "node-a", "name": "resync", "at": "2026-11-21T00:00:00+00:00"}]
    on = target(a_server)
    made = carried(job(sh("echo never"), on=on, whatever_conditions=False, conditions=noted))
    assert made.state == S.FAILED
    assert "store-1: An array resyncs." in made.reason
    assert made.steps.get().state == JobStep.State.SKIPPED


def test_what_is_stated_beside_too_much_output_is_kept(a_server, settings):
    settings.MAX_UPLOAD_BYTES = 2000
    loud = "trap 'echo the-cause >&2; exit 1' TERM; echo begun; yes & wait"
    made = carried(job(sh(loud), on=target(a_server)))
    assert made.state == S.FAILED
    assert logs.whole(made.steps.get(), "err") == b"the-cause\n"


def test_a_job_that_is_cancelled_while_its_host_is_taken_frees_it(own_server, background):
    on = target(own_server)
    made = job(sh("echo never"), on=on)
    ours = own_server.sessions()
    for pid in ours:
        os.kill(pid, signal.SIGSTOP)
    try:
        turn = background(made)  # it waits for the host's first words
        until(HostLock.objects.filter(job=made).exists)
        launching.cancel(made, made.plan.launched_by)
        assert HostLock.objects.count() == 0  # whether its worker lives or not
    finally:
        for pid in ours:
            os.kill(pid, signal.SIGCONT)
    turn.join(60)
    made.refresh_from_db()
    assert (made.state, HostLock.objects.count()) == (S.CANCELLED, 0)
    assert own_server.left() == []
    assert carried(job(sh("echo next"), on=on)).state == S.DONE


def test_a_job_that_was_just_cancelled_takes_no_host(a_server):
    made = job(sh("echo never"), on=target(a_server, user="nobody-like-that"))
    held = leases.claim(made.pk, job_states.ACTIVE)
    launching.cancel(made, made.plan.launched_by)
    assert not queueing.take_hosts(held)
    execution.advance(held)
    assert HostLock.objects.count() == 0


def test_cancelling_while_it_cleans_up_comes_too_late_and_breaks_nothing(a_server, background):
    tidy = sh("echo tidy; sleep 2; echo end", name="tidy", phase="cleanup")
    made = job(sh("echo measured"), tidy, on=target(a_server))
    turn = background(made)
    until(lambda: logs.received(made.steps.get(name="tidy"), "out") > 0)
    launching.cancel(made, made.plan.launched_by)
    turn.join(60)
    made = carried(made)
    assert (made.state, made.lease_until) == (S.DONE, None)
    assert logs.whole(made.steps.get(name="tidy")) == b"tidy\nend\n"


def test_a_turn_that_meets_a_bug_lets_the_job_go(own_server):
    made = job(sh("true"), on=target(own_server))
    JobStep.objects.filter(job=made).update(node="nobody")
    with pytest.raises(KeyError):
        carry_on(made.pk)
    made.refresh_from_db()
    assert made.lease_until is None


def test_a_long_result_holds_the_lease(own_server):
    made = job(sh("true", tool="fio", result="result.out"), on=target(own_server))
    held = leases.claim(made.pk, job_states.ACTIVE)
    nodes, (measured,) = nodes_of(held), made.steps.all()
    nodes.contact()
    nodes.of(measured).start(measured)
    (own_server.control / made.token / measured.folder / "result").write_bytes(b"no fio")
    made.steps.update(started_at=made.queued_at, state=JobStep.State.DONE)
    held.lease_until = made.queued_at
    Job.objects.filter(pk=made.pk).update(lease_until=made.queued_at)
    collecting.keep_results(held, nodes)
    made.refresh_from_db()
    assert made.lease_until > held.queued_at


def test_who_reads_when_all_was_removed_leaves_nothing(own_server):
    made = carried(job(sh("true"), on=target(own_server)))
    remote, step = nodes_of(made).by_role["node-a"], made.steps.get()
    assert remote.status(step).state == "none"
    assert remote.piece(step, "out.log", 0, 99) == b""
    ssh.run_all([remote._command(step.folder, "follow out.log 0", {"beside": ""})])
    assert own_server.left() == []


def test_who_reads_while_all_is_removed_makes_nothing_anew(own_server, tmp_path):
    made = job(sh("true"), on=target(own_server))
    remote, step = nodes_of(made).by_role["node-a"], made.steps.get()
    remote.install()
    folder = own_server.control / made.token
    # right after it was looked at first
    removes = f'[ "$3" != {folder} ] || [ -e {tmp_path}/gone ] || mv {folder} {tmp_path}/gone'
    programs = folder_of(tmp_path, ls=f'"$(PATH=${{PATH#*:}} command -v ls)" "$@"; {removes}')
    command = remote._command(step.folder, "status", {"beside": ""})
    there = {"PATH": f"{programs}:{os.environ['PATH']}", "HOME": str(own_server.home)}
    subprocess.run(command.line, shell=True, check=True, input=command.data, env=there)
    assert not folder.exists()


def test_who_writes_while_the_folders_are_removed_keeps_none_of_them(own_server):
    made = job(sh("true"), on=target(own_server))
    step = own_server.control / made.token / made.steps.get().folder
    # as what looked on beside a step, and writes a last line
    script = f"""
        until [ -f {step}/exit ]; do :; done
        n=0 behind=0
        while [ $behind -lt 3000 ]; do
            echo > {step}/$((n = (n + 1) % 50))
            [ -f {step}/exit ] || behind=$((behind + 1))
        done
    """
    with subprocess.Popen(["timeout", "60", "sh", "-c", script], stderr=subprocess.DEVNULL):
        assert carried(made).state == S.DONE
    assert own_server.left() == []
