"""Of which plan, round and look runs are, and whether more of the plan is to come."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchdash.jobs.models import Job, Plan
from benchdash.results.comparison import compare
from benchdash.results.comparison.plans import Look, looks_of
from benchdash.results.criteria import read_query
from tests.jobs.records import a_job, a_plan, a_target
from tests.measured import a_configuration, a_run

pytestmark = pytest.mark.django_db
S = Job.State
WRITE = "seq_write.throughput.mean"


def measured(plan, target, number):
    """A job of a round that is done, and the run that it made."""
    job, run = a_job(S.DONE, target, plan, round=number), a_run()
    job.steps.filter(tool="fio").update(artifact=run.artifact)
    return run.pk


def test_runs_know_their_plan_its_round_and_whether_more_is_to_come(django_assert_num_queries):
    target = a_target()
    over, live = (a_plan(launched_at=timezone.now(), looks=looks) for looks in (2, 1))
    first, second = (measured(over, target, number) for number in (1, 2))
    other, upload = measured(live, target, 1), a_run().pk
    waiting = a_job(S.QUEUED, target, live, round=2)
    with django_assert_num_queries(1):
        found = looks_of([first, second, other, upload])
    assert found == {
        first: Look(over.pk, 1, True, 2),
        second: Look(over.pk, 2, True, 2),
        other: Look(live.pk, 1, False, 1),
    }
    Job.objects.filter(pk=waiting.pk).update(state=S.LOST, ended_at=timezone.now())
    assert looks_of([other])[other].over
    assert looks_of([]) == {}


def test_equal_output_of_several_jobs_is_a_run_of_the_first_one():
    target, plans = a_target(), (a_plan(), a_plan())
    jobs = [a_job(S.DONE, target, plan) for plan in plans]
    run = a_run()
    for job in reversed(jobs):
        job.steps.filter(tool="fio").update(artifact=run.artifact)
    assert looks_of([run.pk])[run.pk].plan == plans[0].pk


def test_whether_jobs_are_to_come_is_read_from_an_index():
    plan, now = a_plan(), timezone.now()
    run = measured(plan, a_target(), 1)
    over = (Job(plan=plan, position=n, state=S.DONE, ended_at=now) for n in range(100, 1100))
    Job.objects.bulk_create(over)
    with CaptureQueriesContext(connection) as queries:
        looks_of([run])
    explain = "EXPLAIN" if connection.vendor == "postgresql" else "EXPLAIN QUERY PLAN"
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            cursor.execute("SET LOCAL enable_seqscan = off")  # of few rows it would read all
            cursor.execute("ANALYZE jobs_job")
        cursor.execute(f"{explain} {queries[0]['sql']}")
        assert "job_to_come" in str(cursor.fetchall())


def test_a_comparison_is_firm_once_the_rounds_of_its_plan_are_over():
    target, plan = a_target(), a_plan(launched_at=timezone.now())
    slow, quick = a_configuration("slow"), a_configuration("quick")
    for number in range(1, 9):
        for configuration, value, step in ((slow, 100.0, 2), (quick, 200.0, 3)):
            job = a_job(S.DONE, target, plan, round=number)
            run = a_run(configuration, {WRITE: value + number * step % 5})
            job.steps.filter(tool="fio").update(artifact=run.artifact)
    waiting = a_job(S.QUEUED, target, plan, round=9)
    query = f"configuration={slow.pk}&configuration={quick.pk}&baseline={slow.pk}&measure={WRITE}"

    def verdict_of():
        (section,) = compare(read_query(query)).view.sections
        verdict = next(row.against for row in section.figures[0].rows if row.against)
        return verdict.word, verdict.reason, section.order.text, verdict.rounds

    order = "interleaved: 8 rounds"
    assert verdict_of() == ("leans_better", "not_over", f"{order}; more rounds still to run", 8)
    Job.objects.filter(pk=waiting.pk).update(state=S.LOST, ended_at=timezone.now())
    assert verdict_of() == ("better", "", order, 8)
    Plan.objects.update(looks=2)
    assert verdict_of() == ("better", "", f"{order}; second look, as rounds were added", 8)
