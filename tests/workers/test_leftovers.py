"""What a turn that broke off left on the hosts: ended before they are free, never taken for another's."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest

from benchdash.jobs import logs
from benchdash.jobs.models import Job, JobStep
from tests.workers.asked import carried, job, sh, target
from tests.workers.test_faults import background, some_output, until  # noqa: F401 - a fixture
from workers.remote_job import RemoteJob

pytestmark = pytest.mark.django_db(transaction=True)
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


def test_what_outlives_its_dead_runner_is_ended_before_the_host_is_free(a_server, background):  # noqa: F811
    made = job(sh("echo begun; sleep 300"), on=target(a_server))
    turn = background(made)
    until(some_output(made))
    subprocess.run(["pkill", "-KILL", "-f", f"{made.token}/control.sh runner"], check=True)
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
    assert "is not on the list of what may be written" in made.reason
    assert (marked(made), made.locks.count()) == ([], 0)


def test_a_start_whose_answer_was_lost_is_gone_on_with(a_server, tmp_path):
    own = str(tmp_path / "data")
    touched = [{"kind": "path", "name": own}]
    on = target(a_server, allowed=[own])
    made = job(sh(f"echo begun; exec 3> {own}; sleep 2; echo end", touches=touched), on=on)
    remote, (running,) = RemoteJob(made, on), made.steps.all()
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
    assert made.reason == "The output is larger than what may be stored."
    assert 0 < len(logs.whole(made.steps.get())) <= 2000
    assert marked(made) == []


def test_too_much_output_of_cleaning_up_is_said_and_spoils_nothing(a_server, settings):
    settings.MAX_UPLOAD_BYTES = 2000
    made = job(sh("echo measured"), sh("yes", name="tidy", phase="cleanup"), on=target(a_server))
    made = carried(made)
    assert (made.state, made.reason, marked(made)) == (S.DONE, "", [])
    assert made.steps.get(name="tidy").state == JobStep.State.FAILED


def test_conditions_that_a_broken_turn_noted_still_stop_the_launch(a_server):
    said = {"when": "before", "host": "store-1", "sentence": "An array resyncs.", "blocking": True}
    noted = [said | {"node": "node-a", "name": "resync", "at": "2026-11-21T00:00:00+00:00"}]
    on = target(a_server)
    made = carried(job(sh("echo never"), on=on, whatever_conditions=False, conditions=noted))
    assert made.state == S.FAILED
    assert "store-1: An array resyncs." in made.reason
    assert made.steps.get().state == JobStep.State.SKIPPED
