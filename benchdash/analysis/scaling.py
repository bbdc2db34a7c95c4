"""How throughput grows with guests, clients, jobs or queue depth: Amdahl's law and the USL.

The Universal Scalability Law (Gunther, Guerrilla Capacity Planning, 2007, chapters 4 to 6):

    X(N) = λN / (1 + α(N − 1) + βN(N − 1))

λ is the throughput of one, α what waits in line (contention), β what all have to agree about
(coherency). With β = 0 it is Amdahl's law, which has a ceiling λ/α; with β > 0 throughput has a
peak at N = √((1 − α)/β), and falls beyond it. The knee is where growth without any loss would have
reached the ceiling or the peak.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum
from statistics import fmean
from typing import Any

import numpy

from benchdash.analysis.differences import CONFIDENCE

LEAST_AMDAHL, LEAST_USL = 4, 5  # places along N
OFF = 0.10  # of a mean that the curve misses, unless noise explains it
_LEVEL = 0.05
_NOTHING = 1e-9
_DRAWN = 60


class Misfit(StrEnum):
    """Why no law is drawn."""

    TOO_FEW = "too_few"
    NOT_POSITIVE = "not_positive"
    FALLS = "falls"  # from the first place on: nothing scales
    SUPERLINEAR = "superlinear"  # grows faster than N, which neither law knows
    OFF = "off"  # the curve misses what was measured


@dataclass(frozen=True, slots=True)
class Number:
    """An estimate with its 95 % interval."""

    value: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Law:
    """A fitted law; `beta` is None where Amdahl's law says as much.

    `peak` is the N of the highest throughput and `ceiling` that throughput, or the limit of
    Amdahl's law; None where its interval has no contention. `off` is the share by which the curve misses the mean
    that it misses most.
    """

    one: Number
    alpha: Number
    beta: Number | None
    peak: Number | None
    ceiling: float | None
    knee: float | None
    off: float
    places: int

    def at(self, count: float) -> float:
        """The throughput at N = `count`."""
        beta = self.beta.value if self.beta else 0.0
        return _throughput(count, self.one.value, self.alpha.value, beta)

    def curve(self, first: float, last: float) -> list[tuple[float, float]]:
        """Points of the curve, which ends where measuring did."""
        step = (last / first) ** (1 / (_DRAWN - 1))
        places = [first * step**number for number in range(_DRAWN)]
        return [(place, self.at(place)) for place in places]


def fit(
    points: Sequence[tuple[float, float]], *, spent: int = 0, relative: bool = True
) -> Law | Misfit:
    """The law that fits `points` (N, throughput), which hold every sample; or why none does.

    `spent` degrees of freedom went into taking the effects of rounds out. `relative`: of
    logarithms, so that errors are shares, as with all verdicts; else of the values themselves, as
    published fits have it.
    """
    how = _How(spent, relative)
    places = sorted({count for count, _value in points})
    if len(places) < LEAST_AMDAHL:
        return Misfit.TOO_FEW
    if places[0] <= 0 or any(value <= 0 for _count, value in points):
        return Misfit.NOT_POSITIVE
    means = _means(points)
    if means[places[0]] >= max(means[place] for place in places[1:]):
        return Misfit.FALLS
    free = _fitted(points, how, with_beta=len(places) >= LEAST_USL, bounded=False)
    if free.high(1) < 0:
        return Misfit.SUPERLINEAR
    amdahl = _fitted(points, how, with_beta=False)
    found = amdahl
    if len(places) >= LEAST_USL:
        usl = _fitted(points, how, with_beta=True)
        if usl.low(2) > 0 or how.off(amdahl, means) > OFF > how.off(usl, means):
            found = usl
    off = how.off(found, means)
    # more than all cannot wait, whatever the noise is
    if found.values[1] > 1 or (off > OFF and not _is_noise(found, points, how)):
        return Misfit.OFF
    return _law(found, off, len(places))


@dataclass(frozen=True, slots=True)
class _How:
    """How a law is fitted: see `fit`."""

    spent: int
    relative: bool

    def scaled(self, value: float) -> float:
        return math.log(value) if self.relative else value

    def off(self, found: _Fit, means: dict[float, float]) -> float:
        """What the curve misses at most: as a share of the mean there, or of the largest."""
        if self.relative:
            return max(abs(math.log(mean / found.at(place))) for place, mean in means.items())
        largest = max(means.values())
        return max(abs(mean - found.at(place)) for place, mean in means.items()) / largest


@dataclass(frozen=True, slots=True)
class _Fit:
    """λ, α and, of the USL, β, with their covariance."""

    values: tuple[float, ...]
    errors: tuple[float, ...]
    covariance: tuple[tuple[float, ...], ...]
    squares: float
    freedom: int

    @property
    def margin(self) -> float:
        from scipy import special  # noqa: PLC0415

        return float(special.stdtrit(self.freedom, (1 + CONFIDENCE) / 2))

    def low(self, place: int) -> float:
        return self.values[place] - self.margin * self.errors[place]

    def high(self, place: int) -> float:
        return self.values[place] + self.margin * self.errors[place]

    def number(self, place: int, least: float = 0.0) -> Number:
        return Number(self.values[place], max(least, self.low(place)), self.high(place))

    def at(self, count: float) -> float:
        return _throughput(count, *self.values)


def _throughput(count: float, one: float, alpha: float, beta: float = 0.0) -> float:
    return one * count / (1 + alpha * (count - 1) + beta * count * (count - 1))


def _fitted(
    points: Sequence[tuple[float, float]], how: _How, *, with_beta: bool, bounded: bool = True
) -> _Fit:
    from scipy import optimize  # noqa: PLC0415 - half a second: only who has a scaling waits

    counts = numpy.array([count for count, _value in points])
    values = numpy.array([value for _count, value in points])
    # as a share of the largest, so that all parameters are of one size to the search
    size = float(values.max())
    shares = values / size

    def rests(parameters: Any) -> Any:
        below = 1 + parameters[1] * (counts - 1)
        if with_beta:
            below = below + parameters[2] * counts * (counts - 1)
        below = numpy.maximum(below, _NOTHING)
        expected = parameters[0] * counts / below
        return numpy.log(shares / expected) if how.relative else shares - expected

    begin = _begin(counts, shares, with_beta=with_beta)
    least = [_NOTHING, 0.0, 0.0] if bounded else [_NOTHING, -1.0, -1.0]
    found = optimize.least_squares(
        rests,
        begin,
        bounds=(least[: len(begin)], numpy.inf),
        x_scale=numpy.maximum(numpy.abs(begin), 1e-6),
        xtol=1e-12,
        ftol=1e-12,
        gtol=1e-12,
        max_nfev=2000,
    )
    freedom = max(1, len(points) - how.spent - len(begin))
    squares = float(2 * found.cost)
    # the slope at a bound is as good as beside it: intervals are cut there
    covariance = numpy.linalg.pinv(found.jac.T @ found.jac) * squares / freedom
    scale = numpy.array([size, 1.0, 1.0][: len(begin)])
    covariance = covariance * scale[:, None] * scale
    return _Fit(
        tuple(float(one) for one in found.x * scale),
        tuple(float(one) for one in numpy.sqrt(numpy.diag(covariance).clip(min=0))),
        tuple(tuple(float(one) for one in row) for row in covariance),
        squares,
        freedom,
    )


def _begin(counts: Any, shares: Any, *, with_beta: bool) -> Any:
    """The law with its parts as a polynomial, N/X = (1 + α(N − 1) + βN(N − 1))/λ, by linear least squares."""
    columns = [numpy.ones_like(counts), counts - 1]
    if with_beta:
        columns.append(counts * (counts - 1))
    weights = shares / counts  # relative errors
    found, *_rest = numpy.linalg.lstsq(
        numpy.stack(columns, axis=1) * weights[:, None], numpy.ones_like(counts), rcond=None
    )
    one = 1 / found[0] if found[0] > 0 else float((shares / counts).max())
    return numpy.maximum([one, *(part * one for part in found[1:])], 1e-6)


def _law(found: _Fit, off: float, places: int) -> Law:
    alpha = found.number(1)
    beta = found.number(2) if len(found.values) == 3 else None
    peak = _peak(found) if beta else None
    ceiling = None
    if peak:
        ceiling = found.at(peak.value)
    elif alpha.low > 0:
        ceiling = found.values[0] / alpha.value
    knee = ceiling / found.values[0] if ceiling else None
    return Law(found.number(0), alpha, beta, peak, ceiling, knee, off, places)


def _peak(found: _Fit) -> Number | None:
    """√((1 − α)/β), its interval by the delta method on its logarithm; None where it never falls."""
    _one, alpha, beta = found.values
    if beta <= 0 or alpha >= 1:
        return None
    slopes = (-1 / (2 * (1 - alpha)), -1 / (2 * beta))
    variance = sum(
        slopes[row] * slopes[column] * found.covariance[row + 1][column + 1]
        for row in (0, 1)
        for column in (0, 1)
    )
    middle = math.sqrt((1 - alpha) / beta)
    factor = math.exp(found.margin * math.sqrt(max(0.0, variance)))
    return Number(middle, middle / factor, middle * factor)


def _means(points: Sequence[tuple[float, float]]) -> dict[float, float]:
    """Geometric, by N."""
    by_place: dict[float, list[float]] = defaultdict(list)
    for count, value in points:
        by_place[count].append(math.log(value))
    return {place: math.exp(fmean(own)) for place, own in by_place.items()}


def _is_noise(found: _Fit, points: Sequence[tuple[float, float]], how: _How) -> bool:
    """Whether the spread of repeats explains what the curve misses: the F test of lack of fit."""
    from scipy import special  # noqa: PLC0415

    by_place: dict[float, list[float]] = defaultdict(list)
    for count, value in points:
        by_place[count].append(how.scaled(value))
    repeats = len(points) - how.spent - len(by_place)
    lack = len(by_place) - len(found.values)
    if repeats < 1 or lack < 1:
        return False
    pure = math.fsum((one - fmean(own)) ** 2 for own in by_place.values() for one in own)
    missed = math.fsum(
        len(own) * (fmean(own) - how.scaled(found.at(place))) ** 2
        for place, own in by_place.items()
    )
    if not pure:
        return False
    return bool(special.fdtrc(lack, repeats, missed / lack / (pure / repeats)) > _LEVEL)
