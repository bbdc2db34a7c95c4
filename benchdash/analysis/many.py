"""What several comparisons on one page cost: Holm, and who may be called best."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TypeVar

from benchdash.analysis.samples import Sample, as_samples, geometric_mean
from benchdash.analysis.verdicts import DELTA, ENOUGH, LEVEL, Better, Reason, Verdict, Word, verdict

K = TypeVar("K")


def allowing_for_many(
    verdicts: Mapping[K, Verdict], primary: Iterable[K], groups: int
) -> dict[K, Verdict]:
    """The verdicts of one page of so many groups: Holm over the primary measures.

    What joins may weaken a firm word to a leaning, never strengthen one, and moves no number.
    """
    tested = {key: verdicts[key] for key in primary if verdicts[key].p is not None}
    adjusted = holm({key: found.p or 0.0 for key, found in tested.items()})
    found = dict(verdicts)
    for key, one in verdicts.items():
        if not one.word.firm:
            continue
        if key not in tested:
            found[key] = one._replace(word=one.word.leaning, reason=Reason.DESCRIPTIVE)
        elif adjusted[key] > LEVEL:
            found[key] = one._replace(word=one.word.leaning, reason=Reason.MANY)
        elif one.rounds == ENOUGH and (groups > 2 or len(tested) > 1):
            # five rounds rest on normal noise: among several a freak passes for a difference
            found[key] = one._replace(word=one.word.leaning, reason=Reason.PERMUTATION)
        if found[key] is not one or len(tested) > 1:
            found[key] = found[key]._replace(comparisons=max(1, len(tested)))
    return found


def holm(p_values: Mapping[K, float]) -> dict[K, float]:
    """Adjusted p-values (Holm 1979): at most LEVEL is significant among all."""
    adjusted: dict[K, float] = {}
    highest = 0.0
    for rank, (key, p) in enumerate(sorted(p_values.items(), key=lambda item: item[1])):
        highest = max(highest, min(1.0, p * (len(p_values) - rank)))
        adjusted[key] = highest
    return adjusted


def leader(groups: Mapping[K, Sequence[Sample]], better: Better) -> K | None:
    """The group that is ahead; None where any has too few samples for best to mean something."""
    if len(groups) < 2 or any(len(each) < ENOUGH for each in groups.values()):
        return None
    if any(as_samples(each).range[0] <= 0 for each in groups.values()):
        return None
    sign = 1 if better == "higher" else -1
    return max(groups, key=lambda key: sign * geometric_mean(groups[key]))


def possible_winners(
    groups: Mapping[K, Sequence[Sample]], better: Better, delta: float = DELTA
) -> set[K]:
    """One group that is best, or those that may be; nothing where any has too few samples.

    Best is the leading group where it is firmly better than every rival, Holm over them.
    """
    ahead = leader(groups, better)
    if ahead is None:
        return set()
    rivals = {
        key: verdict(groups[ahead], samples, better, delta)
        for key, samples in groups.items()
        if key != ahead
    }
    judged = allowing_for_many(rivals, rivals, len(groups))
    return {ahead} | {key for key, one in judged.items() if one.word is not Word.BETTER}
