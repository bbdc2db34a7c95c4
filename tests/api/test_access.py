"""Who may call what."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.utils import timezone
from rest_framework.test import APIClient

from benchdash.accounts.models import Token
from benchdash.results.models import Run
from tests.measured import a_run
from tests.results.result_files import bonnie

pytestmark = pytest.mark.django_db
ROLES = ["viewer", "contributor", "operator", "admin"]


def upload(client):
    return client.post(
        "/api/v1/uploads/",
        {"file": SimpleUploadedFile("a.csv", bonnie().data)},
        format="multipart",
    )


@pytest.mark.parametrize("role", ROLES)
def test_every_group_reads(signed_in, role):
    assert signed_in(role).get("/api/v1/runs/").status_code == 200


@pytest.mark.parametrize("role", ROLES)
def test_contributors_and_above_write(signed_in, role):
    expected = 403 if role == "viewer" else 201
    assert upload(signed_in(role)).status_code == expected
    assert Run.objects.count() == (expected == 201)


@pytest.mark.parametrize("act", ["assign", "set-aside", "repeats", "delete", "restore"])
def test_viewers_change_no_run(signed_in, act):
    run = a_run()
    answer = signed_in("viewer").post(f"/api/v1/runs/{act}/", {"runs": [run.pk]}, format="json")
    assert answer.status_code == 403
    assert "contributor" in answer.json()["detail"]


@pytest.mark.parametrize("public", [True, False])
def test_visitors_read_runs_where_reading_is_public_and_never_uploads(settings, public):
    settings.PUBLIC_READ = public
    run = a_run()
    visitor = APIClient()
    expected = 200 if public else 401
    assert visitor.get("/api/v1/runs/").status_code == expected
    assert visitor.get(f"/api/v1/runs/{run.pk}/").status_code == expected
    assert visitor.get("/api/v1/uploads/1/").status_code == 401
    assert upload(visitor).status_code == 401


def test_somebody_without_a_group_reads_as_much_as_a_visitor(signed_in, settings):
    settings.PUBLIC_READ = True
    client = signed_in()
    assert client.get("/api/v1/runs/").status_code == 200
    settings.PUBLIC_READ = False
    assert client.get("/api/v1/runs/").status_code == 403


def test_a_browser_session_needs_its_csrf_token(signed_in):
    person = signed_in("contributor").person
    browser = APIClient(enforce_csrf_checks=True)
    browser.force_login(person)
    assert upload(browser).status_code == 403
    assert "CSRF" in upload(browser).json()["detail"]


@pytest.mark.parametrize("header", ["Token wrong", "Token", "Token a b", "Token \xff\xfe"])
def test_a_wrong_token_is_a_problem_with_a_sentence(db, header):
    client = APIClient()
    client.credentials(HTTP_AUTHORIZATION=header)
    answer = client.get("/api/v1/runs/")
    assert answer.status_code == 401
    assert answer["Content-Type"] == "application/problem+json"
    assert answer["WWW-Authenticate"] == "Token"
    assert answer.json()["detail"]


def test_an_expired_token_and_one_of_a_person_who_left_are_refused(
    signed_in, django_assert_num_queries
):
    client = signed_in("viewer")
    now = timezone.now()
    Token.objects.update(expiry=now)
    with django_assert_num_queries(1):  # a second look could find the token gone
        answer = client.get("/api/v1/runs/")
    assert (answer.status_code, answer.json()["detail"]) == (
        401,
        f"This token expired on {now:%Y-%m-%d}.",
    )
    Token.objects.update(expiry=None)
    client.person.is_active = False
    client.person.save()
    assert client.get("/api/v1/runs/").status_code == 401


def test_the_last_use_of_a_token_is_noted_once_a_minute(signed_in, django_assert_num_queries):
    client = signed_in("viewer")
    client.get("/api/v1/runs/")
    noted = Token.objects.get().last_used_at
    assert noted is not None
    with django_assert_num_queries(2):  # token with person and groups, runs
        client.get("/api/v1/runs/")
    assert Token.objects.get().last_used_at == noted
    Token.objects.update(last_used_at=noted - timezone.timedelta(minutes=2))
    client.get("/api/v1/runs/")
    assert Token.objects.get().last_used_at >= noted
