"""Amdahl's law and the Universal Scalability Law, held against published fits and what was put in."""

from math import exp
from random import Random

import pytest

from benchdash.analysis.scaling import Misfit, fit

# SPEC SDM91 on a SPARCcenter 2000: users and throughput, as in Gunther, Guerrilla Capacity Planning
# (2007), and in the data of the R package usl (Gunther and Moeding)
SDM91 = [
    *((1, 64.9), (18, 995.9), (36, 1652.4), (72, 1853.2)),
    *((108, 1828.9), (144, 1775.0), (216, 1702.2)),
]


def test_sdm91_has_its_published_coefficients():
    """usl 2.0 and later: efficiencies 0.7211 … 0.0876 of λN, peak at 97; λ 90.0."""
    law = fit(SDM91, relative=False)
    assert law.peak.value == pytest.approx(97, abs=0.5)
    assert law.one.value == pytest.approx(64.9 / 0.7211, abs=0.1)
    efficiencies = [value / (law.one.value * count) for count, value in SDM91]
    published = [0.7211, 0.6148, 0.5100, 0.2860, 0.1882, 0.1370, 0.0876]
    assert efficiencies == pytest.approx(published, abs=0.0005)
    assert law.alpha.value == pytest.approx(0.0277, abs=0.0001)
    assert law.beta.value == pytest.approx(0.000104, abs=0.000001)


def test_errors_that_are_shares_give_the_same_peak_within_its_interval():
    law = fit(SDM91)
    assert law.peak.low < 97 < law.peak.high


def test_the_example_of_the_usl_package_has_its_coefficients():
    """tests/coef.R there: made with α = β = 0.02, and found again."""
    law = fit([(1, 1.0), (2, 1.8868), (4, 3.0769), (6, 3.5294), (8, 3.5398), (10, 3.3557)])
    assert law.alpha.value == pytest.approx(0.02, abs=0.0005)
    assert law.beta.value == pytest.approx(0.02, abs=0.0005)
    assert law.one.value == pytest.approx(1, abs=0.001)
    assert law.peak.value == pytest.approx(7, abs=0.05)  # √(0.98/0.02)


def _measured(chance, places, alpha, beta=0.0):
    return [
        (n, 1000 * n / (1 + alpha * (n - 1) + beta * n * (n - 1)) * exp(chance.gauss(0, 0.03)))
        for n in places
        for _round in range(3)
    ]


def test_amdahl_is_found_where_nothing_falls():
    law = fit(_measured(Random(1), (1, 2, 4, 8, 16, 32), 0.08))
    assert law.beta is None and law.peak is None
    assert law.alpha.low < 0.08 < law.alpha.high
    # the ceiling is λ/α, and perfect growth would be there at 1/α
    assert law.ceiling == pytest.approx(1000 / 0.08, rel=0.1)
    assert law.knee == pytest.approx(1 / 0.08, rel=0.1)


def test_a_peak_that_was_put_in_lies_in_its_interval():
    law = fit(_measured(Random(2), (1, 2, 4, 8, 16, 32), 0.04, 0.006))
    assert law.peak.low < (0.96 / 0.006) ** 0.5 < law.peak.high
    assert law.beta.low > 0
    assert law.at(law.peak.value) == pytest.approx(law.ceiling)
    assert law.knee < law.peak.value


def test_intervals_hold_what_was_put_in_as_often_as_they_say():
    chance, held, times = Random(3), 0, 150
    for _time in range(times):
        law = fit(_measured(chance, (1, 2, 4, 8, 16, 32), 0.04, 0.006))
        held += law.alpha.low <= 0.04 <= law.alpha.high
    assert 0.90 <= held / times <= 0.99


def test_a_straight_line_has_no_ceiling():
    law = fit(_measured(Random(4), (1, 2, 4, 8), 0.0))
    assert law.ceiling is None and law.knee is None
    assert law.alpha.low == 0


@pytest.mark.parametrize(
    ("points", "why"),
    [
        ([(1, 10.0), (2, 18.0), (4, 30.0)], Misfit.TOO_FEW),
        ([(1, 10.0), (2, 0.0), (4, 30.0), (8, 50.0)], Misfit.NOT_POSITIVE),
        ([(1, 10.0), (2, 9.0), (4, 8.0), (8, 6.0)], Misfit.FALLS),
        ([(1, 10.0), (2, 23.0), (4, 53.0), (8, 121.0), (16, 279.0)], Misfit.SUPERLINEAR),
        ([(1, 10.0), (2, 10.2), (4, 30.0), (8, 29.5), (16, 60.0)], Misfit.OFF),
    ],
)
def test_what_no_law_fits_is_refused_by_name(points, why):
    assert fit([point for point in points for _round in range(3)]) is why


def test_the_curve_ends_where_measuring_did():
    law = fit(_measured(Random(5), (1, 2, 4, 8), 0.1))
    curve = law.curve(1, 8)
    assert curve[0][0] == pytest.approx(1) and curve[-1][0] == pytest.approx(8)
    assert curve[-1][1] == pytest.approx(law.at(8))


def test_more_contention_than_there_is_work_is_no_law():
    """Of one client, then less and less, with one place above: contention would be over 100 %."""
    points = [(1, 570.0), (2, 600.0), (4, 281.0), (16, 200.0), (32, 190.0)] * 3
    noisy = [(count, value * factor) for factor in (0.4, 1, 2.5) for count, value in points]
    assert fit(noisy) is Misfit.OFF
