"""What people type as the value of a setting."""

from __future__ import annotations

import pytest

from benchdash.errors import Refused
from benchdash.vocabulary.settings import (
    setting_text,
    settings_from_text,
    settings_of_pairs,
    with_settings,
)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("4", 4),
        ("-1", -1),
        ("008", 8),  # as in the names of files
        ("0.5", 0.5),
        ("yes", True),
        ("1.1", 1.1),
        ("1.10", "1.10"),  # a version, and not 1.1
        ("6.1.0", "6.1.0"),
        ("1e99", "1e99"),
        ("inf", "inf"),
        ("cold", "cold"),
    ],
)
def test_numbers_and_switches_are_read_and_what_is_neither_stays_a_text(text, value):
    found = settings_from_text(f"what={text}")["what"]
    assert (type(found), found) == (type(value), value)
    assert settings_from_text(f"what={setting_text(found)}") == {"what": found}


@pytest.mark.parametrize("text", ["x=1;y=2", "a=1 b=2", "a=1, b=2\tc=3"])
def test_several_settings_without_commas_are_refused(text):
    with pytest.raises(Refused, match="put commas between them"):
        settings_from_text(text)


def test_a_value_may_have_blanks_and_marks():
    plain = "options=noatime;nodiratime, what=cold then warm, mount=-o data=journal"
    text = f'{plain}, kernel="ro root=/"'
    assert settings_from_text(text) == {
        "options": "noatime;nodiratime",
        "what": "cold then warm",
        "mount": "-o data=journal",
        "kernel": "ro root=/",
    }
    assert settings_of_pairs(["a=1 b=2"]) == {"a": "1 b=2"}


def test_a_setting_is_taken_away_by_the_mark_for_none():
    taken = settings_from_text("guests=~, cache=cold")
    assert with_settings({"guests": 4, "depth": 1}, taken) == {"depth": 1, "cache": "cold"}
