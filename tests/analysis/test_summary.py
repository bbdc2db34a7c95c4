from __future__ import annotations

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

from benchdash.analysis.summary import Interval, Kind, interval, summarise

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


rates = st.floats(min_value=1e-6, max_value=1e12)


def test_one_value_has_no_interval():
    assert interval([]) is None
    assert interval([7.0]) is None


@pytest.mark.parametrize("values", [[3.0, 1.0], [2.0, 3.0, 1.0], [2.0, 1.0, 1.5, 3.0]])
def test_two_to_four_values_have_their_range(values):
    assert interval(values) == Interval(1.0, 3.0, Kind.RANGE)


@pytest.mark.parametrize(
    ("n", "coverage"), [(5, 0.9375), (6, 0.96875), (9, 0.9609), (12, 0.9614), (20, 0.9586)]
)
def test_from_five_values_on_an_interval_says_what_it_covers(n, coverage):
    found = interval([float(value) for value in range(n)])
    assert found.kind is Kind.ORDER_STATISTICS
    assert found.coverage == pytest.approx(coverage, abs=5e-5)


def test_five_values_have_all_of_their_range_as_interval():
    assert interval([4.0, 2.0, 3.0, 1.0, 5.0]) == Interval(1.0, 5.0, Kind.ORDER_STATISTICS, 0.9375)


@pytest.mark.parametrize(
    ("values", "half_width"),
    [
        ([90.0, 110.0, 100.0, 95.0], None),  # a range
        ([90.0, 110.0, 100.0, 95.0, 105.0], 0.1),
        ([0.0] * 5, 0.0),
        ([0.0, 0.0, 0.0, 1.0, 2.0], None),  # a share of nothing
    ],
)
def test_half_the_width_of_an_interval_is_a_share_of_the_median(values, half_width):
    assert summarise(values).half_width == half_width


def test_ten_thousand_values_have_theirs_at_once():
    found = interval([float(value) for value in range(10_000)])
    assert 0.95 <= found.coverage < 0.952
    assert (found.low, found.high) == (4901.0, 5098.0)


def test_the_interval_covers_the_true_median_as_often_as_it_says():
    random = numpy.random.default_rng(11)
    samples = [list(sample) for sample in random.lognormal(0, 0.3, size=(4000, 5))]
    covered = sum(found.low <= 1 <= found.high for found in map(interval, samples))
    assert covered / 4000 == pytest.approx(0.9375, abs=0.012)


@given(st.lists(rates, min_size=2, max_size=40), st.randoms())
def test_an_interval_does_not_depend_on_the_order_of_runs(values, random):
    assert interval(random.sample(values, len(values))) == interval(values)


@given(st.lists(rates, min_size=2, max_size=40))
def test_an_interval_holds_the_median_and_stays_within_the_values(values):
    found = interval(values)
    assert min(values) <= found.low <= found.high <= max(values)
    assert found.low <= float(numpy.median(values)) <= found.high
