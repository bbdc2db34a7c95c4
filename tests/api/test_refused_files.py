"""Refused files are put aside, and taken back, by scripts too."""

from __future__ import annotations

import pytest

from benchdash.results.artifacts import content_of
from benchdash.results.ingest import ingest
from benchdash.results.models import Upload
from benchdash.results.readings import File

pytestmark = pytest.mark.django_db


@pytest.fixture
def refused(db):
    return ingest([File("notes.txt", b"Nothing was measured here.\n")])[0].upload


def test_a_refused_file_is_put_aside_and_taken_back(contributor, refused):
    fields = {"uploads": [refused.pk], "reason": "A shopping list."}
    assert contributor.post("/api/v1/uploads/put-aside/", fields, format="json").json() == {
        "changed": 1
    }
    refused.refresh_from_db()
    assert contributor.get(f"/api/v1/uploads/{refused.pk}/").json()["put_aside"] == {
        "at": refused.put_aside_at.isoformat().replace("+00:00", "Z"),
        "by": "contributor",
        "reason": "A shopping list.",
    }
    assert content_of(refused.artifact) == b"Nothing was measured here.\n"
    back = contributor.post(
        "/api/v1/uploads/take-back/", {"uploads": [refused.pk]}, format="json"
    ).json()
    assert back == {"changed": 1}
    assert contributor.get(f"/api/v1/uploads/{refused.pk}/").json()["put_aside"] is None


@pytest.mark.parametrize("act", ["put-aside", "take-back"])
def test_viewers_may_not(signed_in, refused, act):
    answer = signed_in("viewer").post(
        f"/api/v1/uploads/{act}/", {"uploads": [refused.pk]}, format="json"
    )
    assert answer.status_code == 403
    assert not Upload.objects.exclude(put_aside_at=None).exists()


def test_a_reason_that_is_too_long_is_refused_with_its_field(contributor, refused):
    fields = {"uploads": [refused.pk], "reason": "x" * 301}
    answer = contributor.post("/api/v1/uploads/put-aside/", fields, format="json")
    assert answer.status_code == 400
    assert answer.json()["field"] == "reason"


def test_many_cost_as_many_queries_as_one(contributor, refused, django_assert_num_queries):
    more = ingest([File(f"{n}.txt", f"nothing {n}".encode()) for n in range(20)])
    contributor.get("/api/v1/runs/")  # notes the use of the token
    uploads = [refused.pk, *(outcome.upload.pk for outcome in more)]
    with django_assert_num_queries(2):  # token with person and groups, one update
        contributor.post("/api/v1/uploads/put-aside/", {"uploads": uploads}, format="json")
    assert Upload.objects.exclude(put_aside_at=None).count() == 21


@pytest.mark.parametrize("act", ["put-aside", "take-back"])
@pytest.mark.parametrize("number", [0, 2**63, 10**30])
def test_a_number_that_no_upload_has_is_refused(contributor, act, number):
    answer = contributor.post(f"/api/v1/uploads/{act}/", {"uploads": [number]}, format="json")
    assert answer.status_code == 400
    assert answer.json()["field"].startswith("uploads")
