"""What became of plans: each is found from the records alone, once, and not too early."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from benchdash.errors import N_
from benchdash.jobs import job_states, plan_changes
from benchdash.jobs.models import AddedRounds, HostLock, Job, JobEvent, JobStep, Plan
from benchdash.notifications import delivery, news
from benchdash.notifications.models import Event, Notification
from tests.jobs.records import a_job, a_plan, a_target

pytestmark = [pytest.mark.django_db, pytest.mark.database]
S = Job.State


@pytest.fixture
def plan(operator):
    return a_plan(launched_at=timezone.now(), launched_by=operator)


def news_after(plan):
    return [(each.event, str(each.sentence)) for each in news.news_of(plan)]


def ago(plan, **time):
    """As if the last that happened to a plan was that long ago."""
    at = timezone.now() - timedelta(**time)
    Plan.objects.filter(pk=plan.pk).update(launched_at=at)
    JobEvent.objects.filter(job__plan=plan).update(at=at)
    JobStep.objects.filter(job__plan=plan, started_at__isnull=False).update(started_at=at)
    Job.objects.filter(plan=plan).update(state_at=at, queued_at=at)
    plan.refresh_from_db()


def looked_at(job, **time):
    Job.objects.filter(pk=job.pk).update(look_at=timezone.now() - timedelta(**time))


def test_a_plan_that_goes_on_is_no_news(plan):
    a_job(S.RUNNING, plan=plan)
    a_job(S.DONE, plan=plan)
    assert news_after(plan) == []


def test_the_end_is_news_whatever_the_outcome(plan):
    a_job(S.DONE, plan=plan)
    a_job(S.FAILED, plan=plan)
    assert news_after(plan) == [(Event.ENDED, "The plan has ended.")]


def test_a_plan_whose_further_jobs_cannot_be_made_says_why_and_one_that_was_cancelled_does_not(
    plan,
):
    a_job(S.RUNNING, plan=plan)
    plan.to_make, plan.stopped_at = 80, timezone.now()
    assert news_after(plan) == []
    plan.stopped_reason = "The recipe cannot be read."
    (stopped,) = news.news_of(plan)
    assert stopped.event == Event.TROUBLE
    assert stopped.sentence == "The plan stopped with 80 jobs left: The recipe cannot be read."


def test_a_plan_of_which_jobs_are_to_be_made_has_not_ended(plan):
    a_job(S.DONE, plan=plan)
    plan.to_make = 1
    assert news_after(plan) == []
    plan.stopped_at = timezone.now()
    assert news_after(plan) == [(Event.ENDED, "The plan has ended.")]


def test_a_failed_job_is_news_at_once_and_once_for_all_of_a_night(plan):
    a_job(S.RUNNING, plan=plan)
    a_job(S.FAILED, plan=plan)
    (first,) = news.news_of(plan)
    assert (first.event, first.sentence) == (Event.TROUBLE, "A job failed; the plan continues.")
    a_job(S.FAILED, plan=plan)
    (second,) = news.news_of(plan)
    assert second.key == first.key
    a_job(S.FAILED, plan=plan, attempt=2)
    (third,) = news.news_of(plan)
    assert third.key != first.key


def test_a_failure_from_before_somebody_asked_to_be_told_hides_no_later_one(plan, prefers):
    a_job(S.RUNNING, plan=plan)
    old = a_job(S.FAILED, plan=plan)
    Job.objects.filter(pk=old.pk).update(state_at=timezone.now() - timedelta(hours=1))
    prefers(on_trouble=True, since=timezone.now())
    plan = Plan.objects.get(pk=plan.pk)
    assert list(news.news_of(plan)) == []
    a_job(S.FAILED, plan=plan)
    (first,) = news.news_of(plan)
    AddedRounds.objects.create(plan=plan, rounds=1, look=1)
    assert list(news.news_of(plan)) == []
    a_job(S.FAILED, plan=plan)
    (second,) = news.news_of(plan)
    assert second.key != first.key


def test_a_host_that_is_away_is_news_after_a_while_with_the_reason(plan):
    job = a_job(S.RUNNING, plan=plan)
    job_states.move(job, S.UNREACHABLE, N_("{host} is silent.", host="store-a"))
    looked_at(job, seconds=0)
    ago(plan, minutes=9)
    assert news_after(plan) == []
    ago(plan, minutes=11)
    # asked again, with another reason: nothing has changed
    job_states.move(job, S.UNREACHABLE, N_("{host} is still silent.", host="store-a"))
    assert news_after(plan) == [
        (Event.TROUBLE, "A job waits for its host: store-a is still silent."),
    ]


def test_a_dead_host_is_news_while_others_go_on_and_a_turn_to_come_is_none(plan):
    job = a_job(S.QUEUED, plan=plan)
    job_states.move(job, S.WAITING, "store-a is silent.")
    looked_at(job, seconds=0)
    ago(plan, minutes=11)
    a_job(S.DONE, a_target("store-y"), plan=plan)
    assert [event for event, _sentence in news_after(plan)] == [Event.TROUBLE]
    HostLock.objects.all().delete()
    on = job.nodes.get().target.host
    HostLock.objects.create(host=on, job=a_job(S.RUNNING, a_target("store-z")))
    assert news_after(plan) == []


def test_what_takes_long_is_news_from_when_it_took_so_long(plan, prefers):
    job = a_job(S.RUNNING, plan=plan)
    job_states.move(job, S.UNREACHABLE, "store-a is silent.")
    ago(plan, minutes=11)
    (away,) = news.news_of(plan)
    assert timezone.now() - away.at < timedelta(minutes=2)


def test_failures_of_what_was_added_are_news_again(plan):
    a_job(S.RUNNING, plan=plan)
    a_job(S.FAILED, plan=plan)
    keys = [each.key for each in news.news_of(plan)]
    plan.stretches = [
        {"cells": 1, "rounds": 1},
        {"first": 2, "cells": 1, "rounds": 1, "at": timezone.now().isoformat()},
    ]
    assert list(news.news_of(plan)) == []
    a_job(S.FAILED, plan=plan)
    keys += [each.key for each in news.news_of(plan)]
    a_job(S.FAILED, plan=plan, attempt=2)
    keys += [each.key for each in news.news_of(plan)]
    assert len(set(keys)) == 3


def test_a_plan_of_which_nothing_moves_is_stalled(plan, settings):
    job = a_job(S.QUEUED, plan=plan)
    looked_at(job, seconds=1)
    ago(plan, hours=settings.STALLED_AFTER_HOURS - 0.1)
    assert news_after(plan) == []
    ago(plan, hours=settings.STALLED_AFTER_HOURS + 0.1)
    assert news_after(plan) == [
        (Event.STALLED, "None of its jobs has made progress for 2.0 hours.")
    ]


def test_a_long_step_a_busy_host_and_a_wait_for_quiet_are_no_stall(plan):
    job = a_job(S.RUNNING, plan=plan)
    looked_at(job, seconds=1)
    step = job.steps.get(tool="fio")
    began = timezone.now() - timedelta(hours=5)
    JobStep.objects.filter(pk=step.pk).update(state="running", started_at=began, timeout_s=6 * 3600)
    ago(plan, hours=5)
    assert news_after(plan) == []
    JobStep.objects.filter(pk=step.pk).update(timeout_s=4 * 3600)
    assert [event for event, _sentence in news_after(plan)] == [Event.STALLED]

    HostLock.objects.all().delete()
    Job.objects.filter(pk=job.pk).update(state=S.QUEUED)
    JobStep.objects.filter(pk=step.pk).update(state="waiting")
    of_another = a_job(S.RUNNING, a_target("store-z"))
    HostLock.objects.create(host=job.nodes.get().target.host, job=of_another)
    assert news_after(plan) == []
    HostLock.objects.all().delete()
    Job.objects.filter(pk=job.pk).update(quiet_by=timezone.now() + timedelta(minutes=1))
    assert news_after(plan) == []
    Job.objects.filter(pk=job.pk).update(quiet_by=None)
    assert [event for event, _sentence in news_after(plan)] == [Event.STALLED]


def test_a_paused_plan_stands_still_by_right_and_goes_on_as_new(plan, operator):
    job = a_job(S.QUEUED, plan=plan)
    looked_at(job, seconds=1)
    plan_changes.pause(plan, operator)
    ago(plan, hours=30)
    assert news_after(plan) == []
    plan_changes.resume(plan)
    plan.refresh_from_db()
    assert news_after(plan) == []


def test_a_plan_that_paused_itself_says_why_and_not_that_it_continues(plan):
    a_job(S.QUEUED, plan=plan)
    a_job(S.FAILED, plan=plan)
    plan.paused_at, plan.paused_reason = timezone.now(), "3 jobs failed alike."
    assert news_after(plan) == [(Event.TROUBLE, "The plan paused itself: 3 jobs failed alike.")]


def test_jobs_that_no_worker_looks_at_are_news(plan):
    job = a_job(S.QUEUED, plan=plan)
    looked_at(job, minutes=14)
    ago(plan, minutes=20)
    assert news_after(plan) == []
    looked_at(job, minutes=16)
    assert news_after(plan) == [(Event.STALLED, "No worker is handling its jobs: is one running?")]
    looked_at(a_job(S.QUEUED), seconds=1)  # of another plan: some worker is there
    assert news_after(plan) == []


def test_each_event_is_written_down_once_for_each_channel(plan, prefers, mailbox):
    prefers("https://hooks.example.org/x", by_mail=True)
    job = a_job(S.DONE, plan=plan)
    for _time in range(3):
        delivery.notify()
    rows = Notification.objects.order_by("channel")
    assert [(row.channel, row.event) for row in rows] == [("mail", "ended"), ("webhook", "ended")]
    # measured again, it ends again
    again = a_job(S.QUEUED, plan=plan, attempt=2, retry_of=job)
    delivery.notify()
    assert Notification.objects.count() == 2
    Job.objects.filter(pk=again.pk).update(state=S.DONE, ended_at=timezone.now())
    delivery.notify()
    assert Notification.objects.count() == 4


def test_people_are_notified_of_what_they_chose_and_nothing_older(plan, prefers, operator):
    preference = prefers("https://hooks.example.org/x", on_ended=False)
    a_job(S.FAILED, plan=plan)
    delivery.notify()
    assert not Notification.objects.exists()
    preference.on_ended, preference.since = True, timezone.now() + timedelta(seconds=1)
    preference.save()
    delivery.notify()
    assert not Notification.objects.exists()
    preference.since = timezone.now() - timedelta(days=1)
    preference.save()
    operator.groups.clear()  # may no longer see plans
    delivery.notify()
    assert not Notification.objects.exists()


def test_a_plan_that_another_launched_or_nobody_is_no_news(plan, prefers):
    prefers("https://hooks.example.org/x")
    Plan.objects.filter(pk=plan.pk).update(launched_by=None)
    a_job(S.DONE, plan=plan)
    delivery.notify()
    assert not Notification.objects.exists()
