"""Errors are RFC 9457 problem details, whatever went wrong."""

from __future__ import annotations

import pytest

from benchdash.results import run_actions

pytestmark = pytest.mark.django_db


def is_problem(answer, status):
    body = answer.json()
    return (
        answer.status_code == body["status"] == status
        and answer["Content-Type"] == "application/problem+json"
        and {"type", "title", "detail"} <= body.keys()
    )


def test_an_unknown_address_and_an_unknown_record(contributor):
    assert is_problem(contributor.get("/api/v1/nothing/"), 404)
    assert is_problem(contributor.post("/api/"), 404)
    assert is_problem(contributor.get("/api/v1/runs/999/"), 404)


@pytest.mark.parametrize(
    ("address", "words"),
    [
        ("nothing/", "/api/v1/nothing/ には"),
        ("runs/?format=xml", "「xml」"),
        ("runs/?page_size=all", "行数"),
        ("notifications/", "グループ"),
    ],
)
def test_errors_are_in_the_language_of_the_request(contributor, address, words):
    answer = contributor.get(f"/api/v1/{address}", headers={"accept-language": "ja"})
    assert words in answer.json()["detail"]


def test_a_method_that_is_not_offered(contributor):
    answer = contributor.delete("/api/v1/runs/")
    assert is_problem(answer, 405)
    assert "GET" in answer["Allow"]


def test_a_body_that_is_no_json(contributor):
    answer = contributor.generic("POST", "/api/v1/runs/delete/", b"{", "application/json")
    assert is_problem(answer, 400)


def test_fields_that_are_wrong_are_named(contributor):
    answer = contributor.post("/api/v1/runs/delete/", {"runs": ["x"]}, format="json")
    assert is_problem(answer, 400)
    assert answer.json()["field"] == "runs.0"


def test_a_body_in_a_format_that_is_not_read(contributor):
    assert is_problem(contributor.generic("POST", "/api/v1/uploads/", b"x", "text/csv"), 415)


def test_a_bug_is_loud_and_still_json(contributor, monkeypatch, caplog):
    def broken(**_arguments):
        raise RuntimeError("a bug")

    monkeypatch.setattr(run_actions, "delete", broken)
    contributor.raise_request_exception = False
    answer = contributor.post("/api/v1/runs/delete/", {"runs": [1]}, format="json")
    assert is_problem(answer, 500)
    assert "a bug" not in answer.json()["detail"]
    assert "a bug" in caplog.text
