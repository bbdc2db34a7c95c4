"""Doubts about environments: of their newest capture, shown, filtered, dismissed."""

from __future__ import annotations

import pytest
from django.utils import translation

from benchdash.capture import Capture
from benchdash.inventory.models import Capture as CaptureRow
from benchdash.inventory.models import Environment, Host
from benchdash.results.doubts import doubts_of
from benchdash.results.language import in_language
from benchdash.results.models import Doubt
from tests.migrations import migrated
from workers.environment_capture import record_captures

UNREAD = "Hardware could not be read: Permission denied."
STORAGE = "What the filesystem was made with could not be read: no answer within 5 s."
CLOCK = "node-a: The clock was 120 s behind when the machine was captured."


def captured(host="store-a", **fields):
    said = Capture({"kernel": "6.1"}, **fields)
    record = Host.objects.get_or_create(name=host)[0]
    return record_captures({"node-a": (record, said)}).environment


def standing(environment):
    return [
        str(doubt.sentence) for doubt in doubts_of([environment.pk], "environment")[environment.pk]
    ]


@pytest.mark.django_db
def test_what_was_not_read_of_a_machine_and_a_wrong_clock_stand_against_its_record():
    environment = captured(
        unread=(UNREAD, STORAGE), unread_facts=(UNREAD,), good_to_know={"clock_skew_s": -120}
    )
    assert standing(environment) == [CLOCK, f"node-a: {UNREAD}"]
    kinds = set(Doubt.objects.values_list("kind", "run"))
    assert kinds == {("unread", None), ("clock", None)}


@pytest.mark.django_db
def test_the_newest_capture_says_what_stands():
    environment = captured(unread_facts=(UNREAD,), good_to_know={"clock_skew_s": 0.4})
    again = captured(unread_facts=(UNREAD,), good_to_know={"clock_skew_s": -120})
    assert again == environment and len(standing(environment)) == 2
    assert captured(good_to_know={"clock_skew_s": -3}) == environment
    assert doubts_of([environment.pk], "environment") == {}


@pytest.mark.django_db
def test_it_is_said_in_japanese_too():
    environment = captured(good_to_know={"clock_skew_s": 3600})
    sentence = doubts_of([environment.pk], "environment")[environment.pk][0].sentence
    with translation.override("ja"):
        assert "clock" not in in_language(sentence)


@pytest.mark.django_db(transaction=True)
def test_stored_captures_are_judged_by_the_upgrade():
    older = migrated([("results", "0019_past_dismissals")])
    try:
        environment = older.get_model("inventory", "Environment").objects.create(digest="e")
        captures = older.get_model("inventory", "Capture").objects
        hidden = {"node-a": [UNREAD, "The storage under “/mnt/x” could not be determined."]}
        skewed = {"uptime_s": 5, "clock_skew_s": -120.0}
        for day, info in (
            (1, {"unread": {"node-a": ["It was busy."]}}),
            (2, {"unread": hidden, "node-a": skewed}),
        ):
            captures.create(
                environment=environment,
                source=CaptureRow.Source.SSH,
                captured_at=f"2026-11-0{day}T00:00Z",
                info=info,
            )
    finally:
        migrated()
    assert standing(Environment.objects.get()) == [f"node-a: {UNREAD}", CLOCK]
