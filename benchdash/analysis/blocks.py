"""Samples of one block are not independent: what all of it has in common was made once (split-plot).

A factor that varies between blocks alone is judged by blocks, each of which counts once; what varies
within them, and what depends on that, by samples within blocks.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import NamedTuple, TypeVar

from benchdash.analysis.cells import block_values
from benchdash.analysis.samples import Sample, Samples, as_samples
from benchdash.analysis.verdicts import Reason, Verdict, Word

K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Blocks:
    """One value a block, on the scale of its samples; `members` are the places of these.

    `dear` are the factors, by places, that vary between blocks and never within one; of all others
    `levels` has 0. `size` is how many samples a block has on average.
    """

    dear: tuple[int, ...]
    values: list[float]
    levels: list[list[int]]
    rounds: list[Hashable] | None
    members: list[list[int]]

    @property
    def size(self) -> float:
        return fmean(map(len, self.members))


def blocks_in(
    values: Sequence[float],
    levels: Sequence[Sequence[int]],
    rounds: Sequence[Hashable] | None,
    blocks: Sequence[Hashable],
) -> Blocks | None:
    """The blocks of samples, whose `levels` are as in `effects_of`; None where no factor is dear.

    Where a block lacks samples, the effects of what varies within blocks are taken out of its mean.
    """
    members: dict[Hashable, list[int]] = {}
    for place, block in enumerate(blocks):
        members.setdefault(block, []).append(place)
    if len(members) == len(blocks):
        return None
    dear = tuple(
        factor
        for factor, own in enumerate(levels)
        if all(len({own[place] for place in some}) == 1 for some in members.values())
    )
    if not dear:
        return None
    cheap = [factor for factor in range(len(levels)) if factor not in dear]
    cells = [tuple(levels[factor][place] for factor in cheap) for place in range(len(values))]
    means = block_values(values, cells, blocks)
    firsts = [some[0] for some in members.values()]
    return Blocks(
        dear=dear,
        values=[means[block] for block in members],
        levels=[
            [own[place] if factor in dear else 0 for place in firsts]
            for factor, own in enumerate(levels)
        ],
        rounds=None if rounds is None else [rounds[place] for place in firsts],
        members=list(members.values()),
    )


class PutTogether(NamedTuple):
    """Two sides with one sample a block. `pools`: each block's is one of unlike things, the same in all."""

    subject: Samples
    baseline: Samples
    pools: bool


def put_together(subject: Sequence[Sample], baseline: Sequence[Sample]) -> PutTogether | None:
    """Both sides by blocks, where no block has samples of both; None where there is nothing to do.

    What blocks have samples of may differ: then only samples that are alike are put together.
    """
    mine, its = as_samples(subject), as_samples(baseline)
    if not (mine.blocks or its.blocks) or not mine.blocks.isdisjoint(its.blocks):
        return None
    every = [*mine, *its]
    if any(each.value <= 0 for each in every):
        return None
    known = [each.block for each in every if each.block]
    if len(known) == len(set(known)):
        return None
    strata: dict[str, list[str]] = {}
    for each in every:
        strata.setdefault(each.block or f" {id(each)}", []).append(each.stratum)
    alike = len({tuple(sorted(own)) for own in strata.values()}) == 1
    pools = alike and len(mine.strata) > 1
    return PutTogether(_by_block(mine, alike=alike), _by_block(its, alike=alike), pools)


def each_by_block(groups: Mapping[K, Sequence[Sample]]) -> dict[K, Samples]:
    """Each group by blocks, where none of its blocks has samples of another group too."""
    found = {key: as_samples(own) for key, own in groups.items()}
    if not any(own.blocks for own in found.values()):
        return found
    others = {key: [one for o in found if o != key for one in found[o]] for key in found}
    together = {key: put_together(own, others[key]) for key, own in found.items()}
    return {key: sides.subject if (sides := together[key]) else own for key, own in found.items()}


def _by_block(samples: Samples, *, alike: bool) -> Samples:
    """The mean of logarithms of each block, or of each stratum in it."""
    own: dict[tuple[str, str], list[Sample]] = {}
    for place, each in enumerate(samples):
        own.setdefault((each.block or f" {place}", "" if alike else each.stratum), []).append(each)
    return Samples(
        some[0]._replace(
            value=math.exp(fmean(math.log(each.value) for each in some)),
            started=None
            if any(each.started is None for each in some)
            else fmean(each.started or 0.0 for each in some),
            stratum=stratum,
        )
        for (_block, stratum), some in own.items()
    )


def of_blocks(found: Verdict, sides: PutTogether) -> Verdict:
    """A verdict on blocks: its samples are these, and pools are never firm."""
    n = tuple(len({each.block or place for place, each in enumerate(side)}) for side in sides[:2])
    found = found._replace(n=(n[0], n[1]), of_blocks=True)
    if sides.pools and found.word.firm:
        return found._replace(word=found.word.leaning, reason=Reason.STRATA)
    if sides.pools and found.word is Word.NO_DIFFERENCE:
        return found._replace(word=Word.UNCLEAR, reason=Reason.STRATA)
    return found
