"""A recipe for one host, laid over several at once, or over one more later."""

from __future__ import annotations

from dataclasses import replace

import pytest
from django.utils import timezone

from benchdash.errors import Refused
from benchdash.jobs import launching, making
from benchdash.jobs.costs import cost_of
from benchdash.jobs.models import Job, Plan
from benchdash.jobs.more_levels import add_levels
from benchdash.jobs.over_hosts import (
    add_hosts,
    batch_of,
    compared_by,
    hosts_to_add,
    is_for_one_host,
    launch_all,
    plan_each,
)
from benchdash.jobs.planning import plan
from benchdash.jobs.wanted import Wanted
from benchdash.recipes import builtin
from benchdash.results.criteria import read_criteria
from tests.jobs.records import a_target

pytestmark = [pytest.mark.django_db, pytest.mark.database]
RECIPES = {recipe.name: recipe for recipe in builtin()}


@pytest.fixture
def operator(people):
    return people("operator")


def wanted_plan(recipe="fio", **fields):
    return Wanted(RECIPES[recipe], {}, factors={"iodepth": [1, 8, 32]}, repeats=4, **fields)


def order(one):
    return [(made.job.round, made.job.title) for made in making.upcoming(one, 12, 1)]


def test_each_host_has_a_plan_alike_down_to_the_order_of_its_rounds(operator):
    hosts = [a_target(f"store-{n}") for n in (1, 2, 3)]
    plans = plan_each(wanted_plan(title="Depths"), hosts, operator)
    assert [one.title for one in plans] == [f"Depths · store-{n}" for n in (1, 2, 3)]
    assert [[node["target"] for node in one.nodes] for one in plans] == [[t.pk] for t in hosts]
    first, *others = [order(one) for one in plans]
    assert others == [first, first]
    assert list(batch_of(plans[1])) == plans
    by_itself = plan(Wanted(RECIPES["fio"], {"node-a": hosts[0]}), operator)
    assert not batch_of(by_itself).exists()


def test_one_press_launches_all_or_none(operator):
    hosts = [a_target(f"store-{n}", user="root", allowed=["/dev/sdz"]) for n in (1, 2)]
    wanted = wanted_plan(parameters={"device": "/dev/sdz", "rw": "write"})
    plans = plan_each(wanted, hosts, operator)
    with pytest.raises(Refused, match="type the name"):
        launch_all(plans[0], operator)
    assert not Plan.objects.filter(launched_at__isnull=False).exists()
    assert launch_all(plans[0], operator, confirmed=["/dev/sdz"], wait_minutes=7) == plans
    assert set(Plan.objects.values_list("wait_minutes", flat=True)) == {7}
    with pytest.raises(Refused, match="already been launched"):
        launch_all(plans[0], operator, confirmed=["/dev/sdz"])


def test_what_one_host_does_not_allow_keeps_all_from_being_planned(operator):
    hosts = [a_target("store-1", user="root", allowed=["/dev/sdz"]), a_target("store-2")]
    with pytest.raises(Refused):
        plan_each(wanted_plan(parameters={"device": "/dev/sdz"}), hosts, operator)
    assert not Plan.objects.exists()


def test_a_host_that_is_named_twice_and_a_recipe_for_two_are_refused(operator):
    on = a_target()
    other_user = a_target(user="other")
    with pytest.raises(Refused, match="its own host"):
        plan_each(wanted_plan(), [on, other_user], operator)
    with pytest.raises(Refused, match="several hosts"):
        plan_each(wanted_plan("drbd-on-two-pcs"), [on], operator)


def test_recipes_for_one_host_are_known():
    alone = {name for name, recipe in RECIPES.items() if is_for_one_host(recipe)}
    assert {"fio", "dbench", "pgbench", "sysbench", "ext4-lvm-raid6"} <= alone
    assert not alone & {"drbd-on-two-pcs", "ceph-rbd-under-kvm"}


def test_the_hosts_are_compared_beside_what_the_plans_vary(operator):
    plans = plan_each(wanted_plan(), [a_target("store-1"), a_target("store-2")], operator)
    factors = compared_by(plans[0])
    assert factors == ["host", "workload.queue_depth"]
    read = read_criteria({"group": factors, "plan": [str(one.pk) for one in plans]})
    assert [str(factor) for factor in read.group] == factors


def ended(by, on):
    """A plan that was launched by itself, and of which every job is measured."""
    made = plan(replace(wanted_plan(seed=7), targets={"node-a": on}), by)
    launching.launch(made, by)
    made.jobs.update(state=Job.State.DONE, ended_at=timezone.now())
    made.refresh_from_db()
    return made


def test_a_host_comes_later_with_a_plan_of_its_own_alike_down_to_the_order(operator):
    first = ended(operator, a_target("store-a"))
    one, other = a_target("store-b"), a_target("store-c")
    costs = [cost_of(each) for each in hosts_to_add(first, [one, other], operator)]
    assert [cost.jobs for cost in costs] == [12, 12] and Plan.objects.count() == 1
    made = add_hosts(first, [one, other], operator)
    first.refresh_from_db()
    assert list(batch_of(first)) == [first, *made]
    assert [order(each) for each in made] == [order(first)] * 2
    titles = [first.title.replace("store-a", n) for n in ("store-b", "store-c")]
    assert [each.title for each in made] == titles
    assert {each.launched_at for each in made} == {None}
    (again,) = add_hosts(made[0], [a_target("store-d")], operator)
    assert again.title == first.title.replace("store-a", "store-d")
    assert batch_of(first).count() == 4
    with pytest.raises(Refused, match="store-c is already measured"):
        add_hosts(first, [a_target("store-c")], operator)


def test_a_host_that_comes_later_measures_the_levels_that_came_later(operator):
    first = ended(operator, a_target("store-a"))
    add_levels(first, "iodepth", [64], operator)
    first.refresh_from_db()
    (made,) = add_hosts(first, [a_target("store-b")], operator)
    assert made.cell_count == 4 and made.levels["iodepth"] == [1, 8, 32, 64] and not made.stretches


def test_hosts_that_measure_together_get_no_further_one(operator):
    folders = {"local_directory": "/srv/local", "mirror_directory": "/srv/mirror"}
    one, two = (a_target(name, allowed=[*folders.values()]) for name in ("a", "b"))
    zones = {"near": {"node-a": one}, "far": {"node-a": two}}
    together = plan(
        Wanted(RECIPES["drbd-between-zones"], {}, folders, {}, 1, zones=zones), operator
    )
    with pytest.raises(Refused, match="adding one would change the cluster"):
        add_hosts(together, [a_target("c")], operator)
