"""One pass of bonnie++ in two files, its table and its CSV line: it counts once."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.urls import reverse

from benchdash.results import run_actions
from benchdash.results.artifacts import content_of
from benchdash.results.assignment import Assignment
from benchdash.results.ingest import ingest
from benchdash.results.models import Artifact, Run
from benchdash.results.readings import File
from benchdash.results.reparse import reparse
from tests.measured import a_configuration
from tests.parsers.golden import SAMPLES
from tests.results.result_files import fio

pytestmark = pytest.mark.django_db

FOLDER = SAMPLES / "bonnie++"


def parted(name):
    """(table, CSV line) of a sample that has both."""
    lines = (FOLDER / name).read_text().splitlines(keepends=True)
    rows = [line for line in lines if line.count(",") > 20]
    assert len(rows) == 1
    return "".join(line for line in lines if line not in rows), rows[0]


def of_many_seeks(table, row):
    """Of a thousand seeks and more, the table of 1.03 prints whole ones."""
    return table.replace("178.8", " 1789"), row.replace("178.8", "1788.6")


PAIRS = {
    "2.00a -c 4": (
        (FOLDER / "local-2.00a-c4-table.txt").read_text(),
        (FOLDER / "local-2.00a-c4.csv").read_text(),
    ),
    "2.00a -s 0": (
        (FOLDER / "local-2.00a-s0-table.txt").read_text(),
        (FOLDER / "local-2.00a-s0.csv").read_text(),
    ),
    "2.00a": parted("local-2.00a-default.txt"),
    "2.00": parted("shape-2.00-table-and-csv.txt"),
    # of a thousand seeks and more, the table of 1.03 prints whole ones
    "1.03c": of_many_seeks(*parted("drbd-1.03c-condition-1.txt")),
}


@pytest.fixture(params=PAIRS.values(), ids=PAIRS)
def pair(request):
    """The two files that a person saved of one pass."""
    table, row = request.param
    return File("run1.txt", table.encode()), File("run1.csv", row.encode())


@pytest.fixture
def table_and_row():
    table, row = PAIRS["1.03c"]
    return File("run1.txt", table.encode()), File("run1.csv", row.encode())


def stored(file, **assignment):
    (run,) = ingest([file], Assignment(**assignment))[0].runs
    return run


def again(run):
    return Run.objects.get(pk=run.pk)


def counted():
    return set(Run.objects.filter(counted=True).values_list("pk", flat=True))


def changed(file, before, after):
    assert file.data.count(before) >= 1
    return File(f"2-{file.name}", file.data.replace(before, after))


def test_the_csv_line_after_the_table_is_the_same_result(pair):
    table, row = pair
    first, second = stored(table), stored(row)
    assert again(second).same_as_id == first.pk
    assert counted() == {first.pk}


def test_the_table_after_the_csv_line_is_the_same_result(pair):
    table, row = pair
    first, second = stored(row), stored(table)
    assert again(second).same_as_id == first.pk
    assert counted() == {first.pk}


@pytest.mark.parametrize("backwards", [False, True])
def test_of_both_in_one_upload_the_csv_line_counts(pair, backwards):
    outcomes = ingest(reversed(pair) if backwards else pair)
    runs = {run.format.partition("/")[2][:3]: run for one in outcomes for run in one.runs}
    assert runs["tab"].same_as_id == runs["csv"].pk
    assert counted() == {runs["csv"].pk}


def test_bytes_and_numbers_of_both_stay(pair):
    ingest(pair)
    assert {content_of(one) for one in Artifact.objects.all()} == {one.data for one in pair}
    assert Run.objects.exclude(measurements=None).count() == 2


def test_repeats_stay_two(table_and_row):
    table, row = table_and_row
    other_table, other_row = (changed(one, b"87962", b"87963") for one in (table, row))
    runs = [stored(one) for one in (table, row, other_row, other_table)]
    assert [again(run).same_as_id for run in runs] == [None, runs[0].pk, None, runs[2].pk]


@pytest.mark.parametrize("order", [(0, 1, 2), (1, 0, 2), (2, 0, 1)])
def test_two_csv_lines_that_one_table_could_be_of_stay_two(table_and_row, order):
    table, row = table_and_row
    files = table, row, changed(row, b"1788.6", b"1789.3")
    runs = [stored(files[each]) for each in order]
    assert [again(run).same_as_id for run in runs] == [None, runs[0].pk, None]


@pytest.mark.parametrize(
    ("before", "after"),
    [(b"xen01", b"xen02"), (b"16G", b"8G"), (b"87962", b"87961"), (b",83055,90", b",83055,91")],
)
def test_what_differs_in_anything_printed_is_another_result(table_and_row, before, after):
    table, row = table_and_row
    stored(table), stored(changed(row, before, after))
    assert len(counted()) == 2


def test_too_few_numbers_tell_no_two_results_apart():
    table, row = PAIRS["2.00a -s 0"]
    latencies = "15428us,4058us,8775us,92058us,74677us,64217us"
    assert latencies in row
    fast = row.replace("4355,38", "+++++,+++")
    fast_table = table.replace("8192  38", "+++++ +++")
    stored(File("t.txt", fast_table.encode())), stored(File("r.csv", fast.encode()))
    assert len(counted()) == 2


def test_the_same_table_once_more_is_the_same_result_too(table_and_row):
    table, row = table_and_row
    first = stored(row)
    stored(table)
    third = stored(File("copied.txt", b"\n# copied by hand\n\n" + table.data))
    assert again(third).same_as_id == first.pk


def test_a_label_that_a_person_gave_hides_no_machine(table_and_row):
    table, row = table_and_row
    first, second = stored(table, label="before"), stored(row, label="before")
    assert again(second).same_as_id == first.pk


def test_when_the_first_is_deleted_the_other_counts(pair):
    first, second = map(stored, pair)
    run_actions.delete([first.pk])
    assert counted() == {second.pk}
    run_actions.restore([first.pk])
    assert counted() == {second.pk} and again(first).same_as_id == second.pk


def test_one_that_was_deleted_before_comes_back_as_a_copy(pair):
    first = stored(pair[0])
    run_actions.delete([first.pk])
    second = stored(pair[1])
    assert counted() == {second.pk}
    run_actions.restore([first.pk])
    assert counted() == {second.pk}


@pytest.mark.parametrize("backwards", [False, True])
def test_reading_again_changes_nothing(pair, backwards):
    runs = [stored(one) for one in (reversed(pair) if backwards else pair)]
    before = list(Run.objects.order_by("pk").values_list("digest", "same_as", "counted"))
    for run in runs:
        changes = reparse(run.artifact_id)
        assert not (changes.numbers or changes.added or changes.withdrawn)
    assert list(Run.objects.order_by("pk").values_list("digest", "same_as", "counted")) == before


@pytest.mark.parametrize("backwards", [False, True])
def test_reading_again_finds_what_was_stored_as_two(pair, backwards):
    runs = [stored(one) for one in (reversed(pair) if backwards else pair)]
    Run.objects.filter(pk=runs[1].pk).update(digest="its own", same_as=None)
    assert len(counted()) == 2
    for run in runs:
        reparse(run.artifact_id)
    assert list(Run.objects.filter(counted=True)) == [runs[0 if backwards else 1]]
    assert "/csv-" in Run.objects.get(counted=True).format


def test_numbers_of_an_old_parser_are_replaced_although_the_digest_is_that_of_the_other(pair):
    _, second = map(stored, pair)
    numbers = second.measurements.filter(measure__metric="cpu")
    right = dict(numbers.values_list("measure", "value"))
    numbers.filter(measure=min(right)).update(value=77.0)
    changes = reparse(second.artifact_id)
    assert [len(changed) for changed in changes.numbers.values()] == [1]
    assert dict(numbers.values_list("measure", "value")) == right
    assert not reparse(second.artifact_id).numbers


def test_both_in_one_file_are_one_run_as_before():
    (outcome,) = ingest([File("both.txt", (FOLDER / "local-2.00a-default.txt").read_bytes())])
    assert [run.same_as_id for run in outcome.runs] == [None]


def test_one_file_with_both_and_then_each_of_them(pair):
    table, row = pair
    both = stored(File("both.txt", table.data + b"\n" + row.data))
    assert counted() == {both.pk}
    for one in pair:
        assert again(stored(one)).same_as_id == both.pk


def test_each_of_several_runs_finds_its_own():
    lines = (FOLDER / "shape-1.96-fast-two-runs.txt").read_text().splitlines(keepends=True)
    rows = [line for line in lines if line.startswith("1.96,")]
    tables = [line for line in lines if line not in rows]
    (first,) = ingest([File("runs.csv", "".join(rows).encode())])
    (second,) = ingest([File("runs.txt", "".join(tables).encode())])
    assert len(first.runs) == 2
    assert [run.same_as_id for run in second.runs] == [run.pk for run in first.runs]


def test_the_table_that_was_made_of_a_csv_line_is_a_third_form_of_it():
    made = File("made.txt", (FOLDER / "local-2.00a-csv2txt.txt").read_bytes())
    table, row = PAIRS["2.00a -c 4"]
    ingest([File("run1.csv", row.encode()), File("run1.txt", table.encode()), made])
    names = dict(Run.objects.filter(counted=True).values_list("label", "format"))
    assert names == {"conc4": "bonnie++/csv-1.98", "onlyfiles": "bonnie++/table-1.98"}


def test_a_person_says_that_it_was_measured_again(pair):
    first, second = map(stored, pair)
    run_actions.count_as_repeats([second.pk], repeats=True)
    assert counted() == {first.pk, second.pk}
    reparse(second.artifact_id)
    assert counted() == {first.pk, second.pk}


def test_the_page_says_why_and_which(pair, client):
    first, second = map(stored, pair)
    page = client.get(reverse("run", args=[second.pk])).content.decode()
    assert "prints a result twice, as a table and as a CSV line" in page
    assert reverse("run", args=[first.pk]) in page
    client.cookies["django_language"] = "ja"
    page = client.get(reverse("run", args=[second.pk])).content.decode()
    assert "表と CSV 行" in page


def queries_for(files):
    with CaptureQueriesContext(connection) as captured:
        ingest(files)
    return len(captured)


def test_many_pairs_cost_as_many_queries_as_one(table_and_row):
    def files(start, count):
        return [
            changed(one, b"87962", b"%d" % number)
            for number in range(start, start + count)
            for one in table_and_row
        ]

    ingest(files(71000, 1))
    rows = [one for one in files(72001, 1) if one.name.endswith("csv")]
    ingest(rows + [one for one in files(73001, 9) if one.name.endswith("csv")])
    one = [one for one in files(72001, 1) if one.name.endswith("txt")]
    nine = [one for one in files(73001, 9) if one.name.endswith("txt")]
    assert queries_for(one) == queries_for(nine)
    assert len(counted()) == 11


def test_other_tools_ask_for_nothing(table_and_row):
    def asked(files):
        with CaptureQueriesContext(connection) as captured:
            ingest(files)
        return [one for one in captured if "AND value IN" in one["sql"]]

    assert len(asked(table_and_row)) == 1
    assert not asked([fio("other.json")])


def test_of_another_configuration_too_it_is_the_same_result(pair):
    first = stored(pair[0], configuration=a_configuration("local"))
    second = stored(pair[1], configuration=a_configuration("mirror"))
    assert counted() == {first.pk} and again(second).same_as_id == first.pk
