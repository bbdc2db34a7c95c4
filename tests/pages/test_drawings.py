"""Lines over time that need no script."""

from __future__ import annotations

from array import array

import pytest

from benchdash.pages.trace_drawing import drawn
from benchdash.results.models import Trace
from benchdash.results.traces import packed


def trace(values, begins=0):
    seconds = array("d", range(begins, begins + len(values)))
    return Trace(points=len(values), seconds=packed(seconds), values=packed(array("d", values)))


def corners(points):
    return [tuple(map(float, pair.split(","))) for pair in points.split()]


def test_a_line_over_time_stands_on_zero_and_keeps_each_dip():
    values = [100.0] * 50_000
    values[31_337] = 5.0
    drawing = drawn(trace(values))
    line, band = corners(drawing.line), corners(drawing.band)
    assert (len(line), len(band)) == (300, 600)
    assert (drawing.lowest, drawing.highest, drawing.seconds) == (5.0, 100.0, 49_999.0)
    assert max(y for _x, y in band) == pytest.approx(119 - 118 * 0.05, abs=0.1)
    assert [x for x, _y in line] == sorted(x for x, _y in line)


def test_a_line_over_time_begins_with_its_first_point():
    assert drawn(trace([1.0, 2.0, 3.0], begins=595)).line == drawn(trace([1.0, 2.0, 3.0])).line


@pytest.mark.parametrize("values", [[], [0.0], [7.0, 7.0], [0.0, 0.0, 0.0]])
def test_odd_traces_are_drawn_too(values):
    assert len(corners(drawn(trace(values)).line)) == len(values)
