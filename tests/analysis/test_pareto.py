"""What nothing beats in every respect at once."""

from benchdash.analysis.pareto import front

POINTS = {
    "fast and slow to answer": (900.0, 0.010),
    "middling": (500.0, 0.005),
    "beaten": (400.0, 0.006),
    "quick to answer": (300.0, 0.001),
    "as good as the middling one": (500.0, 0.005),
}


def test_what_another_beats_in_everything_is_no_part_of_the_front():
    assert front(POINTS, (True, False)) == [key for key in POINTS if key != "beaten"]


def test_with_both_directions_turned_the_front_is_the_same():
    turned = {key: (-rate, -latency) for key, (rate, latency) in POINTS.items()}
    assert front(turned, (False, True)) == front(POINTS, (True, False))


def test_a_margin_keeps_what_is_nearly_as_good():
    assert front({"a": (100.0, 1.0), "b": (99.0, 1.005)}, (True, False), 0.02) == ["a", "b"]
    assert front({"a": (100.0, 1.0), "b": (99.0, 1.005)}, (True, False)) == ["a"]
    assert front({"a": (100.0, 1.0), "b": (90.0, 1.2)}, (True, False), 0.02) == ["a"]


def test_three_measures_leave_more_on_the_front():
    three = {"a": (10.0, 1.0, 5.0), "b": (9.0, 2.0, 1.0), "c": (8.0, 3.0, 6.0)}
    assert front(three, (True, False, False)) == ["a", "b"]
