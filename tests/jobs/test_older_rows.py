"""Rows that an older version made, after the upgrade: what plans read is told, and no name is lost."""

from __future__ import annotations

import importlib

import pytest
from django.utils import timezone

from benchdash.jobs.models import Job, Plan, Target
from benchdash.jobs.queueing import queue
from tests.migrations import migrated

pytestmark = pytest.mark.django_db(transaction=True)
migration = importlib.import_module("benchdash.jobs.migrations.0007_trust_of_hosts")
RECIPE = "name: pgbench\nparameters:\n  script_file: {kind: path, reads: true}\n"
SECRET = "/home/x/.secret"
OLDER, NOW = [("jobs", "0007_trust_of_hosts")], [("jobs", "0009_tunables_by_name")]


@pytest.fixture
def today(transactional_db):
    yield
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


def test_each_upgrade_keeps_what_was_there_and_so_does_the_way_back(today):
    """One walk through the versions: each step of it takes seconds."""
    older = migrated(OLDER)
    plans_say_what_they_reach(older)
    older.get_model("jobs", "Plan").objects.all().delete()
    tunable = a_changed_tunable(older)
    between = migrated(NOW)
    a_tunable_has_its_name(between, tunable)
    migrated(OLDER)
    the_knob_is_back(older, tunable)
    older.get_model("jobs", "Plan").objects.all().delete()
    migrated(NOW)
    launched = a_launched_plan(between)
    crossed = a_plan_of_two_factors(migrated([("jobs", "0018_search_by_parts_of_words")]))
    migrated()
    it_keeps_its_order_and_is_carried_on(launched)
    it_knows_its_cells_hosts_and_what_it_reaches(crossed)
    Plan.objects.get(pk=crossed).delete()
    migrated(NOW)
    jobs = between.get_model("jobs", "Job").objects.filter(plan=launched)
    rounds = jobs.order_by("position", "attempt").values_list("repetition", flat=True)
    assert list(rounds) == [1, 1, 1, 1, 2, 2, 2]


def plans_say_what_they_reach(older):
    made = [step(older, *argv, values=values, recipe=text) for argv, values, text, _ in REACH]
    migration.say_what_is_read(older, None)
    migration.say_what_is_read(older, None)  # again changes nothing
    for one, case in zip(made, REACH, strict=True):
        one.refresh_from_db()
        assert one.touches == case[-1], case


KNOB = {"knob": "scheduler", "where": "/dev/sda", "value": "none"}


def a_changed_tunable(older):
    """A step of a failed job that set one."""
    one = step(older, values={}, knob=KNOB)
    older.get_model("jobs", "KnobChange").objects.create(step=one, old="bfq", new="none")
    jobs = older.get_model("jobs", "Job").objects
    jobs.update(verdict="failed", verdict_reason="The disk is full.")
    return one


def a_tunable_has_its_name(apps, before):
    steps, changes = (apps.get_model("jobs", name).objects for name in ("JobStep", "TunableChange"))
    now = steps.select_related("job").get(pk=before.pk)
    assert now.tunable == {"name": "scheduler", "where": "/dev/sda", "value": "none"}
    assert (now.job.outcome, now.job.outcome_reason) == ("failed", "The disk is full.")
    assert changes.get(step=now).old == "bfq"


def the_knob_is_back(older, before):
    before.refresh_from_db()
    assert before.knob == KNOB
    assert older.get_model("jobs", "Job").objects.get().verdict == "failed"


def a_launched_plan(apps):
    """Two rounds of three cells: two jobs are done, one of them tried again, one runs."""
    plans, jobs = (apps.get_model("jobs", name).objects for name in ("Plan", "Job"))
    plan = plans.create(
        title="of then", recipe="name: fio\n", repeats=2, launched_at=timezone.now()
    )
    for position in range(1, 7):
        state = "done" if position < 3 else "running" if position == 3 else "queued"
        ended = timezone.now() if position < 3 else None
        jobs.create(
            plan=plan,
            position=position,
            repetition=(position - 1) // 3 + 1,
            title=f"bs={(position - 1) % 3}",
            state=state,
            ended_at=ended,
            token=f"{position:032x}",
        )
    tried = jobs.get(position=2)
    jobs.create(plan=plan, position=2, attempt=2, retry_of=tried, title="bs=1", token="f" * 32)
    return plan.pk


def it_keeps_its_order_and_is_carried_on(pk):
    now = Plan.objects.get(pk=pk)
    assert (now.rounds_planned, now.seed, now.is_over) == (2, None, False)
    rows = now.jobs.order_by("position", "attempt").values_list("round", "cell", "title")
    assert list(rows) == [
        (1, 1, "bs=0"), (1, 2, "bs=1"), (1, 2, "bs=1"), (1, 3, "bs=2"),
        (2, 1, "bs=0"), (2, 2, "bs=1"), (2, 3, "bs=2"),
    ]  # fmt: skip
    assert list(queue().filter(plan=now).values_list("position", flat=True)) == [4, 5, 6]
    Job.objects.filter(plan=now).exclude(state="done").update(state="done", ended_at=timezone.now())
    assert now.is_over


LEVELS = {"iodepth": [8, 1], "bs": [4096, 65536, 1048576]}  # in no order that says anything


def a_plan_of_two_factors(apps):
    plans, jobs, nodes, steps, targets = (
        apps.get_model("jobs", name).objects
        for name in ("Plan", "Job", "JobNode", "JobStep", "Target")
    )
    host = apps.get_model("inventory", "Host").objects.create(name="store-old")
    target = targets.create(host=host, address="192.0.2.9", user="bench", folder="/srv")
    plan = plans.create(title="of then", recipe="name: fio\n", factors=LEVELS, rounds_planned=2)
    for position in range(1, 13):
        cell = (position - 1) % 6
        values = {"bs": LEVELS["bs"][cell // 2], "iodepth": LEVELS["iodepth"][cell % 2], "rw": "x"}
        job = jobs.create(
            plan=plan,
            position=position,
            cell=cell + 1,
            round=(position + 5) // 6,
            values=values,
            expected_s=10.0,
            token=f"{position + 100:032x}",
        )
        nodes.create(job=job, role="node-a", target=target, folder="/srv")
        touches = [{"kind": "device", "name": "/dev/sdb"}]
        steps.create(job=job, position=1, phase="measure", node="node-a", name="fio",
                     folder="1-fio", command="fio", timeout_s=60, touches=touches)  # fmt: skip
    return plan.pk


def it_knows_its_cells_hosts_and_what_it_reaches(pk):
    now = Plan.objects.get(pk=pk)
    assert now.axes == [["bs", LEVELS["bs"]], ["iodepth", LEVELS["iodepth"]]]
    assert (now.cell_count, now.round_s, now.to_make) == (6, 60.0, 0)
    assert [(node["role"], node["target"]) for node in now.nodes] == [
        ("node-a", Target.objects.get(host__name="store-old").pk)
    ]
    assert now.reaches == [{"node": "node-a", "kind": "device", "name": "/dev/sdb"}]
    assert len(now.key) == 32 and now.key != Plan(title="x").key
