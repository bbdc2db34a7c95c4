"""What a refusal of an unknown name ends with."""

from __future__ import annotations

from benchdash.vocabulary.near import MOST_LISTED, near

MANY = [*map(str, range(1000, 1040)), "host", "tool", "counted", "environment", "state"]


def test_of_many_names_the_nearest_are_named_and_of_few_all():
    found = near("No filter “nothing”.", "nothing", MANY, MANY)
    assert found.startswith("No filter “nothing”. The nearest names are: ")
    assert found.count(", ") == 4
    assert "environment" in found
    few = ["apple", "pear"]
    assert near("No fruit “x”.", "x", few, few) == "No fruit “x”. Known names: apple, pear."
    assert len(few) <= MOST_LISTED


def test_a_name_that_is_close_is_proposed():
    assert near("No filter “hots”.", "hots", MANY, MANY) == (
        "No filter “hots”. Did you mean “host”?"
    )
