"""The page on which people choose what they are told, and test it."""

from __future__ import annotations

import pytest
from django.core.management import call_command
from django.utils import timezone

from benchdash.notifications.models import Notification, Preference
from workers import tasks

pytestmark = pytest.mark.django_db
PAGE = "/profile/notifications/"
TICKED = {"on_ended": "on", "on_trouble": "on", "on_stalled": "on"}


@pytest.fixture
def operator(signed_in):
    return signed_in("operator", email="op@example.org")


def carried():
    """What a worker would send."""
    for pk in Notification.objects.filter(state="waiting").values_list("pk", flat=True):
        tasks.send_notification(pk)


def test_choices_are_kept_with_the_language_and_the_address_of_the_site(operator):
    sent = {"on_ended": "on", "url": "https://hooks.example.org/T0", "secret": "between us"}
    operator.post(PAGE, sent, headers={"accept-language": "ja"})
    found = Preference.objects.get()
    assert (found.on_ended, found.on_trouble, found.on_stalled) == (True, False, False)
    assert (found.language, found.site) == ("ja", "http://testserver/")
    assert found.opened_webhook() == {"url": sent["url"], "secret": "between us"}
    assert "hooks.example.org" not in found.webhook
    page = operator.get(PAGE)
    assert sent["url"] in page.text
    assert "between us" not in page.text


def test_a_secret_stays_until_it_is_forgotten_or_replaced(operator):
    url = {"url": "https://hooks.example.org/T0"}
    operator.post(PAGE, TICKED | url | {"secret": "one"})
    operator.post(PAGE, TICKED | url)
    assert Preference.objects.get().opened_webhook()["secret"] == "one"
    operator.post(PAGE, TICKED | url | {"secret": "two"})
    assert Preference.objects.get().opened_webhook()["secret"] == "two"
    operator.post(PAGE, TICKED | url | {"unsigned": "on"})
    assert Preference.objects.get().opened_webhook() == url
    operator.post(PAGE, TICKED)
    assert Preference.objects.get().webhook == ""


def test_a_new_choice_is_not_notified_of_what_is_over(operator):
    operator.post(PAGE, TICKED)
    before = Preference.objects.get().since
    operator.post(PAGE, TICKED)  # the same again
    assert Preference.objects.get().since == before
    operator.post(PAGE, {"on_ended": "on"})
    assert before < Preference.objects.get().since <= timezone.now()


def test_a_test_mail_shows_what_the_server_answered(operator, mailbox):
    answer = operator.post(PAGE, TICKED | {"by_mail": "on", "test": "mail"}, follow=True)
    assert f'hx-get="{PAGE}sent/"' in answer.text  # it is on its way
    carried()
    assert mailbox.mails[0]["To"] == "op@example.org"
    page = operator.get(f"{PAGE}sent/")
    assert "250 2.0.0 Ok: queued as MAIL1" in page.text
    assert "hx-get" not in page.text


def test_a_test_of_a_webhook_shows_what_the_server_answered_and_is_not_repeated(operator, hook):
    hook.status = 404
    operator.post(PAGE, TICKED | {"url": hook.url, "test": "webhook"})
    carried()
    page = operator.get(PAGE)
    assert "404 Not Found ok, noted" in page.text
    assert Notification.objects.get().state == "failed"


def test_a_test_without_a_way_to_send_it_is_stated(operator, mailbox):
    page = operator.post(PAGE, TICKED | {"test": "webhook"}, follow=True)
    assert "Enter an address to have a test sent there." in page.text
    page = operator.post(PAGE, TICKED | {"test": "mail"}, follow=True)
    assert "to have a test sent" in page.text
    assert not Notification.objects.exists()


def test_without_a_mail_server_the_page_says_who_sets_it_up(operator, settings):
    settings.EMAIL_HOST = ""
    assert "its operator must set EMAIL_URL or EMAIL_HOST" in operator.get(PAGE).text


def test_an_address_that_is_none_is_refused_beside_its_field(operator):
    page = operator.post(PAGE, TICKED | {"url": "ftp://example.org/"})
    assert "begins with https:// or http://" in page.text
    assert not Preference.objects.exists()


def test_nobody_sees_what_another_was_notified_of(operator, signed_in, mailbox):
    operator.post(PAGE, TICKED | {"by_mail": "on", "test": "mail"})
    assert "benchdash: a test" in operator.get(PAGE).text
    assert "benchdash: a test" not in signed_in("admin").get(PAGE).text


def test_a_key_that_is_changed_seals_webhooks_too(operator, settings, capsys):
    operator.post(PAGE, TICKED | {"url": "https://hooks.example.org/T0"})
    new = "bmV3IGtleSBvZiB0aGUgaG91c2UsIDMyIGJ5dGVzISE="
    settings.FIELD_ENCRYPTION_KEY = f"{new},{settings.FIELD_ENCRYPTION_KEY}"
    call_command("rotate_credentials")
    settings.FIELD_ENCRYPTION_KEY = new
    assert Preference.objects.get().opened_webhook() == {"url": "https://hooks.example.org/T0"}
