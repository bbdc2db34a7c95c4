"""The search of the pages, for scripts."""

from __future__ import annotations

import pytest
from rest_framework.test import APIClient

from benchdash.results.run_names import run_name
from tests.measured import a_run, named

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
