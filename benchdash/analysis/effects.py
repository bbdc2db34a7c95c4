"""What each factor of a matrix does: main effects and two-way interactions of one linear model.

y = µ + round + Σ factors + Σ pairs of factors + noise, by least squares over all samples, so that
every sample speaks to every factor. Values are on a scale where effects add up: callers give
logarithms, and an effect is a ratio. Sums of squares are of type II (each factor beside all other
factors, each pair beside all else): where every cell has as many samples they are the classical ones
(Montgomery, Design and Analysis of Experiments, chapter 5).
"""

from __future__ import annotations

import math
from collections.abc import Collection, Hashable, Sequence
from dataclasses import dataclass, field
from functools import cache, lru_cache
from itertools import combinations
from typing import TYPE_CHECKING, Any

import numpy

from benchdash.analysis.differences import CONFIDENCE, POWER, Difference

if TYPE_CHECKING:
    from numpy import float64
    from numpy.typing import NDArray

    Matrix = NDArray[float64]

LEVEL = 0.05
FEWEST_FREEDOM = 4  # of the noise: below it no interval is worth drawing
MOST_COLUMNS = 300  # of a model; beyond, pairs are left out
_RANK = 1e-9


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a factor, or of two: how far it lies from the mean of all, and its samples."""

    at: tuple[int, ...]
    n: int
    effect: Difference


@dataclass(frozen=True, slots=True)
class Span:
    """From the lowest to the highest level, by their numbers; the interval holds for all pairs."""

    lowest: int
    highest: int
    estimate: float
    low: float
    high: float


@dataclass(frozen=True, slots=True)
class Effect:
    """A factor or a pair of them, by places.

    `share` is its part of the variance between samples of a round, less what noise alone would give;
    `unnoticed` the smallest distance between two levels that would be found in 80 % of cases; of a
    pair, the typical distance of its cells from what the two give alone.
    """

    factors: tuple[int, ...]
    squares: float
    freedom: int
    share: float
    p: float
    unnoticed: float
    levels: tuple[Level, ...]
    span: Span | None = None

    @property
    def size(self) -> float:
        """How far its levels are apart at most; of a pair, its cells from what both give alone."""
        if self.span:
            return self.span.estimate
        return max(abs(level.effect.estimate) for level in self.levels)

    @property
    def clear(self) -> float:
        """By how much that is beyond chance; of a pair the test alone says whether it is there."""
        return self.span.low if self.span else self.size


@dataclass(frozen=True, slots=True)
class Model:
    """What was found; `confounded` factors cannot be told from the others or from the rounds.

    `rounds` is how many blocks there are. `freedom` and `sd` are those of the noise, `squares` the
    sum of squares of the samples within their rounds, `rests` what the model leaves of each sample.
    `apart` are the confounded factors of which only some levels met in rounds: what rounds tell of
    them is taken out of the noise, and no effect is named. `has_pairs` is false where there are too
    few samples to tell pairs from noise, or too many levels.
    """

    n: int
    cells: int
    rounds: int
    freedom: int
    sd: float
    squares: float
    has_pairs: bool
    confounded: tuple[int, ...]
    apart: tuple[int, ...]
    effects: tuple[Effect, ...]
    rests: tuple[float, ...] = field(repr=False, default=())


def effects_of(
    values: Sequence[float],
    levels: Sequence[Sequence[int]],
    rounds: Sequence[Hashable] | None = None,
    dear: Collection[int] = (),
) -> Model | None:
    """The model of `values`; `levels` has for each factor the number, from 0, of each value's level.

    `rounds` are blocks, whose means say nothing of factors. `dear` ones do not vary within them: their
    interactions have an effect here, they themselves have none. None where samples are too few to
    separate factors from noise.
    """
    y = numpy.asarray(values, dtype=float)
    blocks = _codes(rounds) if rounds is not None else [0] * len(y)
    y = _within(y[:, None], blocks)[:, 0]
    counts = [max(own) + 1 for own in levels]
    mains = [_coded(own, count) for own, count in zip(levels, counts, strict=True)]
    within = [_within(one, blocks) for one in mains]
    kept, confounded = _separable(within)
    apart = _partly(mains, within, kept, confounded) if rounds is not None else []
    separable = sorted([*kept, *apart])
    pairs = [
        pair for pair in combinations(sorted({*separable, *dear}), 2) if {*pair} & {*separable}
    ]
    columns = sum((counts[a] - 1) * (counts[b] - 1) for a, b in pairs)
    if columns + sum(counts) > MOST_COLUMNS:
        pairs = []
    parts: dict[tuple[int, ...], Matrix] = {(one,): mains[one] for one in separable}
    parts |= {(a, b): _crossed(mains[a], mains[b]) for a, b in pairs}
    fit = _Fit(y, {name: _within(part, blocks) for name, part in parts.items()})
    spent = len(set(blocks))
    if pairs and len(y) - spent - fit.rank(tuple(parts)) < FEWEST_FREEDOM:
        pairs = []
    terms: tuple[tuple[int, ...], ...] = (*((one,) for one in separable), *pairs)
    freedom = len(y) - spent - fit.rank(terms)
    if not kept or freedom < FEWEST_FREEDOM:
        return None
    noise = max(0.0, fit.total - fit.explained(terms))
    sd = math.sqrt(noise / freedom)
    made = _Effects(fit, levels, counts, terms, sd, freedom)
    return Model(
        n=len(y),
        cells=len(set(zip(*(levels[one] for one in separable), strict=True))),
        rounds=spent,
        freedom=freedom,
        sd=sd,
        squares=fit.total,
        has_pairs=bool(pairs),
        confounded=tuple(one for one in confounded if one not in dear),
        apart=tuple(apart),
        effects=tuple(
            filter(None, (made.effect(term) for term in terms if not {*term} & {*apart}))
        ),
        rests=tuple(fit.rests(terms).tolist()),
    )


def squares_within(values: Sequence[float], rounds: Sequence[Hashable] | None) -> float:
    """The sum of squares about the mean of each round, or of all."""
    blocks = _codes(rounds) if rounds is not None else [0] * len(values)
    rests = _within(numpy.asarray(values, dtype=float)[:, None], blocks)[:, 0]
    return float(rests @ rests)


@dataclass(frozen=True, slots=True)
class _Effects:
    """The effects of one model, a term each."""

    fit: _Fit
    levels: Sequence[Sequence[int]]
    counts: Sequence[int]
    terms: tuple[tuple[int, ...], ...]
    sd: float
    freedom: int

    def effect(self, term: tuple[int, ...]) -> Effect | None:
        """None of a pair that no two samples tell from its factors."""
        # of type II: a factor beside the factors, a pair beside everything
        beside = tuple(one for one in self.terms if len(one) <= len(term))
        rest = tuple(one for one in beside if one != term)
        freedom = self.fit.rank(beside) - self.fit.rank(rest)
        if not freedom:
            return None
        squares = max(0.0, self.fit.explained(beside) - self.fit.explained(rest))
        variance = self.sd**2
        found = self._levels(term, beside)
        pairs = list(combinations(range(len(found)), 2)) if len(term) == 1 else []
        contrasts = {pair: found[pair[1]][1] - found[pair[0]][1] for pair in pairs}
        covariance, middle = self.fit.inverse(beside)
        widths = {
            pair: math.sqrt(max(0.0, float(one @ covariance @ one)))
            for pair, one in contrasts.items()
        }
        widest = max(widths.values()) if widths else 1 / math.sqrt(len(self.fit.y))
        return Effect(
            factors=term,
            squares=squares,
            freedom=freedom,
            share=max(0.0, squares - freedom * variance) / self.fit.total if self.fit.total else 0,
            p=_f_above(freedom, self.freedom, squares / freedom / variance)
            if variance
            else float(squares < _RANK * self.fit.total or not self.fit.total),
            unnoticed=_detectable(freedom, self.freedom) * self.sd * widest,
            levels=tuple(
                Level(
                    at,
                    n,
                    Difference(
                        float(row @ middle),
                        self.sd * math.sqrt(max(0.0, float(row @ covariance @ row))),
                        self.freedom,
                    ),
                )
                for at, row, n in found
            ),
            span=self._span(found, middle, widths, len(pairs)) if pairs else None,
        )

    def _levels(
        self, term: tuple[int, ...], beside: Sequence[tuple[int, ...]]
    ) -> list[tuple[tuple[int, ...], Matrix, int]]:
        """Each level that was measured, its row of the model (of what lies beside), its samples."""
        measured: dict[tuple[int, ...], int] = {}
        for at in zip(*(self.levels[one] for one in term), strict=True):
            measured[at] = measured.get(at, 0) + 1
        found = []
        for at, n in sorted(measured.items()):
            codes = [_coded([one], self.counts[own]) for one, own in zip(at, term, strict=True)]
            own = codes[0] if len(codes) == 1 else _crossed(*codes)
            row = numpy.concatenate(
                [own[0] if one == term else numpy.zeros(self.fit.width(one)) for one in beside]
            )
            found.append((at, row, n))
        return found

    def _span(
        self,
        found: Sequence[tuple[tuple[int, ...], Matrix, int]],
        middle: Matrix,
        widths: dict[tuple[int, int], float],
        pairs: int,
    ) -> Span:
        at = [float(row @ middle) for _at, row, _n in found]
        low, high = at.index(min(at)), at.index(max(at))
        if low == high:
            low, high = 0, len(at) - 1
        width = widths[min(low, high), max(low, high)]
        estimate = at[high] - at[low]
        # the two furthest apart were picked from all pairs (Bonferroni)
        margin = Difference(estimate, self.sd * width, self.freedom).margin(
            1 - (1 - CONFIDENCE) / pairs
        )
        return Span(
            found[low][0][0], found[high][0][0], estimate, estimate - margin, estimate + margin
        )


class _Fit:
    """Least squares on any parts of one matrix, by its cross products."""

    def __init__(self, y: Matrix, parts: dict[tuple[int, ...], Matrix]) -> None:
        self.y, self._x = y, numpy.hstack(list(parts.values())) if parts else y[:, :0]
        self.total = float(y @ y)
        self._products, self._with_y = self._x.T @ self._x, self._x.T @ y
        self._places: dict[tuple[int, ...], range] = {}
        begin = 0
        for name, part in parts.items():
            self._places[name] = range(begin, begin + part.shape[1])
            begin += part.shape[1]
        self._known: dict[tuple[tuple[int, ...], ...], tuple[Matrix, Matrix, int]] = {}

    def width(self, part: tuple[int, ...]) -> int:
        return len(self._places[part])

    def explained(self, parts: tuple[tuple[int, ...], ...]) -> float:
        """The sum of squares that they explain together."""
        _inverse, middle = self.inverse(parts)
        return float(middle @ self._with_y[self._at(parts)])

    def rank(self, parts: tuple[tuple[int, ...], ...]) -> int:
        return self._solved(parts)[2]

    def inverse(self, parts: tuple[tuple[int, ...], ...]) -> tuple[Matrix, Matrix]:
        """The covariance of the coefficients for noise of 1, and the coefficients."""
        inverse, middle, _rank = self._solved(parts)
        return inverse, middle

    def rests(self, parts: tuple[tuple[int, ...], ...]) -> Matrix:
        """What they leave of the values."""
        rests: Matrix = self.y - self._x[:, self._at(parts)] @ self.inverse(parts)[1]
        return rests

    def _at(self, parts: tuple[tuple[int, ...], ...]) -> list[int]:
        return [place for part in parts for place in self._places[part]]

    def _solved(self, parts: tuple[tuple[int, ...], ...]) -> tuple[Matrix, Matrix, int]:
        if parts not in self._known:
            at = self._at(parts)
            sizes, axes = numpy.linalg.eigh(self._products[numpy.ix_(at, at)])
            kept = sizes > _RANK * max(1.0, float(sizes[-1])) if at else sizes > 0
            inverse = (axes[:, kept] / sizes[kept]) @ axes[:, kept].T
            self._known[parts] = inverse, inverse @ self._with_y[at], int(kept.sum())
        return self._known[parts]


def _separable(mains: Sequence[Matrix]) -> tuple[list[int], list[int]]:
    """The factors that add all their levels to what those before them tell, and the others."""
    kept: list[int] = []
    confounded, rank = [], 0
    for place, main in enumerate(mains):
        together = numpy.hstack([*(mains[one] for one in kept), main])
        found = _rank(together)
        if main.shape[1] and found == rank + main.shape[1]:
            kept.append(place)
            rank = found
        else:
            confounded.append(place)
    return kept, confounded


def _partly(
    mains: Sequence[Matrix], within: Sequence[Matrix], kept: Sequence[int], others: Sequence[int]
) -> list[int]:
    """Of factors that rounds hide, those of which some levels were measured in the same rounds."""
    free, _confounded = _separable(mains)
    before = [within[one] for one in kept]
    rank = _rank(numpy.hstack(before)) if before else 0
    return [
        one for one in others if one in free and _rank(numpy.hstack([*before, within[one]])) > rank
    ]


def _rank(columns: Matrix) -> int:
    if not columns.shape[1]:  # a factor of one level
        return 0
    return int(numpy.linalg.matrix_rank(columns.T @ columns, tol=_RANK * len(columns)))


def _coded(levels: Sequence[int], count: int) -> Matrix:
    """Columns that sum to zero over the levels: the last is minus all others."""
    table = numpy.vstack([numpy.eye(count - 1), -numpy.ones(count - 1)])
    coded: Matrix = table[numpy.asarray(levels, dtype=int)]
    return coded


def _crossed(one: Matrix, other: Matrix) -> Matrix:
    """Every column of the one times every column of the other."""
    crossed: Matrix = (one[:, :, None] * other[:, None, :]).reshape(len(one), -1)
    return crossed


def _codes(names: Sequence[Hashable]) -> list[int]:
    known: dict[Hashable, int] = {}
    return [known.setdefault(name, len(known)) for name in names]


def _within(columns: Matrix, blocks: Sequence[int]) -> Matrix:
    """The columns less the mean of each block."""
    at = numpy.asarray(blocks)
    counts = numpy.bincount(at)
    within = columns.copy()
    for place in range(columns.shape[1]):
        own = columns[:, place]
        within[:, place] = own - (numpy.bincount(at, own) / counts)[at]
    return within


@lru_cache(maxsize=1024)
def _detectable(freedom: int, noise: int) -> float:
    """The root of the noncentrality that an F test at 5 % finds in 80 % of cases."""
    special = _special()
    limit = special.fdtri(freedom, noise, 1 - LEVEL)
    return math.sqrt(float(special.ncfdtrinc(freedom, noise, 1 - POWER, limit)))


def _f_above(freedom: int, noise: int, value: float) -> float:
    return float(_special().fdtrc(freedom, noise, value))


@cache
def _special() -> Any:
    from scipy import special  # noqa: PLC0415 - half a second: only who compares waits for it

    return special
