"""Reading again: ids stay, numbers are brought up to date, nothing vanishes."""

from __future__ import annotations

import pytest
from django.core.management import call_command

from benchdash.results.doubts import note_doubts
from benchdash.results.ingest import ingest
from benchdash.results.models import Artifact, Measurement, Run, Trace, Upload
from benchdash.results.readings import File
from benchdash.results.reparse import reparse
from benchdash.vocabulary.doubts import Doubt
from tests.measured import a_configuration
from tests.results.result_files import bonnie, bonnie_row, fio, fio_job, pgbench

pytestmark = pytest.mark.django_db

THREE = "".join(bonnie_row(f"host-{n}", write=n) for n in (1000, 2000, 3000)).encode()


@pytest.fixture
def artifact():
    """Three results in one file."""
    return ingest([File("three.csv", THREE)])[0].upload.artifact_id


def numbers():
    rows = Measurement.objects.order_by("run", "measure")
    return list(rows.values_list("run", "measure", "value"))


def runs():
    return list(Run.objects.order_by("position").values_list("pk", "position", "label", "digest"))


def test_the_same_parser_changes_nothing(artifact):
    before = numbers(), runs()
    changes = reparse(artifact)
    assert not (changes.numbers or changes.added or changes.withdrawn)
    assert (numbers(), runs()) == before


def test_numbers_of_an_old_parser_are_replaced_and_reported(artifact):
    before = numbers()
    run = Run.objects.get(label="host-2000")
    wrong = run.measurements.filter(measure__operation="seq_write", measure__metric="throughput")
    wrong.update(value=1.0)
    run.measurements.filter(measure__metric="cpu").delete()
    Run.objects.filter(pk=run.pk).update(digest="old")
    changes = reparse(artifact)
    assert changes.numbers.keys() == {run.pk}
    reported = changes.numbers[run.pk]
    assert reported["seq_write", "throughput", "mean"] == (1.0, 2000 * 1024.0)
    assert reported["seq_write", "cpu", "mean"] == (None, 0.2)
    assert numbers() == before


def test_a_result_that_was_missed_before_is_added_where_the_others_belong(artifact):
    configuration = a_configuration("local")
    Run.objects.update(configuration=configuration)
    first = Run.objects.get(label="host-1000")
    first.delete()
    remaining = set(Run.objects.values_list("pk", flat=True))
    changes = reparse(artifact)
    added = Run.objects.get(pk=changes.added[0])
    assert (added.label, added.position) == ("host-1000", 0)
    assert added.configuration == configuration
    assert set(Run.objects.exclude(pk=added.pk).values_list("pk", flat=True)) == remaining


def test_a_result_that_vanished_is_withdrawn_and_keeps_its_address(artifact):
    ghost = Run.objects.get(label="host-3000")
    ghost.pk, ghost.position, ghost.digest, ghost.label = None, 3, "ghost", "ghost"
    ghost.lines = [99, 99]
    ghost._state.adding = True
    ghost.save()
    changes = reparse(artifact)
    assert changes.withdrawn == [ghost.pk]
    ghost.refresh_from_db()
    assert ghost.withdrawn_at and not ghost.counted
    assert reparse(artifact).withdrawn == []


def test_what_a_person_decided_stays(artifact):
    run = Run.objects.get(label="host-1000")
    Run.objects.filter(pk=run.pk).update(set_aside_reason="resyncing", parser_version=0)
    reparse(artifact)
    run.refresh_from_db()
    assert run.set_aside_reason == "resyncing" and run.parser_version > 0


def test_what_ran_beside_a_failure_and_counts_by_a_persons_word_goes_on_counting():
    ingest([fio(fio_job("r"), fio_job("w", 2000, error=28))])
    artifact = Artifact.objects.get()
    reparse(artifact.pk)
    beside = Run.objects.get(label="r")
    assert beside.set_aside_reason == "w ran beside it and failed."
    Run.objects.filter(pk=beside.pk).update(set_aside_reason="")
    reparse(artifact.pk)
    beside.refresh_from_db()
    assert beside.set_aside_reason == ""


def test_a_run_whose_numbers_turn_out_to_be_those_of_another_counts_no_more(artifact):
    ingest([bonnie("copy.csv", host="host-1000", write=1000)])
    copy = Run.objects.exclude(artifact=artifact).get()
    Run.objects.filter(pk=copy.pk).update(digest="old", same_as=None)
    reparse(copy.artifact_id)
    copy.refresh_from_db()
    assert copy.same_as == Run.objects.get(artifact=artifact, label="host-1000")


def test_the_copy_of_a_run_with_other_numbers_now_counts_itself(artifact):
    ingest([bonnie("copy.csv", host="host-1000", write=1000)])
    first, copy = Run.objects.filter(label="host-1000").order_by("pk")
    Run.objects.filter(pk__in=[first.pk, copy.pk]).update(digest="old")
    reparse(first.artifact_id)
    copy.refresh_from_db()
    assert copy.same_as is None and copy.counted


def test_traces_are_read_again_and_not_doubled():
    (outcome,) = ingest([pgbench()])
    before = set(Trace.objects.values_list("measure", "points", "seconds", "values"))
    assert before
    reparse(outcome.upload.artifact_id)
    assert set(Trace.objects.values_list("measure", "points", "seconds", "values")) == before


def test_the_command_says_what_changed(artifact, capsys):
    run = Run.objects.get(label="host-1000")
    run.measurements.filter(measure__operation="seq_write").update(value=1.0)
    Run.objects.filter(pk=run.pk).update(digest="old")
    call_command("reparse", run=[run.pk])
    reported = capsys.readouterr().out
    assert f"three.csv: run {run.pk}: " in reported
    assert "seq_write throughput mean 1 → 1.024e+06" in reported
    assert "1 files read again, 1 changed." in reported
    call_command("reparse", tool="dbench")
    assert "0 files read again" in capsys.readouterr().out


def test_the_command_takes_a_second_look_at_refused_files(capsys):
    ingest([bonnie()])
    Run.objects.all().delete()  # as if the parser of that day had refused it
    Upload.objects.update(outcome=Upload.Outcome.REFUSED, sentence="not read then")
    call_command("reparse", refused=True)
    assert "a.csv: stored" in capsys.readouterr().out
    upload = Upload.objects.get()
    assert (upload.outcome, upload.sentence) == ("stored", "")
    assert Run.objects.count() == Artifact.objects.count() == 1


def test_what_a_host_or_a_log_said_stays(artifact):
    run = Run.objects.get(label="host-2000")
    noted = {Doubt("clock", "100 s were printed, 20 s passed."), Doubt("trend", "It fell.")}
    note_doubts([run.pk], noted)
    run.doubts.create(kind="errors", sentence="Of a rule that is no more.")
    reparse(artifact)
    assert {(each.kind, each.sentence) for each in run.doubts.all()} == {each[:2] for each in noted}
