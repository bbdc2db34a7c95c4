"""One question over everything finds records by any of their words, and as much as a role may see."""

from __future__ import annotations

import pytest

from benchdash.accounts.roles import Role
from benchdash.inventory.records import record_environment
from benchdash.results.models import Run, Study
from benchdash.results.search import SHOWN, search
from tests.measured import a_run
from tests.pages.house import build

pytestmark = pytest.mark.django_db


@pytest.fixture
def house(db):
    return build()


def found(text, role=Role.CONTRIBUTOR):
    return {group.kind: group.rows for group in search(text, role)}


def test_a_layer_is_found_by_its_kind_and_the_value_of_an_option(house):
    assert found("drbd C") == {"configurations": [house.mirror]}
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
