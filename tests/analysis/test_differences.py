"""Estimates and tests against published figures, and against SciPy's own."""

from __future__ import annotations

import math

import numpy
import pytest
from scipy import stats

from benchdash.analysis.differences import (
    Difference,
    adjusted_for_drift,
    detectable,
    median_interval,
    needed,
    paired,
    sign_flip_p,
    slope,
    welch,
)

RANDOM = numpy.random.default_rng(1)
FIRST, SECOND = [4, 7, 8, 6, 3, 2], [6, 8, 7, 10, 11, 9]  # of pingouin's documentation of tost


def test_equivalence_of_two_groups_is_that_of_pingouin():
    difference, pooled_sd = welch(FIRST, SECOND)
    pooled = Difference(difference.estimate, pooled_sd * math.sqrt(2 / 6), 10)
    assert pooled.equivalence_p(1) == pytest.approx(0.965097, abs=1e-6)


def test_equivalence_of_pairs_is_that_of_pingouin():
    pairs = [a - b for a, b in zip(FIRST, SECOND, strict=True)]
    assert paired(pairs).equivalence_p(0.5) == pytest.approx(0.954854, abs=1e-6)


def test_welch_and_pairs_are_those_of_scipy():
    first, second = RANDOM.normal(1, 2, 9), RANDOM.normal(2, 1, 7)
    difference, _ = welch(first, second)
    expected = stats.ttest_ind(first, second, equal_var=False)
    assert (difference.p(), difference.freedom) == pytest.approx((expected.pvalue, expected.df))
    low, high = expected.confidence_interval()
    assert difference.estimate - difference.margin() == pytest.approx(low)
    assert difference.estimate + difference.margin() == pytest.approx(high)
    pairs = first[:7] - second
    assert paired(pairs).p() == pytest.approx(stats.ttest_rel(first[:7], second).pvalue)


def test_the_slope_is_that_of_scipy():
    values = RANDOM.normal(0, 1, 12)
    expected = stats.linregress(range(12), values)
    found = slope(values)
    assert (found.estimate, found.error) == pytest.approx((expected.slope, expected.stderr))
    assert found.p() == pytest.approx(expected.pvalue)


def test_a_common_drift_is_taken_out():
    times = list(range(10))
    exact = adjusted_for_drift(
        [0.1 * t for t in times[:5]], [0.1 * t - 2 for t in times[5:]], times
    )
    assert exact.estimate == pytest.approx(2)
    # one side after the other costs twice the standard error: four times the repeats
    noise = RANDOM.normal(0, 1, 2000)
    first, second = noise[:1000], noise[1000:]
    ratio = adjusted_for_drift(first, second, range(2000)).error / welch(first, second)[0].error
    assert ratio == pytest.approx(2, rel=0.05)


def test_all_at_one_time_have_no_slope():
    assert adjusted_for_drift([1, 2, 3], [2, 3, 5], [7] * 6) == welch([1, 2, 3], [2, 3, 5])[0]


@pytest.mark.parametrize("n", [2, 5, 8, 11])
def test_sign_flips_are_counted_exactly(n):
    pairs = RANDOM.normal(0.3, 1, n)
    expected = stats.permutation_test(
        (pairs,), numpy.sum, permutation_type="samples", n_resamples=2**n, alternative="two-sided"
    )
    assert sign_flip_p(pairs) == pytest.approx(expected.pvalue)


def test_what_agrees_in_all_rounds_has_the_least_p_there_is():
    assert sign_flip_p([0.1] * 5) == 2 / 2**5  # 6.25 %: five rounds cannot pass a test at 5 %
    assert sign_flip_p([0.1] * 6) == 2 / 2**6
    assert sign_flip_p([0.1, -0.1, 0.2, -0.2]) == 1


def test_many_pairs_are_tested_nearly_exactly():
    pairs = RANDOM.normal(0.4, 1, 41)
    assert sign_flip_p(pairs) == pytest.approx(stats.ttest_1samp(pairs, 0).pvalue, abs=0.01)


@pytest.mark.parametrize(
    ("n", "low", "high", "coverage"),
    [
        (5, 1, 5, 0.9375), (6, 1, 6, 0.96875), (8, 1, 8, 0.9922), (9, 2, 8, 0.9609),
        (12, 3, 10, 0.9614), (15, 4, 12, 0.9648), (20, 6, 15, 0.9586),
    ],
)  # fmt: skip
def test_the_interval_of_a_median_lies_between_two_values(n, low, high, coverage):
    found = median_interval(range(1, n + 1))
    assert found == (low, high, pytest.approx(coverage, abs=1e-4))


def test_four_values_have_no_interval_of_their_median():
    assert median_interval([1, 2, 3, 4]) is None


@pytest.mark.parametrize(
    ("sides", "n", "factor"),
    [
        (1, 3, 3.26), (1, 4, 2.13), (1, 5, 1.68), (1, 6, 1.43), (1, 8, 1.16), (1, 10, 1.00),
        (1, 12, 0.89), (1, 15, 0.78), (1, 20, 0.66), (2, 3, 3.07), (2, 4, 2.38), (2, 5, 2.02),
        (2, 6, 1.80), (2, 8, 1.51), (2, 10, 1.32), (2, 12, 1.20), (2, 20, 0.91), (2, 30, 0.74),
    ],
)  # fmt: skip
def test_what_a_design_can_see(sides, n, factor):
    assert detectable(n, sides) == pytest.approx(factor, abs=0.006)


def test_how_many_rounds_are_needed():
    assert needed(0.7, 5, 1) == 19  # a table of 15 and 20 has 0.78 and 0.66
    assert detectable(19, 1) <= 0.7 < detectable(18, 1)
    assert needed(1e-6, 5, 1) is None


def test_values_without_noise():
    assert paired([0.5, 0.5, 0.5]).p() == 0
    assert paired([0.0, 0.0]).p() == 1
    assert paired([0.01] * 5).equivalence_p(0.02) == 0
    assert paired([0.03] * 5).equivalence_p(0.02) == 1
