"""What is done to all jobs of a launched plan at once."""

from __future__ import annotations

from datetime import timedelta
from threading import Thread

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchdash.errors import Refused
from benchdash.jobs import launching, leases, plan_changes, planning, queueing
from benchdash.jobs.models import HostLock, Job, JobEvent, Plan
from benchdash.jobs.wanted import Wanted
from benchdash.recipes import builtin
from benchdash.results.models import Doubt
from tests.jobs.records import a_target
from tests.measured import a_run
from tests.workers.running import until

pytestmark = [pytest.mark.django_db, pytest.mark.database]
RECIPES = {recipe.name: recipe for recipe in builtin()}
S = Job.State


@pytest.fixture
def operator(people):
    return people("operator")


def launched(by, depths=(1, 2, 4, 8), on=None):
    wanted = Wanted(
        RECIPES["fio"], {"node-a": on or a_target()}, factors={"iodepth": [*depths]}, repeats=1
    )
    plan = planning.plan(wanted, by)
    launching.launch(plan, by)
    return plan


def end(job, state):
    Job.objects.filter(pk=job.pk).update(state=state, ended_at=timezone.now())


def test_a_launch_queues_its_jobs_in_their_order_in_as_many_queries_as_one(operator):
    def queries(depths):
        with CaptureQueriesContext(
            connection,
        ) as captured:
            launched(operator, depths, a_target(f"store-{len(depths)}"))
        return len(captured)

    assert queries((1, 2)) == queries((1, 2, 4, 8, 16, 32))
    jobs = Plan.objects.first().jobs.order_by(*queueing.IN_THE_QUEUE)
    assert [job.position for job in jobs] == [1, 2, 3, 4, 5, 6]
    assert {job.events.last().by for job in jobs} == {operator}


def test_no_job_of_a_paused_plan_starts_and_others_pass_it(operator):
    on = a_target()
    plan, other = launched(operator, on=on), launched(operator, on=on)
    plan_changes.pause(plan, operator)
    first, of_other = plan.jobs.first(), other.jobs.order_by("position").first()
    assert not queueing.take_hosts(first)
    assert not {*plan.jobs.values_list("pk", flat=True)} & {*queueing.due()}
    assert queueing.take_hosts(of_other)
    HostLock.objects.all().delete()
    plan_changes.resume(plan)
    assert queueing.take_hosts(plan.jobs.order_by("position").first())


@pytest.mark.parametrize("passing", ["paused", "prioritised"])
def test_hosts_of_a_turn_that_was_cut_off_before_it_began_are_free(operator, passing):
    on = a_target()
    plan, other = launched(operator, on=on), launched(operator, on=on)
    cut_off = plan.jobs.order_by("position").first()
    of_other = other.jobs.order_by("position").first()
    assert queueing.take_hosts(cut_off)  # and its worker died
    if passing == "paused":
        plan_changes.pause(plan, operator)
    else:
        queueing.prioritise(of_other, 1, operator)
        of_other.refresh_from_db()
    Job.objects.filter(pk=cut_off.pk).update(lease_until=timezone.now() + timedelta(seconds=20))
    assert not queueing.take_hosts(of_other)  # it may still go on
    Job.objects.filter(pk=cut_off.pk).update(lease_until=timezone.now() - timedelta(seconds=1))
    assert queueing.take_hosts(of_other)
    assert HostLock.objects.get().job == of_other
    with pytest.raises(leases.LeaseLostError), leases.fenced(cut_off):
        pass  # a worker that was stopped, not dead, does not go on without its hosts


def fail(job, reason="fio: /srv/{token}: no such folder"):
    text = reason.format(token=job.token)
    Job.objects.filter(pk=job.pk).update(state=S.FAILED, reason=text, ended_at=timezone.now())
    plan_changes.pause_where_all_fail(job.plan)
    return Plan.objects.get(pk=job.plan_id)


def test_a_plan_whose_jobs_all_fail_alike_pauses_itself_once(operator):
    plan = launched(operator, (1, 2, 4, 8, 16, 32))
    first, second, third, fourth, *_rest = plan.jobs.order_by("position")
    assert fail(first).paused_at is None
    assert fail(second).paused_at is None
    paused = fail(third)
    assert paused.has_paused_itself
    assert "no such folder" in paused.paused_reason
    plan_changes.resume(paused)
    assert fail(fourth).paused_at is None  # a person has seen it


def test_a_plan_goes_on_where_something_was_measured_or_failures_differ(operator):
    plan = launched(operator, (1, 2, 4, 8, 16, 32))
    first, second, third, fourth, *_rest = plan.jobs.order_by("position")
    fail(first)
    fail(second, "another reason")
    assert fail(third).paused_at is None
    Job.objects.filter(pk=second.pk).update(state=S.DONE, reason="")
    assert fail(fourth).paused_at is None


def test_a_plan_goes_on_where_one_level_may_be_the_reason(operator):
    factors = {"iodepth": [1, 2, 4, 8], "rw": ["read", "write"]}
    wanted = Wanted(RECIPES["fio"], {"node-a": a_target()}, factors=factors, repeats=1)
    plan = planning.plan(wanted, operator)
    launching.launch(plan, operator)
    reads = [job for job in plan.jobs.all() if job.values["rw"] == "read"]
    writes = [job for job in plan.jobs.all() if job.values["rw"] == "write"]
    for job in reads:
        assert fail(job).paused_at is None
    assert fail(writes[0]).has_paused_itself


def test_why_jobs_failed_is_said_once_for_those_that_failed_alike(operator):
    plan = launched(operator)
    first, second, third, _fourth = plan.jobs.order_by("position")
    for job in (first, second):
        fail(job)
    fail(third, "The host was rebooted.")
    (alike, n), (other, once) = plan_changes.reasons_of_failures(plan)
    assert (alike.endswith("no such folder"), n) == (True, 2)
    assert (other, once) == ("The host was rebooted.", 1)


def test_what_is_on_a_host_when_its_plan_is_paused_goes_on(operator):
    plan = launched(operator)
    running = plan.jobs.order_by("position").first()
    Job.objects.filter(pk=running.pk).update(state=S.RUNNING)
    plan_changes.pause(plan, operator)
    assert queueing.due() == [running.pk]


def test_who_insists_on_a_plan_wakes_what_waits_for_quiet_hosts(
    operator, django_capture_on_commit_callbacks
):
    plan = launched(operator)
    waits, other = plan.jobs.order_by("position")[:2]
    soon = timezone.now() + timedelta(minutes=5)
    Job.objects.filter(pk=waits.pk).update(state=S.PREPARING, quiet_by=soon, look_at=soon)
    Job.objects.filter(pk=other.pk).update(look_at=soon)
    with django_capture_on_commit_callbacks() as notified:
        plan_changes.insist(plan, operator)
    plan.refresh_from_db()
    assert plan.whatever_conditions and len(notified) == 1
    assert waits.pk in queueing.due() and other.pk not in queueing.due()
    assert [(event.reason, event.by) for event in waits.events.all()][-1] == (
        "Regardless of the conditions.",
        operator,
    )
    plan_changes.wait_for_quiet_again(plan)
    plan.refresh_from_db()
    assert not plan.whatever_conditions
    plan.jobs.update(state=S.DONE, ended_at=timezone.now())
    with pytest.raises(Refused, match="have ended"):
        plan_changes.insist(plan, operator)


def test_cancelling_a_plan_ends_what_waits_and_asks_what_runs(operator):
    plan = launched(operator)
    running, over, *waiting = plan.jobs.order_by("position")
    Job.objects.filter(pk=running.pk).update(state=S.RUNNING)
    end(over, S.DONE)
    HostLock.objects.create(host=waiting[0].nodes.get().target.host, job=waiting[0])
    assert len(plan_changes.cancel_jobs(plan, operator)) == 3
    states = list(plan.jobs.order_by("position").values_list("state", flat=True))
    assert states == [S.CANCELLING, S.DONE, S.CANCELLED, S.CANCELLED]
    ended = Job.objects.get(pk=waiting[1].pk)
    assert (ended.cancel_asked_by, ended.ended_at is None) == (operator, False)
    assert (ended.events.last().before, ended.events.last().by) == (S.QUEUED, operator)
    assert HostLock.objects.count() == 0
    end(running, S.CANCELLED)
    with pytest.raises(Refused, match="nothing to cancel"):
        plan_changes.cancel_jobs(plan, operator)


def test_only_what_failed_is_measured_again_with_its_own_commands(operator):
    plan = launched(operator)
    jobs = list(plan.jobs.order_by("position"))
    for job, state in zip(jobs, (S.DONE, S.FAILED, S.LOST, S.CANCELLED), strict=True):
        end(job, state)
    again = plan_changes.measure_again(plan, plan_changes.unmeasured(plan), operator)
    assert [(job.position, job.attempt, job.retry_of) for job in again] == [
        (job.position, 2, job) for job in jobs[1:]
    ]
    assert {job.state for job in again} == {S.QUEUED}
    steps = [step.command.replace(again[0].token, "") for step in again[0].steps.all()]
    assert steps == [step.command.replace(jobs[1].token, "") for step in jobs[1].steps.all()]
    assert not plan_changes.unmeasured(plan).exists()
    assert JobEvent.objects.filter(job=again[0]).count() == 2
    with pytest.raises(Refused, match="No job of this plan needs to be measured again"):
        plan_changes.measure_again(plan, plan_changes.unmeasured(plan), operator)


def test_what_is_doubted_is_measured_again_until_it_is_not(operator):
    plan = launched(operator, (1, 2))
    sound, doubtful = plan.jobs.order_by("position")
    for job in (sound, doubtful):
        end(job, S.DONE)
        run = a_run()
        job.steps.filter(tool="fio").update(artifact=run.artifact)
        Doubt.objects.create(run=run, kind="load", sentence="Busy.", operations=["read"])
    assert not plan_changes.doubted(plan).exists()
    Doubt.objects.filter(run__artifact__steps__job=doubtful).update(operations=[])
    (again,) = plan_changes.measure_again(plan, plan_changes.doubted(plan), operator)
    assert again.retry_of == doubtful
    # its result was there to see
    plan.refresh_from_db()
    assert plan.looks == 2
    end(again, S.DONE)
    assert not plan_changes.doubted(plan).exists()


def test_a_plan_that_was_not_launched_is_neither_paused_nor_cancelled(operator):
    wanted = Wanted(RECIPES["fio"], {"node-a": a_target()}, factors={"iodepth": [1]}, repeats=1)
    plan = planning.plan(wanted, operator)
    for act in (plan_changes.pause, plan_changes.cancel_jobs):
        with pytest.raises(Refused, match="not been launched yet"):
            act(plan, operator)


@pytest.mark.django_db(transaction=True)
def test_one_job_and_all_that_failed_are_retried_at_once_and_measured_once(operator):
    plan = launched(operator, (1,))
    job = plan.jobs.get()
    end(job, S.FAILED)
    outcomes = []

    def retry():
        try:
            outcomes.append(launching.retry(job, operator))
        except Refused as refused:
            outcomes.append(str(refused.sentence))
        finally:
            connection.close()

    def waits():
        with connection.cursor() as cursor:
            cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
            return cursor.fetchone() != (0,)

    other = Thread(target=retry)
    with transaction.atomic():
        Plan.objects.select_for_update().get(pk=plan.pk)
        other.start()
        if connection.vendor == "postgresql":  # SQLite does not say who waits
            until(waits)
        (again,) = plan_changes.measure_again(plan, plan_changes.unmeasured(plan), operator)
    other.join()
    assert outcomes == ["A later attempt at this job has not ended."]
    assert list(plan.jobs.order_by("attempt")) == [job, again]


def test_a_retry_is_no_way_around_the_launch(operator):
    wanted = Wanted(RECIPES["fio"], {"node-a": a_target()}, factors={"iodepth": [1]}, repeats=1)
    plan = planning.plan(wanted, operator)
    job = launching.cancel(plan.jobs.get(), operator)
    with pytest.raises(Refused, match="not been launched yet"):
        launching.retry(job, operator)
    assert plan.jobs.count() == 1


def test_a_retry_of_one_job_says_as_much_as_that_of_all(operator):
    plan = launched(operator, (1, 2))
    one, other = plan.jobs.order_by("position")
    for job in (one, other):
        end(job, S.FAILED)
    again = launching.retry(one, operator)
    (more,) = plan_changes.measure_again(plan, plan_changes.unmeasured(plan), operator)
    for attempt, of in ((again, one), (more, other)):
        assert (attempt.retry_of, attempt.attempt, attempt.state) == (of, 2, S.QUEUED)
        changes = list(attempt.events.order_by("pk").values_list("before", "after", "by"))
        assert changes == [("", S.PLANNED, operator.pk), (S.PLANNED, S.QUEUED, operator.pk)]
