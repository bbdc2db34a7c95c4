from __future__ import annotations

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import bootstrap

from benchdash.analysis.summary import Interval, Kind, _middle_ranks, interval, ratio, summarise
from benchdash.analysis.summary import ratio_interval as compared

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


def test_five_values_have_a_bootstrap_interval():
    assert interval([1.0, 2.0, 3.0, 4.0, 5.0]) == Interval(1.0, 5.0, Kind.BOOTSTRAP)


@pytest.mark.parametrize("n", [10, 11, 25, 40])
def test_the_bootstrap_interval_is_that_of_scipy(n):
    values = numpy.random.default_rng(7).lognormal(3, 0.2, n)
    ours = interval(list(values))
    theirs = bootstrap(
        (values,), numpy.median, n_resamples=20_000, method="percentile", rng=1
    ).confidence_interval
    spread = values.max() - values.min()
    assert ours.low == pytest.approx(theirs.low, abs=0.06 * spread)
    assert ours.high == pytest.approx(theirs.high, abs=0.06 * spread)


@pytest.mark.parametrize("n", [5, 8])
def test_middle_ranks_are_distributed_like_those_of_real_resamples(n):
    drawn = numpy.sort(numpy.random.default_rng(3).integers(n, size=(100_000, n)), axis=1)
    for ours, theirs in zip(
        _middle_ranks(n, 0), (drawn[:, (n - 1) // 2], drawn[:, n // 2]), strict=True
    ):
        shares = [numpy.bincount(ranks, minlength=n) / len(ranks) for ranks in (ours, theirs)]
        assert numpy.abs(shares[0] - shares[1]).max() < 0.02


def test_the_interval_covers_the_true_median_about_as_often_as_it_says():
    random = numpy.random.default_rng(11)
    samples = random.lognormal(0, 0.3, size=(1000, 15))
    covered = sum(interval(list(sample)).holds(1.0) for sample in samples)
    assert 920 <= covered <= 985


@given(st.lists(rates, min_size=2, max_size=40), st.randoms())
def test_the_same_runs_have_the_same_interval_at_each_visit(values, random):
    first = interval(values)
    _middle_ranks.cache_clear()
    assert interval(random.sample(values, len(values))) == first


@given(st.lists(rates, min_size=2, max_size=40))
def test_an_interval_holds_the_median_and_stays_within_the_values(values):
    found = interval(values)
    assert min(values) <= found.low <= found.high <= max(values)
    assert found.holds(float(numpy.median(values)))


def test_a_ratio_is_one_median_over_the_other():
    assert ratio([32791.0], [90184.0]) == pytest.approx(0.3636, abs=1e-4)
    assert ratio([1.0, 2.0, 9.0], [4.0]) == 0.5


def test_a_ratio_needs_both_sides_and_a_baseline_above_zero():
    assert ratio([], [1.0]) is None
    assert ratio([1.0], []) is None
    assert ratio([1.0], [0.0]) is None


def test_a_ratio_of_single_runs_has_no_interval():
    assert compared([1.0], [2.0]) is None
    assert compared([1.0], [2.0] * 9) is None
    assert compared([1.0, 2.0], [0.0, 2.0]) is None


def test_a_ratio_of_few_runs_ranges_from_the_worst_pair_to_the_best():
    assert compared([2.0, 3.0], [4.0, 5.0] * 3) == Interval(2 / 5, 3 / 4, Kind.RANGE)


def test_a_difference_smaller_than_the_noise_is_not_shown_and_a_larger_one_is():
    noise = list(numpy.random.default_rng(5).normal(100, 5, 10))
    assert compared(noise[::-1], noise).holds(1.0)
    assert not compared([value * 0.7 for value in noise], noise).holds(1.0)
    assert compared(noise, noise).kind is Kind.BOOTSTRAP


@given(st.lists(rates, min_size=2, max_size=20), st.lists(rates, min_size=2, max_size=20))
def test_a_ratio_has_no_unit(values, baseline):
    found = compared(values, baseline)
    scaled = compared([8 * value for value in values], [8 * value for value in baseline])
    assert (scaled.low, scaled.high) == pytest.approx((found.low, found.high))
