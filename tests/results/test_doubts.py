"""Doubts of stored runs: found with them, found anew, never lost, dismissed with a name."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import translation

from benchdash.accounts.models import User
from benchdash.errors import Refused
from benchdash.inventory.records import record_configuration, record_environment
from benchdash.results.assignment import Assignment
from benchdash.results.dismissals import dismiss, doubts_of_samples, take_back
from benchdash.results.doubts import DOUBTED, doubts_of, note_doubts
from benchdash.results.ingest import ingest
from benchdash.results.language import in_language
from benchdash.results.models import Doubt, Run
from benchdash.results.readings import File
from benchdash.results.reparse import reparse
from benchdash.results.run_actions import assign
from benchdash.vocabulary.doubts import Doubt as Found
from benchdash.vocabulary.storage.notation import parse
from tests.measured import a_run
from tests.parsers.golden import SAMPLES
from tests.results.result_files import bonnie, bonnie_row, fio, fio_job

pytestmark = pytest.mark.django_db
MIRROR = "ext3\ndrbd protocol=C\n- disk\n- disk @node-b"
FAST = 200_000  # KiB/s of 16 GiB, beyond a link of 1 Gbit/s
TOO_FAST = "Sequential write: 205 MB/s exceeds the 125 MB/s that the replication link can carry."
CACHED = "16 GiB of files is less than twice the 16 GiB of memory, and direct I/O was not used."


@pytest.fixture
def mirrored(db):
    return record_configuration("DRBD C", parse(MIRROR))


@pytest.fixture
def gigabit(db):
    machine = {"model": "R740", "memory_bytes": "16G"}
    return record_environment({"node-a": machine, "node-b": machine}, {"speed_bps": "1G"})


@pytest.fixture
def somebody(db):
    return User.objects.create_user("mika")


def stored(**files):
    (outcome,) = ingest([bonnie(**files)])
    return outcome.runs[0]


def sentences(run, **where):
    return set(Doubt.objects.filter(run=run, **where).values_list("sentence", flat=True))


def test_what_is_stored_brings_its_doubts(mirrored, gigabit):
    own = Assignment(configuration=mirrored, environment=gigabit)
    (outcome,) = ingest([bonnie(write=FAST)], own)
    found = Doubt.objects.get(kind="too_fast")
    assert (found.run, found.sentence) == (outcome.runs[0], TOO_FAST)
    assert found.operations == ["seq_write"]
    cached = Doubt.objects.get(kind="cached")
    assert cached.sentence == CACHED
    assert "seq_create" not in cached.operations


def test_a_run_without_a_doubt_costs_no_statement():
    # measures and workloads are known by then
    ingest([fio(fio_job(bandwidth=999))])
    with CaptureQueriesContext(connection) as queries:
        ingest([fio(fio_job(bandwidth=998))])
    assert not Doubt.objects.exists()
    assert not [each for each in queries if "doubt" in each["sql"]]


def test_a_run_that_is_assigned_is_judged_by_its_place(mirrored, gigabit):
    run = stored(write=FAST)
    assert not sentences(run, kind__in=("too_fast", "cached"))
    assign([run.pk], Assignment(configuration=mirrored, environment=gigabit))
    assert sentences(run, kind__in=("too_fast", "cached")) == {TOO_FAST, CACHED}
    local = record_configuration("Local", parse("ext3\ndisk"))
    assign([run.pk], Assignment(configuration=local))
    assert sentences(run, kind__in=("too_fast", "cached")) == {CACHED}


def test_many_runs_are_judged_by_as_many_queries_as_one(mirrored, gigabit):
    runs = [stored(name=f"{n}.csv", write=FAST + n).pk for n in range(12)]
    place = Assignment(configuration=mirrored, environment=gigabit)
    counts = []
    for some in (runs[:1], runs[1:]):
        with CaptureQueriesContext(connection) as queries:
            assign(some, place)
        counts.append(len(queries))
    assert counts[0] == counts[1]
    assert Doubt.objects.filter(kind="too_fast").count() == 12


def test_reading_again_keeps_what_holds_and_what_a_person_dismissed(somebody):
    run = stored(name="short.csv", read=20_000_000)
    short = Doubt.objects.get(run=run, kind="short")
    other = Doubt.objects.create(run=run, kind="errors", sentence="12 errors.")
    dismissed = Doubt.objects.create(run=run, kind="errors", sentence="13 errors.")
    dismiss(Doubt.objects.filter(pk=dismissed.pk), "of the parser", somebody)
    own = Doubt.objects.create(run=run, kind="load", sentence="The load was 9.")
    reparse(run.artifact_id)
    remaining = set(Doubt.objects.filter(run=run).values_list("pk", flat=True))
    assert remaining == {short.pk, dismissed.pk, own.pk}
    assert other.pk not in remaining


def test_what_a_parser_doubts_is_kept_with_the_run():
    """A line of CSV that ends without a newline, in a figure that may have had more digits."""
    cut = bonnie_row().rstrip("\n").encode()
    (outcome,) = ingest([File("cut.csv", cut)])
    (whole,) = ingest([File("whole.csv", bonnie_row(write=91_000).encode())])
    kinds = Doubt.objects.filter(kind="output").values_list("run", flat=True)
    assert set(kinds) == {run.pk for run in outcome.runs}
    assert whole.runs


def test_a_file_that_breaks_off_brings_doubted_runs():
    text = (SAMPLES / "fio/local-3.33-snapshots-json.txt").read_text()
    (outcome,) = ingest([File("half.json", text[: len(text) * 9 // 10].encode())])
    assert outcome.sentence
    (run,) = outcome.runs
    assert Run.objects.filter(DOUBTED, pk=run.pk).exists()
    (sentence,) = sentences(run, kind="output")
    assert sentence.startswith("The output is incomplete: fio JSON ends too early at line ")


def test_a_dismissed_doubt_stays_with_reason_and_name(somebody):
    run = stored()
    doubt = Doubt.objects.create(run=run, kind="load", sentence="The load was 9.")
    with pytest.raises(Refused) as refused:
        dismiss(Doubt.objects.filter(pk=doubt.pk), "  ", somebody)
    assert refused.value.field == "reason"
    assert dismiss(Doubt.objects.filter(pk=doubt.pk), "a backup of another disk", somebody) == 1
    assert dismiss(Doubt.objects.filter(pk=doubt.pk), "again", somebody) == 0
    somebody.delete()
    doubt.refresh_from_db()
    assert (doubt.dismissed_by, doubt.dismissed_by_name) == (None, "mika")
    assert doubt.dismissed_reason == "a backup of another disk"
    assert doubt.dismissed_at is not None


def test_a_dismissal_that_is_taken_back_stays_with_both_names(somebody):
    run = stored()
    doubt = Doubt.objects.create(run=run, kind="load", sentence="The load was 9.")
    this = Doubt.objects.filter(pk=doubt.pk)
    assert take_back(this, somebody) == 0
    dismiss(this, "a backup", somebody)
    when = Doubt.objects.get(pk=doubt.pk).dismissed_at
    other = User.objects.create_user("noa")
    assert take_back(this, other) == 1
    assert Run.objects.filter(DOUBTED, pk=run.pk).exists()
    dismiss(this, "a backup, really", other)
    assert take_back(this, somebody) == 1
    doubt.refresh_from_db()
    dismissal = (doubt.dismissed_at, doubt.dismissed_by, doubt.dismissed_by_name)
    assert (*dismissal, doubt.dismissed_reason) == (None, None, "", "")
    other.delete()
    first, second = doubt.past_dismissals.all()
    assert (first.dismissed_reason, first.dismissed_by_name, first.taken_back_by_name) == (
        "a backup",
        "mika",
        "noa",
    )
    assert first.dismissed_at == when < first.taken_back_at < second.dismissed_at
    assert (second.dismissed_by_name, second.taken_back_by_name) == ("noa", "mika")


def test_doubts_of_runs_are_dismissed_with_those_of_their_samples_in_as_many_queries(somebody):
    def doubted_sample():
        first = a_run()
        beside = a_run(sample=first.sample)
        note_doubts([first.pk, beside.pk], [Found("load", "The load was 9.")])
        note_doubts([beside.pk], [Found("short", "Too short.", ("seq_stat",))])
        return first.pk

    counts = []
    for number in (1, 12):
        runs = [doubted_sample() for _ in range(number)]
        with CaptureQueriesContext(connection) as queries:
            assert dismiss(doubts_of_samples(runs, "load"), "a backup", somebody) == 2 * number
            assert take_back(doubts_of_samples(runs), somebody) == 2 * number
            assert dismiss(doubts_of_samples(runs), "all of it", somebody) == 3 * number
        counts.append(len(queries))
    assert counts[0] == counts[1]
    sound = a_run()
    note_doubts([sound.pk], [Found("load", "The load was 9.")])
    assert dismiss(doubts_of_samples([]), "nothing", somebody) == 0
    assert Doubt.objects.filter(dismissed_at=None).get().run == sound


def test_a_run_is_doubted_while_a_doubt_about_all_of_it_stands(somebody):
    whole, part, sound = (a_run(), a_run(), a_run())
    note_doubts([whole.pk], [Found("load", "The load was 9."), Found("load", "The load was 9.")])
    note_doubts([part.pk], [Found("short", "Too short.", ("seq_stat",))])
    assert [run.pk for run in Run.objects.filter(DOUBTED)] == [whole.pk]
    with CaptureQueriesContext(connection) as queries:
        found = doubts_of([whole.pk, part.pk, sound.pk])
    assert len(queries) == 1
    assert found == {
        whole.pk: [Found("load", "The load was 9.")],
        part.pk: [Found("short", "Too short.", ("seq_stat",))],
    }
    dismiss(Doubt.objects.all(), "it was not", somebody)
    assert not Run.objects.filter(DOUBTED).exists()
    assert doubts_of([whole.pk]) == {}


def test_what_is_noted_twice_stands_once():
    run = a_run()
    for _ in range(2):
        note_doubts([run.pk], [Found("drbd", "drbd0 is not connected: Timeout.")])
    assert Doubt.objects.count() == 1


def test_doubts_are_read_in_the_readers_language(mirrored, gigabit):
    own = Assignment(configuration=mirrored, environment=gigabit)
    ingest([bonnie(write=FAST)], own)
    sentence = Doubt.objects.get(kind="too_fast").sentence
    with translation.override("ja"):
        shown = in_language(sentence)
    assert "205 MB/s" in shown
    assert "can carry" not in shown
    assert "replication link" not in shown
