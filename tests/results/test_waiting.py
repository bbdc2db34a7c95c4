"""Large files: kept at once, read by a worker, exactly once, also where a message is lost."""

from __future__ import annotations

import time
from datetime import timedelta

import pytest
from django.utils import timezone

from benchdash import dispatch
from benchdash.results import waiting
from benchdash.results.asked import Asked
from benchdash.results.models import Artifact, Run, Upload
from benchdash.results.waiting import read_upload, receive, ring_again
from tests.another_process import another_process
from tests.measured import a_configuration
from tests.results.brought import bonnie, bonnie_row, zipped
from workers import reading

PATIENCE_S = 120

large = pytest.fixture(lambda monkeypatch: monkeypatch.setattr(waiting, "READ_AT_ONCE_BYTES", 10))
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("large")]


@pytest.fixture
def worker():
    """A real worker on the broker of the tests."""
    celery = ("-m", "celery", "--quiet", "--app", "workers.celery", "worker", "--pool", "solo")
    with another_process(*celery, "--without-mingle", "--without-gossip") as process:
        yield process


@pytest.fixture
def unrung(monkeypatch):
    """Messages that get lost; the list of what was to be sent."""
    sent = []
    monkeypatch.setattr(dispatch, "ask", lambda *message: sent.append(message))
    return sent


def until_read(upload):
    """Poll as a script would; a busy machine takes its time to start a worker."""
    end = time.monotonic() + PATIENCE_S
    while upload.outcome == Upload.Outcome.WAITING and time.monotonic() < end:
        time.sleep(0.1)
        upload.refresh_from_db()
    return upload.outcome


def test_a_worker_reads_what_waits(worker):
    asked = Asked(configuration=a_configuration("local"), label="night")
    (outcome,) = receive([bonnie()], asked, None)
    assert outcome.upload.outcome == Upload.Outcome.WAITING
    assert until_read(outcome.upload) == Upload.Outcome.STORED
    run = Run.objects.get()
    assert (run.configuration, run.label) == (asked.configuration, "night")


def test_a_message_that_was_lost_is_sent_again(worker, monkeypatch):
    with monkeypatch.context() as broken:
        broken.setattr(dispatch, "ask", lambda *_message: None)
        (outcome,) = receive([bonnie()], Asked(), None)
    assert ring_again() == 0, "it has not waited long enough to be missed"
    Upload.objects.update(created_at=timezone.now() - timedelta(minutes=2))
    assert ring_again() == 1
    assert until_read(outcome.upload) == Upload.Outcome.STORED


def test_a_broker_that_is_down_loses_no_file(monkeypatch):
    def down(*_message):
        raise ConnectionError("no broker")

    monkeypatch.setattr(dispatch, "ask", down)
    (outcome,) = receive([bonnie()], Asked(), None)
    assert Upload.objects.get().outcome == outcome.upload.outcome == Upload.Outcome.WAITING


def test_a_message_delivered_twice_does_nothing_twice(unrung):
    (outcome,) = receive([bonnie()], Asked(), None)
    assert unrung == [(dispatch.READ_UPLOAD, outcome.upload.pk)]
    reading.read_upload(outcome.upload.pk)
    reading.read_upload(outcome.upload.pk)
    assert Run.objects.count() == Upload.objects.count() == 1


def test_two_workers_with_the_same_upload_store_it_once(unrung):
    (outcome,) = receive([bonnie()], Asked(), None)
    slow, quick = (Upload.objects.get(pk=outcome.upload.pk) for _ in range(2))
    read_upload(quick)
    (answer,) = read_upload(slow)
    assert answer.upload.outcome == Upload.Outcome.STORED
    assert Run.objects.count() == Upload.objects.count() == 1


def test_a_large_file_that_is_stored_already_waits_for_no_one(unrung):
    (outcome,) = receive([bonnie()], Asked(), None)
    read_upload(outcome.upload)
    (again,) = receive([bonnie("b.csv")], Asked(), None)
    assert again.upload.outcome == Upload.Outcome.KNOWN
    assert len(unrung) == 1


def test_an_archive_that_waited_has_an_outcome_for_each_member(unrung):
    sent = zipped("a.zip", {"a.csv": bonnie_row().encode(), "b.txt": b"nothing"})
    (outcome,) = receive([sent], Asked(), None)
    read_upload(outcome.upload)
    archive = Upload.objects.get(archive=None)
    assert (archive.pk, archive.outcome) == (outcome.upload.pk, Upload.Outcome.STORED)
    assert set(archive.members.values_list("name", "outcome")) == {
        ("a.zip/a.csv", "stored"),
        ("a.zip/b.txt", "refused"),
    }
    assert Artifact.objects.count() == 3
