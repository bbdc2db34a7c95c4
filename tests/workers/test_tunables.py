"""Settings of a real filesystem: put back and read back, however the job ended."""

from __future__ import annotations

import signal
from pathlib import Path

import pytest

from benchdash.jobs import job_states, launching, logs, queueing
from benchdash.jobs.models import Job
from tests.workers.jobs_by_hand import carried, job, sh, step, target
from tests.workers.mount_options import journaled, options, restored
from tests.workers.running import until, worker

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
S = Job.State


def test_after_success(a_server, folder):
    seen = sh(f"grep {folder} /proc/mounts", name="look", phase="measure")
    made = carried(job(journaled(folder), seen, on=target(a_server)))
    assert (made.state, made.reason) == (S.DONE, "")
    assert b"noatime" in logs.whole(made.steps.get(name="look"))
    assert restored() and "noatime" not in options(folder)


def test_after_failure(a_server, folder):
    made = carried(job(journaled(folder), sh("exit 1"), on=target(a_server)))
    assert made.state == S.FAILED
    assert restored() and "noatime" not in options(folder)


def test_after_cancelling(a_server, folder, background):
    made = job(journaled(folder), sh("echo begun; sleep 300"), on=target(a_server))
    turn = background(made)
    until(lambda: logs.received(made.steps.get(name="measure"), "out") > 0)
    assert "noatime" in options(folder)
    launching.cancel(made, made.plan.launched_by)
    turn.join(60)
    assert carried(made).state == S.CANCELLED
    assert restored() and "noatime" not in options(folder)


def test_after_the_death_of_the_worker(a_server, folder):
    made = job(journaled(folder), sh("echo begun; sleep 3"), on=target(a_server))
    with worker() as first:
        queueing.notify([made.pk])
        until(lambda: logs.received(made.steps.get(name="measure"), "out") > 0)
        first.send_signal(signal.SIGKILL)
    assert "noatime" in options(folder)
    note = next(a_server.control.glob("*/journal/*"))
    assert "relatime" in note.read_text()  # the old value lies on the host too
    Job.objects.filter(pk=made.pk).update(lease_until=None, look_at=None)
    made = carried(made)
    assert made.state in job_states.ENDED
    assert restored() and "noatime" not in options(folder)


def schedulers(device):
    """As the kernel lists them, the present one in brackets."""
    text = Path(f"/sys/block/{Path(device).name}/queue/scheduler").read_text()
    return text.replace("[", "").replace("]", "").split()


def test_a_setting_that_the_host_refuses_fails_the_job_and_stays_as_it_was(
    a_server,
    loop_device,
):
    wrong = journaled("")
    wrong["tunable"] = {"name": "scheduler", "where": loop_device, "value": "nonsense"}
    made = carried(job(wrong, sh("echo never"), on=target(a_server)))
    assert made.state == S.FAILED
    assert "cannot be set to nonsense" in made.reason
    offered = schedulers(loop_device)
    assert f"The host has {', '.join(offered)}." in made.reason and "none" in offered
    assert made.steps.get(name="measure").state == "skipped"
    assert restored()


def test_what_was_set_for_a_queue_is_back_with_its_scheduler(a_server, loop_device):
    """The kernel forgets it with every change of the scheduler."""
    queue = Path(f"/sys/block/{Path(loop_device).name}/queue")
    if not {"mq-deadline", "none"} <= {*schedulers(loop_device)}:
        pytest.skip("this kernel has no mq-deadline")
    own = {"scheduler": "mq-deadline", "nr_requests": "24", "iosched/read_expire": "320"}
    for name, value in own.items():
        (queue / name).write_text(value)
    change = {"name": "scheduler", "where": loop_device, "value": "none"}
    setting = step("scheduler", name="set", phase="before", root=True, tunable=change)
    seen = sh(f"cat {queue}/scheduler {queue}/nr_requests", name="look", phase="measure")
    made = carried(job(setting, seen, on=target(a_server)))
    assert (made.state, made.reason) == (S.DONE, "")
    during = logs.whole(made.steps.get(name="look")).decode().split()
    assert "[none]" in during and "24" not in during
    after = {name: (queue / name).read_text() for name in own}
    assert "[mq-deadline]" in after["scheduler"]
    assert (after["nr_requests"], after["iosched/read_expire"]) == ("24\n", "320\n")
    assert restored()


def test_of_two_settings_that_exclude_each_other_the_one_that_is_set_is_not_lost(a_server):
    values = {"vm.dirty_bytes": "16777216", "vm.dirty_ratio": "20"}
    files = {name: Path("/proc/sys", name.replace(".", "/")) for name in values}
    before = {name: file.read_text().strip() for name, file in files.items()}
    unset, is_set = sorted(files, key=lambda name: int(before[name]))
    change = {"name": "sysctl", "where": unset, "value": values[unset]}
    setting = step("sysctl", name="set", phase="before", root=True, tunable=change)
    made = carried(job(setting, sh("echo never"), on=target(a_server)))
    assert made.state == S.FAILED and f"change {is_set}" in made.reason
    assert {name: file.read_text().strip() for name, file in files.items()} == before


def test_credentials_that_no_key_opens_are_named(a_server):
    on = target(a_server, secret="sealed by another key")
    made = carried(job(sh("echo never"), on=on), turns=1)
    assert made.state == S.WAITING
    assert "enter them again" in made.reason
