from __future__ import annotations

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchdash.analysis.summary import summarise

rates = st.floats(min_value=0, max_value=1e12)


def test_nothing_measured_has_no_summary():
    assert summarise([]) is None


def test_one_value_is_all_of_its_summary():
    summary = summarise([42.0])
    assert summary.n == 1
    assert {summary.median, summary.mean, summary.low, summary.high} == {42.0}
    assert summary.lower_quartile == summary.upper_quartile == 42.0


def test_a_known_list_has_its_known_summary():
    summary = summarise([15.0, 40.0, 20.0, 50.0, 35.0])
    assert (summary.n, summary.median, summary.mean) == (5, 35.0, 32.0)
    assert (summary.low, summary.lower_quartile) == (15.0, 20.0)
    assert (summary.upper_quartile, summary.high) == (40.0, 50.0)


@given(st.lists(rates, min_size=1, max_size=50))
def test_quartiles_are_those_of_numpy(values):
    summary = summarise(values)
    expected = numpy.quantile(values, [0.25, 0.5, 0.75])
    found = (summary.lower_quartile, summary.median, summary.upper_quartile)
    assert found == pytest.approx(expected, rel=1e-9, abs=1e-300)


@given(st.lists(rates, min_size=1, max_size=50), st.randoms())
def test_the_order_of_runs_changes_nothing(values, random):
    shuffled = random.sample(values, len(values))
    assert summarise(shuffled) == summarise(values)
