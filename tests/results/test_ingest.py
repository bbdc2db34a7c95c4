"""The one door in: what is stored, what was there, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

import benchdash.results
from benchdash.accounts.models import User
from benchdash.results.artifacts import content_of
from benchdash.results.assignment import Assignment
from benchdash.results.ingest import ingest
from benchdash.results.models import Artifact, Measurement, Run, Study, Upload
from benchdash.results.readings import File
from tests.measured import a_configuration, an_environment
from tests.results.result_files import bonnie, bonnie_row, zipped

DEMO = Path(benchdash.results.__file__).parent / "demo"
pytestmark = pytest.mark.django_db


def outcomes_of(outcomes):
    return [(outcome.upload.name, outcome.upload.outcome) for outcome in outcomes]


def test_a_file_becomes_a_run_with_its_numbers_where_it_belongs():
    assignment = Assignment(
        a_configuration("local"), an_environment("lab"), Study.objects.create(slug="s", title="S")
    )
    person = User.objects.create(username="ann")
    (outcome,) = ingest([bonnie(write=90_000)], assignment, person)
    run = Run.objects.get()
    assert outcome.upload.outcome == Upload.Outcome.STORED
    assert outcome.recognised == [("bonnie++", run.tool_version, run.format, 1)]
    assert (run.configuration, run.environment, run.study) == (
        assignment.configuration,
        assignment.environment,
        assignment.study,
    )
    assert run.created_by == person and run.counted and run.label == "host-a"
    assert run.workload.file_bytes == 16 * 2**30
    numbers = Measurement.objects.filter(run=run, measure__operation="seq_write")
    assert dict(numbers.values_list("measure__metric", "value")) == {
        "throughput": 90_000 * 1024.0,
        "cpu": 0.2,
    }
    assert [note["note"] for note in run.notes] == ["too fast to measure"] * 4


def test_bytes_stay_as_they_came():
    data = b"\xef\xbb\xbf" + bonnie_row().encode().replace(b"\n", b"\r\n")
    ingest([File("a.csv", data)])
    assert content_of(Artifact.objects.get()) == data


def test_the_same_bytes_again_are_answered_with_their_runs():
    (first,) = ingest([bonnie("a.csv")])
    (second,) = ingest([bonnie("b.csv")])
    assert outcomes_of([first, second]) == [("a.csv", "stored"), ("b.csv", "known")]
    assert [run.pk for run in second.runs] == [run.pk for run in first.runs]
    assert Run.objects.count() == Artifact.objects.count() == 1


def test_the_same_bytes_twice_in_one_request_are_stored_once():
    assert outcomes_of(ingest([bonnie("a.csv"), bonnie("b.csv")])) == [
        ("a.csv", "stored"),
        ("b.csv", "known"),
    ]
    assert Run.objects.count() == 1


def test_another_configuration_for_the_same_bytes_is_offered_and_changes_nothing():
    local, mirror = a_configuration("local"), a_configuration("mirror")
    ingest([bonnie()], Assignment(configuration=local))
    (again,) = ingest([bonnie()], Assignment(configuration=mirror))
    assert again.differs == ["configuration"]
    assert "“local”" in again.sentence and "reassign" in again.sentence
    assert Run.objects.get().configuration == local


def test_the_same_result_in_two_files_counts_once():
    ingest([bonnie("a.csv")])
    ingest([File("b.csv", b"# copied by hand\n" + bonnie_row().encode())])
    first, copy = Run.objects.order_by("pk")
    assert copy.same_as == first
    assert (first.counted, copy.counted) == (True, False)


def test_the_same_result_twice_in_one_file_counts_once():
    row = bonnie_row().encode()
    ingest([File("a.csv", row + bonnie_row(write=91_000).encode() + row)])
    runs = list(Run.objects.order_by("position"))
    assert [run.same_as for run in runs] == [None, None, runs[0]]
    assert [run.counted for run in runs] == [True, True, False]


def test_a_published_article_that_prints_its_results_twice_counts_them_once():
    published = sorted((DEMO / "2-drbd-between-ec2-zones").glob("*.txt"))
    article = "\n\n".join(path.read_text() for path in (*published, *published))
    (outcome,) = ingest([File("article.txt", article.encode())])
    assert [run.same_as in outcome.runs[:3] for run in outcome.runs] == [False] * 3 + [True] * 3
    assert Run.objects.filter(counted=True).count() == 3


def test_what_cannot_be_read_is_kept_with_the_reason():
    (outcome,) = ingest([File("readme.txt", b"bonnie++ and fio are tools\n")])
    assert outcome.upload.outcome == Upload.Outcome.REFUSED
    assert outcome.sentence == Upload.objects.get().sentence != ""
    assert content_of(Artifact.objects.get()) == b"bonnie++ and fio are tools\n"
    assert not Run.objects.exists()


def test_a_bad_file_takes_no_good_one_with_it():
    assert outcomes_of(ingest([File("bad.txt", b"\x00\x01"), bonnie("good.csv")])) == [
        ("bad.txt", "refused"),
        ("good.csv", "stored"),
    ]


def test_each_member_of_an_archive_has_an_outcome():
    sent = zipped("all.zip", {"x/a.csv": bonnie_row().encode(), "notes.txt": b"no result"})
    outcomes = ingest([sent])
    assert outcomes_of(outcomes) == [
        ("all.zip/x/a.csv", "stored"),
        ("all.zip/notes.txt", "refused"),
    ]
    assert {outcome.upload.archive.name for outcome in outcomes} == {"all.zip"}
    assert Artifact.objects.count() == 3


def test_a_damaged_archive_gives_what_came_before_the_damage_and_says_so():
    whole = zipped("all.zip", {"a.csv": bonnie_row().encode()}).data
    outcomes = ingest([File("all.zip", whole[: len(whole) // 2])])
    assert [outcome.upload.outcome for outcome in outcomes] == ["refused"]
    assert outcomes[0].sentence


def test_a_label_and_a_start_that_a_person_gives_win():
    two = bonnie_row("a").encode() + bonnie_row("b", write=91_000).encode()
    ingest([bonnie()], Assignment(label="third try"))
    ingest([File("two.csv", two)], Assignment(label="night"))
    assert set(Run.objects.values_list("label", flat=True)) == {
        "third try",
        "night: a",
        "night: b",
    }


@pytest.mark.parametrize("name", ["nul\x00.csv", "half \ud83d.csv", "x" * 2000, "", "表.csv"])
def test_any_file_name_can_be_stored(name):
    ingest([bonnie(name)])
    assert len(Upload.objects.get().name) <= 500


def test_a_label_of_any_length_and_script_can_be_stored():
    ingest([bonnie()], Assignment(label="<script>\x00" + "表" * 400))
    assert Run.objects.get().label == "<script>\ufffd" + "表" * 290 + "…"


def test_one_file_costs_few_queries(django_assert_max_num_queries):
    ingest([bonnie(write=1_000)])
    with django_assert_max_num_queries(11):
        ingest([bonnie(write=2_000)])


def test_a_hundred_files_cost_as_many_queries_as_one(django_assert_max_num_queries):
    ingest([bonnie(write=1_000)])
    with django_assert_max_num_queries(14):
        ingest([bonnie(f"{n}.csv", write=n) for n in range(2_000, 2_100)])
    assert Run.objects.count() == 101
