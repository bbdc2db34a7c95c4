"""Signing in, tokens, units, the theme."""

from __future__ import annotations

import pytest
from django.contrib.auth.models import Group
from django.test import Client

from benchdash.accounts.models import Token, User
from benchdash.accounts.roles import GROUPS

pytestmark = pytest.mark.django_db


def test_the_four_groups_are_there_from_the_start():
    assert set(Group.objects.values_list("name", flat=True)) >= set(GROUPS)


def test_signing_in_leads_back_to_where_one_wanted_to_go():
    User.objects.create_user("ann", password="correct horse battery")
    form = {"username": "ann", "password": "correct horse battery", "next": "/runs/"}
    assert Client().post("/sign-in/", form).url == "/runs/"
    assert Client().post("/sign-in/", form | {"next": "https://example.org/"}).url == "/"


def test_a_wrong_password_keeps_the_name_that_was_typed():
    answer = Client().post("/sign-in/", {"username": "ann", "password": "no"})
    assert 'value="ann"' in answer.text


def test_a_token_is_shown_once_and_works_until_it_is_revoked(contributor):
    answer = contributor.post("/profile/tokens/", {"name": "storage host"})
    secret = answer.context["secret"]
    assert answer.text.count(secret) == 2  # by itself, and in the curl line
    assert secret not in contributor.get("/profile/").text
    script = Client(headers={"authorization": f"Token {secret}"})
    assert script.get("/api/v1/runs/").status_code == 200
    assert Token.objects.get().last_used_at is not None
    contributor.post("/profile/tokens/revoke/", {"name": "storage host"})
    assert script.get("/api/v1/runs/").status_code == 401


def test_two_tokens_of_a_person_have_two_names(contributor):
    contributor.post("/profile/tokens/", {"name": "host"})
    answer = contributor.post("/profile/tokens/", {"name": "host"})
    assert "You already have a token with this name." in answer.text
    assert 'value="host"' in answer.text
    assert Token.objects.count() == 1


def test_nobody_revokes_the_token_of_somebody_else(contributor, signed_in):
    contributor.post("/profile/tokens/", {"name": "host"})
    signed_in("admin").post("/profile/tokens/revoke/", {"name": "host"})
    assert Token.objects.count() == 1


def test_a_token_is_kept_in_no_cache(contributor):
    answer = contributor.post("/profile/tokens/", {"name": "host"})
    assert "no-store" in answer["Cache-Control"]


def test_people_choose_their_units(house, contributor):
    address = f"/runs/{house.run.pk}/"
    assert "90.1 MB/s" in contributor.get(address).text
    contributor.post("/profile/", {"units": "1", "binary_units": "on"})
    assert "85.9 MiB/s" in contributor.get(address).text


def test_the_theme_stays_in_the_browser():
    browser = Client()
    answer = browser.post("/theme/", {"theme": "dark", "next": "/sign-in/"})
    assert answer.url == "/sign-in/"
    assert 'data-theme="dark"' in browser.get("/sign-in/").text
    browser.post("/theme/", {"theme": "neon"})
    assert 'data-theme="dark"' in browser.get("/sign-in/").text


def test_a_form_never_leads_to_another_site():
    assert Client().post("/theme/", {"theme": "dark", "next": "//example.org/"}).url == "/"


@pytest.mark.parametrize(
    ("language", "own", "needed", "chosen"),
    [("en", "Contributor", "Operator", "Viewer"), ("ja", "編集者", "オペレーター", "閲覧者")],
)
def test_groups_have_titles_in_the_readers_language(signed_in, language, own, needed, chosen):
    contributor, admin = signed_in("contributor"), signed_in("admin", is_staff=True)
    headers = {"accept-language": language}
    assert (
        f'<span class="badge accent">{own}</span>'
        in contributor.get("/profile/", headers=headers).text
    )
    refused = contributor.get("/plans/new/", headers=headers)
    assert refused.status_code == 403 and needed in refused.text and "operator" not in refused.text
    people = admin.get("/admin/accounts/user/", headers=headers).text
    assert f">{own}</td>" in people
    person = User.objects.get(username="contributor")
    form = admin.get(f"/admin/accounts/user/{person.pk}/change/", headers=headers).text
    assert f">{chosen}</option>" in form
