"""Wrong passwords: the delay grows, and locks out nobody but who sends them."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone

from benchdash.accounts import throttling
from benchdash.accounts.models import Attempts, User
from benchdash.accounts.throttling import FREE, FREE_OF_ADDRESS, LONGEST_S, UNDER_ATTACK
from workers.tasks import forget_attempts

pytestmark = pytest.mark.django_db
RIGHT = "correct horse battery"


@pytest.fixture
def ann():
    return User.objects.create_user("ann", password=RIGHT)


def at(address="10.0.0.1", client=None):
    """A browser at that address, a new one or one that was somewhere else before."""
    client = client or Client()
    client.defaults["REMOTE_ADDR"] = address
    return client


def sign_in(browser, name="ann", password="no"):
    return browser.post("/sign-in/", {"username": name, "password": password})


def exhaust(browser, name="ann"):
    for _ in range(FREE):
        assert sign_in(browser, name).status_code == 200


def let_time_pass(**delay):
    """As if every row had been written so much earlier, or later."""
    for row in Attempts.objects.all():
        row.waits_until -= timedelta(**delay)
        row.forgotten_at -= timedelta(**delay)
        row.save()


def test_who_tries_too_often_is_informed_how_long_to_wait(ann):
    browser = at()
    exhaust(browser)
    answer = sign_in(browser)
    assert answer.status_code == 429
    assert answer["Retry-After"] == "2"
    assert "Too many wrong passwords. Try again in 2 s." in answer.text
    assert 'value="ann"' in answer.text


def test_the_sentence_is_in_the_readers_language(ann):
    browser = at()
    browser.cookies["django_language"] = "ja"
    exhaust(browser)
    assert (
        "パスワードの間違いが多すぎます。2 秒後にもう一度お試しください。" in sign_in(browser).text
    )


def test_a_right_password_waits_too_and_comes_in_afterwards(ann):
    browser = at()
    exhaust(browser)
    assert sign_in(browser, password=RIGHT).status_code == 429
    let_time_pass(seconds=2)
    assert sign_in(browser, password=RIGHT).status_code == 302


def test_the_delay_doubles_up_to_its_cap(ann, monkeypatch):
    now = timezone.now()
    monkeypatch.setattr(timezone, "now", lambda: now)  # on a busy machine seconds pass meanwhile
    browser, waits = at(), []
    exhaust(browser)
    for _ in range(8):
        waits.append(int(sign_in(browser)["Retry-After"]))
        let_time_pass(seconds=waits[-1])
        assert sign_in(browser).status_code == 200
    assert waits == [2, 4, 8, 16, 32, LONGEST_S, LONGEST_S, LONGEST_S]


def test_who_only_waits_is_not_delayed_any_longer(ann):
    browser = at()
    exhaust(browser)
    let_time_pass(minutes=-1)
    before = list(Attempts.objects.order_by("key").values())
    for _ in range(20):
        assert sign_in(browser).status_code == 429
    assert list(Attempts.objects.order_by("key").values()) == before


def test_an_address_that_tries_many_names_waits_with_any_other(ann):
    for number in range(FREE_OF_ADDRESS):
        assert sign_in(at(), f"name {number}").status_code == 200
    assert sign_in(at(), "ann").status_code == 429
    assert sign_in(at("10.0.0.2"), "ann", RIGHT).status_code == 302


def test_addresses_of_one_ipv6_network_are_one(ann):
    for number in range(FREE):
        assert sign_in(at(f"2001:db8:1:2::{number}")).status_code == 200
    assert sign_in(at("2001:db8:1:2:ffff::1")).status_code == 429
    assert sign_in(at("2001:db8:1:3::1")).status_code == 200


@pytest.mark.parametrize(
    ("address", "network"),
    [
        ("10.0.0.1", "10.0.0.1"),
        ("::ffff:10.0.0.1", "10.0.0.1"),
        ("2001:db8:1:2:3::4", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
        ("unix:", "unix:"),
    ],
)
def test_an_address_counts_by_who_holds_it(address, network):
    assert throttling.network_of(address) == network


def test_known_and_unknown_names_answer_alike(ann):
    User.objects.create_user("eve", password=RIGHT, is_active=False)
    waits = {"ann": [], "nobody": [], "eve": []}
    for place, (name, answers) in enumerate(waits.items()):
        browser = at(f"10.0.1.{place}")
        for _ in range(FREE + 1):
            answer = sign_in(browser, name, RIGHT if name == "eve" else "no")
            text = answer.text.replace(f'value="{name}"', "")
            token = answer.context["csrf_token"]
            answers.append((answer.status_code, text.replace(str(token), "")))
    assert waits["ann"] == waits["nobody"] == waits["eve"]


def test_an_account_that_is_attacked_from_everywhere_lets_its_person_in_at_the_first_try(ann):
    for number in range(UNDER_ATTACK):
        assert sign_in(at(f"10.0.2.{number}")).status_code == 200
    attacker = at("10.0.3.1")
    assert sign_in(attacker).status_code == 200
    assert sign_in(attacker).status_code == 429  # after one try, no more five
    assert sign_in(at("10.0.4.1"), password=RIGHT).status_code == 302


def test_a_browser_that_signed_in_before_waits_for_nobody_at_its_address(ann):
    browser = at()
    sign_in(browser, password=RIGHT)
    browser.post("/sign-out/")
    exhaust(at())
    assert sign_in(at(), password=RIGHT).status_code == 429
    assert sign_in(browser, password=RIGHT).status_code == 302


def test_a_known_browser_has_no_more_tries_than_another_and_none_for_other_names(ann):
    User.objects.create_user("bob", password=RIGHT)
    browser = at()
    sign_in(browser, password=RIGHT)
    browser.post("/sign-out/")
    exhaust(browser)
    assert sign_in(browser).status_code == 429
    exhaust(at(), "bob")
    cookie = next(morsel for name, morsel in browser.cookies.items() if name.startswith("known-"))
    assert cookie["httponly"] and cookie["path"] == "/sign-in/"
    assert sign_in(browser, "bob", RIGHT).status_code == 429


def test_a_cookie_that_somebody_made_is_no_known_browser(ann):
    real = at("10.0.5.1")
    sign_in(real, password=RIGHT)
    name = next(name for name in real.cookies if name.startswith("known-"))
    exhaust(at())
    forger = at()
    forger.cookies[name] = "any:thing:else"
    assert sign_in(forger, password=RIGHT).status_code == 429


def test_signing_in_forgets_the_typing_errors_before_it_but_not_those_of_the_address(ann):
    for number in range(FREE_OF_ADDRESS - 2):
        sign_in(at(), f"name {number}")
    sign_in(at())
    assert sign_in(at(), password=RIGHT).status_code == 302
    assert sign_in(at()).status_code == 200
    assert sign_in(at()).status_code == 429


def test_rows_hold_no_name_and_are_forgotten_after_an_hour(ann):
    exhaust(at())
    exhaust(at("10.0.0.2"), "a password in the wrong field")
    assert Attempts.objects.count() == 6
    assert "ann" not in str(list(Attempts.objects.values()))
    forget_attempts()
    assert Attempts.objects.count() == 6
    let_time_pass(hours=1, seconds=1)
    assert sign_in(at()).status_code == 200
    assert set(Attempts.objects.values_list("failures", flat=True)) == {1, FREE}
    forget_attempts()
    assert not Attempts.objects.filter(forgotten_at__lt=timezone.now()).exists()
    assert Attempts.objects.count() == 3


def test_an_open_session_tells_its_finder_no_password(ann):
    browser = Client()
    browser.force_login(ann)
    form = {
        "old_password": "no",
        "new_password1": "another horse",
        "new_password2": "another horse",
    }
    for _ in range(FREE):
        assert browser.post("/profile/password/", form).status_code == 200
    answer = browser.post("/profile/password/", form | {"old_password": RIGHT})
    assert answer.status_code == 429
    assert "Too many wrong passwords. Try again in 2 s." in answer.text
    let_time_pass(seconds=2)
    assert browser.post("/profile/password/", form | {"old_password": RIGHT}).status_code == 302
    assert sign_in(at(), password="another horse").status_code == 302


def test_the_admins_own_sign_in_page_is_the_one_of_everyone():
    assert Client().post("/admin/login/", {"username": "a", "password": "b"}).status_code == 302


def test_a_password_is_hashed_anew_when_its_person_signs_in(ann, settings):
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
    ann.set_password(RIGHT)
    ann.save()
    assert "m=102400,t=2,p=8" in ann.password
    settings.PASSWORD_HASHERS = ["benchdash.accounts.hashers.Argon2"]
    assert sign_in(at(), password=RIGHT).status_code == 302
    ann.refresh_from_db()
    assert ann.password.startswith("argon2$argon2id$v=19$m=19456,t=2,p=1$")
    assert sign_in(at(), password=RIGHT).status_code == 302
