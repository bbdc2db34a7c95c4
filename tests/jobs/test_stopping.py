"""Rounds until each interval is narrow: what a plan looks at after a round, and when it stops."""

from __future__ import annotations

from threading import Thread

import pytest
from django.db import connection, transaction
from django.utils import timezone

from benchdash.errors import Refused
from benchdash.jobs import launching, making, plan_changes, planning, queries
from benchdash.jobs.costs import cost_of
from benchdash.jobs.making import make_due
from benchdash.jobs.models import Job, Plan
from benchdash.jobs.more_rounds import add_rounds
from benchdash.jobs.stopping import widths
from benchdash.jobs.wanted import Wanted
from benchdash.recipes import builtin
from benchdash.results.comparison import compare
from benchdash.results.criteria import read_query
from tests.jobs.records import a_target
from tests.measured import a_run
from tests.workers.running import until

pytestmark = [pytest.mark.django_db, pytest.mark.database]
RECIPES = {recipe.name: recipe for recipe in builtin()}
S = Job.State
READ = "read.throughput.mean"
STEADY = 100e6
# the interval of five to eight values is all of them; from nine on the largest one is left out
SPIKE = [100e6, 101e6, 99e6, 130e6, 100.5e6, 99.5e6, 101.5e6, 100e6, 99e6, 100e6]


@pytest.fixture
def operator(people):
    return people("operator")


def planned(by, **fields):
    wanted = {"factors": {"bs": ["4K", "64K"]}, "repeats": 12, "seed": 1, "until_percent": 5.0}
    return planning.plan(Wanted(RECIPES["fio"], {"node-a": a_target()}, **(wanted | fields)), by)


def launched(by, **fields):
    plan = planned(by, **fields)
    launching.launch(plan, by)
    return fresh(plan)


def fresh(plan):
    return queries.plans().get(pk=plan.pk)


def measure(plan, first, second):
    """End the jobs that wait: each cell with its value of the round, or failed or cancelled."""
    for job in plan.jobs.filter(ended_at=None).prefetch_related("steps"):
        values = (first, second)[job.cell - 1]
        value = values(job.round) if callable(values) else values
        if isinstance(value, float):
            run = a_run(values={READ: value}, workload={"block_bytes": 4096 * job.cell})
            job.steps.filter(tool="fio").update(artifact=run.artifact)
        state = S.DONE if isinstance(value, float) else value
        Job.objects.filter(pk=job.pk).update(state=state, ended_at=timezone.now())
    make_due()


def spike(number):
    return SPIKE[number - 1]


def wide(number):
    return 100e6 + number % 2 * 20e6


def looks(plan):
    columns = ("rounds", "wider", "without", "decision")
    return list(plan.stopping_looks.values_list(*columns))


def test_a_plan_stops_after_the_first_look_where_each_interval_is_narrow(operator):
    plan = launched(operator)
    assert (plan.jobs.count(), plan.to_make, plan.job_count) == (10, 14, 24)
    assert cost_of(plan).jobs == 24
    make_due()
    assert not plan.stopping_looks.exists()
    measure(plan, STEADY, lambda number: STEADY + number * 1e6)
    now = fresh(plan)
    assert looks(now) == [(5, 0, 0, "narrow")]
    assert now.stopping_looks.get().widest_percent == pytest.approx(100 * 2 / 103)
    assert (now.rounds_planned, now.rounds_at_most, now.job_count) == (5, 12, 10)
    assert (now.is_over, now.looks) == (True, 1)
    make_due()
    assert looks(fresh(plan)) == looks(now) and plan.jobs.count() == 10


def test_each_further_round_is_a_look_and_the_interval_is_that_of_the_comparison(operator):
    plan = launched(operator)
    measure(plan, STEADY, spike)
    assert looks(plan) == [(5, 1, 0, "further")]
    assert plan.stopping_looks.get().cells == {"wider": [2], "without": []}
    now = fresh(plan)
    assert (now.is_over, now.looks) == (False, 2)
    jobs = now.jobs.filter(round=6)
    assert {job.state for job in jobs} == {S.QUEUED} and now.to_make == 12
    for _round in range(6, 10):
        measure(plan, STEADY, spike)
    assert [one[0] for one in looks(plan)] == [5, 6, 7, 8, 9]
    assert looks(plan)[-1] == (9, 0, 0, "narrow")
    now = fresh(plan)
    assert (now.rounds_planned, now.is_over, now.looks) == (9, True, 5)
    (section,) = compare(
        read_query(f"plan={plan.pk}&measure={READ}&group=workload.block_bytes")
    ).view.sections
    assert "look 5, as rounds were added" in section.order.text
    shown = [
        (row.interval.high - row.interval.low) / 2 / row.median for row in section.figures[0].rows
    ]
    assert max(shown) == widths(now).widest == now.stopping_looks.last().widest_percent / 100


def test_no_more_rounds_than_planned_and_those_that_a_person_adds_are_not_cut_short(operator):
    plan = launched(operator, repeats=6)
    with pytest.raises(Refused, match="adds rounds itself until its intervals are narrow"):
        add_rounds(plan, 1, operator)
    measure(plan, STEADY, wide)
    measure(plan, STEADY, wide)
    assert looks(plan) == [(5, 1, 0, "further"), (6, 1, 0, "most")]
    now = fresh(plan)
    assert (now.is_over, now.looks, now.rounds_planned) == (True, 2, 6)
    add_rounds(plan, 3, operator)
    assert plan.jobs.filter(ended_at=None).count() == 6 and fresh(plan).looks == 3
    measure(plan, STEADY, wide)
    assert len(looks(plan)) == 2 and fresh(plan).is_over


def test_cells_without_a_number_are_named_and_hold_nothing_up(operator):
    plan = launched(operator)
    measure(plan, STEADY, S.FAILED)
    assert looks(plan) == [(5, 0, 1, "narrow")]
    assert plan.stopping_looks.get().cells == {"wider": [], "without": [2]}
    plan = launched(operator)
    measure(plan, S.FAILED, S.LOST)
    assert looks(plan) == [(5, 0, 2, "unmeasured")] and fresh(plan).is_over


def test_a_cell_that_fails_after_it_was_measured_is_not_waited_for(operator):
    plan = launched(operator)
    measure(plan, STEADY, lambda number: wide(number) if number < 4 else S.FAILED)
    assert looks(plan) == [(5, 1, 0, "unmeasured")] and fresh(plan).is_over
    plan = launched(operator)  # four samples have no interval, and a fifth may follow
    measure(plan, STEADY, lambda number: STEADY if number != 2 else S.FAILED)
    measure(plan, STEADY, STEADY)
    assert looks(plan) == [(5, 1, 0, "further"), (6, 0, 0, "narrow")]


def test_a_plan_that_is_paused_or_cancelled_does_not_grow(operator):
    plan = launched(operator)
    plan_changes.pause(plan, operator)
    measure(plan, STEADY, wide)
    assert looks(plan) == [] and plan.jobs.count() == 10
    plan_changes.cancel_jobs(plan, operator)
    make_due()
    assert looks(plan) == [] and fresh(plan).is_over
    plan_changes.resume(plan)
    make_due()
    assert looks(plan) == [(5, 1, 0, "further")] and plan.jobs.count() == 12
    plan_changes.cancel_jobs(plan, operator)
    make_due()
    assert len(looks(plan)) == 1
    plan_changes.resume(plan)
    make_due()
    assert looks(plan)[1:] == [(6, 1, 0, "further")]


def test_jobs_that_are_made_a_few_at_a_time_end_at_the_look(operator, monkeypatch):
    monkeypatch.setattr(making, "AHEAD", 4)  # as 200 are, in less time
    plan = launched(operator)
    for made in (4, 8, 10):
        assert plan.jobs.count() == made and not looks(plan)
        measure(plan, STEADY, wide)
    assert looks(plan) == [(5, 1, 0, "further")] and plan.jobs.count() == 12


@pytest.mark.django_db(transaction=True)
def test_of_two_workers_at_once_one_decides(operator):
    plan = launched(operator)
    with transaction.atomic():
        for job in plan.jobs.all():
            run = a_run(values={READ: wide(job.round)})
            job.steps.filter(tool="fio").update(artifact=run.artifact)
        plan.jobs.update(state=S.DONE, ended_at=timezone.now())

    def decide():
        try:
            make_due()
        finally:
            connection.close()

    def waits():
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            return cursor.fetchone() != (0,)

    other = Thread(target=decide)
    with transaction.atomic():
        Plan.objects.select_for_update().get(pk=plan.pk)
        other.start()
        if connection.vendor == "postgresql":  # SQLite does not say who waits
            until(waits)
        make_due()
    other.join()
    assert looks(plan) == [(5, 2, 0, "further")]
    assert (plan.jobs.count(), fresh(plan).looks) == (12, 2)


@pytest.mark.parametrize(
    ("fields", "field", "sentence"),
    [
        ({"repeats": 4}, "repeats", "An interval needs 5 rounds"),
        ({"repeats": None}, "repeats", "An interval needs 5 rounds"),
        ({"until_percent": 0.0}, "until_percent", "± 0.1 to ± 100 %"),
        ({"until_percent": -5.0}, "until_percent", "± 0.1 to ± 100 %"),
        ({"until_percent": float("nan")}, "until_percent", "± 0.1 to ± 100 %"),
    ],
)
def test_what_could_never_stop_is_refused(operator, fields, field, sentence):
    with pytest.raises(Refused, match=sentence) as caught:
        planned(operator, **fields)
    assert caught.value.field == field and not Plan.objects.exists()
