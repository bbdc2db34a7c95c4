"""`/api/v1/notifications/`: what a script chooses to be told, and tries out."""

from __future__ import annotations

import pytest

from benchdash.notifications import delivery
from benchdash.notifications.models import Notification, Preference

pytestmark = pytest.mark.django_db
URL = "/api/v1/notifications/"


@pytest.fixture
def operator(signed_in):
    client = signed_in("operator")
    client.person.email = "ann@example.org"
    client.person.save()
    return client


def change(client, **fields):
    return client.patch(URL, fields, format="json")


def test_what_is_proposed_is_changed_one_by_one_and_the_secret_is_never_shown(operator):
    proposed = operator.get(URL).json()
    assert (proposed["on_ended"], proposed["webhook_url"], proposed["sent"]) == (True, "", [])
    address = "https://hooks.example.org/x"
    chosen = change(operator, on_stalled=False, webhook_url=address, webhook_secret="between us")
    assert (chosen.status_code, "between us" in chosen.text) == (200, False)
    changed = {"on_stalled": False, "webhook_url": address, "webhook_signed": True}
    assert operator.get(URL).json() == proposed | changed | {"channels": ["webhook"]}
    stored = Preference.objects.get()
    assert stored.opened_webhook() == {"url": address, "secret": "between us"}
    assert stored.site == "http://testserver/"
    moved = change(operator, webhook_url="https://hooks.example.org/y").json()
    assert (moved["webhook_signed"], moved["on_stalled"]) == (True, False)
    assert not change(operator, webhook_secret="").json()["webhook_signed"]
    assert change(operator, webhook_url="").json()["channels"] == []


@pytest.mark.parametrize(
    ("fields", "wrong"),
    [
        ({"on_end": False}, "on_end"),
        ({"webhook_url": "ftp://example.org/"}, "webhook_url"),
        ({"webhook_secret": "alone"}, "webhook_secret"),
        ({"by_mail": True}, "by_mail"),  # no server is set up
    ],
)
def test_what_cannot_be_is_refused_and_nothing_is_kept(operator, fields, wrong):
    refused = change(operator, **fields)
    assert (refused.status_code, refused.json()["field"]) == (422, wrong)
    assert not Preference.objects.exists()


def test_each_channel_is_tried_out_and_says_what_the_server_answered(operator, mailbox, hook):
    for channel in ("mail", "webhook"):
        refused = operator.post(f"{URL}test/", {"channel": channel}, format="json")
        assert (refused.status_code, refused.json()["field"]) == (422, "channel")
    change(operator, by_mail=True, webhook_url=hook.url)
    for channel in ("mail", "webhook"):
        accepted = operator.post(f"{URL}test/", {"channel": channel}, format="json")
        assert (accepted.status_code, accepted.json()["state"]) == (202, "waiting")
        delivery.attempt(accepted.json()["id"])
    assert (len(mailbox.mails), len(hook.requests)) == (1, 1)
    sent = operator.get(URL).json()["sent"]
    assert [(one["channel"], one["state"]) for one in sent] == [
        ("webhook", "sent"),
        ("mail", "sent"),
    ]
    assert sent[0]["answer"].startswith("200 OK")


def test_only_those_who_launch_plans_are_notified_of_them(signed_in):
    contributor = signed_in("contributor")
    assert contributor.get(URL).status_code == 403
    assert change(contributor, on_ended=False).status_code == 403
    test = contributor.post(f"{URL}test/", {"channel": "mail"}, format="json")
    assert test.status_code == 403 and not Notification.objects.exists()
