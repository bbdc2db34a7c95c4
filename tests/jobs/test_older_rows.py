"""Rows that an older version made, after the upgrade: what plans read is told, and no name is lost."""

from __future__ import annotations

import importlib

import pytest
from django.utils import timezone

from benchdash.jobs.models import Job, Plan
from benchdash.jobs.queueing import queue
from tests.migrations import migrated

pytestmark = pytest.mark.django_db(transaction=True)
migration = importlib.import_module("benchdash.jobs.migrations.0007_trust_of_hosts")
RECIPE = "name: pgbench\nparameters:\n  script_file: {kind: path, reads: true}\n"
SECRET = "/home/x/.secret"
OLDER, NOW = [("jobs", "0007_trust_of_hosts")], [("jobs", "0009_tunables_by_name")]


@pytest.fixture
def older(transactional_db):
    yield migrated(OLDER)
    migrated()


def step(apps, *argv, values, recipe=RECIPE, **more):
    rows = {name: apps.get_model("jobs", name).objects for name in ("Target", "Plan", "Job")}
    host = apps.get_model("inventory", "Host").objects.get_or_create(name="store-1")[0]
    on = rows["Target"].get_or_create(host=host, folder="/srv/bench")[0]
    job = rows["Job"].create(plan=rows["Plan"].create(recipe=recipe), position=1, values=values)
    nodes = apps.get_model("jobs", "JobNode").objects
    nodes.create(job=job, role="node-a", target=on, folder=on.folder)
    argv = ["pgbench", *argv]
    fields = {"job": job, "position": 1, "node": "node-a", "argv": argv, "timeout_s": 9}
    return apps.get_model("jobs", "JobStep").objects.create(**fields, **more)


REACH = [
    (["-f", SECRET], {"script_file": SECRET}, RECIPE, [{"kind": "file", "name": SECRET}]),
    (["-h", "evil", "x"], {}, RECIPE, [{"kind": "server", "name": "evil"}]),
    (["-h", "localhost"], {}, RECIPE, []),
    (["-h", "/run/postgresql"], {}, RECIPE, []),
    (["-f", "/srv/bench/a.sql"], {"script_file": "/srv/bench/a.sql"}, RECIPE, []),
    (["-S"], {"script_file": ""}, RECIPE, []),
    # a recipe that cannot be read stops no upgrade
    (["-h", "evil"], {}, "reads: [", [{"kind": "server", "name": "evil"}]),
]


def test_older_plans_say_what_they_reach(older):
    made = [step(older, *argv, values=values, recipe=text) for argv, values, text, _ in REACH]
    migration.say_what_is_read(older, None)
    migration.say_what_is_read(older, None)  # again changes nothing
    for one, case in zip(made, REACH, strict=True):
        one.refresh_from_db()
        assert one.touches == case[-1], case


def test_an_upgrade_keeps_what_was_set_and_how_jobs_ended_and_so_does_the_way_back(older):
    knob = {"knob": "scheduler", "where": "/dev/sda", "value": "none"}
    one = step(older, values={}, knob=knob)
    older.get_model("jobs", "KnobChange").objects.create(step=one, old="bfq", new="none")
    jobs = older.get_model("jobs", "Job").objects
    jobs.update(verdict="failed", verdict_reason="The disk is full.")
    apps = migrated(NOW)
    steps, changes = (apps.get_model("jobs", name).objects for name in ("JobStep", "TunableChange"))
    now = steps.select_related("job").get()
    assert now.tunable == {"name": "scheduler", "where": "/dev/sda", "value": "none"}
    assert (now.job.outcome, now.job.outcome_reason) == ("failed", "The disk is full.")
    assert changes.get(step=now).old == "bfq"
    migrated(OLDER)
    one.refresh_from_db()
    assert one.knob == knob and jobs.get().verdict == "failed"


def test_plans_of_an_older_version_keep_their_order_and_are_carried_on(older):
    apps = migrated(NOW)
    plans, jobs = (apps.get_model("jobs", name).objects for name in ("Plan", "Job"))
    plan = plans.create(
        title="of then", recipe="name: fio\n", repeats=2, launched_at=timezone.now()
    )
    for position in range(1, 7):
        state = "done" if position < 3 else "running" if position == 3 else "queued"
        ended = timezone.now() if position < 3 else None
        cell = f"bs={(position - 1) % 3}"
        jobs.create(
            plan=plan,
            position=position,
            repetition=(position - 1) // 3 + 1,
            title=cell,
            state=state,
            ended_at=ended,
            token=f"{position:032x}",
        )
    tried = jobs.get(position=2)
    jobs.create(plan=plan, position=2, attempt=2, retry_of=tried, title="bs=1", token="f" * 32)
    migrated()
    now = Plan.objects.get(pk=plan.pk)
    assert (now.rounds_planned, now.seed, now.is_over) == (2, None, False)
    rows = now.jobs.order_by("position", "attempt").values_list("round", "cell", "title")
    assert list(rows) == [
        (1, 1, "bs=0"), (1, 2, "bs=1"), (1, 2, "bs=1"), (1, 3, "bs=2"),
        (2, 1, "bs=0"), (2, 2, "bs=1"), (2, 3, "bs=2"),
    ]  # fmt: skip
    assert list(queue().filter(plan=now).values_list("position", flat=True)) == [4, 5, 6]
    Job.objects.filter(plan=now).exclude(state="done").update(state="done", ended_at=timezone.now())
    assert now.is_over
    migrated(NOW)
    assert list(jobs.order_by("position", "attempt").values_list("repetition", flat=True)) == [
        1, 1, 1, 1, 2, 2, 2,
    ]  # fmt: skip
