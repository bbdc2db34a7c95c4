"""The search of the pages, for scripts."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from benchdash.results.run_names import run_name
from tests.measured import a_configuration, a_run, named

pytestmark = pytest.mark.django_db


def test_what_was_found_says_its_kind_name_and_address(signed_in):
    run = named(a_run(label="nightly"))
    answer = signed_in("viewer").get("/api/v1/search/", {"q": "nightly"})
    one = {"id": run.pk, "name": run_name(run), "url": f"/api/v1/runs/{run.pk}/"}
    assert answer.json() == [{"kind": "runs", "found": [one], "more": False}]


@pytest.mark.parametrize("query", [{}, {"q": "x" * 201}, {"q": "\x00"}])
def test_a_question_has_words_and_an_end(signed_in, query):
    answer = signed_in("viewer").get("/api/v1/search/", query)
    assert answer.status_code == 400
    assert "q" in answer.json()["detail"] + str(answer.json())


@pytest.mark.parametrize("public", [True, False])
def test_visitors_search_where_reading_is_public(settings, public):
    settings.PUBLIC_READ = public
    answer = APIClient().get("/api/v1/search/", {"q": "fio"})
    assert answer.status_code == (200 if public else 401)


def test_the_filters_of_runs_narrow_it_by_the_same_names(signed_in):
    small = a_run(label="nightly", workload={"block_bytes": 4096})
    a_run(label="nightly", workload={"block_bytes": 8192})
    client = signed_in("viewer")
    for query in ("q=nightly&workload.block_bytes=4k", "workload.block_bytes=4096&tool=fio"):
        (group,) = client.get(f"/api/v1/search/?{query}").json()
        assert [one["id"] for one in group["found"]] == [small.pk]
    for query, name, meant in (
        ("q=nightly&tol=fio", "tol", "“tool”"),
        ("workload.block=4k", "workload.block", "“block_bytes”"),
        ("since=soon", "since", "“soon”"),
    ):
        answer = client.get(f"/api/v1/search/?{query}")
        assert answer.status_code == 400
        assert answer.json()["field"] == name
        assert meant in answer.json()["detail"]


def test_deleted_runs_are_found_by_those_who_may_restore_them(signed_in, settings):
    settings.PUBLIC_READ = True
    run = a_run(a_configuration("gone"), deleted_at="2026-01-01T00:00:00Z")
    contributor, viewer = signed_in("contributor"), signed_in("viewer")
    for hidden in ("state=deleted", "deleted=true"):
        answer = contributor.get(f"/api/v1/search/?{hidden}").json()
        assert {group["kind"] for group in answer} == {"runs", "configurations"}
        for reader in (APIClient(), viewer):
            assert reader.get(f"/api/v1/search/?{hidden}").json() == []
            assert reader.get(f"/api/v1/runs/?{hidden}").json()["results"] == []
            assert reader.get(f"/api/v1/runs/{run.pk}/").status_code == 404
