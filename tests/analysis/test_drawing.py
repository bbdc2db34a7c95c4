"""A long trace is drawn with few points, and shows what the whole shows; axes fit their values."""

from __future__ import annotations

from math import fsum

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchdash.analysis.drawing import spans_decades, stretches


def drawn(values, most=200):
    return stretches(numpy.arange(float(len(values))), numpy.array(values, dtype=float), most)


def test_few_points_all_stay_as_they_are():
    assert [tuple(one) for one in drawn([3, 1, 2])] == [(0, 3, 3, 3), (1, 1, 1, 1), (2, 2, 2, 2)]
    assert drawn([]) == ()


@pytest.mark.parametrize("place", [0, 777, 5_000, 9_999])
def test_a_single_pause_in_ten_thousand_points_is_seen(place):
    values = [100.0] * 10_000
    values[place] = 0.0
    (seen,) = [one for one in drawn(values) if one.lowest == 0]
    assert seen.highest == 100
    assert 97 < seen.mean < 100
    assert abs(seen.seconds - place) <= 50


@given(st.lists(st.floats(0, 1e12), min_size=1, max_size=400), st.integers(1, 30))
def test_the_count_is_bounded_and_nothing_is_outside(values, most):
    found = drawn(values, most)
    assert len(found) == min(most, len(values))
    assert min(one.lowest for one in found) == min(values)
    assert max(one.highest for one in found) == max(values)
    slack = 1e-9 * max(values)
    assert all(one.lowest - slack <= one.mean <= one.highest + slack for one in found)
    if len(values) % len(found) == 0:
        assert fsum(one.mean for one in found) / len(found) == pytest.approx(
            fsum(values) / len(values)
        )


def test_file_creation_on_gfs2_beside_ext3_needs_a_logarithmic_axis():
    assert spans_decades([75970.0, 62557.0, 125.0])


def test_throughput_of_one_disk_stays_on_a_linear_axis():
    assert not spans_decades([90184.0, 27162.0])


@pytest.mark.parametrize("values", [[], [0.0, 5.0, 5000.0], [0.0]])
def test_a_logarithmic_axis_has_no_place_for_zero_or_for_nothing(values):
    assert not spans_decades(values)
