"""Error pages say what to do next."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import AnonymousUser
from django.core.exceptions import RequestDataTooBig
from django.test import Client, RequestFactory

from benchdash.pages import errors, home

pytestmark = pytest.mark.django_db


def test_an_address_that_is_not_there(house):
    answer = Client().get("/runs/987654/")
    assert answer.status_code == 404
    assert 'href="/"' in answer.text


def test_a_form_without_its_token_changes_nothing_and_says_why(signed_in):
    signed_in("viewer")
    careful = Client(enforce_csrf_checks=True)
    answer = careful.post("/theme/", {"theme": "dark"})
    assert answer.status_code == 403
    assert "cookies" in answer.text
    assert "theme" not in answer.cookies


def test_a_request_that_is_too_large_names_the_limit(settings):
    request = RequestFactory().post("/uploads/")
    request.user = AnonymousUser()
    settings.MAX_UPLOAD_BYTES = 5 * 2**20
    answer = errors.bad_request(request, RequestDataTooBig())
    assert answer.status_code == 413
    assert "the limit is 5 MiB" in answer.content.decode()


def test_a_bug_is_loud_for_us_and_kind_to_people(monkeypatch):
    def broken(_studies):
        raise ZeroDivisionError

    monkeypatch.setattr(home, "as_cards", broken)
    answer = Client(raise_request_exception=False).get("/")
    assert answer.status_code == 500
    assert "bug" in answer.text
    with pytest.raises(ZeroDivisionError):
        Client().get("/")


def test_the_page_for_a_bug_needs_no_database(django_assert_num_queries):
    with django_assert_num_queries(0):
        assert errors.failed(RequestFactory().get("/")).status_code == 500


@pytest.mark.parametrize(("language", "words"), [("en", "only accepts forms"), ("ja", "フォーム")])
def test_an_address_of_forms_alone_is_a_page_that_leads_on(signed_in, language, words):
    """Who reloads what a form was answered with, or switches the language there, comes by it."""
    answer = signed_in("viewer").get("/runs/filters/", headers={"accept-language": language})
    assert answer.status_code == 405
    assert answer["Allow"] == "POST"
    assert words in answer.text.split("<main")[1]
    assert 'href="/"' in answer.text


def test_scripts_that_ask_wrongly_get_no_page(signed_in):
    answer = signed_in("contributor").get("/api/v1/uploads/")
    assert answer.status_code == 405
    assert answer["Content-Type"] == "application/problem+json"
