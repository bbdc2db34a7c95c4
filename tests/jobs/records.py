"""Hosts, plans and jobs for tests, straight into the records: as if a worker had carried them on."""

from __future__ import annotations

from itertools import count

from django.utils import timezone

from benchdash.accounts.models import User
from benchdash.inventory.models import Host
from benchdash.jobs import job_states
from benchdash.jobs.credentials import sealed
from benchdash.jobs.models import (
    HostLock,
    Job,
    JobNode,
    JobStep,
    LogChunk,
    OwnRecipe,
    Plan,
    Target,
    TunableChange,
)
from benchdash.jobs.own_recipes import save_recipe
from tests.jobs.keys import a_host_key

_numbers = count(1)
S = Job.State
WAYS = {
    S.PLANNED: (),
    S.QUEUED: (S.QUEUED,),
    S.PREPARING: (S.QUEUED, S.PREPARING),
    S.RUNNING: (S.QUEUED, S.PREPARING, S.RUNNING),
    S.UNREACHABLE: (S.QUEUED, S.PREPARING, S.RUNNING, S.UNREACHABLE),
    S.DONE: (S.QUEUED, S.PREPARING, S.RUNNING, S.COLLECTING, S.DONE),
    S.FAILED: (S.QUEUED, S.PREPARING, S.FAILED),
}
FIO = (
    b"Jobs: 1 (f=1): [w(1)][50.0%][w=44.9MiB/s][w=11.5k IOPS][eta 00m:01s]\r"
    b"Jobs: 1 (f=1): [w(1)][100.0%][w=50.0MiB/s][w=12.8k IOPS][eta 00m:00s]\r"
)


def a_target(name="store-a", **columns):
    """A target that was checked, with a password."""
    host = Host.objects.get_or_create(name=name)[0]
    columns = {
        "address": f"10.0.0.{next(_numbers)}",
        "user": "bench",
        "method": "password",
        "secret": sealed({"password": "hunter2 is secret"}),
        "host_key": a_host_key(),
        "findings": {"state": "ok", "sentence": "Ready.", "lines": []},
        "checked_at": timezone.now(),
    } | columns
    return Target.objects.create(host=host, **columns)


def a_plan(**columns):
    """A plan of no known recipe."""
    words = {"title": "fio on store-a", "recipe_name": "fio", "recipe": "name: fio\n"}
    return Plan.objects.create(**(words | columns))


OWN_RECIPE = """\
name: sync-writes
title: Small synchronous writes
title.ja: 小さな同期書き込み
help: How long a commit takes.
tools: [fio]
parameters:
  bs:
    kind: size
    default: 4K
    label: Block size
measure:
  - name: fio
    tool: fio
    argv: [fio, "--name=fio", "--rw=randwrite", "--size=1M", "--bs={bs}", "--output-format=json"]
"""


def an_own_recipe(text=OWN_RECIPE):
    """A recipe that somebody wrote."""
    return save_recipe(OwnRecipe(), text, User.objects.get_or_create(username="author")[0])


def a_job(state=S.QUEUED, target=None, plan=None, **columns):
    """A job with a measuring step and a setting that is changed before it."""
    plan = plan or a_plan(launched_at=None if state == S.PLANNED else timezone.now())
    job = Job.objects.create(
        plan=plan, position=plan.jobs.count() + 1, title="bs=4K", expected_s=60, **columns
    )
    on = target or a_target()
    JobNode.objects.create(job=job, role="node-a", target=on, folder=on.folder)
    before = JobStep.objects.create(
        job=job,
        position=1,
        phase="before",
        node="node-a",
        name="scheduler",
        folder="01-scheduler",
        command="sh -c 'echo none > /sys/block/sda/queue/scheduler'",
        root=True,
        timeout_s=60,
        tunable={"name": "scheduler", "where": "sda", "value": "none"},
    )
    JobStep.objects.create(
        job=job,
        position=2,
        phase="measure",
        node="node-a",
        name="fio",
        folder="02-fio",
        command="fio --name=fio --bs=4k",
        timeout_s=600,
        tool="fio",
        expected_s=60,
    )
    for each in WAYS[state]:
        job_states.move(job, each)
    if state in (S.RUNNING, S.UNREACHABLE):
        TunableChange.objects.create(step=before, old="mq-deadline", new="none")
        HostLock.objects.create(host=job.nodes.get().target.host, job=job)
    return job


def print_out(job, data, stream="out"):
    """Let the measuring step print."""
    step = job.steps.get(tool="fio")
    offset = step.received.get(stream, 0)
    LogChunk.objects.create(step=step, stream=stream, offset=offset, data=data)
    step.received |= {stream: offset + len(data)}
    step.save(update_fields=["received"])
