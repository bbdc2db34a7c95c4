"""Plans whose cells share what is made: in blocks, each with a name of its own, and priced once."""

from __future__ import annotations

from itertools import groupby

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchdash.jobs import launching, planning, stretches
from benchdash.jobs.costs import cost_of
from benchdash.jobs.making import upcoming
from benchdash.jobs.models import Job, Plan
from benchdash.jobs.more_levels import add_levels
from benchdash.jobs.more_rounds import add_rounds
from benchdash.jobs.wanted import Wanted
from benchdash.recipes import builtin, load
from benchdash.recipes.cells import order_of_round
from tests.jobs.records import a_target

pytestmark = [pytest.mark.django_db, pytest.mark.database]
SHELF = """
name: shelf
title: A folder that cells share
parameters:
  kind: {kind: choice, choices: [oak, pine, ash], default: oak}
  is_made: {kind: boolean, default: true}
  books: {kind: integer, default: 1}
factors:
  kind: [oak, pine]
  books: [1, 2, 3]
repeats: 2
prepare:
  - name: make
    shared: true
    when: is_made
    argv: [make, "{work}", "{kind}"]
    expected: {seconds: [100]}
measure:
  - {name: look, argv: [look, "{block}", "{work}", "{books}"], expected: {seconds: [10]}}
cleanup:
  - {name: unmake, shared: true, when: is_made, argv: [unmake, "{work}"]}
"""


@pytest.fixture
def operator(people):
    return people("operator")


def planned(by, **fields):
    return planning.plan(Wanted(load(SHELF), {"node-a": a_target()}, **({"seed": 5} | fields)), by)


def jobs_of(plan):
    return list(plan.jobs.order_by("position").prefetch_related("steps"))


def blocks_of(plan):
    """By round and block, in their order: the kind, and how many jobs."""
    return [
        (number, block, {job.values["kind"] for job in own}, len(own))
        for (number, block), some in groupby(jobs_of(plan), lambda job: (job.round, job.block))
        for own in [list(some)]
    ]


def test_the_jobs_of_a_block_follow_each_other_and_name_what_they_share_alike(operator):
    plan = planned(operator)
    assert plan.block_factors == ["kind"]
    blocks = blocks_of(plan)
    assert [number for number, *_rest in blocks] == [1, 1, 2, 2]
    assert len({block for _n, block, *_rest in blocks}) == 4  # made anew in each round
    assert all(len(kinds) == 1 and jobs == 3 for _n, _block, kinds, jobs in blocks)
    for job in jobs_of(plan):
        make, look, unmake = job.steps.all()
        assert make.argv == ["make", f"/var/tmp/benchdash/{job.block}", job.values["kind"]]
        assert look.argv[1:3] == [
            f"/var/tmp/benchdash/{job.block}",
            f"/var/tmp/benchdash/{job.token}",
        ]
        assert unmake.argv == ["unmake", f"/var/tmp/benchdash/{job.block}"]
        assert [make.shared, look.shared, unmake.shared] == [True, False, True]
        assert f"/var/tmp/benchdash/{job.block}" in make.command


def test_what_is_shared_takes_time_once_a_block(operator):
    plan = planned(operator)
    assert plan.round_s == 2 * 100 + 6 * 10
    assert [job.expected_s for job in jobs_of(plan)] == [110, 10, 10] * 4
    cost = cost_of(plan)
    assert cost.expected_s == 2 * plan.round_s
    assert (cost.shared.steps, cost.shared.times, cost.shared.jobs) == (["make"], 4, 12)


def test_what_is_shared_costs_no_further_query(operator):
    counts = []
    for plan in (planned(operator), planned(operator, parameters={"is_made": False}, factors={})):
        with CaptureQueriesContext(connection) as queries:
            cost_of(plan)
        counts.append(len(queries))
    assert counts[0] == counts[1]


def test_where_nothing_is_shared_the_order_is_what_it_always_was(operator):
    plan = planned(operator, parameters={"is_made": False}, factors={"books": [1, 2, 3, 4]})
    assert plan.block_factors is None and cost_of(plan).shared is None
    assert {job.block for job in jobs_of(plan)} == {""}
    for number in (1, 2):
        cells = [job.cell for job in jobs_of(plan) if job.round == number]
        assert cells == order_of_round(4, number, 5)


def test_a_cell_without_anything_shared_is_of_no_block(operator):
    plan = planned(operator, factors={"is_made": [True, False], "books": [1, 2]})
    assert {job.values["is_made"]: bool(job.block) for job in jobs_of(plan)} == {
        True: True,
        False: False,
    }
    shared = cost_of(plan).shared
    assert (shared.times, shared.jobs) == (2, 4)


def test_without_any_factor_all_cells_of_a_round_are_one_block(operator):
    plan = planned(operator, factors={"books": [1, 2, 3]})
    assert plan.block_factors == []
    assert [(number, jobs) for number, _block, _kinds, jobs in blocks_of(plan)] == [(1, 3), (2, 3)]


def test_levels_and_rounds_that_come_later_find_the_blocks_of_their_own(operator):
    plan = planned(operator)
    launching.launch(plan, operator)
    plan = Plan.objects.get(pk=plan.pk)
    add_levels(plan, "books", [4], operator)
    plan = Plan.objects.get(pk=plan.pk)
    plan.jobs.update(state=Job.State.DONE, ended_at=plan.launched_at)
    add_levels(plan, "kind", ["ash"], operator)
    plan = Plan.objects.get(pk=plan.pk)
    plan.jobs.update(state=Job.State.DONE, ended_at=plan.launched_at)
    add_rounds(plan, 1, operator)
    found = blocks_of(plan)
    assert len({block for _n, block, *_rest in found}) == len(found)
    by_round = {}
    for number, _block, kinds, jobs in found:
        by_round.setdefault(number, []).append((*kinds, jobs))
    assert {number: sorted(own) for number, own in by_round.items()} == {
        1: [("oak", 3), ("pine", 3)],
        2: [("oak", 3), ("pine", 3)],
        3: [("oak", 1), ("pine", 1)],
        4: [("oak", 1), ("pine", 1)],
        5: [("ash", 4)],
        6: [("ash", 4)],
        7: [("ash", 4), ("oak", 4), ("pine", 4)],
    }
    plan = Plan.objects.get(pk=plan.pk)
    for cell in range(1, plan.cell_count + 1):
        first = plan.jobs.filter(cell=cell).order_by("position").first()
        assert stretches.position_of(plan, cell) == first.position
    for job in jobs_of(plan):
        assert [job.block in step.command for step in job.steps.all()] == [True] * 3


def test_another_attempt_is_of_the_same_block(operator):
    plan = planned(operator)
    job = launching.launch(plan, operator)[0]
    launching.cancel(job, operator)
    again = launching.retry(job, operator)
    assert (again.block, again.attempt) == (job.block, 2) and job.block
    assert [step.shared for step in again.steps.all()] == [True, False, True]
    assert f"/var/tmp/benchdash/{job.block}" in again.steps.get(name="make").command


def test_many_cells_are_ordered_in_time(operator):
    factors = {"kind": ["oak", "pine", "ash"], "books": list(range(1, 1001))}
    plan = planned(operator, factors=factors, repeats=1)
    last = list(upcoming(plan, 3, 2998))
    assert len({made.job.block for made in last}) == 1
    orders = {stretches.turn_of(plan, position).block for position in range(1, 1001)}
    assert len(orders) == 1


def test_built_in_recipes_share_what_study_3_makes_and_nothing_else():
    shared = {one.name for one in builtin() if any(step.shared for step in one.steps)}
    assert shared == {"ext4-lvm-raid6"}
