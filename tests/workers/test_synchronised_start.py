"""Steps that start together begin at one moment, on hosts whose clocks differ."""

from __future__ import annotations

import os
import subprocess
import time

import pytest

from benchdash.api.jobs import StepSerializer
from benchdash.jobs import leases, logs
from benchdash.jobs.models import Job, JobStep
from benchdash.results.models import Run
from benchdash.vocabulary.units import human
from tests.conftest import need
from tests.workers.jobs_by_hand import carried, job, sh, step, target
from tests.workers.running import nothing_of, until
from tests.workers.sshd import sshd
from workers import ssh, synchronised_start
from workers.remote_job import nodes_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
S = JobStep.State
NOW = "date +%s.%N"
TOGETHER = {"together": True, "name": "measure"}
LATER_UP = ["unshare", "--time", "--boottime", "5000"]


@pytest.fixture
def up_longer():
    """A host that says it has been up for 5000 s more than this machine."""
    need("sshd")
    probe = subprocess.run([*LATER_UP, "true"], capture_output=True, check=False)
    if os.geteuid() or probe.returncode:
        pytest.skip("no time namespaces")
    with sshd(within=LATER_UP) as one:
        yield one


def test_hosts_begin_at_one_moment_and_how_far_apart_is_known(a_server, up_longer):
    hosts = {
        "node-a": target(a_server),
        "node-b": target(up_longer, "store-2"),
        "node-c": target(a_server, "store-3"),
    }
    # beside other tests a process may come late to its processor: not thrice
    for _attempt in range(3):
        made = carried(job(*(sh(NOW, node=node, **TOGETHER) for node in hosts), on=hosts))
        assert (made.state, made.reason) == ("done", "")
        steps = list(made.steps.all())
        began = [float(logs.whole(each)) for each in steps]  # by the machine's one clock
        if max(began) - min(began) <= synchronised_start.MOST_APART_S:
            break
    assert max(began) - min(began) <= synchronised_start.MOST_APART_S
    assert abs(steps[1].identity["clock"][0] - steps[0].identity["clock"][0] + 5000) < 1
    first = min(began)
    assert min(each.began_after_s for each in steps) == 0
    for each, really in zip(steps, began, strict=True):
        assert 0 < each.began_error_s < synchronised_start.MOST_APART_S
        # and the time that a shell takes until it tells the time
        assert abs(each.began_after_s - (really - first)) <= each.began_error_s + 0.05
        assert StepSerializer(each).data["began_after_s"] == each.began_after_s


def test_a_step_that_starts_alone_waits_for_nobody(a_server):
    made = carried(job(sh(NOW), on=target(a_server)))
    (alone,) = made.steps.all()
    assert (alone.state, alone.began_after_s, "clock" in alone.identity) == (S.DONE, None, False)


def test_what_is_stopped_before_its_moment_never_begins(a_server, tmp_path):
    made = job(sh(f"touch {tmp_path}/begun"), on=target(a_server))
    remote, (only,) = nodes_of(made).by_role["node-a"], made.steps.all()
    remote.install()
    at = synchronised_start.clock_of(remote.target).ticks(time.time() + 600)
    (answer,) = ssh.run_all([remote.to_start(only, at)])
    assert remote.started(only, answer).state == "running"
    assert remote.stop(only).number("left") == 0
    until(lambda: remote.status(only).state == "ended")
    assert remote.status(only).number("code") == 143
    assert not (tmp_path / "begun").exists()
    assert nothing_of(made)
    remote.clean()


def test_a_host_that_is_told_too_late_begins_later_and_the_runs_are_doubted(a_server):
    """A worker died when it had told one of two."""
    need("fio")
    fio = ["fio", "--name=x", "--size=1M", "--rw=write", "--output-format=json"]
    hosts = {"node-a": target(a_server), "node-b": target(a_server, "store-2")}
    steps = [step(*fio, node=node, tool="fio", **TOGETHER) for node in hosts]
    made = job(*steps, on=hosts)
    nodes, first = nodes_of(made), made.steps.get(node="node-a")
    nodes.contact()
    synchronised_start.start_together(made, nodes, [first])
    until(lambda: nodes.of(first).status(first).state == "ended")
    leases.release(made)
    Job.objects.filter(pk=made.pk).update(state="running")
    made = carried(made)
    assert (made.state, made.reason) == ("done", "")
    apart = max(each.began_after_s for each in made.steps.all())
    assert apart > synchronised_start.MOST_APART_S
    for run in Run.objects.filter(artifact__steps__job=made):
        assert f"the last did {human(apart, 's')} after it" in run.conditions[-1]
        assert run.doubts.get(kind="skew").sentence == run.conditions[-1]


@pytest.mark.parametrize("tool", ["fio", ""], ids=["all measured", "the others are load"])
def test_what_ran_beside_a_step_that_failed_does_not_count(tool, a_server):
    """It is a part of a sum, or was measured under less of a load than the plan says."""
    need("fio")
    fio = ["fio", "--name=x", "--size=1M", "--rw=write", "--output-format=json"]
    hosts = {"node-a": target(a_server), "node-b": target(a_server, "store-2")}
    measured = step(*fio, node="node-a", tool="fio", **TOGETHER)
    failing = sh(f"{' '.join(fio)}; exit 3", node="node-b", tool=tool, **TOGETHER)
    made = carried(job(measured, failing, on=hosts))
    assert made.state == "failed"
    assert str(made.reason).startswith("store-2: measure ended with exit code 3.")
    reasons = Run.objects.order_by("label").values_list("set_aside_reason", flat=True)
    beside = "measure did not end well on store-2, where it ran at the same time."
    assert list(reasons) == [beside, "measure ended with exit code 3."][: len(reasons)]
    assert not Run.objects.filter(counted=True).exists() and len(reasons) == 1 + bool(tool)


def test_what_ran_beside_a_step_that_printed_nothing_does_not_count_either(a_server):
    need("fio")
    fio = ["fio", "--name=x", "--size=1M", "--rw=write", "--output-format=json"]
    hosts = {"node-a": target(a_server), "node-b": target(a_server, "store-2")}
    silent = sh("true", node="node-b", tool="fio", **TOGETHER)
    made = carried(job(step(*fio, node="node-a", tool="fio", **TOGETHER), silent, on=hosts))
    assert (made.state, made.reason) == ("failed", "measure printed no result.")
    (run,) = Run.objects.all()
    assert not run.counted and "did not end well on store-2" in run.set_aside_reason
