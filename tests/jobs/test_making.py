"""Jobs of a plan are made as they come up, and nothing of what a plan is changes by that."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchdash.errors import Refused
from benchdash.jobs import launching, making, plan_changes, planning, queries, queueing
from benchdash.jobs.confirming import touched
from benchdash.jobs.making import make_due, upcoming
from benchdash.jobs.models import Job, JobEvent, Plan
from benchdash.jobs.more_rounds import add_rounds, is_further_look, room_for_rounds
from benchdash.jobs.wanted import Wanted
from benchdash.recipes import builtin
from benchdash.results.comparison.plans import looks_of
from tests.jobs.records import a_target
from tests.measured import a_run

pytestmark = [pytest.mark.django_db, pytest.mark.database]
RECIPES = {recipe.name: recipe for recipe in builtin()}
FACTORS = {"rw": ["read", "write"], "iodepth": [1, 2, 4]}
S = Job.State


@pytest.fixture
def operator(people):
    return people("operator")


@pytest.fixture
def few_ahead(monkeypatch):
    """As 200 are, in less time."""
    monkeypatch.setattr(making, "AHEAD", 4)


def planned(by, on=None, **fields):
    wanted = {"factors": FACTORS, "repeats": 3, "seed": 5} | fields
    return planning.plan(Wanted(RECIPES["fio"], {"node-a": on or a_target()}, **wanted), by)


def launched(by, **fields):
    plan = planned(by, **fields)
    launching.launch(plan, by)
    return fresh(plan)


def fresh(plan):
    return queries.plans().get(pk=plan.pk)


def end(jobs, state=S.DONE):
    jobs.filter(ended_at=None).update(state=state, ended_at=timezone.now())


def run_to_the_end(plan):
    for _turn in range(plan.job_count):
        end(plan.jobs)
        make_due()
    assert not fresh(plan).to_make


def as_they_are(plan):
    """Every job with its commands, less what differs between any two plans."""
    jobs = plan.jobs.filter(attempt=1).order_by("position").prefetch_related("steps", "nodes")
    return [
        (
            *(job.position, job.round, job.cell, job.title, job.values, job.expected_s),
            [(node.role, node.target_id, node.folder) for node in job.nodes.all()],
            [step.command.replace(job.token, "TOKEN") for step in job.steps.all()],
        )
        for job in jobs
    ]


def test_jobs_that_come_up_are_those_of_a_plan_that_was_made_at_once(operator, monkeypatch):
    on = a_target()
    whole = planned(operator, on)
    assert whole.jobs.count() == 18 and whole.to_make == 0
    monkeypatch.setattr(making, "AHEAD", 4)
    plan = launched(operator, on=on)
    assert (plan.jobs.count(), plan.to_make, plan.job_count) == (4, 14, 18)
    run_to_the_end(plan)
    assert as_they_are(plan) == as_they_are(whole)
    assert fresh(plan).is_over


def test_commands_are_shown_before_their_job_is_made_and_are_then_its_own(operator, few_ahead):
    plan = launched(operator)
    shown = {each.job.position: each for each in upcoming(plan, 100)}
    assert [*shown] == list(range(5, 19))
    assert [each.job.position for each in upcoming(plan, 3, 10)] == [10, 11, 12]
    assert plan.jobs.count() == 4
    run_to_the_end(plan)
    for job in plan.jobs.filter(position__gt=4).prefetch_related("steps"):
        then = shown[job.position]
        assert (then.job.token, then.job.title) == (job.token, job.title)
        assert [step.command for step in then.steps] == [s.command for s in job.steps.all()]
    assert len(set(plan.jobs.values_list("token", flat=True))) == 18


def test_what_changes_on_a_host_after_planning_changes_no_command(operator, few_ahead):
    on = a_target(folder="/srv/then", findings={"lines": []})
    plan = launched(operator, on=on)
    then = [[step.command for step in each.steps] for each in upcoming(plan, 100)]
    on.folder, on.user = "/srv/now", "somebody"
    on.findings = {"lines": [{"name": "fio", "ok": True, "text": "fio-2.0"}]}
    on.save()
    now = [[step.command for step in each.steps] for each in upcoming(fresh(plan), 100)]
    assert now == then and "/srv/then/" in then[0][1]


def test_few_are_made_at_a_time_and_only_where_few_wait(operator, few_ahead):
    plan = launched(operator)
    make_due()
    assert plan.jobs.count() == 4
    end(plan.jobs.filter(position=1))
    make_due()
    assert plan.jobs.count() == 4
    end(plan.jobs.filter(position=2))
    make_due()
    assert plan.jobs.count() == 8 and fresh(plan).to_make == 10
    states = list(plan.jobs.order_by("position").values_list("state", flat=True))
    assert states == [S.DONE] * 2 + [S.QUEUED] * 6
    changes = JobEvent.objects.filter(job__plan=plan, job__position=8).order_by("pk")
    assert list(changes.values_list("after", "by")) == [
        (S.PLANNED, operator.pk),
        (S.QUEUED, operator.pk),
    ]


def test_a_plan_is_over_only_when_nothing_is_to_be_made(operator, few_ahead):
    plan = launched(operator)
    end(plan.jobs)
    now = fresh(plan)
    assert not now.is_over and not is_further_look(now)
    assert (now.ended_count, now.waiting_count, now.job_count) == (4, 14, 18)
    run_to_the_end(plan)
    assert fresh(plan).is_over and is_further_look(fresh(plan))


def test_comparisons_know_that_jobs_are_to_come(operator, few_ahead):
    plan, run = launched(operator), a_run()
    plan.jobs.first().steps.filter(tool="fio").update(artifact=run.artifact)
    end(plan.jobs)
    assert not looks_of([run.pk])[run.pk].over
    plan_changes.cancel_jobs(plan, operator)
    assert looks_of([run.pk])[run.pk].over
    plan_changes.resume(plan)
    assert not looks_of([run.pk])[run.pk].over
    run_to_the_end(plan)
    assert looks_of([run.pk])[run.pk].over


def test_a_paused_plan_makes_nothing_until_it_goes_on(operator, few_ahead):
    plan = launched(operator)
    end(plan.jobs)
    plan_changes.pause(plan, operator)
    make_due()
    assert plan.jobs.count() == 4
    plan_changes.resume(plan)
    make_due()
    assert plan.jobs.count() == 8


def test_a_cancelled_plan_is_over_and_may_go_on_where_it_was(operator, few_ahead):
    plan = launched(operator)
    plan_changes.cancel_jobs(plan, operator)
    now = fresh(plan)
    assert now.is_over and now.stopped_by == operator
    assert (now.ended_count, now.job_count, now.waiting_count) == (18, 18, 0)
    make_due()
    assert plan.jobs.count() == 4
    with pytest.raises(Refused, match="nothing to cancel"):
        plan_changes.cancel_jobs(plan, operator)
    with pytest.raises(Refused, match="stopped with 14 jobs left"):
        add_rounds(plan, 1, operator)
    plan_changes.resume(plan)
    assert not fresh(plan).is_over
    run_to_the_end(plan)
    assert plan.jobs.count() == 18
    assert plan_changes.unmeasured(plan).count() == 4


def test_a_cancelled_plan_whose_jobs_had_all_ended_makes_no_more(operator, few_ahead):
    plan = launched(operator)
    end(plan.jobs)
    assert plan_changes.cancel_jobs(plan, operator) == []
    assert fresh(plan).is_over


def test_a_plan_keeps_its_turn_before_those_that_were_launched_later(operator, few_ahead):
    on = a_target()
    plan, later = launched(operator, on=on), launched(operator, on=on)
    end(plan.jobs)
    make_due()
    waiting = list(queueing.queue().values_list("plan", "position"))
    assert waiting == [(plan.pk, n) for n in (5, 6, 7, 8)] + [(later.pk, n) for n in (1, 2, 3, 4)]


def test_added_rounds_take_their_turn_when_they_were_added(operator, few_ahead):
    on = a_target()
    plan = launched(operator, on=on, repeats=1)
    later = launched(operator, on=on, repeats=1)
    add_rounds(plan, 1, operator)
    assert fresh(plan).to_make == 2 + 6
    end(plan.jobs)
    make_due()
    waiting = list(queueing.queue().values_list("plan", "position"))
    assert waiting == [
        *((plan.pk, n) for n in (5, 6)), *((later.pk, n) for n in (1, 2, 3, 4)),
        *((plan.pk, n) for n in (7, 8)),
    ]  # fmt: skip


def test_rounds_that_are_added_to_a_plan_of_which_jobs_are_to_come_follow_them(operator, few_ahead):
    on = a_target()
    whole, plan = launched(operator, on=on, repeats=4), launched(operator, on=on, repeats=3)
    add_rounds(plan, 1, operator)
    assert (fresh(plan).looks, fresh(plan).job_count) == (1, 24)
    run_to_the_end(plan)
    run_to_the_end(whole)
    assert as_they_are(plan) == as_they_are(whole)


def test_a_cell_that_reaches_what_nobody_was_asked_about_stops_its_plan(operator, few_ahead):
    on = a_target(user="root", allowed=["/dev/sdb"])
    given = {"device": "/dev/sdb"}
    plan = planned(operator, on, parameters=given)
    assert [each.name for each in touched(plan)] == ["/dev/sdb"]
    launching.launch(plan, operator, confirmed=["/dev/sdb"])
    Plan.objects.filter(pk=plan.pk).update(parameters={"device": "/dev/sdc"})
    end(plan.jobs)
    make_due()
    now = fresh(plan)
    assert now.is_over and "reaches /dev/sdc, which this plan did not name" in now.stopped_reason
    assert plan.jobs.count() == 4


def test_a_recipe_that_cannot_be_read_any_more_stops_its_plan_with_the_reason(operator, few_ahead):
    plan = launched(operator)
    Plan.objects.filter(pk=plan.pk).update(recipe="name: fio\nmeasures: []\n")
    end(plan.jobs)
    make_due()
    assert "can no longer be read" in fresh(plan).stopped_reason
    make_due()
    assert plan.jobs.count() == 4


def test_a_retry_of_a_job_stands_in_nobodys_place(operator, few_ahead):
    plan = launched(operator)
    end(plan.jobs, S.FAILED)
    launching.retry(plan.jobs.get(position=2), operator)
    run_to_the_end(plan)
    assert list(
        plan.jobs.filter(attempt=1).order_by("position").values_list("position", flat=True)
    ) == [*range(1, 19)]


def test_10_000_cells_in_8_rounds_are_planned_with_few_rows_and_queries(operator):
    levels = [str(n) for n in range(1, 11)]
    factors = {"iodepth": levels, "numjobs": levels, "fsync": levels}
    factors["bs"] = [f"{2**n}k" for n in range(10)]
    with CaptureQueriesContext(connection) as captured:
        plan = planned(operator, factors=factors, repeats=8)
    assert len(captured) < 60
    assert (plan.cell_count, plan.jobs.count(), plan.to_make) == (10_000, 200, 79_800)
    last = next(upcoming(plan, 1, 80_000)).job
    assert (last.round, last.position) == (8, 80_000)
    assert room_for_rounds(plan).rounds == 2
    assert plan.round_s == pytest.approx(10_000 * last.expected_s)


def test_a_plan_stays_in_its_turn_after_a_clock_that_was_set_back(operator, few_ahead):
    plan = launched(operator)
    later = timezone.now() + timedelta(hours=1)
    plan.jobs.update(queued_at=later)
    end(plan.jobs)
    make_due()
    assert set(plan.jobs.values_list("queued_at", flat=True)) == {later}
