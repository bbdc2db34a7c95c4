"""From an event to what a mail server and a web server have in hand."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from django.utils import timezone

from benchdash.errors import N_
from benchdash.jobs import job_states
from benchdash.jobs.models import Job
from benchdash.notifications import delivery
from benchdash.notifications.models import Notification
from benchdash.notifications.wording import Count, count_cells
from benchdash.results.models import Doubt
from tests.jobs.records import a_job, a_plan
from tests.measured import a_run
from workers import tasks

pytestmark = [pytest.mark.django_db, pytest.mark.database]
S = Job.State


@pytest.fixture
def ended(operator):
    """A plan of four cells: two done, one of them doubted, one failed, one cancelled."""
    plan = a_plan(title="A night\nof fio", launched_at=timezone.now(), launched_by=operator)
    a_job(S.DONE, plan=plan, cell=1)
    doubted = a_job(S.DONE, plan=plan, cell=2)
    run = a_run()
    doubted.steps.filter(tool="fio").update(artifact=run.artifact)
    Doubt.objects.create(run=run, kind="busy_host", sentence="The host was busy.")
    failed = a_job(S.PREPARING, plan=plan, cell=3)
    job_states.move(failed, S.FAILED, N_("{host} has no fio.", host="store-a"))
    job_states.move(a_job(S.QUEUED, plan=plan, cell=4), S.CANCELLED)
    return plan


def sent():
    """Everything that is due, as workers would send it."""
    tasks.notify()
    for pk in Notification.objects.filter(state="waiting").values_list("pk", flat=True):
        tasks.send_notification(pk)
    return list(Notification.objects.order_by("pk"))


def due_again():
    Notification.objects.filter(state="waiting").update(next_at=timezone.now())


def test_a_mail_says_numbers_reasons_and_where(ended, prefers, mailbox):
    prefers(by_mail=True)
    (row,) = sent()
    assert (row.state, row.answer) == ("sent", "250 2.0.0 Ok: queued as MAIL1")
    (mail,) = mailbox.mails
    assert mail["To"] == "ann@example.org"
    assert mail["Auto-Submitted"] == "auto-generated"
    numbers = "2 of 4 cells done, 1 failed, 1 cancelled, 1 doubted"
    assert mail["Subject"] == f"benchdash: A night of fio: {numbers}"
    text = mail.get_content().replace("\r\n", "\n")
    assert text.startswith(f"The plan has ended.\n{numbers}.\n")
    assert "store-a has no fio." in text
    assert f"https://bench.example/plans/{ended.pk}/" in text


def test_a_webhook_has_the_same_as_json(ended, prefers, hook):
    prefers(hook.url, "between us")
    (row,) = sent()
    assert (row.state, row.answer) == ("sent", "200 OK ok, noted")
    body = json.loads(hook.requests[0][2])
    assert body["cells"] == {"cells": 4, "done": 2, "failed": 1, "cancelled": 1, "doubted": 1}
    assert body["plan"]["url"] == f"https://bench.example/plans/{ended.pk}/"
    assert body["failures"][0]["reason"] == "store-a has no fio."
    assert (body["event"], body["id"], body["attempt"]) == ("ended", row.pk, 1)


def test_a_cell_is_done_once_it_is_in_every_round(ended):
    ended.cell_count, ended.rounds_planned, ended.to_make = 4, 2, 4
    assert count_cells(ended) == Count(cells=4, done=0, failed=1, cancelled=1, doubted=1)
    ended.stopped_at = timezone.now()
    assert count_cells(ended) == Count(cells=4, done=0, failed=1, cancelled=3, doubted=1)


def test_whoever_lost_the_right_is_told_nothing_more(ended, prefers, hook):
    hook.status = 503
    prefers(hook.url)
    (row,) = sent()
    row.user.groups.clear()
    due_again()
    (row,) = sent()
    assert (row.state, len(hook.requests)) == ("failed", 1)


def test_what_was_sent_of_a_plan_that_goes_on_is_kept(ended, prefers, mailbox):
    prefers(by_mail=True)
    sent()
    Notification.objects.update(created_at=timezone.now() - timedelta(days=91))
    job = ended.jobs.first()
    ended.jobs.filter(pk=job.pk).update(ended_at=None)
    tasks.notify()
    assert Notification.objects.filter(event="ended").count() == 1
    ended.jobs.filter(pk=job.pk).update(ended_at=timezone.now() - timedelta(days=5))
    tasks.notify()
    assert not Notification.objects.filter(
        created_at__lt=timezone.now() - timedelta(days=90)
    ).exists()


def test_messages_are_in_the_language_of_the_person(ended, prefers, mailbox):
    prefers(by_mail=True, language="ja")
    sent()
    text = mailbox.mails[0].get_content()
    assert "The plan has ended." not in text
    assert text.splitlines()[0].endswith("。")


def test_what_is_not_taken_is_tried_again_with_growing_pauses_then_failed(ended, prefers, hook):
    hook.status = 503
    prefers(hook.url)
    pauses = []
    for _attempt in range(len(delivery.BACK_OFF)):
        (row,) = sent()
        assert row.state == "waiting"
        assert row.answer.startswith("503 Service Unavailable")
        pauses.append(row.next_at - row.tried_at)
        tasks.send_notification(row.pk)  # too early: nothing is sent
        due_again()
    assert len(hook.requests) == len(delivery.BACK_OFF)
    assert pauses == sorted(pauses)
    assert pauses[0] >= timedelta(minutes=1)
    (row,) = sent()
    assert (row.state, row.next_at, row.attempts) == ("failed", None, len(delivery.BACK_OFF) + 1)


def test_a_server_that_recovers_has_the_message_once(ended, prefers, hook):
    hook.status = 503
    prefers(hook.url)
    sent()
    hook.status = 204
    due_again()
    sent()
    due_again()
    (row,) = sent()
    assert (row.state, row.attempts) == ("sent", 2)
    assert len(hook.requests) == 2


def test_a_mail_that_is_refused_says_why(ended, prefers, mailbox):
    mailbox.refuses = "550 5.1.1 No such user here"
    prefers(by_mail=True)
    (row,) = sent()
    assert row.state == "waiting"
    assert row.answer.endswith("refused: 550 5.1.1 No such user here")
    assert not mailbox.mails


def test_a_message_delivered_twice_to_workers_is_sent_once(ended, prefers, hook):
    prefers(hook.url)
    (row,) = sent()
    tasks.send_notification(row.pk)
    assert len(hook.requests) == 1


def test_what_broke_off_in_the_middle_is_not_sent_again(ended, prefers, hook):
    prefers(hook.url)
    tasks.notify()
    Notification.objects.update(
        state="sending", tried_at=timezone.now() - timedelta(minutes=6)
    )  # its worker was killed
    (row,) = sent()
    assert (row.state, row.answer) == ("failed", delivery.BROKE_OFF)
    assert hook.requests == []


def test_secrets_are_in_no_column_and_no_line_of_the_log(ended, prefers, hook, caplog):
    hook.status = 500
    preference = prefers(hook.url, "between us")
    sent()
    stored = f"{vars(preference)} {[vars(row) for row in Notification.objects.all()]}"
    assert "between us" not in stored + caplog.text
    assert hook.url not in stored + caplog.text


def test_an_address_of_this_machine_fails_with_its_reason(ended, prefers, hook, settings):
    settings.WEBHOOK_NETWORKS = []
    prefers(hook.url)
    (row,) = sent()
    assert row.state == "failed"
    assert "127.0.0.1 is the server's own" in row.answer
    assert hook.requests == []
