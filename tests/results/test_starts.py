"""When a run began: as its output says, as somebody gave it, or its run time before a report."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest
from django.utils import timezone

from benchdash.parsers import parse
from benchdash.results.assignment import Assignment
from benchdash.results.ingest import ingest
from benchdash.results.models import Artifact, Run
from benchdash.results.readings import File
from benchdash.results.reparse import reparse
from tests.parsers.golden import SAMPLES
from tests.results.result_files import fio, fio_job

GIVEN = datetime(2026, 11, 20, 9, tzinfo=UTC)
REPORTED = datetime.fromtimestamp(1700000000, UTC)
TEN_SECONDS = timedelta(seconds=10)


def sample(name):
    return File(name, (SAMPLES / "fio" / name).read_bytes())


def stored_start(file, **assignment):
    ingest([file], Assignment(**assignment))
    return Run.objects.get().started_at


@pytest.mark.django_db
def test_json_before_3_36_prints_when_it_was_written_and_the_run_began_before():
    assert stored_start(fio(fio_job())) == REPORTED - TEN_SECONDS


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["local-2.8-mixed.json", "local-3.41-mixed.txt"])
def test_text_prints_the_time_of_the_report_in_every_version(name):
    file = sample(name)
    (result,) = parse(file.data).results
    longest = max(
        value for (_, metric, _s), value in result.by_name().items() if metric == "duration"
    )
    assert longest > 1
    assert stored_start(file) == result.started_at - timedelta(seconds=longest)


@pytest.mark.django_db
def test_a_seed_of_bonnie_after_the_upload_is_no_start():
    """It is the time XOR the process number: up to days off."""
    line = (SAMPLES / "bonnie++" / "local-2.00a-c4.csv").read_text()
    tomorrow = (timezone.now() + timedelta(days=1)).replace(microsecond=0)
    fields = line.split(",")
    fields[4] = str(int(tomorrow.timestamp()))
    assert stored_start(File("late.csv", ",".join(fields).encode())) is None
    # reading again goes by when the file came, not by today
    Artifact.objects.update(created_at=tomorrow + timedelta(days=1))
    reparse(Run.objects.get().artifact_id)
    assert Run.objects.get().started_at == tomorrow


@pytest.mark.django_db
def test_since_3_36_json_prints_the_start_itself():
    file = sample("local-3.36-mixed.json")
    (result,) = parse(file.data).results
    assert stored_start(file) == result.started_at


@pytest.mark.django_db
@pytest.mark.parametrize("name", ["local-2.8-mixed.json", "local-3.41-mixed.txt"])
def test_a_start_that_somebody_gave_is_the_start(name):
    assert stored_start(sample(name), started_at=GIVEN) == GIVEN


@pytest.mark.django_db
def test_reading_again_moves_nothing():
    ingest([fio(fio_job("a"))])
    ingest([fio(fio_job("b"))], Assignment(started_at=GIVEN))
    before = dict(Run.objects.values_list("label", "started_at"))
    for run in Run.objects.all():
        reparse(run.artifact_id)
    assert before == {"a": REPORTED - TEN_SECONDS, "b": GIVEN}
    assert dict(Run.objects.values_list("label", "started_at")) == before


@pytest.mark.django_db
def test_a_run_time_beyond_all_calendars_leaves_the_report_where_it_is():
    job = fio_job()
    job["write"]["runtime"] = 10**17
    assert stored_start(fio(job)) == REPORTED
