"""Studies and configurations are deleted and restored, as runs are."""

from __future__ import annotations

import pytest

from benchdash.inventory.records import record_configuration
from benchdash.results.models import Study
from benchdash.results.records import add_condition, write_study
from benchdash.vocabulary.storage.notation import parse
from tests.measured import a_run

pytestmark = pytest.mark.django_db


@pytest.fixture(params=["studies", "configurations"])
def kind(request):
    return request.param


@pytest.fixture
def address(kind):
    configuration = record_configuration("local", parse("ext3\ndisk"))
    study = write_study(Study(), title="Mirror or not?")
    add_condition(study, configuration, None)
    a_run(configuration, study=study)
    key = study.slug if kind == "studies" else configuration.pk
    return f"/api/v1/{kind}/{key}/"


def listed(client, kind, query=""):
    return [row["url"] for row in client.get(f"/api/v1/{kind}/{query}").json()["results"]]


def test_what_is_deleted_leaves_the_list_and_comes_back(contributor, kind, address):
    before = contributor.get(address).json()
    assert before["deleted_at"] is None
    assert contributor.delete(address).status_code == 204
    assert listed(contributor, kind) == []
    assert listed(contributor, kind, "?deleted=true") == [before["url"]]
    assert contributor.get(address).json()["deleted_at"]
    answer = contributor.post(f"{address}restore/")
    assert answer.status_code == 200
    assert answer.json() == before == contributor.get(address).json()
    assert listed(contributor, kind) == [before["url"]]
    assert listed(contributor, kind, "?deleted=true") == []


def test_viewers_delete_nothing(signed_in, kind, address):
    viewer = signed_in("viewer")
    assert viewer.delete(address).status_code == 403
    assert viewer.post(f"{address}restore/").status_code == 403
    assert listed(viewer, kind)


def test_what_is_deleted_cannot_be_named(contributor, kind, address):
    contributor.delete(address)
    named = {"studies": {"study": "Mirror or not?"}, "configurations": {"configuration": "local"}}
    run = a_run()
    answer = contributor.post(
        "/api/v1/runs/assign/", {"runs": [run.pk]} | named[kind], format="json"
    )
    assert answer.status_code == 422
    assert answer.json()["detail"].startswith("There is no ")


def test_a_filter_that_there_is_not_is_refused(contributor, kind):
    answer = contributor.get(f"/api/v1/{kind}/?delated=true")
    assert answer.status_code == 400
    assert "deleted" in answer.json()["detail"]
