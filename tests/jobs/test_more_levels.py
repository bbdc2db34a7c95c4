"""Levels that a plan is given later: what is there stays, and only the new is measured."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from math import exp
from random import Random

import pytest
from django.utils import timezone

from benchdash.errors import Refused
from benchdash.jobs import launching, planning, stretches
from benchdash.jobs.confirming import touched
from benchdash.jobs.costs import cost_of
from benchdash.jobs.making import commands, make_due, upcoming
from benchdash.jobs.matrix import progress_of
from benchdash.jobs.models import Job, Plan
from benchdash.jobs.more_levels import add_levels, cells_to_add
from benchdash.jobs.more_rounds import add_rounds, is_further_look
from benchdash.jobs.wanted import Wanted
from benchdash.recipes import builtin
from benchdash.recipes.cells import order_of_round
from benchdash.results.comparison import compare
from benchdash.results.criteria import read_query
from benchdash.results.models import Run
from tests.jobs.records import a_target
from tests.measured import a_run

pytestmark = [pytest.mark.django_db, pytest.mark.database]
RECIPES = {recipe.name: recipe for recipe in builtin()}
FACTORS = {"bs": ["4K", "64K"], "iodepth": [1, 8]}


@pytest.fixture
def operator(people):
    return people("operator")


def planned(by, on=None, recipe="fio", **fields):
    wanted = {"factors": FACTORS, "repeats": 3, "seed": 7} | fields
    return planning.plan(Wanted(RECIPES[recipe], {"node-a": on or a_target()}, **wanted), by)


def launched(by, on=None, **fields):
    plan = planned(by, on, **fields)
    launching.launch(plan, by, confirmed=["/dev/sdb"])
    return fresh(plan)


def ended(by, on=None, **fields):
    plan = launched(by, on, **fields)
    end(plan)
    return fresh(plan)


def end(plan):
    plan.jobs.filter(ended_at=None).update(state=Job.State.DONE, ended_at=timezone.now())


def fresh(plan):
    return Plan.objects.get(pk=plan.pk)


def order(plan):
    return list(plan.jobs.order_by("position").values_list("position", "round", "cell"))


def test_only_the_cells_of_the_new_level_follow_and_what_is_there_stays(operator):
    plan = ended(operator)
    before = list(plan.jobs.order_by("pk").values())
    assert add_levels(plan, "iodepth", ["32"], operator) == 6
    now = fresh(plan)
    assert list(plan.jobs.filter(round__lte=3).order_by("pk").values()) == before
    new = plan.jobs.filter(round__gt=3).order_by("position")
    assert [job.values["iodepth"] for job in new] == [32] * 6
    assert {job.cell: job.values["bs"] for job in new} == {5: 4096, 6: 65536}
    assert [job.position for job in new] == list(range(13, 19))
    assert {job.state for job in new} == {Job.State.QUEUED}
    assert all("--iodepth=32" in job.steps.get(tool="fio").command for job in new)
    assert (now.cell_count, now.rounds_planned, now.last_round, now.to_make) == (6, 3, 6, 0)
    assert now.levels["iodepth"] == [1, 8, 32] and now.factors["iodepth"] == [1, 8, 32]


def test_their_rounds_come_after_those_of_the_plan_in_the_order_of_its_seed(operator):
    plan = ended(operator, factors={"iodepth": [1, 8]}, repeats=8)
    add_levels(plan, "iodepth", [16, 32, 64], operator)
    new = [row for row in order(plan) if row[1] > 8]
    assert [number for _position, number, _cell in new] == sorted([*range(9, 17)] * 3)
    for number in range(9, 17):
        own = [cell - 2 for _position, each, cell in new if each == number]
        assert own == order_of_round(3, number, 7)


def test_further_rounds_and_levels_find_every_cell(operator):
    plan = ended(operator, repeats=2)
    add_levels(plan, "iodepth", [32], operator)
    end(plan)
    add_levels(fresh(plan), "bs", ["1M"], operator)  # with every depth, the new one too
    end(plan)
    assert add_rounds(fresh(plan), 2, operator) == 18
    now = fresh(plan)
    assert now.cell_count == 9 and now.last_round == 8 and now.rounds_planned == 4
    by_round = {}
    for _position, number, cell in order(now):
        by_round.setdefault(number, []).append(cell)
    assert {number: sorted(own) for number, own in by_round.items()} == {
        1: [1, 2, 3, 4],
        2: [1, 2, 3, 4],
        3: [5, 6],
        4: [5, 6],
        5: [7, 8, 9],
        6: [7, 8, 9],
        7: [*range(1, 10)],
        8: [*range(1, 10)],
    }
    sizes = {"4K": 4096, "64K": 65536, "1M": 1 << 20}
    for job in now.jobs.all():
        levels = stretches.levels_of_cell(now, job.cell)
        assert (job.values["bs"], job.values["iodepth"]) == (
            sizes.get(levels["bs"], levels["bs"]),
            levels["iodepth"],
        )
    cells = now.jobs.values_list("cell", "values__bs", "values__iodepth").order_by().distinct()
    assert len(cells) == 9 and len({row[1:] for row in cells}) == 9
    # the grid has the cells where their levels are
    grid = list(stretches.cells_in_grid(now))
    assert sorted(grid) == list(range(1, 10))
    places = [(bs, depth) for bs in now.levels["bs"] for depth in now.levels["iodepth"]]
    found = [tuple(stretches.levels_of_cell(now, cell).values()) for cell in grid]
    assert found == places
    assert [made.job.position for made in commands(now, 1, 100)] == list(range(1, 37))
    for cell in range(1, 10):
        job = now.jobs.filter(cell=cell).order_by("position").first()
        assert stretches.position_of(now, cell) == job.position


def test_what_is_made_later_is_what_was_shown(operator, monkeypatch):
    monkeypatch.setattr("benchdash.jobs.making.AHEAD", 4)
    plan = ended(operator, factors={"iodepth": [1, 2, 4]}, repeats=1)
    add_levels(plan, "iodepth", [8, 16, 32], operator)
    add_rounds(fresh(plan), 2, operator)
    shown = [
        (made.job.round, made.job.cell, [step.command for step in made.steps])
        for made in upcoming(fresh(plan), 100)
    ]
    assert progress_of(fresh(plan)).round_now == 2
    queued = plan.jobs.filter(ended_at=None).count()
    assert fresh(plan).to_make == 15 - queued and len(shown) == 15 - queued
    while fresh(plan).to_make:
        end(plan)
        make_due()
    made = plan.jobs.filter(position__gt=3 + queued).order_by("position").prefetch_related("steps")
    assert [(j.round, j.cell, [step.command for step in j.steps.all()]) for j in made] == shown
    rounds = plan.jobs.filter(round__gt=2).order_by("position")
    assert [job.cell for job in rounds] == [
        *order_of_round(6, 3, 7),
        *order_of_round(6, 4, 7),
    ]


def test_its_cost_is_known_first_by_what_the_plan_took(operator):
    plan = ended(operator, factors={"iodepth": [1, 8]}, repeats=3)
    begun = timezone.now()
    plan.jobs.update(started_at=begun, ended_at=begun + timezone.timedelta(seconds=100))
    cost = cost_of(cells_to_add(plan, "iodepth", [16, 32], operator))
    assert (cost.cells, cost.jobs, cost.earlier) == (2, 6, 6)
    assert cost.expected_s == pytest.approx(600)
    assert plan.jobs.count() == 6 and fresh(plan).cell_count == 2
    alone = planned(operator, plan.jobs.first().nodes.get().target, factors={"iodepth": [16, 32]})
    assert cost_of(alone).written_bytes == cost.written_bytes


@pytest.mark.parametrize(
    ("factor", "levels", "sentence", "field"),
    [
        ("iodepth", ["8"], "already has the level 8", "levels"),
        ("bs", ["65536"], "already has the level 64K", "levels"),
        ("iodepth", ["many"], "Queue depth", "iodepth"),
        ("iodepth", [], "needs a list of values", "iodepth"),
        ("rw", ["read"], "This plan does not vary .*It varies: ", "factor"),
        ("nonsense", ["1"], "This plan does not vary nonsense", "factor"),
    ],
)
def test_what_cannot_be_a_new_level_is_refused(operator, factor, levels, sentence, field):
    plan = ended(operator)
    with pytest.raises(Refused, match=sentence) as caught:
        add_levels(plan, factor, levels, operator)
    assert caught.value.field == field
    assert fresh(plan).cell_count == 4 and plan.jobs.count() == 12


def test_a_plan_that_is_not_launched_is_planned_again(operator):
    with pytest.raises(Refused, match="plan again with all levels"):
        add_levels(planned(operator), "iodepth", [32], operator)


def test_levels_are_bounded_as_those_of_plans_are(operator, monkeypatch):
    plan = ended(operator)
    monkeypatch.setattr("benchdash.recipes.cells.MOST_CELLS", 5)  # as 10,000 are, in less time
    with pytest.raises(Refused, match="This makes 6 cells"):
        add_levels(plan, "iodepth", [32], operator)


def test_what_new_cells_write_to_is_typed_again_and_still_has_to_be_allowed(operator):
    on = a_target(user="root", allowed=["/dev/sdb"])
    given = {"device": "/dev/sdb", "rw": "write"}
    plan = ended(operator, on, parameters=given)
    for typed in ((), ("/dev/sdc",)):
        with pytest.raises(Refused, match="This plan writes to /dev/sdb: type the name"):
            add_levels(plan, "iodepth", [32], operator, typed)
    assert plan.jobs.count() == 12
    on.allowed = []
    on.save()
    with pytest.raises(Refused, match=r"/dev/sdb is not listed as writable"):
        add_levels(plan, "iodepth", [32], operator, ["/dev/sdb"])
    on.allowed = ["/dev/sdb"]
    on.save()
    assert add_levels(plan, "iodepth", [32], operator, ["/dev/sdb"]) == 6


def test_own_commands_are_for_admins(operator, people):
    admin = people("admin")
    plan = planned(
        admin, recipe="custom", factors={"command": ["fio --version", "fio -h"]}, parameters={}
    )
    launching.launch(plan, admin)
    with pytest.raises(Refused, match="Only an admin may plan with the recipe custom"):
        add_levels(plan, "command", ["true"], operator)
    assert add_levels(plan, "command", ["true"], admin) == 3


def test_new_levels_are_no_look_but_do_not_hide_that_one_was_possible(operator):
    plan = ended(operator)
    add_levels(plan, "iodepth", [32], operator)
    assert fresh(plan).looks == 1
    assert is_further_look(fresh(plan))  # the old cells were over
    add_rounds(fresh(plan), 1, operator)
    assert fresh(plan).looks == 2 and not is_further_look(fresh(plan))
    busy = launched(operator)
    add_levels(busy, "iodepth", [32], operator)
    assert not is_further_look(fresh(busy))


def test_each_job_queues_since_its_cells_came(operator):
    plan = launched(operator)
    add_levels(plan, "iodepth", [32], operator)
    (row,) = [each for each in fresh(plan).stretches if "by" in each]
    assert row["by"] == "operator" and row["levels"] == [32]
    since = {job.queued_at.isoformat() for job in plan.jobs.filter(round__gt=3)}
    assert since == {row["at"]}
    assert all(job.queued_at.isoformat() < row["at"] for job in plan.jobs.filter(round__lte=3))


def test_cells_of_a_new_level_are_those_of_every_zone(operator):
    folders = {"local_directory": "/srv/local", "mirror_directory": "/srv/mirror"}
    one, two = (a_target(name, allowed=[*folders.values()]) for name in ("a", "b"))
    zones = {"near": {"node-a": one}, "far": {"node-a": two}}
    sizes = {"bs": ["4K", "64K"]}
    wanted = Wanted(RECIPES["drbd-between-zones"], {}, folders, sizes, 1, zones=zones)
    plan = planning.plan(wanted, operator)
    typed = [each.name for each in touched(plan)]
    launching.launch(plan, operator, confirmed=typed)
    assert add_levels(plan, "bs", ["1M"], operator, typed) == 2
    new = plan.jobs.filter(round=2)
    assert {(job.values["zone"], job.nodes.get().target) for job in new} == {
        ("near", one),
        ("far", two),
    }
    with pytest.raises(Refused, match="A zone has its own hosts"):
        add_levels(plan, "zone", ["middle"], operator, typed)


WRITE = "rand_write.iops.mean"


def measure(plan, gain, chance, started):
    """Runs of all that is queued, in its order: 1 % more a round, noise of 1 %."""
    for job in plan.jobs.filter(ended_at=None).order_by("position"):
        size, depth = job.values["bs"], job.values["iodepth"]
        value = 1000.0 * gain[size] * gain[depth] * 1.01**job.round * exp(chance.gauss(0, 0.01))
        started += timedelta(minutes=1)
        settings = {"size": f"{size}", "depth": f"{depth}"}
        run = a_run(None, {WRITE: value}, settings=settings, started_at=started)
        job.steps.filter(tool="fio").update(artifact=run.artifact)
    end(plan)
    return started


def compared(plan):
    query = f"plan={plan.pk}&group=setting.size&group=setting.depth&baseline=4096%2C1"
    return compare(read_query(query)).view


GAIN = {4096: 1.0, 65536: 1.4, 1: 1.0, 8: 1.04, 32: 1.01}
MORE = GAIN | {32: 1.3}


def test_what_was_measured_later_only_leans_and_the_rest_stays_firm(operator):
    plan, chance = launched(operator, repeats=8), Random(4)
    began = measure(plan, GAIN, chance, datetime(2026, 11, 22, tzinfo=UTC))
    (matrix,) = compared(plan).matrices
    assert {one.title: one.finding for one in matrix.effects[0].factors} == {
        "size": "firm",
        "depth": "firm",
    }
    add_levels(fresh(plan), "iodepth", [32], operator)
    measure(plan, GAIN, chance, began + timedelta(days=1))
    view = compared(plan)
    (effects,) = view.matrices[0].effects
    found = {one.title: one for one in effects.factors}
    # its rounds were 8 % faster throughout, which is drift and no depth
    assert (found["size"].finding, found["size"].reason) == ("firm", "")
    assert (found["depth"].finding, found["depth"].reason) == ("leans", "sequential")
    assert [level.n for level in found["depth"].levels] == [16, 16, 16]
    assert any("depth was not measured in the same rounds" in one for one in effects.remarks)
    assert effects.leader is None or not effects.leader.firm
    assert 0 <= effects.unexplained <= 1
    (figure,) = view.sections[0].figures
    verdicts = {row.label: row.against for row in figure.rows if row.against}
    old = [one for label, one in verdicts.items() if "32" not in label]
    new = [one for label, one in verdicts.items() if "32" in label]
    assert {one.rounds for one in old} == {8} and {one.rounds for one in new} == {None}
    assert all(one.reason == "sequential" for one in new if one.word.startswith("leans"))


def test_rounds_of_all_cells_make_the_later_level_firm(operator):
    plan, chance = launched(operator, repeats=2), Random(4)
    began = measure(plan, MORE, chance, datetime(2026, 11, 22, tzinfo=UTC))
    add_levels(fresh(plan), "iodepth", [32], operator)
    began = measure(plan, MORE, chance, began + timedelta(days=1))
    Plan.objects.update(looks=1)
    add_rounds(fresh(plan), 8, operator)
    Plan.objects.update(looks=1)  # as if nobody could have looked
    measure(plan, MORE, chance, began + timedelta(days=1))
    (effects,) = compared(plan).matrices[0].effects
    found = {one.title: one for one in effects.factors}
    assert (found["depth"].finding, found["depth"].reason) == ("firm", "")
    assert not any("same rounds" in one for one in effects.remarks)
    top = next(level for level in found["depth"].levels if level.text == "32")
    low = next(level for level in found["depth"].levels if level.text == "1")
    assert top.times.value / low.times.value == pytest.approx(1.3, rel=0.02)


def test_old_and_new_cells_are_no_pairs_whatever_was_measured_again_between(operator):
    plan, chance = launched(operator, repeats=5), Random(4)
    began = measure(plan, GAIN, chance, datetime(2026, 11, 22, tzinfo=UTC))
    add_levels(fresh(plan), "iodepth", [32], operator)
    measure(plan, GAIN, chance, began + timedelta(days=1))
    # old cells again, each beside a new one in time
    runs = Run.objects.filter(artifact__steps__job__plan=plan).order_by("started_at")
    late = list(runs.filter(artifact__steps__job__round__gt=5))
    early = list(runs.filter(artifact__steps__job__round__lte=5))
    for place, run in enumerate(early):
        after = late[place * len(late) // len(early)].started_at
        Run.objects.filter(pk=run.pk).update(started_at=after + timedelta(seconds=place + 1))
    (figure,) = compared(plan).sections[0].figures
    new = [row.against for row in figure.rows if row.against and "32" in row.label]
    assert new and {one.rounds for one in new} == {None}


def test_many_cells_are_added_in_few_queries(operator, django_assert_max_num_queries):
    plan = ended(operator)
    with django_assert_max_num_queries(40):
        assert add_levels(plan, "iodepth", [*range(30, 50)], operator) == 120
