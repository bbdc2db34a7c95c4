"""What an unknown name may have meant."""

from benchdash.vocabulary.near import MOST_LISTED, near

MANY = [f"name-{number}" for number in range(MOST_LISTED + 1)]


def test_of_many_names_those_that_are_alike_are_named_and_of_few_all():
    assert near("No filter “nama_9999”.", "nama_9999", MANY, MANY).startswith(
        "No filter “nama_9999”. The nearest names are: name-"
    )
    assert near("No “x”.", "x", MANY[:2], MANY[:2]) == "No “x”. Known names: name-0, name-1."
    assert near("No “name-x”.", "name-x", MANY[:1]) == "No “name-x”. Did you mean “name-0”?"


def test_names_that_have_nothing_in_common_are_not_called_near():
    assert near("No “zz”.", "zz", MANY, MANY) == "No “zz”."


def test_what_others_call_the_same_is_what_was_meant():
    known = ["workload.queue_depth", "doubts", "page_size"]
    sentence = near("No “iodepth”.", "iodepth", known, known)
    assert sentence == "No “iodepth”. Did you mean “workload.queue_depth”?"
