"""No worker runs at all: the web process finds that and sends the message itself."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from benchdash.jobs.models import Job
from benchdash.notifications import worker_watchdog
from benchdash.notifications.models import Notification
from tests.jobs.records import a_job, a_plan

pytestmark = [pytest.mark.django_db, pytest.mark.database]
S = Job.State


def left_alone(operator, **time):
    """A launched plan whose job was last looked at that long ago."""
    at = timezone.now() - timedelta(**time)
    plan = a_plan(launched_at=at, launched_by=operator)
    job = a_job(S.QUEUED, plan=plan)
    Job.objects.filter(pk=job.pk).update(look_at=at, queued_at=at, state_at=at)
    return job


def test_a_plan_that_no_worker_carries_on_is_news_once_without_one(operator, prefers, hook):
    left_alone(operator, minutes=16)
    prefers(hook.url)
    for _minute in range(2):
        worker_watchdog.look()
    assert len(hook.requests) == 1
    (row,) = Notification.objects.all()
    assert (row.event, row.state) == ("stalled", "sent")
    assert "No worker is handling its jobs" in row.text


def test_nobody_is_notified_while_a_worker_looks_at_some_job(operator, prefers):
    prefers("https://hooks.example.org/x")
    left_alone(operator, minutes=16)
    left_alone(operator, seconds=20)
    worker_watchdog.look()
    assert not Notification.objects.exists()
