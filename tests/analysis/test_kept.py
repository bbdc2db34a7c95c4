"""Answers about few samples are worked out once, those about many each time."""

from __future__ import annotations

from benchdash.analysis.kept import MOST_KEPT, kept


def test_answers_about_few_samples_alone_are_kept():
    asked = []

    @kept
    def highest(values):
        asked.append(len(values))
        return max(values)

    few, many = [1.0, 3.0, 2.0], [float(number) for number in range(MOST_KEPT + 1)]
    assert [highest(few), highest(tuple(few)), highest([3.0])] == [3.0] * 3
    assert [highest(many), highest(many)] == [float(MOST_KEPT)] * 2
    assert asked == [3, 1, MOST_KEPT + 1, MOST_KEPT + 1]
