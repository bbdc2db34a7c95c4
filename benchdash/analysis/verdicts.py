"""What may be said of two groups of samples.

The scale is the ratio: everything is computed on natural logarithms, and given as subject over
baseline. A firm word needs five samples on each side, rounds that were interleaved or a difference
beyond any drift, an interval without 1, and room for how many comparisons stand on the page. What
falls short of it leans, or is unclear. `many.py` has what several comparisons on one page cost, and
`make verdicts` simulates how often these rules err.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Iterable, Sequence
from enum import StrEnum
from functools import lru_cache
from statistics import fmean
from typing import Literal, NamedTuple

from benchdash.analysis.differences import (
    Difference,
    Values,
    adjusted_for_drift,
    chi_square_quantile,
    detectable,
    needed,
    paired,
    sign_flip_p,
    slope,
    welch,
)
from benchdash.analysis.kept import MOST_KEPT
from benchdash.analysis.samples import Sample, Samples, as_samples, rounds_of

DELTA = 0.02  # the smallest difference that matters, as a share; a setting of studies and pages
MOST_ROUNDS = 200  # that anyone would add
ENOUGH = 5  # samples on each side that a firm word needs
LEVEL = 0.05
# five rounds rest on normal noise alone; of noise with two modes the t test is a little too sure
LEVEL_OF_FIVE = 0.049
DRIFT, DRIFT_SDS = 0.10, 3  # what may have drifted between groups that ran one after the other
# a plan's rounds spend .05; whoever adds some looks again, and each further look has .0125
LOOK_FACTOR = 4
TREND_LEVEL = 0.01  # of a difference that changes over the rounds

Better = Literal["higher", "lower"]


class Word(StrEnum):
    """What is said of the subject, held against the baseline."""

    BETTER = "better"
    WORSE = "worse"
    LEANS_BETTER = "leans_better"
    LEANS_WORSE = "leans_worse"
    UNCLEAR = "unclear"
    NO_DIFFERENCE = "no_difference"
    NONE = "none"

    @property
    def firm(self) -> bool:
        return self in (Word.BETTER, Word.WORSE)

    @property
    def leaning(self) -> Word:
        """What is left of a firm word."""
        return Word.LEANS_BETTER if self is Word.BETTER else Word.LEANS_WORSE


class Reason(StrEnum):
    """The first thing that speaks against a firmer word; "" where nothing does."""

    NOTHING = ""
    NOT_POSITIVE = "not_positive"  # a ratio to or of zero
    EQUAL = "equal"  # every value is the same
    NO_COMMON_STRATUM = "no_common_stratum"  # pools of unlike things
    NOT_MEASURED = "not_measured"  # nothing on one side
    THIN_TAIL = "thin_tail"  # a percentile with hardly an operation above it
    ONCE = "once"
    FEW = "few"
    OVERLAP = "overlap"  # few samples, which do not stand apart
    NO_DIRECTION = "no_direction"
    STRATA = "strata"  # pools, compared part by part
    TWO_MODES = "two_modes"
    SEQUENTIAL = "sequential"
    UNKNOWN_ORDER = "unknown_order"
    TREND = "trend"  # the difference itself changes over the rounds
    PERMUTATION = "permutation"  # firm only if noise is normal
    NOT_OVER = "not_over"  # rounds of its plan are to come
    FURTHER_LOOK = "further_look"
    MANY = "many"
    DESCRIPTIVE = "descriptive"  # no primary measure of its tool
    SMALL = "small"  # real, but below what matters
    NOISE = "noise"


class Verdict(NamedTuple):
    """`ratio`, `low` and `high` are subject over baseline; an interval is there from n = 5 on.

    `n` are the samples of both sides, `rounds` the pairs that they make where they were
    interleaved. `luck` is the chance that few samples stand apart like this by luck. `p` is for
    `allowing_for_many`, `sd` that of the pairs, or of the samples of a side, as logarithms.
    `of_blocks`: each sample is a block (blocks.py).
    """

    word: Word
    reason: Reason
    n: tuple[int, int]
    ratio: float | None = None
    low: float | None = None
    high: float | None = None
    rounds: int | None = None
    p: float | None = None
    luck: float | None = None
    sd: float | None = None
    delta: float = math.log1p(DELTA)
    comparisons: int = 1
    of_blocks: bool = False

    @property
    def unnoticed(self) -> float | None:
        """The share up to which a difference would have gone unnoticed, with 80 % power."""
        return math.expm1(detectable(*self._design) * self.sd) if self.sd else None

    @property
    def more_rounds(self) -> int | None:
        """How many more rounds, about, would show `delta`; None where so many are no advice."""
        if not self.sd:
            return None
        n, sides = self._design
        sd = self.sd
        if n < 8:  # a spread of few is itself uncertain: its upper 80 % bound
            freedom = sides * (n - 1)
            sd *= math.sqrt(freedom / chi_square_quantile(freedom, 0.2))
        wanted = needed(self.delta / sd, n, sides)
        return wanted - n if wanted and wanted - n <= MOST_ROUNDS else None

    @property
    def _design(self) -> tuple[int, int]:
        return (self.rounds, 1) if self.rounds else (min(self.n), 2)


def verdict(
    subject: Sequence[Sample],
    baseline: Sequence[Sample],
    better: Better | None,
    delta: float = DELTA,
) -> Verdict:
    """What the two groups say by themselves; `allowing_for_many` comes after it."""
    mine, its = as_samples(subject), as_samples(baseline)
    few = len(mine) + len(its) <= MOST_KEPT
    return (_cached_verdict if few else _verdict)(mine, its, better, delta)


def _verdict(mine: Samples, its: Samples, better: Better | None, delta: float) -> Verdict:
    n = len(mine), len(its)
    if not all(n):
        return Verdict(Word.NONE, Reason.NOT_MEASURED, n)
    lowest, highest = min(mine.range[0], its.range[0]), max(mine.range[1], its.range[1])
    if lowest == highest:
        word = Word.NO_DIFFERENCE if min(n) >= ENOUGH and lowest else Word.NONE
        return Verdict(word, Reason.EQUAL, n, 1.0)
    if lowest <= 0:
        return Verdict(Word.NONE, Reason.NOT_POSITIVE, n)
    if mine.strata.isdisjoint(its.strata):
        found = Verdict(Word.NONE, Reason.NO_COMMON_STRATUM, n)
    elif mine.strata == its.strata and len(mine.strata) == 1:
        found = _of_pair(mine, its, math.log1p(delta))
    else:
        found = _of_strata(mine, its, mine.strata & its.strata, math.log1p(delta))
    return _directed(found, better)


# as `kept`, of two sides
_cached_verdict = lru_cache(maxsize=1024)(_verdict)


def as_of_look(found: Verdict, *, is_over: bool, looks: int) -> Verdict:
    """What may be said while rounds are to come, or after rounds were added to those planned."""
    if not is_over:
        if found.word.firm:
            return found._replace(word=found.word.leaning, reason=Reason.NOT_OVER)
        if found.word is Word.NO_DIFFERENCE and found.reason is Reason.NOTHING:
            return found._replace(word=Word.UNCLEAR, reason=Reason.NOT_OVER)
        return found
    if looks == 1 or found.p is None:
        return found
    found = found._replace(p=min(1.0, LOOK_FACTOR * found.p))
    if found.word.firm and (found.p or 0.0) > LEVEL:
        return found._replace(word=found.word.leaning, reason=Reason.FURTHER_LOOK)
    return found


def _directed(found: Verdict, better: Better | None) -> Verdict:
    """Words are made as if higher were better."""
    if better is None and found.word not in (Word.NONE, Word.UNCLEAR, Word.NO_DIFFERENCE):
        return found._replace(word=Word.NONE, reason=Reason.NO_DIRECTION)
    if better == "lower":
        mirrored = {
            Word.BETTER: Word.WORSE,
            Word.WORSE: Word.BETTER,
            Word.LEANS_BETTER: Word.LEANS_WORSE,
            Word.LEANS_WORSE: Word.LEANS_BETTER,
        }
        if found.word in mirrored:
            return found._replace(word=mirrored[found.word])
    return found


def _of_pair(subject: Samples, baseline: Samples, delta: float) -> Verdict:
    n = len(subject), len(baseline)
    rounds = rounds_of(subject, baseline)
    # a single pair of several samples says nothing of how far pairs differ: their ranges do
    is_alone = len(rounds) == 1 < min(n)
    pairs = [math.log(one.value / other.value) for one, other in ([] if is_alone else rounds)]
    mine, its = subject.logs, baseline.logs
    estimate = fmean(pairs) if pairs else mine.mean - its.mean
    found = Verdict(Word.NONE, Reason.ONCE, n, math.exp(estimate), rounds=len(pairs) or None)
    if min(n) == 1:
        return found
    if min(n) < ENOUGH or 0 < len(rounds) < ENOUGH:
        return _of_few(found, subject, baseline, pairs, delta)
    if mine.has_two_modes or its.has_two_modes:
        return found._replace(ratio=None, reason=Reason.TWO_MODES)
    if pairs:
        return _interleaved(found, pairs, delta)
    return _in_turn(found, mine, its, [*subject.starts, *baseline.starts], delta)


def _of_few(
    found: Verdict,
    subject: Sequence[Sample],
    baseline: Sequence[Sample],
    pairs: Sequence[float],
    delta: float,
) -> Verdict:
    """Two to four on a side: at most a leaning, with the chance that it is luck."""
    estimate = math.log(found.ratio or 1.0)
    if pairs:
        apart = min(pairs) > 0 or max(pairs) < 0
        luck = 2 / 2 ** len(pairs)
    else:
        mine, its = [each.value for each in subject], [each.value for each in baseline]
        apart = min(mine) > max(its) or max(mine) < min(its)
        luck = 2 / math.comb(sum(found.n), found.n[0])
    if not apart:
        return found._replace(word=Word.UNCLEAR, reason=Reason.OVERLAP)
    if abs(estimate) < delta:
        return found._replace(word=Word.UNCLEAR, reason=Reason.SMALL)
    return found._replace(word=_leaning(estimate), reason=Reason.FEW, luck=luck)


def _interleaved(found: Verdict, pairs: Sequence[float], delta: float) -> Verdict:
    difference = paired(pairs)
    margin = difference.margin()
    found = _with_interval(found, difference, margin, len(pairs), delta)
    if abs(difference.estimate) - margin <= 0 or abs(difference.estimate) < delta:
        return _undecided(found, difference, margin, delta)
    if len(pairs) == ENOUGH and difference.p() > LEVEL_OF_FIVE:
        return found._replace(word=_leaning(difference.estimate), reason=Reason.PERMUTATION)
    if len(pairs) > ENOUGH:
        if sign_flip_p(pairs) > LEVEL:
            return found._replace(word=_leaning(difference.estimate), reason=Reason.PERMUTATION)
        if slope(pairs).p() < TREND_LEVEL:
            return found._replace(word=_leaning(difference.estimate), reason=Reason.TREND)
    return found._replace(word=_firm(difference.estimate), reason=Reason.NOTHING)


def _in_turn(
    found: Verdict,
    mine: Values,
    its: Values,
    starts: Sequence[float],
    delta: float,
) -> Verdict:
    """One group after the other, or nobody knows: firm only beyond whatever may have drifted.

    Of logarithms; `starts` are those that are known.
    """
    difference, pooled_sd = welch(mine, its)
    margin = difference.margin()
    known = len(starts) == sum(found.n)
    if known:
        # places, not times: a week between two sessions says nothing about drift within them,
        # and what changed between them is what the allowance is for
        in_order = sorted(starts)
        places = [bisect_left(in_order, start) for start in starts]
        adjusted = adjusted_for_drift(mine, its, places)
        if (wider := adjusted.margin()) > margin:
            difference, margin = adjusted._replace(estimate=difference.estimate), wider
    order = Reason.SEQUENTIAL if known else Reason.UNKNOWN_ORDER
    found = _with_interval(found, difference, margin, min(found.n) / 2, delta)
    clear = abs(difference.estimate) - margin
    if clear <= 0 or abs(difference.estimate) < delta:
        undecided = _undecided(found, difference, margin, delta)
        if undecided.word is Word.NO_DIFFERENCE:  # drift the other way may hide one
            return found._replace(word=Word.UNCLEAR, reason=order)
        return undecided
    if clear > max(math.log1p(DRIFT), DRIFT_SDS * pooled_sd):
        return found._replace(word=_firm(difference.estimate), reason=Reason.NOTHING)
    return found._replace(word=_leaning(difference.estimate), reason=order)


def _of_strata(
    subject: Sequence[Sample], baseline: Sequence[Sample], strata: Iterable[str], delta: float
) -> Verdict:
    """Pools, part by part: each part that both have counts alike, and nothing is firm."""
    n = len(subject), len(baseline)
    parts = [
        _of_pair(
            Samples(each for each in subject if each.stratum == stratum),
            Samples(each for each in baseline if each.stratum == stratum),
            delta,
        )
        for stratum in sorted(strata)
    ]
    logs = [math.log(part.ratio) for part in parts if part.ratio]
    if not logs:
        return Verdict(Word.NONE, Reason.TWO_MODES, n)
    estimate = fmean(logs)
    found = Verdict(Word.UNCLEAR, Reason.STRATA, n, math.exp(estimate))
    leaning = {_leaning(estimate), _firm(estimate)}
    agree = len(logs) == len(parts) and all(part.word in leaning for part in parts)
    return found._replace(word=_leaning(estimate)) if agree and abs(estimate) >= delta else found


def _undecided(found: Verdict, difference: Difference, margin: float, delta: float) -> Verdict:
    if difference.equivalence_p(delta) < LEVEL:
        return found._replace(word=Word.NO_DIFFERENCE, reason=Reason.NOTHING)
    real = abs(difference.estimate) > margin
    return found._replace(word=Word.UNCLEAR, reason=Reason.SMALL if real else Reason.NOISE)


def _with_interval(
    found: Verdict, difference: Difference, margin: float, n: float, delta: float
) -> Verdict:
    """`n`: pairs, or half of what a side has, since both sides vary."""
    low, high = difference.estimate - margin, difference.estimate + margin
    sd = difference.error * math.sqrt(n)
    return found._replace(
        low=math.exp(low), high=math.exp(high), p=difference.p(), sd=sd, delta=delta
    )


def _firm(estimate: float) -> Word:
    return Word.BETTER if estimate > 0 else Word.WORSE


def _leaning(estimate: float) -> Word:
    return _firm(estimate).leaning
