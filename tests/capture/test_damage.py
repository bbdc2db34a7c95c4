"""What damaged answers give: facts, or sentences for what is missing; never an exception."""

from __future__ import annotations

from random import Random

from hypothesis import example, given, settings
from hypothesis import strategies as st

from benchdash.capture import Capture, read_capture, read_conditions
from benchdash.vocabulary import machines
from benchdash.vocabulary.storage.normal_form import normalised
from tests.capture.golden import samples
from tests.damage import damaged

FILES = {path.name: path.read_bytes() for path in samples()}
names = st.sampled_from(sorted(FILES))


def is_sound(capture: Capture) -> None:
    """In canonical form, and every sentence is one."""
    assert machines.normalised(capture.machine | capture.good_to_know) == (
        capture.machine,
        capture.good_to_know,
    )
    assert capture.stack is None or normalised(capture.stack) == capture.stack
    for sentence in capture.unread:
        assert sentence.endswith(".") and "\n" not in sentence and len(sentence) < 1000


@settings(max_examples=400)
@given(names, names, st.integers(0, 2**32))
def test_damage_costs_facts_and_never_more(name, other, seed):
    data = damaged(FILES[name], FILES[other], Random(seed))
    is_sound(read_capture(data))
    assert all(condition.sentence for condition in read_conditions(data))


@settings(max_examples=100)
@given(names, st.floats(0, 0.98))
def test_an_answer_that_breaks_off_says_so(name, share):
    data = FILES[name][: int(len(FILES[name]) * share)]
    capture = read_capture(data)
    is_sound(capture)
    assert any("breaks off" in sentence for sentence in capture.unread)


@given(st.binary(max_size=2000))
@example(b"")
@example(b"@@ path\n|/\n@.\n")
def test_any_bytes_are_read(data):
    is_sound(read_capture(data))
    read_conditions(data)


@settings(max_examples=150)
@given(st.lists(st.sampled_from(["dm-0", "dm-1", "sda", "sda1", "md0"]), min_size=2, max_size=12))
def test_devices_that_stand_on_each_other_in_a_circle_end_somewhere(order):
    """/sys read while devices change: each stands on the next, the last on the first."""
    dev = "".join(f"|/sys/block/{name}/dev:9:{n}\n" for n, name in enumerate(order))
    links = "".join(
        f"|x /sys/block/{above}/slaves/{below} -> ../../{below}\n"
        for above, below in zip(order, [*order[1:], order[0]], strict=True)
    )
    mount = f"|/proc/self/mountinfo:1 0 9:0 / / rw - ext4 /dev/{order[0]} rw\n"
    text = (
        f"@@ path\n|/\n@@ files\n{dev}{mount}@= 0\n@@ links\n{links}@= 0\n"
        "@@ place\n|folder\n|/\n|4096\n@= 0\n@.\n"
    )
    is_sound(read_capture(text.encode()))
