"""Large files: kept at once, read by a worker, exactly once, also where a message is lost."""

from __future__ import annotations

import gzip
import time
from datetime import timedelta

import pytest
from django.utils import timezone

from benchdash import dispatch
from benchdash.accounts.models import User
from benchdash.results import uploads
from benchdash.results.artifacts import content_of, purge_bytes
from benchdash.results.assignment import Assignment
from benchdash.results.ingest import ingest
from benchdash.results.models import Artifact, Run, Trace, Upload
from benchdash.results.readings import File
from benchdash.results.uploads import read_kept, reassign, receive, send_again
from tests.another_process import another_process
from tests.measured import a_configuration
from tests.results.result_files import bonnie, bonnie_row, fio, fio_job, fio_log, zipped
from workers import tasks

PATIENCE_S = 120

LITTLE_MEMORY = """
import sys
import django
django.setup()
import kombu.transport.redis  # as in a worker, which is connected to its broker
from workers import tasks
tasks.MOST_MEMORY = 24 * 2**20
tasks.bound_memory()
tasks.read_upload(int(sys.argv[1]))
"""

large = pytest.fixture(lambda monkeypatch: monkeypatch.setattr(uploads, "READ_AT_ONCE_BYTES", 10))
pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("large")]


@pytest.fixture
def worker():
    """A real worker on the broker of the tests."""
    celery = ("-m", "celery", "--quiet", "--app", "workers.celery", "worker", "--pool", "solo")
    with another_process(*celery, "--without-mingle", "--without-gossip") as process:
        yield process


@pytest.fixture
def unsent(monkeypatch):
    """Messages that get lost; the list of what was to be sent."""
    sent = []
    monkeypatch.setattr(dispatch, "send", lambda *message: sent.append(message))
    return sent


def until_read(upload):
    """Poll as a script would; a busy machine takes its time to start a worker."""
    end = time.monotonic() + PATIENCE_S
    while upload.outcome == Upload.Outcome.WAITING and time.monotonic() < end:
        time.sleep(0.1)
        upload.refresh_from_db()
    return upload.outcome


def test_a_worker_reads_what_waits(worker):
    assignment = Assignment(configuration=a_configuration("local"), label="night")
    (outcome,) = receive([bonnie()], assignment, None)
    assert outcome.upload.outcome == Upload.Outcome.WAITING
    assert until_read(outcome.upload) == Upload.Outcome.STORED
    run = Run.objects.get()
    assert (run.configuration, run.label) == (assignment.configuration, "night")


def test_a_message_that_was_lost_is_sent_again(worker, monkeypatch):
    with monkeypatch.context() as broken:
        broken.setattr(dispatch, "send", lambda *_message: None)
        (outcome,) = receive([bonnie()], Assignment(), None)
    assert send_again() == 0, "it has not waited long enough to be missed"
    Upload.objects.update(created_at=timezone.now() - timedelta(minutes=2))
    assert send_again() == 1
    assert until_read(outcome.upload) == Upload.Outcome.STORED


def test_a_broker_that_is_down_loses_no_file(monkeypatch):
    def down(*_message):
        raise ConnectionError("no broker")

    monkeypatch.setattr(dispatch, "send", down)
    (outcome,) = receive([bonnie()], Assignment(), None)
    assert Upload.objects.get().outcome == outcome.upload.outcome == Upload.Outcome.WAITING


def test_a_message_delivered_twice_does_nothing_twice(unsent):
    (outcome,) = receive([bonnie()], Assignment(), None)
    assert unsent == [(dispatch.READ_UPLOAD, outcome.upload.pk)]
    tasks.read_upload(outcome.upload.pk)
    tasks.read_upload(outcome.upload.pk)
    assert Run.objects.count() == Upload.objects.count() == 1


def test_two_workers_with_the_same_upload_store_it_once(unsent):
    (outcome,) = receive([bonnie()], Assignment(), None)
    slow, quick = (Upload.objects.get(pk=outcome.upload.pk) for _ in range(2))
    read_kept([quick])
    read_kept([slow])
    assert slow.outcome == Upload.Outcome.STORED
    assert Run.objects.count() == Upload.objects.count() == 1


def test_a_large_file_that_is_stored_already_waits_for_no_one(unsent):
    (outcome,) = receive([bonnie()], Assignment(), None)
    read_kept([outcome.upload])
    (again,) = receive([bonnie("b.csv")], Assignment(), None)
    assert again.upload.outcome == Upload.Outcome.KNOWN
    assert len(unsent) == 1


def test_an_archive_that_waited_has_an_outcome_for_each_member(unsent):
    sent = zipped("a.zip", {"a.csv": bonnie_row().encode(), "b.txt": b"nothing"})
    (outcome,) = receive([sent], Assignment(), None)
    read_kept([outcome.upload])
    archive = Upload.objects.get(archive=None)
    assert (archive.pk, archive.outcome) == (outcome.upload.pk, Upload.Outcome.STORED)
    assert set(archive.members.values_list("name", "outcome")) == {
        ("a.zip/a.csv", "stored"),
        ("a.zip/b.txt", "refused"),
    }
    assert Artifact.objects.count() == 3


def test_the_files_of_a_request_are_read_together(unsent):
    sent = [fio_log(), fio(fio_job()), bonnie()]
    outcomes = receive(sent, Assignment(), None)
    assert [outcome.upload.name for outcome in outcomes] == [file.name for file in sent]
    assert {outcome.upload.outcome for outcome in outcomes} == {Upload.Outcome.WAITING}
    assert unsent == [(dispatch.READ_UPLOAD, outcomes[0].upload.pk)]
    tasks.read_upload(outcomes[0].upload.pk)
    assert set(Upload.objects.values_list("outcome", flat=True)) == {"stored"}
    assert Trace.objects.get().run.tool == "fio"


def test_what_is_small_only_as_long_as_it_is_packed_waits(unsent, monkeypatch):
    monkeypatch.setattr(uploads, "READ_AT_ONCE_BYTES", 2**20)
    sent = File("a.gz", gzip.compress(bytes(2**20) + bonnie_row().encode() * 9))
    assert len(sent.data) < 2**11
    little = File("b.gz", gzip.compress(bonnie_row().encode()))
    (outcome,) = receive([little], Assignment(), None)
    assert outcome.upload.outcome == Upload.Outcome.STORED
    (outcome,) = receive([sent], Assignment(), None)
    assert outcome.upload.outcome == Upload.Outcome.WAITING
    assert content_of(outcome.upload.artifact) == sent.data


def test_very_many_results_wait(unsent, monkeypatch):
    monkeypatch.setattr(uploads, "READ_AT_ONCE_BYTES", 2**20)
    monkeypatch.setattr(uploads, "READ_AT_ONCE_RESULTS", 2)
    rows = "".join(bonnie_row(write=n) for n in range(1, 4))
    (outcome,) = receive([File("a.csv", rows.encode())], Assignment(), None)
    assert outcome.upload.outcome == Upload.Outcome.WAITING and not Run.objects.exists()


def test_nobody_reads_what_another_worker_reads(unsent):
    (outcome,) = receive([bonnie()], Assignment(), None)
    Upload.objects.update(begun_at=timezone.now(), created_at=timezone.now() - timedelta(hours=1))
    tasks.read_upload(outcome.upload.pk)
    assert send_again() == 0 and not Run.objects.exists()
    Upload.objects.update(begun_at=timezone.now() - timedelta(hours=1))
    assert send_again() == 1
    tasks.read_upload(outcome.upload.pk)
    assert Run.objects.count() == 1


def test_a_file_that_ends_each_worker_is_refused_in_the_end(unsent):
    (outcome,) = receive([bonnie()], Assignment(), None)
    Upload.objects.update(attempts=3)
    tasks.read_upload(outcome.upload.pk)
    outcome.upload.refresh_from_db()
    assert outcome.upload.outcome == Upload.Outcome.REFUSED
    assert outcome.upload.sentence == uploads.BROKE_OFF


def test_a_file_that_takes_too_much_memory_takes_no_other_with_it(unsent):
    hungry = File("h.log", b"".join(b"%d, %d, 1, 0, 0\n" % (n, n) for n in range(900_000)))
    outcomes = receive([hungry, bonnie()], Assignment(), None)
    one, other = (outcome.upload for outcome in outcomes)
    for pk in (one.pk, one.pk, other.pk):
        with another_process("-c", LITTLE_MEMORY, str(pk)) as process:
            assert process.wait(PATIENCE_S) == 0
    one.refresh_from_db()
    other.refresh_from_db()
    assert (one.outcome, one.sentence) == (Upload.Outcome.REFUSED, uploads.TOO_MUCH_MEMORY)
    assert other.outcome == Upload.Outcome.STORED
    assert content_of(one.artifact) == hungry.data


def test_a_refused_file_that_is_not_small_is_read_again_by_a_worker(unsent):
    (outcome,) = receive([fio_log()], Assignment(), None)
    upload = outcome.upload
    tasks.read_upload(upload.pk)
    upload.refresh_from_db()
    assert upload.outcome == Upload.Outcome.REFUSED
    (owner,) = ingest([fio(fio_job())])[0].runs
    reassign(upload, Assignment(run=owner))
    assert upload.outcome == Upload.Outcome.WAITING
    tasks.read_upload(upload.pk)
    upload.refresh_from_db()
    assert upload.outcome == Upload.Outcome.STORED and Trace.objects.get().run == owner


def test_bytes_that_were_purged_and_are_sent_again_do_not_wait_for_ever(unsent):
    with_numbers, without = bonnie("a.csv"), File("b.txt", b"of no tool that is known")
    admin = User.objects.create_user("root")
    for file in (with_numbers, without):
        upload = ingest([file])[0].upload
        purge_bytes(upload, named=file.name, reason="A password.", by=admin)
    receive([with_numbers, without], Assignment(), None)
    while Upload.objects.filter(outcome=Upload.Outcome.WAITING).exists():
        assert unsent, "nobody reads what waits"
        tasks.read_upload(unsent.pop()[1])
    again = Upload.objects.order_by("pk").last()
    assert again.outcome == Upload.Outcome.REFUSED
    assert "An admin purged the bytes of this file" in again.sentence
    assert Run.objects.count() == 1
