"""Differences of two groups on one scale: estimates, tests, intervals and what they can see."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cache, cached_property, lru_cache
from itertools import pairwise
from statistics import fmean
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy

from benchdash.analysis.kept import kept

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

CONFIDENCE, POWER = 0.95, 0.8
EXACT_PAIRS = 30  # beyond, a page of many groups would take minutes
MODES_FROM = 10  # values below which two modes cannot be distinguished from chance
MOST_ROUNDS = 10_000


class Difference(NamedTuple):
    """An estimate, its standard error and degrees of freedom."""

    estimate: float
    error: float
    freedom: float

    def margin(self, confidence: float = CONFIDENCE) -> float:
        """Half the width of the two-sided t interval."""
        return _t(self.freedom, (1 + confidence) / 2) * self.error if self.error else 0.0

    def p(self) -> float:
        """Two-sided, of no difference."""
        if not self.error:
            return 1.0 if self.estimate == 0 else 0.0
        return 2 * _t_above(self.freedom, abs(self.estimate) / self.error)

    def equivalence_p(self, bound: float) -> float:
        """Of the two one-sided tests (TOST; Schuirmann 1987) that it lies within ± `bound`."""
        if not self.error:
            return 0.0 if abs(self.estimate) < bound else 1.0
        return _t_above(self.freedom, (bound - abs(self.estimate)) / self.error)


class Values(tuple[float, ...]):
    """Numbers of one side, which is held against many: what each asks of it is worked out once."""

    @cached_property
    def mean(self) -> float:
        return fmean(self)

    @cached_property
    def rests(self) -> list[float]:
        """How far each is from the mean."""
        return [each - self.mean for each in self]

    @cached_property
    def sd(self) -> float:
        """As statistics.stdev, whose fractions take twenty times as long."""
        return math.sqrt(math.fsum([rest**2 for rest in self.rests]) / (len(self) - 1))

    @cached_property
    def has_two_modes(self) -> bool:
        return two_modes(self) is not None


def as_values(numbers: Sequence[float]) -> Values:
    """The same, with what is known of them."""
    return numbers if isinstance(numbers, Values) else Values(numbers)


def paired(pairs: Sequence[float]) -> Difference:
    """Of differences of logarithms, a round each."""
    values = as_values(pairs)
    return Difference(values.mean, values.sd / math.sqrt(len(pairs)), len(pairs) - 1)


def welch(subject: Sequence[float], baseline: Sequence[float]) -> tuple[Difference, float]:
    """Of two independent groups (Welch 1947), and their pooled standard deviation."""
    mine, its = as_values(subject), as_values(baseline)
    my_square, its_square = mine.sd**2, its.sd**2
    my_share, its_share = my_square / len(mine), its_square / len(its)
    my_freedom, its_freedom = len(mine) - 1, len(its) - 1
    share, freedoms = my_share + its_share, my_freedom + its_freedom
    below = my_share**2 / my_freedom + its_share**2 / its_freedom
    freedom = share**2 / below if below else freedoms
    pooled = (my_square * my_freedom + its_square * its_freedom) / freedoms
    return Difference(mine.mean - its.mean, math.sqrt(share), freedom), math.sqrt(pooled)


def adjusted_for_drift(
    subject: Sequence[float], baseline: Sequence[float], times: Sequence[float]
) -> Difference:
    """The difference beside a slope over time that both share: y = µ + β · side + γ · time.

    `times` are those of the subject, then those of the baseline, in any unit. Analysis of
    covariance: the slope is that within the sides, and moves their means to a common time.
    """
    mine, its = as_values(subject), as_values(baseline)
    when = times[: len(mine)], times[len(mine) :]
    middles = [fmean(own) for own in when]
    rests = [*mine.rests, *its.rests]
    off = [time - middle for own, middle in zip(when, middles, strict=True) for time in own]
    spread = math.fsum([time * time for time in off])
    if not spread:  # each side at one time: nothing tells drift from the difference
        return welch(mine, its)[0]
    drift = math.fsum([y * time for y, time in zip(rests, off, strict=True)]) / spread
    apart = middles[0] - middles[1]
    freedom = len(rests) - 3
    square = math.fsum([(y - drift * t) ** 2 for y, t in zip(rests, off, strict=True)]) / freedom
    share = 1 / len(mine) + 1 / len(its) + apart**2 / spread
    return Difference(mine.mean - its.mean - drift * apart, math.sqrt(square * share), freedom)


def slope(values: Sequence[float]) -> Difference:
    """Of values over their places, by least squares."""
    middle = (len(values) - 1) / 2
    mean = fmean(values)
    spread = sum((place - middle) ** 2 for place in range(len(values)))
    estimate = sum((place - middle) * y for place, y in enumerate(values)) / spread
    rests = [y - mean - estimate * (place - middle) for place, y in enumerate(values)]
    freedom = len(values) - 2
    return Difference(estimate, math.sqrt(sum(r * r for r in rests) / freedom / spread), freedom)


def sign_flip_p(pairs: Sequence[float]) -> float:
    """Exact, two-sided, of the permutation test that flips the signs of paired differences.

    Up to EXACT_PAIRS: sums of both halves, sorted, are counted against each other; beyond, the
    normal approximation is exact enough.
    """
    observed = abs(math.fsum(pairs)) * (1 - 1e-12)  # what is equal counts, whatever was rounded
    if len(pairs) > EXACT_PAIRS:
        return math.erfc(observed / math.sqrt(2 * math.fsum(each**2 for each in pairs)))

    def sums(part: Sequence[float]) -> NDArray[float64]:
        found = numpy.zeros(1)
        for each in part:
            found = numpy.concatenate([found + each, found - each])
        return found

    middle = len(pairs) // 2
    first, second = sums(pairs[:middle]), numpy.sort(sums(pairs[middle:]))
    above = len(second) - numpy.searchsorted(second, observed - first, side="left")
    below = numpy.searchsorted(second, -observed - first, side="right")
    return float((above.sum() + below.sum()) / 2 ** len(pairs)) if observed else 1.0


def median_interval(
    values: Sequence[float], confidence: float = CONFIDENCE
) -> tuple[float, float, float] | None:
    """(low, high, coverage) of the median between two order statistics, without assumptions.

    The narrowest whose coverage reaches `confidence`, else the widest there is: five values cover
    94 %. None below five. Coverage 1 − 2 · P(Binomial(n, ½) < k).
    """
    n, ordered = len(values), sorted(values)
    if n < 5:
        return None
    k, coverage = _median_ranks(n, confidence)
    return ordered[k - 1], ordered[n - k], coverage


@lru_cache(maxsize=256)
def _median_ranks(n: int, confidence: float) -> tuple[int, float]:
    tail, k, ways = 0.0, 0, 1
    while (more := tail + ways / 2**n) <= (1 - confidence) / 2:
        tail, ways, k = more, ways * (n - k) // (k + 1), k + 1
    return (k, 1 - 2 * tail) if k else (1, 1 - 2 / 2**n)


@lru_cache(maxsize=1024)
def detectable(n: int, sides: int) -> float:
    """The difference, in standard deviations, that is found in 80 % of cases.

    With n rounds of pairs (`sides` 1), or n samples on each of two sides.
    """
    freedom = sides * (n - 1)
    shift = _special().nctdtrinc(freedom, 1 - POWER, _t(freedom, (1 + CONFIDENCE) / 2))
    return float(shift) * math.sqrt(sides / n)


def needed(difference: float, n: int, sides: int) -> int | None:
    """How many rounds, more than n, find a difference given in standard deviations.

    To a twentieth; None beyond MOST_ROUNDS, where more rounds are no advice.
    """
    while n <= MOST_ROUNDS:
        n += max(1, n // 20)
        if detectable(n, sides) <= difference:
            return n
    return None


@cache
def _special() -> Any:
    from scipy import special  # noqa: PLC0415 - half a second: only who compares waits for it

    return special


def _t(freedom: float, share: float) -> float:
    return float(_special().stdtrit(freedom, share))


def _t_above(freedom: float, value: float) -> float:
    return float(_special().stdtr(freedom, -value))


def chi_square_quantile(freedom: float, share: float) -> float:
    """Of the distribution with `freedom` degrees."""
    return float(_special().chdtri(freedom, 1 - share))


def two_modes(values: Sequence[float]) -> tuple[list[float], list[float]] | None:
    """Lower and upper part, from ten values on, where a gap is three times as wide as either."""
    ordered = sorted(values)
    if len(ordered) < MODES_FROM:
        return None
    gap, at = max(
        (after - before, place) for place, (before, after) in enumerate(pairwise(ordered))
    )
    lower, upper = ordered[: at + 1], ordered[at + 1 :]
    apart = gap > 3 * max(lower[-1] - lower[0], upper[-1] - upper[0])
    return (lower, upper) if apart and min(len(lower), len(upper)) >= 2 else None


@kept
def modes_of(values: Sequence[float]) -> tuple[tuple[float, ...], tuple[float, ...]] | None:
    """Both parts of what is measured, told apart on logarithms where it has any, as verdicts do."""
    has_logarithms = values and min(values) > 0
    parts = two_modes([math.log(each) for each in values] if has_logarithms else values)
    if parts is None:
        return None
    ordered = tuple(sorted(values))
    return ordered[: len(parts[0])], ordered[len(parts[0]) :]
