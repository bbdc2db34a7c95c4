"""One question over everything finds records by any of their words, and as much as a role may see."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.utils import translation

from benchdash.accounts.roles import Role
from benchdash.inventory.records import record_environment
from benchdash.results.models import Run, Study
from benchdash.results.run_names import run_name
from benchdash.results.search import SHOWN, search
from tests.measured import a_configuration, a_run, an_environment, named
from tests.pages.house import build

pytestmark = pytest.mark.django_db


@pytest.fixture
def house(db):
    return build()


def found(text, role=Role.CONTRIBUTOR):
    return {group.kind: group.rows for group in search(text, role)}


def test_a_layer_is_found_by_its_kind_and_the_value_of_an_option(house):
    assert found("drbd C")["configurations"] == [house.mirror]
    assert found("protocol=c") == {"configurations": [house.mirror]}
    assert found("drbd protocol=A") == {}
    assert found("data=ordered")["configurations"] == [house.local]


def test_each_word_has_to_stand_somewhere(house):
    assert found("mirrored switch") == {"configurations": [house.mirror]}
    assert found("mirrored nowhere") == {}
    assert found("  ") == found("") == {}


def test_environments_are_found_by_names_machines_and_facts(house):
    other = record_environment({"node-a": {"hostname": "stor07", "model": "東芝"}}, {}, name="Lab")
    assert found("2.6.18")["environments"] == [house.environment]
    assert found("stor07") == {"environments": [other]}
    assert found("東芝") == {"environments": [other]}
    assert found("two pcs")["environments"] == [house.environment]


def test_studies_are_found_in_both_languages(house):
    Study.objects.update(translations={"ja": {"title": "二台のPC", "question": "代償は?"}})
    assert found("代償") == {"studies": [house.study]}
    assert found("mirror cost") == {"studies": [house.study]}


def test_runs_are_found_by_label_tool_version_number_and_file(house):
    run = a_run(label="nightly", tool="fio", tool_version="3.36")
    assert found("fio 3.3") == {"runs": [run]}
    assert found("night") == {"runs": [run]}
    assert run in found(str(run.pk))["runs"]
    assert found("condition-1")["runs"] == [house.run]


def test_deleted_runs_are_not_found(house):
    run = a_run(label="nightly")
    assert found("nightly") == {"runs": [run]}
    Run.objects.filter(pk=run.pk).update(deleted_at=run.created_at)
    assert found("nightly") == {}


def test_names_of_files_are_for_members_and_uploads_for_those_who_bring_them(house):
    assert found("notes/README") == {"uploads": [house.refused]}
    assert found("notes/README", Role.VIEWER) == {}
    assert found("condition-1", Role.VIEWER) == {"runs": [house.run]}
    assert found("condition-1", Role.VISITOR) == {}


def test_what_patterns_mean_elsewhere_is_text_here(house):
    for text in ("%", "_", "\\", "'", "a.*", "=", "9" * 40, "[[:alpha:]]"):
        assert house.run not in found(text).get("runs", []), text


def test_a_group_is_bounded_and_says_that_there_is_more(db):
    for _ in range(SHOWN + 1):
        a_run(label="many")
    (group,) = search("many", Role.VIEWER)
    assert (len(group.rows), group.more) == (SHOWN, True)
    assert group.rows[0].pk == Run.objects.latest("pk").pk


def test_the_number_of_queries_is_fixed(house, django_assert_num_queries):
    for _ in range(5):
        record_environment({"node-a": {"model": f"drbd {_}"}}, {}, name=f"drbd {_}")
    with django_assert_num_queries(6):  # one a kind, and the names of environments
        search("drbd", Role.CONTRIBUTOR)


RANDWRITE = {"pattern": "randwrite", "block_bytes": 4096, "queue_depth": 8, "jobs": 4}
OTHER = {"pattern": "randread", "block_bytes": 16384, "queue_depth": 32, "jobs": 1}
STARTED = datetime(2024, 11, 22, 8, 45, 30, tzinfo=UTC)


def of(workload, **columns):
    return a_run(workload=workload, **columns)


@pytest.mark.parametrize(
    "question",
    [
        *("randwrite 4 KiB", "4KiB", "4k randwrite", "QD 8", "qd8 4 jobs", "iodepth=8", "4 ジョブ"),
        *("node-a", "22 Nov 2024", "22 Nov 2024 08:45", "2024年11月22日", "randwrite, 4 KiB"),
    ],
)
def test_runs_are_found_by_the_words_of_their_names(db, question):
    lab = an_environment("lab", "node-a")
    run = of(RANDWRITE, environment=lab, started_at=STARTED)
    of(OTHER)
    assert found(question, Role.VISITOR)["runs"] == [run]


@pytest.mark.parametrize("language", ["en", "ja"])
@pytest.mark.parametrize(
    ("tool", "workload"),
    [
        ("fio", RANDWRITE),
        ("fio", {"pattern": "randrw", "read_fraction": 2 / 3, "block_bytes": 8192}),
        ("bonnie++", {"file_bytes": 16626221056, "concurrency": 4}),
        ("bonnie++", {"files": 8192}),
        ("dbench", {"clients": 8}),
        ("pgbench", {"clients": 4, "jobs": 2, "script": "TPC-B (sort of)", "scale": 100}),
        ("sysbench", {"pattern": "rndrw", "block_bytes": 16384, "read_fraction": 0.6, "jobs": 16}),
        ("rados", {"pattern": "write", "block_bytes": 4194304, "queue_depth": 16}),
    ],
)
def test_a_whole_name_finds_its_run_alone(db, tool, workload, language):
    run = of(workload, tool=tool, label="nightly", started_at=STARTED)
    stored = of(workload, tool=tool, label="weekly")
    of(OTHER, started_at=STARTED)
    for one in (run, stored):
        with translation.override(language):
            assert found(run_name(named(one)))["runs"] == [one], run_name(named(one))


@pytest.mark.parametrize("question", ["31 Feb 2024", "22 Xyz", "99:99", "30/70 99 Nov 25:00"])
def test_a_date_that_cannot_be_is_a_word(db, question):
    of(RANDWRITE)
    assert found(question) == {}


def test_a_configuration_that_a_name_has_for_a_place_finds_its_runs(db):
    run = a_run(a_configuration("mirror"), workload=RANDWRITE)
    assert found("randwrite mirror") == {"runs": [run]}


def test_a_search_takes_as_many_queries_for_many_as_for_one(db, django_assert_num_queries):
    for number in range(1, 4):
        of(RANDWRITE, label=f"n{number}", environment=an_environment(f"lab {number}", "node-a"))
        with django_assert_num_queries(5):
            names = [run_name(run) for run in found("randwrite 4 KiB QD 8")["runs"]]
        assert len(names) == number
