"""What a plan's matrix is made of: medians by cell, how far each is, what changed, how long is left."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from benchdash.jobs import launching, matrix, planning, queries
from benchdash.jobs.matrix import CellCounts, Part
from benchdash.jobs.models import Job
from benchdash.jobs.wanted import Wanted
from benchdash.recipes import builtin
from benchdash.results.models import Sample
from benchdash.vocabulary.measures import MeasureName
from tests.jobs.records import a_target
from tests.measured import a_run

pytestmark = [pytest.mark.django_db, pytest.mark.database]
RECIPES = {recipe.name: recipe for recipe in builtin()}
S = Job.State
READ = MeasureName("read", "throughput", "mean")
FIO = Part("fio")


@pytest.fixture
def plan(people):
    wanted = Wanted(
        RECIPES["fio"],
        {"node-a": a_target()},
        factors={"rw": ["read", "write"], "bs": ["4K", "1M"]},
        repeats=3,
        seed=1,
    )
    made = planning.plan(wanted, people("operator"))
    launching.launch(made, people("operator"))
    return queries.plans().get(pk=made.pk)


def measured(job, *, sample=None, **values):
    """End a job with a run; `read=90e6` is its throughput."""
    numbers = {f"{name}.throughput.mean": value for name, value in values.items()}
    run = a_run(values=numbers, sample=sample)
    job.steps.filter(tool="fio").update(artifact=run.artifact)
    end(job, S.DONE)
    return run


def end(job, state):
    now = timezone.now()
    Job.objects.filter(pk=job.pk).update(
        state=state, started_at=now - timedelta(seconds=30), ended_at=now, state_at=now
    )


def jobs_of(plan, cell):
    return list(plan.jobs.filter(cell=cell).order_by("round"))


def test_a_cell_has_the_median_of_its_samples(plan):
    for job, value in zip(jobs_of(plan, 1), (10.0, 90.0, 20.0), strict=True):
        measured(job, read=value)
    measured(jobs_of(plan, 2)[0], read=5.0)
    values = matrix.values_of(plan, FIO, READ)
    assert matrix.medians(values) == {1: 20.0, 2: 5.0}
    assert matrix.values_of(plan, FIO, READ, [2]) == {2: [5.0]}
    assert matrix.values_of(plan, Part("other"), READ) == {}


def test_what_is_set_aside_does_not_count(plan):
    first, second, _third = jobs_of(plan, 1)
    measured(first, read=10.0)
    run = measured(second, read=99.0)
    run.set_aside_reason = "The cable was loose."
    run.save()
    assert matrix.values_of(plan, FIO, READ) == {1: [10.0]}


def test_hosts_that_measured_together_are_one_sample_that_is_summed(plan):
    job, together = jobs_of(plan, 1)[0], Sample.objects.create()
    measured(job, read=10.0, sample=together)
    step = job.steps.get(tool="fio")
    other = a_run(values={"read.throughput.mean": 32.0}, sample=together)
    step.pk, step.position, step.artifact = None, 99, other.artifact
    step.save()
    assert matrix.values_of(plan, FIO, READ) == {1: [42.0]}


def test_cells_that_do_different_things_are_compared_in_what_each_does(plan):
    measured(jobs_of(plan, 1)[0], read=10.0)
    measured(jobs_of(plan, 3)[0], write=30.0)
    offer = matrix.offer_of(plan)
    assert [str(one) for one in offer.measures] == [
        "*.throughput.mean",
        "write.throughput.mean",
        "read.throughput.mean",
    ]
    assert matrix.values_of(plan, FIO, offer.measure) == {1: [10.0], 3: [30.0]}
    chosen = matrix.offer_of(plan, "fio", "write.throughput.mean")
    assert matrix.values_of(plan, chosen.part, chosen.measure) == {3: [30.0]}
    assert matrix.offer_of(plan, "nothing", "of.that.kind").measure == offer.measure


def test_an_operation_beside_another_is_no_measure_of_both(plan):
    measured(jobs_of(plan, 1)[0], read=10.0, write=5.0)
    measured(jobs_of(plan, 3)[0], write=30.0)
    assert "*.throughput.mean" not in map(str, matrix.offer_of(plan).measures)


def test_a_file_with_several_workloads_has_as_many_parts(plan):
    run = measured(jobs_of(plan, 1)[0], read=10.0)
    other = a_run(values={"read.throughput.mean": 70.0}, workload={"block_bytes": 4096})
    other.artifact, other.position, other.label = run.artifact, 1, "small"
    other.save()
    offer = matrix.offer_of(plan)
    assert [(part.key, part.label) for part in offer.parts] == [("fio:0", ""), ("fio:1", "small")]
    small = matrix.offer_of(plan, "fio:1")
    assert matrix.values_of(plan, small.part, READ) == {1: [70.0]}


def test_a_cell_stands_where_its_last_attempts_are(plan, people):
    first, second, third = jobs_of(plan, 1)
    end(first, S.DONE)
    end(second, S.FAILED)
    Job.objects.filter(pk=third.pk).update(state=S.RUNNING)
    assert matrix.cell_counts(plan)[1] == CellCounts(done=1, running=1, failed=1)
    again = launching.retry(second, people("operator"))
    assert matrix.cell_counts(plan, [1]) == {1: CellCounts(done=1, running=1, failed=0)}
    end(again, S.DONE)
    assert matrix.cell_counts(plan)[1] == CellCounts(done=2, running=1)
    assert matrix.cell_counts(plan)[2] == CellCounts()


def test_only_what_changed_is_reported(plan):
    plan.jobs.update(state_at=timezone.now() - timedelta(minutes=1))
    moment = timezone.now()
    assert matrix.changed_since(plan, moment) == (set(), False)
    job = jobs_of(plan, 3)[0]
    Job.objects.filter(pk=job.pk).update(state=S.RUNNING, state_at=timezone.now())
    assert matrix.changed_since(plan, moment) == ({3}, False)
    end(job, S.DONE)
    assert matrix.changed_since(plan, moment) == ({3}, True)


def test_the_time_left_is_what_is_expected_as_far_as_jobs_kept_to_it(plan):
    each = plan.jobs.first().expected_s
    assert matrix.progress_of(plan).left_s == pytest.approx(12 * each)
    for job in plan.jobs.filter(round=1):
        end(job, S.DONE)  # 30 seconds each
    progress = matrix.progress_of(plan)
    assert progress.left_s == pytest.approx(8 * 30) and progress.round_now == 2
    # those that waited for quiet say nothing of the others
    long_ago = timezone.now() - timedelta(hours=1)
    waited = [job.pk for job in plan.jobs.filter(round=1)[1:]]
    Job.objects.filter(pk__in=waited).update(quiet_by=timezone.now(), started_at=long_ago)
    assert matrix.progress_of(plan).left_s == pytest.approx(8 * 30)
    Job.objects.filter(plan=plan).update(expected_s=None)
    plan.round_s = None
    assert matrix.progress_of(plan).left_s == pytest.approx(8 * 30)
    running = plan.jobs.filter(round=2).first()
    Job.objects.filter(pk=running.pk).update(state=S.RUNNING)
    assert [job.pk for job in matrix.progress_of(plan).running] == [running.pk]
    for job in plan.jobs.filter(ended_at=None):
        end(job, S.DONE)
    assert matrix.progress_of(plan).left_s == 0 and matrix.progress_of(plan).round_now is None
