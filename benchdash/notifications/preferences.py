"""What a person chose to be notified of and where, as page and API read and change it."""

from __future__ import annotations

from collections.abc import Mapping

from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from benchdash.accounts.models import User
from benchdash.errors import Refused
from benchdash.jobs.credentials import sealed
from benchdash.notifications import delivery, mail
from benchdash.notifications.models import Notification, Preference
from benchdash.notifications.webhooks import check_address

EVENTS = ("on_ended", "on_trouble", "on_stalled")


def preference_of(person: User) -> Preference:
    """The stored one, else what is proposed."""
    found = Preference.objects.select_related("user").filter(user=person).first()
    return found or Preference(user=person, by_mail=bool(person.email))


def stored_webhook(preference: Preference) -> dict[str, str]:
    """`url` and `secret`; none where no key opens them."""
    try:
        return preference.opened_webhook()
    except Refused:
        return {}


def save(preference: Preference, site: str, *, is_new: bool = True) -> None:
    """Keep it; links lead to `site`. Who changes something (`is_new`) is not notified of what is over."""
    preference.language = get_language() or "en"
    preference.site = site
    if is_new:
        preference.since = timezone.now()
    preference.save()


def change(preference: Preference, values: Mapping[str, object], site: str) -> None:
    """Events, `by_mail`, `webhook_url` and `webhook_secret`, those that are named; an empty secret is none.

    Refused where mail cannot reach the person, or the webhook is no address or only a secret.
    """
    for name in (*EVENTS, "by_mail"):
        setattr(preference, name, values.get(name, getattr(preference, name)))
    if values.get("by_mail") and not mail.is_set_up():
        raise Refused(
            "This server sends no mail: its operator must set EMAIL_URL or EMAIL_HOST.", "by_mail"
        )
    if values.get("by_mail") and not preference.user.email:
        raise Refused("Your account has no mail address.", "by_mail")
    if {"webhook_url", "webhook_secret"} & values.keys():
        stored = stored_webhook(preference)
        url = str(values.get("webhook_url", stored.get("url", ""))).strip()
        secret = str(values.get("webhook_secret", stored.get("secret", "") if url else ""))
        if secret and not url:
            raise Refused(
                _("The secret signs what is sent to the webhook: enter its address too."),
                "webhook_secret",
            )
        if url:
            _check(url)
        preference.webhook = sealed({"url": url, "secret": secret}) if url else ""
    save(preference, site)


def _check(url: str) -> None:
    try:
        check_address(url)
    except Refused as refused:
        raise Refused(refused.sentence, "webhook_url") from None


def channels_chosen(preference: Preference) -> list[str]:
    """How the person is notified; not at all by what is only proposed."""
    return [*delivery.channels_of(preference)] if preference.site else []


def send_test(person: User, channel: str) -> Notification:
    """A test by one channel; Refused where the person did not choose it."""
    preference = preference_of(person)
    if channel not in channels_chosen(preference):
        raise Refused(
            "Notifications by {channel} are off: turn them on first.", "channel", channel=channel
        )
    return delivery.send_test(preference, channel)
