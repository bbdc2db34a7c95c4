"""What a verdict is made of: the samples of two sides, and how they ran beside each other."""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

from benchdash.analysis.differences import Values


class Sample(NamedTuple):
    """One value; `started` in seconds of any clock, `round` as plan and number, `stratum` of a pool.

    `block` is what it shares with other samples of its round, "" where that is nothing.
    """

    value: float
    started: float | None = None
    round: tuple[int, int] | None = None
    stratum: str = ""
    block: str = ""


class Samples(tuple[Sample, ...]):
    """The samples of a side, which is held against many: what each asks of it is worked out once."""

    @cached_property
    def logs(self) -> Values:
        """Natural logarithms of the values."""
        return Values([math.log(each.value) for each in self])

    @cached_property
    def range(self) -> tuple[float, float]:
        """The lowest and the highest value."""
        values = [each.value for each in self]
        return min(values), max(values)

    @cached_property
    def strata(self) -> frozenset[str]:
        return frozenset(each.stratum for each in self)

    @cached_property
    def blocks(self) -> frozenset[str]:
        return frozenset(each.block for each in self if each.block)

    @cached_property
    def starts(self) -> list[float]:
        """Those that are known."""
        return [each.started for each in self if each.started is not None]

    @cached_property
    def have_rounds(self) -> bool:
        """Whether each is of a known round."""
        return all(each.round is not None for each in self)

    @cached_property
    def plans(self) -> set[int]:
        """Those of known rounds."""
        return {each.round[0] for each in self if each.round is not None}


def as_samples(samples: Sequence[Sample]) -> Samples:
    """The same, with what is known of them."""
    return samples if isinstance(samples, Samples) else Samples(samples)


def geometric_mean(samples: Sequence[Sample]) -> float:
    """Its logarithm."""
    return as_samples(samples).logs.mean


def rounds_of(subject: Sequence[Sample], baseline: Sequence[Sample]) -> list[tuple[Sample, Sample]]:
    """Pairs that ran beside each other, in their order; none where the order shows no rounds.

    Rounds of a plan pair by their number, and one that a side lacks is left over; a plan that measured
    the sides in rounds of their own measured them at different times. Else start times tell: whoever
    walks along them meets both sides again and again, but for a fifth at most.
    """
    mine, other = as_samples(subject), as_samples(baseline)
    if mine.have_rounds and other.have_rounds:
        its = {each.round: each for each in baseline}
        pairs = [(each, its[each.round]) for each in subject if each.round in its]
        alone = len({each.round for each in subject}) == len(subject) and len(its) == len(baseline)
        if alone and len(pairs) * 2 >= max(len(subject), len(baseline)):
            return sorted(pairs, key=lambda pair: pair[0].round or (0, 0))
        if not pairs and not mine.plans.isdisjoint(other.plans):
            return []
    if len(mine.starts) < len(mine) or len(other.starts) < len(other):
        return []
    line = [(start, 0, place) for place, start in enumerate(mine.starts)]
    line += [(start, 1, place) for place, start in enumerate(other.starts)]
    pairs = []
    waiting: tuple[int, Sample] | None = None
    for _start, side, place in sorted(line):
        sample = other[place] if side else mine[place]
        if waiting is not None and waiting[0] != side:
            pairs.append((sample, waiting[1]) if side == 0 else (waiting[1], sample))
            waiting = None
        else:
            waiting = side, sample
    return pairs if len(pairs) * 5 >= 4 * max(len(subject), len(baseline)) else []
