"""Doubts about environments: of their newest capture, shown, filtered, dismissed."""

from __future__ import annotations

import pytest
from django.utils import translation

from benchdash.capture import Capture
from benchdash.inventory.models import Host
from benchdash.results.doubts import doubts_of
from benchdash.results.language import in_language
from benchdash.results.models import Doubt
from workers.recording import record_captures

UNREAD = "Hardware could not be read: Permission denied."
STORAGE = "What the filesystem was made with could not be read: no answer within 5 s."
CLOCK = "node-a: The clock was 120 s behind when the machine was captured."


def captured(host="store-a", **fields):
    capture_of_host = Capture({"kernel": "6.1"}, **fields)
    record = Host.objects.get_or_create(name=host)[0]
    return record_captures({"node-a": (record, capture_of_host)}).environment


def undismissed(environment):
    return [
        str(doubt.sentence) for doubt in doubts_of([environment.pk], "environment")[environment.pk]
    ]


@pytest.mark.django_db
def test_what_was_not_read_of_a_machine_and_a_wrong_clock_stand_against_its_record():
    environment = captured(
        unread=(UNREAD, STORAGE), unread_facts=(UNREAD,), good_to_know={"clock_skew_s": -120}
    )
    assert undismissed(environment) == [CLOCK, f"node-a: {UNREAD}"]
    kinds = set(Doubt.objects.values_list("kind", "run"))
    assert kinds == {("unread", None), ("clock", None)}


@pytest.mark.django_db
def test_the_newest_capture_says_what_stands():
    environment = captured(unread_facts=(UNREAD,), good_to_know={"clock_skew_s": 0.4})
    again = captured(unread_facts=(UNREAD,), good_to_know={"clock_skew_s": -120})
    assert again == environment and len(undismissed(environment)) == 2
    assert captured(good_to_know={"clock_skew_s": -3}) == environment
    assert doubts_of([environment.pk], "environment") == {}


@pytest.mark.django_db
def test_it_is_stated_in_japanese_too():
    environment = captured(good_to_know={"clock_skew_s": 3600})
    sentence = doubts_of([environment.pk], "environment")[environment.pk][0].sentence
    with translation.override("ja"):
        assert "clock" not in in_language(sentence)
