"""Which hosts a job has for itself while it runs: those that its cell uses."""

from __future__ import annotations

import pytest

from benchdash.jobs import job_states, launching, planning, queueing
from benchdash.jobs.models import Job
from benchdash.jobs.wanted import Wanted
from benchdash.recipes import builtin
from tests.jobs.records import a_target

pytestmark = [pytest.mark.django_db, pytest.mark.database]
RECIPES = {recipe.name: recipe for recipe in builtin()}
GUESTS = "ceph-rbd-under-kvm"


@pytest.fixture
def by(people):
    return people("operator")


def planned(by, recipe, on, **fields):
    return planning.plan(Wanted(RECIPES[recipe], on, **fields), by)


def guests(*numbers):
    return {f"guest-{n}": a_target(f"guest-{n}", user="root") for n in numbers}


@pytest.mark.parametrize("measured", ["first", "all"])
def test_a_job_has_as_many_hosts_as_its_cell_measures_or_loads(by, measured):
    on = guests(1, 2, 3)
    factors = {"guests": [1, 2, 3], "rw": ["read"], "measured": [measured]}
    plan = planned(by, GUESTS, on, factors=factors, repeats=2)
    launching.launch(plan, by)
    for job in plan.jobs.order_by("position"):
        assert queueing.take_hosts(job)
        held = [*job.locks.order_by("host__name").values_list("host__name", flat=True)]
        assert held == [*on][: job.values["guests"]]
        assert [node.role for node in job.nodes.order_by("role")] == held
        job_states.move(job, Job.State.CANCELLED)
        queueing.free_hosts(job)


def test_another_plan_measures_on_a_host_that_a_cell_leaves_out(by):
    on = guests(1, 2)
    plans = (
        planned(by, GUESTS, on, factors={"guests": [1], "rw": ["read"]}),
        planned(by, "fio", {"node-a": on["guest-2"]}, factors={}),
    )
    for plan in plans:
        launching.launch(plan, by)
    jobs = Job.objects.order_by("pk")
    assert [queueing.take_hosts(job) for job in jobs] == [True, True]


def test_a_host_without_a_command_is_taken_where_it_holds_what_is_measured(by):
    on = {role: a_target(f"store-{role}", user="root") for role in ("node-a", "node-b")}
    given = {"directory": ""}
    (job,) = planned(by, "fio", on, parameters=given, factors={}).jobs.all()
    assert [node.role for node in job.nodes.order_by("role")] == ["node-a", "node-b"]
