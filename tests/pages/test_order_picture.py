"""The picture of an order: lanes for few groups, one strip for many, words for all."""

from __future__ import annotations

from benchdash.pages.order_picture import order_picture
from benchdash.results.comparison.view import GroupView
from benchdash.results.comparison.view_order import Order, OrderMark


def groups(*labels):
    return [
        GroupView(key=label, label=label, slot=slot, is_baseline=False, runs=(), pools={})
        for slot, label in enumerate(labels)
    ]


def order(*keys, text="interleaved: 2 rounds", slots=None):
    slots = slots or {key: slot for slot, key in enumerate(dict.fromkeys(keys))}
    marks = tuple(OrderMark(run, key, slots[key], None, 60.0 * run) for run, key in enumerate(keys))
    return Order(kind="interleaved", rounds=2, text=text, marks=marks)


def test_few_groups_have_a_lane_each_and_share_one_line_of_places():
    picture = order_picture(order("a", "b", "b", "a"), groups("b", "a"))
    assert [(lane.label, lane.marks.count("<rect")) for lane in picture.lanes] == [
        ("b", 2),
        ("a", 2),
    ]
    assert 'x="13"' in picture.lanes[0].marks and 'x="13"' not in picture.lanes[1].marks
    assert picture.names == "a, b, b, a"
    assert picture.width == 48


def test_many_groups_are_one_strip():
    keys = [f"g{number}" for number in range(9)]
    (lane,) = order_picture(order(*keys), groups(*keys)).lanes
    assert (lane.label, lane.marks.count("<rect")) == ("", 9)


def test_an_unknown_order_has_words_alone():
    picture = order_picture(
        Order("unknown", None, "unknown, as not every run has a start time", ()), groups("a", "b")
    )
    assert (picture.text, picture.lanes) == ("unknown, as not every run has a start time", ())


def test_what_is_in_no_order_has_no_picture():
    assert order_picture(Order("unknown", None, "", ()), groups("a")) is None


def test_long_orders_are_named_by_their_beginning():
    assert order_picture(order(*"ab" * 20), groups("a", "b")).names.endswith("a, b …")


def test_what_people_named_is_escaped():
    (lane,) = order_picture(order("<b>", "<b>"), groups("<b>")).lanes
    assert "&lt;b&gt;" in lane.marks and "<b>" not in lane.marks


def test_many_marks_are_one_path_for_each_group_and_no_words_of_each():
    (first, second) = order_picture(order(*"ab" * 60), groups("a", "b")).lanes
    assert first.marks.startswith('<path class="series-1" d="M1 0h10v10h-10zM25 0')
    assert (first.marks.count("M"), second.marks.count("M")) == (60, 60)
    assert "<title>" not in first.marks and "M13 0" in second.marks
