"""A machine under two names: what another job measured there meanwhile."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from benchdash.jobs.models import Job
from benchdash.jobs.queries import measured_beside
from tests.jobs.records import a_job, a_target

pytestmark = pytest.mark.django_db
NOON = datetime(2026, 5, 4, 12, tzinfo=UTC)


def measured(name, boot, start_s, end_s):
    """A step that measured on the host of that name, from and to seconds after noon."""
    step = a_job(Job.State.RUNNING, a_target(name)).steps.filter(tool__gt="").first()
    step.identity = {"boot": boot} if boot else {}
    step.started_at = NOON + timedelta(seconds=start_s)
    step.ended_at = None if end_s is None else NOON + timedelta(seconds=end_s)
    step.save()
    return step


def test_jobs_on_one_boot_of_a_machine_measured_each_other():
    first = measured("store-1", "boot-1", 0, 60)
    second = measured("alias-of-store-1", "boot-1", 40, 100)
    assert list(measured_beside(first)) == [("alias-of-store-1", 20.0)]
    assert list(measured_beside(second)) == [("store-1", 20.0)]


def test_one_that_still_measures_counts_up_to_the_end():
    first = measured("store-1", "boot-1", 0, 60)
    measured("alias-of-store-1", "boot-1", 10, None)
    assert list(measured_beside(first)) == [("alias-of-store-1", 50.0)]


@pytest.mark.parametrize(
    ("boot", "start_s", "end_s"),
    [("boot-1", 60, 90), ("boot-1", -90, 0), ("boot-2", 0, 60), ("", 0, 60)],
)
def test_what_ran_at_another_time_or_on_another_machine_is_no_trouble(boot, start_s, end_s):
    first = measured("store-1", "boot-1", 0, 60)
    measured("store-2", boot, start_s, end_s)
    assert list(measured_beside(first)) == []
    unknown = measured("store-3", "", 0, 60)
    assert list(measured_beside(unknown)) == []
