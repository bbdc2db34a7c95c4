"""From what happened to what arrives: each message is written down once, then sent, and sent again.

At most once: an attempt is written down before it is made. One that broke off in the middle may
have arrived, so it is not made again.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Iterator
from datetime import timedelta
from secrets import token_hex
from typing import Any

from django.utils import timezone, translation

from benchdash import dispatch
from benchdash.accounts.models import User
from benchdash.accounts.roles import Role, role_of
from benchdash.errors import N_, Refused
from benchdash.jobs.models import Plan
from benchdash.notifications import mail, news, webhooks, wording
from benchdash.notifications.models import Event, Notification, Preference

log = logging.getLogger(__name__)
State, Channel = Notification.State, Notification.Channel
# after the first attempt, the second …; then it has failed
BACK_OFF = tuple(timedelta(minutes=each) for each in (1, 5, 30, 120, 480))
_IN_THE_MIDDLE = timedelta(minutes=5)  # longer than any attempt takes
_KEEP_FOR = timedelta(days=90)
MOST_AT_ONCE = 50
BROKE_OFF = N_("The worker stopped while it was sending this: it may have arrived.")


def notify() -> None:
    """Write down what there is to send now, and send workers to what is due."""
    for plan in news.plans_to_look_at():
        write_down(plan)
    now = timezone.now()
    old = Notification.objects.filter(created_at__lt=now - _KEEP_FOR)
    old.exclude(plan__jobs__ended_at=None).delete()  # else it would be news once more
    Notification.objects.filter(state=State.SENDING, tried_at__lt=now - _IN_THE_MIDDLE).update(
        state=State.FAILED, answer=BROKE_OFF, next_at=None
    )
    due = Notification.objects.filter(state=State.WAITING, next_at__lte=now).order_by("next_at")
    for pk in due.values_list("pk", flat=True)[:MOST_AT_ONCE]:
        dispatch.send(dispatch.SEND_NOTIFICATION, pk)


def write_down(plan: Plan) -> None:
    """A row for each channel of whoever launched the plan, for all that was not sent before."""
    person = plan.launched_by
    if person is None or not _may_be_told(person):
        return
    preference = person.notification_preference
    sent = set(Notification.objects.filter(user=person, plan=plan).values_list("key", flat=True))
    new = [
        each
        for each in news.news_of(plan)
        if each.key not in sent and preference.wants(each.event) and each.at > preference.since
    ]
    channels = list(channels_of(preference))
    if not channels or not new:
        return
    with translation.override(preference.language):
        rows = [
            _row(person, channel, message, event=each.event, key=each.key, plan=plan)
            for each in new
            for message in [wording.about(plan, each, preference.site)]
            for channel in channels
        ]
    Notification.objects.bulk_create(rows, ignore_conflicts=True)  # another worker was quicker


def _may_be_told(person: User) -> bool:
    return person.is_active and role_of(person) >= Role.OPERATOR


def send_test(preference: Preference, channel: str) -> Notification:
    """Send a message by one channel; a worker does, so that what works here works at night."""
    with translation.override(preference.language):
        message = wording.test(preference.site)
    key = f"test {token_hex(8)}"
    row = _row(preference.user, channel, message, event=Event.TEST, key=key)
    row.save()
    dispatch.send(dispatch.SEND_NOTIFICATION, row.pk)
    return row


def channels_of(preference: Preference) -> Iterator[str]:
    """How the person is notified: by mail, by webhook, both or neither."""
    if preference.by_mail and preference.user.email and mail.is_set_up():
        yield Channel.MAIL
    if preference.webhook:
        yield Channel.WEBHOOK


def _row(person: User, channel: str, message: wording.Message, **what: Any) -> Notification:
    return Notification(
        **what,
        user=person,
        channel=channel,
        subject=message.subject,
        text=message.text,
        payload=message.payload,
    )


def attempt(pk: int) -> None:
    """Send one message, unless somebody else does or it is not its time."""
    now = timezone.now()
    mine = Notification.objects.filter(pk=pk, state=State.WAITING, next_at__lte=now)
    if not mine.update(state=State.SENDING, tried_at=now):
        return
    row = Notification.objects.select_related("user__notification_preference").get(pk=pk)
    row.attempts += 1
    if not _may_be_told(row.user):
        _ended(row, State.FAILED, N_("This account may no longer be notified of plans."))
        return
    try:
        ok, answer = _by_mail(row) if row.channel == Channel.MAIL else _by_webhook(row)
    except Refused as refused:  # what a person has to mend, and time does not
        _ended(row, State.FAILED, refused.sentence)
        return
    if ok:
        _ended(row, State.SENT, answer)
        return
    log.warning("notification %s was not sent by %s", pk, row.channel)
    tries = () if row.event == Event.TEST else BACK_OFF
    if row.attempts > len(tries):
        _ended(row, State.FAILED, answer)
    else:
        row.next_at = timezone.now() + tries[row.attempts - 1]
        row.state, row.answer = State.WAITING, answer
        row.save(update_fields=["state", "answer", "attempts", "next_at"])


def _by_mail(row: Notification) -> tuple[bool, str]:
    if not mail.is_set_up():
        raise Refused("This server sends no mail: its operator must set EMAIL_URL or EMAIL_HOST.")
    if not row.user.email:
        raise Refused("Your account has no mail address.")
    try:
        return True, mail.send(row.user.email, row.subject, row.text)
    except mail.TROUBLES as error:
        return False, mail.sentence_of(error)


def _by_webhook(row: Notification) -> tuple[bool, str]:
    webhook = row.user.notification_preference.opened_webhook()
    if not webhook:
        raise Refused("The webhook is no longer set up.")
    payload = row.payload | {"id": row.pk, "attempt": row.attempts}
    try:
        answer = webhooks.post(webhook["url"], payload, webhook.get("secret", ""))
    except webhooks.TROUBLES as error:
        return False, webhooks.sentence_of(error)
    return answer.ok, answer.sentence


def _ended(row: Notification, state: str, answer: str) -> None:
    row.state, row.answer, row.next_at = state, answer, None
    row.save(update_fields=["state", "answer", "attempts", "next_at"])


def newest(person: User, count: int) -> Iterable[Notification]:
    """What was sent to a person last."""
    return Notification.objects.filter(user=person).select_related("plan")[:count]


def is_on_its_way(rows: Iterable[Notification]) -> bool:
    """Whether one of these is to be sent within seconds."""
    soon = timezone.now() + timedelta(seconds=5)
    return any(
        row.state == State.SENDING
        or (row.state == State.WAITING and row.next_at is not None and row.next_at < soon)
        for row in rows
    )
