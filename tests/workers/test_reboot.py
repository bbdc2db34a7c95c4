"""Hosts that are rebooted, or lose their power, while a job runs on them."""

from __future__ import annotations

import shutil
import subprocess

import pytest

from benchdash.jobs import logs
from benchdash.jobs.models import Job, JobStep
from benchdash.results.models import Run
from tests.conftest import need
from tests.workers.jobs_by_hand import carried, job, sh, step, target
from tests.workers.running import (
    PATIENCE_S,
    some_output,
    until,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
S = Job.State


def whole(step_folder):
    """What an orderly shutdown leaves: all that was written."""
    (step_folder / "identity").write_text("pid=1 born=1 boot=another\n")


def emptied(step_folder):
    """What a power failure leaves of files that were not on the disk yet, by their names."""
    for file in ("identity", "out.log", "exit"):
        (step_folder / file).write_bytes(b"")


def nothing(step_folder):
    """What a power failure leaves of folders that were not on the disk yet."""
    shutil.rmtree(step_folder.parent)


@pytest.fixture
def rebooted(own_server, background):
    """`rebooted(made, leaves)`: the host of a job that runs goes away, and returns in another boot."""

    def reboot(made, leaves):
        turn = background(made)
        until(some_output(made))
        own_server.stop()
        turn.join(PATIENCE_S)
        subprocess.run(["pkill", "-f", made.token], check=False)
        running = made.steps.get(state=JobStep.State.RUNNING)
        running.identity["boot"] = "another"
        running.save()
        leaves(own_server.control / made.token / running.folder)
        own_server.start()

    return reboot


@pytest.mark.parametrize("leaves", [whole, emptied, nothing])
def test_a_host_that_was_rebooted_fails_the_job_with_that_reason(own_server, rebooted, leaves):
    made = job(sh("echo begun; sleep 300", tool="fio"), on=target(own_server))
    rebooted(made, leaves)
    made = carried(made)
    assert (made.state, made.reason) == (S.FAILED, "The host was rebooted while measure ran.")
    assert logs.whole(made.steps.get()) == b"begun\n"
    assert own_server.left() == []


def test_a_host_that_was_rebooted_between_steps_fails_the_job_before_the_next_one(
    own_server, rebooted
):
    prepared = sh("true", phase="prepare", name="make-filesystem")
    made = job(prepared, sh("echo begun; sleep 300"), on=target(own_server))

    def not_begun(step_folder):
        shutil.rmtree(step_folder)
        made.steps.filter(name="measure").update(state=JobStep.State.STARTING)
        made.steps.filter(name="make-filesystem").update(identity={"boot": "another"})

    rebooted(made, not_begun)
    made = carried(made)
    reason = "Rebooted before measure: store-1. What had been prepared there may be gone."
    assert (made.state, made.reason) == (S.FAILED, reason)
    assert own_server.left() == []


@pytest.fixture
def peer_rebooted(background, tmp_path):
    """`peer_rebooted(made)`: while the step "wait" runs, `node-b` comes into another boot."""

    def reboot(made):
        turn = background(made)
        until(lambda: made.steps.get(name="wait").state == JobStep.State.RUNNING)
        # no step need run there: the job itself knows in which boot it found its hosts
        ours, peers = made.nodes.order_by("role").values_list("boot_id", flat=True)
        assert ours == peers != ""
        made.nodes.filter(role="node-b").update(boot_id="another")
        (tmp_path / "over").touch()
        turn.join(PATIENCE_S)
        return carried(made)

    return reboot


def waiting(tmp_path, phase):
    return sh(f"until [ -e {tmp_path}/over ]; do sleep 0.1; done", phase=phase, name="wait")


def test_a_peer_that_was_rebooted_while_others_prepared_fails_the_job_before_it_measures(
    a_server, own_server, peer_rebooted, tmp_path
):
    on = {"node-a": target(a_server), "node-b": target(own_server, name="store-2")}
    made = job(waiting(tmp_path, "prepare"), sh("echo 1", tool="fio"), on=on)
    made = peer_rebooted(made)
    reason = "Rebooted before measure: store-2. What had been prepared there may be gone."
    assert (made.state, made.reason) == (S.FAILED, reason)
    assert dict(made.steps.values_list("name", "state")) == {"wait": "done", "measure": "skipped"}
    assert not Run.objects.exists() and own_server.left() == []


def test_a_peer_that_was_rebooted_while_others_measured_fails_what_they_measured(
    a_server, own_server, peer_rebooted, tmp_path
):
    need("fio")
    on = {"node-a": target(a_server), "node-b": target(own_server, name="store-2")}
    fio = ["fio", "--name=x", "--rw=randread", "--size=1m", "--output-format=json"]
    first = step(*fio, name="first", tool="fio")
    made = job(first, step(*fio, tool="fio"), waiting(tmp_path, "after"), on=on)
    made = peer_rebooted(made)
    reason = "Rebooted after measure began: store-2. What measure measured is set aside."
    assert (made.state, made.reason) == (S.FAILED, reason)
    assert [run.set_aside_reason for run in Run.objects.order_by("pk")] == ["", reason]
    assert own_server.left() == []


def test_after_a_reboot_a_host_is_not_asked_what_it_need_not_have_been(own_server, rebooted):
    made = job(sh("echo begun; sleep 300", tool="fio"), on=target(own_server))
    rebooted(made, whole)
    made = carried(made)
    assert (made.environment, made.configuration) == (None, None)
    assert {condition["when"] for condition in made.conditions} <= {"before"}


def test_what_was_measured_before_a_reboot_has_its_machine_and_no_storage(own_server, rebooted):
    need("fio")
    fio = ["fio", "--name=x", "--rw=randread", "--size=1m", "--output-format=json"]
    measured = step(*fio, name="first", tool="fio")
    made = job(measured, sh("echo begun; sleep 300", tool="fio"), on=target(own_server))
    rebooted(made, whole)
    made = carried(made)
    run = Run.objects.get(artifact__steps__job=made, set_aside_reason="")
    assert run.environment == made.environment is not None
    assert run.configuration is None


def test_what_a_reboot_left_on_a_filesystem_that_is_not_mounted_now_is_named(
    own_server, rebooted, tmp_path
):
    token = tmp_path.name
    own = tmp_path / f"benchdash-{token}"
    steps = (
        step("mkdir", str(own), phase="prepare", name="folder"),
        sh("echo begun; sleep 300"),
        step("rm", "-rf", str(own), phase="cleanup", name="remove-folder"),
    )
    made = job(*steps, on=target(own_server), token=token)

    def unmounted(step_folder):
        whole(step_folder)
        own.rename(tmp_path / "unmounted")

    rebooted(made, unmounted)
    made = carried(made)
    assert (made.state, made.reason) == (S.FAILED, "The host was rebooted while measure ran.")
    sentence = f"store-1 was rebooted, and {own} is missing now: remove it once its filesystem is mounted again."
    assert sentence in made.events.values_list("reason", flat=True)
