"""Rounds that a plan is given later: the same commands in an order that its seed tells, and looks."""

from __future__ import annotations

import pytest
from django.utils import timezone

from benchdash.errors import Refused
from benchdash.jobs import launching, more_rounds, planning
from benchdash.jobs.models import Job, Plan
from benchdash.jobs.more_rounds import add_rounds, is_further_look, room_for_rounds
from benchdash.jobs.wanted import Wanted
from benchdash.recipes import builtin
from tests.jobs.records import a_target

pytestmark = pytest.mark.django_db
RECIPES = {recipe.name: recipe for recipe in builtin()}
FACTORS = {"iodepth": [1, 2, 4, 8]}


@pytest.fixture
def operator(people):
    return people("operator")


def planned(by, on=None, recipe="fio", **fields):
    wanted = {"factors": FACTORS, "repeats": 2, "seed": 1} | fields
    return planning.plan(Wanted(RECIPES[recipe], {"node-a": on or a_target()}, **wanted), by)


def launched(by, **fields):
    plan = planned(by, **fields)
    launching.launch(plan, by, confirmed=["/dev/sdb"])
    return plan


def end(jobs, state=Job.State.DONE):
    jobs.update(state=state, ended_at=timezone.now())


def fresh(plan):
    return Plan.objects.get(pk=plan.pk)


def order(plan):
    return list(plan.jobs.order_by("position").values_list("position", "round", "cell", "title"))


def commands(plan, *fields):
    """Of each job by round and cell: its steps, less its own token."""
    return {
        (job.round, job.cell): [
            tuple(str(getattr(step, name)).replace(job.token, "TOKEN") for name in fields)
            for step in job.steps.all()
        ]
        for job in plan.jobs.prefetch_related("steps")
    }


@pytest.mark.parametrize("seed", [1, 4711, None])
def test_rounds_that_come_later_have_the_order_of_a_plan_that_was_made_with_them(operator, seed):
    on = a_target()
    whole = planned(operator, on, repeats=7, seed=seed)
    plan = planned(operator, on, seed=whole.seed)
    Plan.objects.filter(pk__in=(whole.pk, plan.pk)).update(seed=seed)
    if seed is None:  # plans of an older version run their cells in order
        whole = None
    before = order(plan)
    add_rounds(plan, 2, operator)
    add_rounds(plan, 3, operator)
    now = fresh(plan)
    assert (now.rounds_planned, now.looks) == (7, 1)
    assert order(now)[:8] == before
    if whole:
        assert order(now) == order(whole)
    else:
        assert [cell for _n, _round, cell, _title in order(now)[8:]] == [1, 2, 3, 4] * 5
    assert [position for position, *_rest in order(now)] == list(range(1, 29))


def test_added_jobs_run_the_commands_that_the_first_round_ran_whatever_changed_since(operator):
    on = a_target(folder="/srv/then")
    plan = launched(operator, on=on)
    on.folder, on.findings = "/srv/now", {"lines": [{"name": "fio", "ok": True, "text": "fio-2"}]}
    on.save()
    add_rounds(plan, 1, operator)
    what = ("position", "phase", "node", "name", "folder", "argv", "command", "files", "root",
            "timeout_s", "expected_s", "tool", "result", "touches", "tunable")  # fmt: skip
    found = commands(plan, *what)
    assert all(found[3, cell] == found[1, cell] and found[1, cell] for cell in range(1, 5))
    assert len(set(plan.jobs.values_list("token", flat=True))) == 12
    for job in plan.jobs.filter(round=3):
        first = plan.jobs.get(round=1, cell=job.cell)
        assert (job.title, job.values) == (first.title, first.values)
        assert (job.expected_s, job.configuration_id) == (first.expected_s, first.configuration_id)
        assert job.nodes.get().folder == "/srv/then" and job.nodes.get().target == on
        text = " ".join(job.steps.values_list("command", flat=True))
        assert job.token in text and first.token not in text


def test_a_plan_that_is_over_has_one_look_more_and_runs_again_at_once(operator, people):
    plan = launched(operator)
    end(plan.jobs.all())
    before = list(plan.jobs.order_by("pk").values())
    assert fresh(plan).is_over and is_further_look(fresh(plan))
    other = people("admin")
    assert add_rounds(plan, 2, other) == 8
    now, jobs = fresh(plan), plan.jobs.filter(round__gt=2).order_by("position")
    assert (now.rounds_planned, now.looks, now.is_over) == (4, 2, False)
    assert [job.round for job in jobs] == [3] * 4 + [4] * 4
    assert set(plan.jobs.filter(round__gt=2).values_list("state", flat=True)) == {"queued"}
    assert [event.after for event in jobs[0].events.all()] == ["planned", "queued"]
    assert {event.by for job in jobs for event in job.events.all()} == {other}
    assert list(plan.jobs.filter(round__lt=3).order_by("pk").values()) == before
    (added,) = plan.added.all()
    assert (added.rounds, added.look, added.by) == (2, 2, other)
    end(plan.jobs.filter(ended_at=None), Job.State.FAILED)
    add_rounds(plan, 1, operator)
    assert fresh(plan).looks == 3
    assert list(plan.added.values_list("rounds", "look")) == [(2, 2), (1, 3)]


def test_a_plan_that_still_runs_or_waits_for_its_launch_spends_no_look(operator):
    plan = planned(operator)
    add_rounds(plan, 1, operator)
    assert set(plan.jobs.values_list("state", flat=True)) == {"planned"}
    launching.launch(plan, operator)
    end(plan.jobs.exclude(round=3))
    add_rounds(plan, 1, operator)
    assert fresh(plan).looks == 1 and fresh(plan).rounds_planned == 4
    assert plan.jobs.filter(state="queued").count() == 8
    assert list(plan.added.values_list("rounds", "look")) == [(1, 1), (1, 1)]
    end(plan.jobs.filter(ended_at=None))
    assert is_further_look(fresh(plan))


def test_a_retry_after_the_end_does_not_hide_that_somebody_could_look(operator):
    plan = launched(operator)
    end(plan.jobs.all())
    launching.retry(plan.jobs.first(), operator)
    assert not fresh(plan).is_over
    assert fresh(plan).looks == 2  # what was measured and seen is measured again
    add_rounds(plan, 1, operator)
    assert fresh(plan).looks == 2
    add_rounds(plan, 1, operator)
    assert fresh(plan).looks == 2  # these were added before anything new was there to see


def test_a_retry_while_others_run_is_no_look(operator):
    plan = launched(operator)
    first = plan.jobs.order_by("position").first()
    end(plan.jobs.filter(pk=first.pk))
    launching.retry(first, operator)
    assert not is_further_look(fresh(plan)) and fresh(plan).looks == 1


def test_what_was_not_measured_is_retried_without_a_further_look(operator):
    plan = launched(operator)
    end(plan.jobs.all(), Job.State.FAILED)
    launching.retry(plan.jobs.first(), operator)
    assert fresh(plan).looks == 1
    end(plan.jobs.filter(ended_at=None))
    assert is_further_look(fresh(plan))


def test_retries_are_no_cells_of_further_rounds(operator):
    plan = launched(operator)
    end(plan.jobs.all())
    launching.retry(plan.jobs.get(round=1, cell=2), operator)
    assert add_rounds(plan, 1, operator) == 4


def test_more_rounds_are_bounded_as_plans_are(operator):
    plan = planned(operator)
    room = room_for_rounds(plan)
    assert (room.rounds, room.jobs) == (98, 4)
    with pytest.raises(
        Refused,
        match="at most 100 rounds and 100,000 jobs: this one has room for 98",
    ) as caught:
        add_rounds(plan, 99, operator)
    assert caught.value.field == "rounds"
    for few in (0, -1):
        with pytest.raises(Refused, match="at least one round"):
            add_rounds(plan, few, operator)
    assert plan.jobs.count() == 8 and not plan.added.exists()


def test_a_plan_has_room_for_as_many_rounds_as_jobs_fit(operator, monkeypatch):
    plan = planned(operator)
    monkeypatch.setattr(more_rounds, "MOST_JOBS", 15)  # as 100,000 are, in less time
    assert room_for_rounds(plan).rounds == 1
    with pytest.raises(Refused, match="has room for 1 more"):
        add_rounds(plan, 2, operator)
    assert add_rounds(plan, 1, operator) == 4


def test_what_hosts_no_longer_allow_is_refused_and_nothing_is_added(operator):
    on = a_target(user="root", allowed=["/dev/sdb"])
    given = {"device": "/dev/sdb", "rw": "write", "drop_caches": True}
    plan = launched(operator, on=on, parameters=given)
    on.allowed = []
    on.save()
    with pytest.raises(Refused, match=r"/dev/sdb is not listed as writable on"):
        add_rounds(plan, 1, operator)
    on.allowed, on.user = ["/dev/sdb"], "bench"
    on.save()
    with pytest.raises(Refused, match="needs root on store-a: allow sudo for bench"):
        add_rounds(plan, 1, operator)
    assert plan.jobs.count() == 8 and fresh(plan).rounds_planned == 2
    on.sudo = True
    on.save()
    assert add_rounds(plan, 1, operator) == 4


def test_a_recipe_that_cannot_be_read_any_more_is_named_with_its_reason(operator):
    plan = launched(operator)
    Plan.objects.filter(pk=plan.pk).update(recipe="name: fio\nmeasures: []\n")
    with pytest.raises(Refused, match=r"can no longer be read, so plan again: .*measures"):
        add_rounds(plan, 1, operator)


def test_own_commands_are_for_admins(operator, people):
    admin = people("admin")
    plan = planned(admin, recipe="custom", factors={}, parameters={"command": "fio --version"})
    with pytest.raises(Refused, match="Only an admin may plan with the recipe custom"):
        add_rounds(plan, 1, operator)
    assert add_rounds(plan, 1, admin) == 1


def test_many_rounds_are_added_in_few_queries(operator, django_assert_max_num_queries):
    plan = planned(operator)
    with django_assert_max_num_queries(30):
        assert add_rounds(plan, 20, operator) == 80
