"""A recipe for one host, laid over several at once."""

from __future__ import annotations

import pytest

from benchdash.errors import Refused
from benchdash.jobs import making
from benchdash.jobs.models import Plan
from benchdash.jobs.over_hosts import batch_of, compared_by, is_for_one_host, launch_all, plan_each
from benchdash.jobs.planning import Wanted, plan
from benchdash.recipes import builtin
from benchdash.results.criteria import read_criteria
from tests.jobs.asked import a_target

pytestmark = [pytest.mark.django_db, pytest.mark.database]
RECIPES = {recipe.name: recipe for recipe in builtin()}


@pytest.fixture
def operator(people):
    return people("operator")


def asked(recipe="fio", **fields):
    return Wanted(RECIPES[recipe], {}, factors={"iodepth": [1, 8, 32]}, repeats=4, **fields)


def order(one):
    return [(made.job.round, made.job.title) for made in making.upcoming(one, 12, 1)]


def test_each_host_has_a_plan_alike_down_to_the_order_of_its_rounds(operator):
    hosts = [a_target(f"store-{n}") for n in (1, 2, 3)]
    plans = plan_each(asked(title="Depths"), hosts, operator)
    assert [one.title for one in plans] == [f"Depths · store-{n}" for n in (1, 2, 3)]
    assert [[node["target"] for node in one.nodes] for one in plans] == [[t.pk] for t in hosts]
    first, *others = [order(one) for one in plans]
    assert others == [first, first]
    assert list(batch_of(plans[1])) == plans
    by_itself = plan(Wanted(RECIPES["fio"], {"node-a": hosts[0]}), operator)
    assert not batch_of(by_itself).exists()


def test_one_press_launches_all_or_none(operator):
    hosts = [a_target(f"store-{n}", user="root", allowed=["/dev/sdz"]) for n in (1, 2)]
    wanted = asked(parameters={"device": "/dev/sdz", "rw": "write"})
    plans = plan_each(wanted, hosts, operator)
    with pytest.raises(Refused, match="type the name"):
        launch_all(plans[0], operator)
    assert not Plan.objects.filter(launched_at__isnull=False).exists()
    assert launch_all(plans[0], operator, confirmed=["/dev/sdz"], wait_minutes=7) == plans
    assert set(Plan.objects.values_list("wait_minutes", flat=True)) == {7}
    with pytest.raises(Refused, match="launched before"):
        launch_all(plans[0], operator, confirmed=["/dev/sdz"])


def test_what_one_host_does_not_allow_keeps_all_from_being_planned(operator):
    hosts = [a_target("store-1", user="root", allowed=["/dev/sdz"]), a_target("store-2")]
    with pytest.raises(Refused):
        plan_each(asked(parameters={"device": "/dev/sdz"}), hosts, operator)
    assert not Plan.objects.exists()


def test_a_host_that_is_named_twice_and_a_recipe_for_two_are_refused(operator):
    on = a_target()
    other_user = a_target(user="other")
    with pytest.raises(Refused, match="a host of its own"):
        plan_each(asked(), [on, other_user], operator)
    with pytest.raises(Refused, match="several hosts"):
        plan_each(asked("drbd-on-two-pcs"), [on], operator)


def test_recipes_for_one_host_are_known():
    alone = {name for name, recipe in RECIPES.items() if is_for_one_host(recipe)}
    assert {"fio", "dbench", "pgbench", "sysbench", "ext4-lvm-raid6"} <= alone
    assert not alone & {"drbd-on-two-pcs", "ceph-rbd-under-kvm"}


def test_the_hosts_are_compared_beside_what_the_plans_vary(operator):
    plans = plan_each(asked(), [a_target("store-1"), a_target("store-2")], operator)
    factors = compared_by(plans[0])
    assert factors == ["host", "workload.queue_depth"]
    read = read_criteria({"group": factors, "plan": [str(one.pk) for one in plans]})
    assert [str(factor) for factor in read.group] == factors
