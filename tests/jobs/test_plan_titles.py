"""What a plan is called where nobody named it: two plans of one recipe are told apart at sight."""

from __future__ import annotations

import re
from datetime import UTC, datetime

import pytest
from django.utils.translation import override

from benchdash.jobs.over_hosts import hosts_to_add, plan_each
from benchdash.jobs.plan_titles import own_title, proposed_title, title_for_host
from benchdash.jobs.planning import plan
from benchdash.jobs.wanted import Wanted
from benchdash.recipes import cells_of
from benchdash.recipes.reading import builtin
from tests.jobs.records import a_target

RECIPES = {recipe.name: recipe for recipe in builtin()}
MOMENT = datetime(2026, 11, 22, 8, 45, tzinfo=UTC)


def proposed(*hosts, **levels):
    return proposed_title(cells_of(RECIPES["fio"], {}, levels), hosts, MOMENT)


def test_recipe_factors_hosts_and_time_are_in_a_proposed_title():
    assert proposed("store-a") == "fio · store-a · 22 Nov 08:45"
    varied = {"bs": ["4k", "1M"], "iodepth": [1, 8], "size": ["1G"]}
    assert proposed("store-a", **varied) == (
        "fio · Block size × Queue depth · store-a · 22 Nov 08:45"
    )
    with override("ja"):
        assert proposed("store-a") == "fio · store-a · 22 Nov 08:45"


def test_of_many_hosts_the_first_are_named_and_the_others_counted():
    assert proposed("a", "b", "c", "d", "e") == "fio · a + b + c + 2 more · 22 Nov 08:45"


def test_a_proposed_title_is_not_proposed_again():
    assert own_title(proposed("store-a"), "fio") == ""
    assert own_title("fio", "fio") == ""
    assert own_title("Weekly", "fio") == "Weekly"


def test_the_title_for_a_further_host_names_that_host():
    assert title_for_host(proposed("store-a"), "store-a", "store-b") == proposed("store-b")
    assert title_for_host("Weekly · store-a", "store-a", "store-b") == "Weekly · store-b"
    assert title_for_host("Weekly", "store-a", "store-b") == "Weekly · store-b"
    assert title_for_host("x" * 200, "a", "store-b").endswith("x · store-b")


@pytest.mark.django_db
def test_plans_that_nobody_named_are_told_apart(people):
    operator = people("operator")
    one, two, three = (a_target(f"store-{n}") for n in (1, 2, 3))
    wanted = Wanted(RECIPES["fio"], {}, factors={"iodepth": [1, 8]}, repeats=1)
    plans = plan_each(wanted, [one, two], operator)
    plans += hosts_to_add(plans[0], [three], operator)
    for number, each in enumerate(plans, 1):
        named = rf"fio · Queue depth · store-{number} · \d+ [A-Z][a-z]+ \d\d:\d\d"
        assert re.fullmatch(named, each.title)
    alone = plan(Wanted(RECIPES["fio"], {"node-a": one}, title="Weekly"), operator)
    assert alone.title == "Weekly"
