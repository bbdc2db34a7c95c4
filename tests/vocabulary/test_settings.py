"""What people type as the value of a setting."""

from __future__ import annotations

import pytest

from benchdash.vocabulary.settings import setting_text, settings_from_text


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
