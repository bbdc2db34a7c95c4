"""The leading cell of a matrix, and every cell that the data cannot tell from it.

The noise is estimated once, from all cells together, so that two cells of a few samples each can
still be told apart.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Any, Generic, NamedTuple, TypeVar

from benchdash.analysis.differences import Difference
from benchdash.analysis.effects import FEWEST_FREEDOM, LEVEL
from benchdash.analysis.many import holm

Cell = TypeVar("Cell", bound=Hashable)
_STEPS, _STILL = 200, 1e-12


@dataclass(frozen=True, slots=True)
class Leader(Generic[Cell]):
    """The best cell; `near` are those that do not differ from it significantly, nearest first.

    `fewest` is how many samples the cell with the fewest has.
    """

    cell: Cell
    near: tuple[Cell, ...]
    fewest: int


def leading_cell(  # noqa: PLR0913 - the samples of a matrix, and how they are held
    values: Sequence[float],
    cells: Sequence[Cell],
    rounds: Sequence[Hashable] | None,
    *,
    higher: bool,
    delta: float,
    blocks: Sequence[Hashable] | None = None,
) -> Leader[Cell] | None:
    """The cell of the highest mean (or the lowest), with each round's effect taken out.

    `values` and `delta` are on a scale where effects add up: callers give logarithms. A cell differs
    from the leader where the two are `delta` or more apart and that is significant at 5 %, corrected
    for the number of other cells (Holm). None where too few samples were repeated to know the noise.
    With the `blocks` of samples that share something, cells of different ones also differ by theirs.
    """
    turns: Sequence[Hashable] = rounds if rounds is not None else [0] * len(values)
    means, _effects = _fitted(values, cells, turns)
    noise = _noise(values, cells, turns if blocks is None else blocks)
    if len(means) < 2 or noise.freedom < FEWEST_FREEDOM:
        return None
    apart, parts = _noise_between(values, cells, turns, blocks, noise) if blocks else (noise, {})
    counts: dict[Cell, int] = {}
    for cell in cells:
        counts[cell] = counts.get(cell, 0) + 1
    first = (max if higher else min)(means, key=lambda cell: means[cell])

    def difference(cell: Cell) -> Difference:
        own = noise if parts.get(cell) == parts.get(first) else apart
        error = math.sqrt(own.variance * (1 / counts[first] + 1 / counts[cell]))
        return Difference(abs(means[first] - means[cell]), error, own.freedom)

    behind = {cell: difference(cell) for cell in means if cell != first}
    # where blocks were not repeated, nothing tells cells of different ones apart
    adjusted = holm({cell: one.p() if one.freedom else 1.0 for cell, one in behind.items()})
    near = [cell for cell, one in behind.items() if adjusted[cell] > LEVEL or one.estimate < delta]
    near.sort(key=lambda cell: behind[cell].estimate)
    return Leader(first, tuple(near), min(counts.values()))


class _Noise(NamedTuple):
    """Of one sample."""

    variance: float
    freedom: int


def _noise(values: Sequence[float], cells: Sequence[Cell], blocks: Sequence[Hashable]) -> _Noise:
    """What cells and blocks leave."""
    means, effects = _fitted(values, cells, blocks)
    rests = [
        value - means[cell] - effects[block]
        for value, cell, block in zip(values, cells, blocks, strict=True)
    ]
    parts = len({*parts_of(cells, blocks).values()})
    freedom = len(values) - len(means) - len(effects) + parts
    return _Noise(math.fsum(rest**2 for rest in rests) / max(freedom, 1), freedom)


def _noise_between(
    values: Sequence[float],
    cells: Sequence[Cell],
    rounds: Sequence[Hashable],
    blocks: Sequence[Hashable],
    within: _Noise,
) -> tuple[_Noise, dict[Cell, int]]:
    """The noise of samples of different blocks, and the cells by what parts them into blocks."""
    parts = parts_of(cells, blocks)
    _means, effects = _fitted(values, cells, blocks)
    firsts = {block: place for place, block in reversed(list(enumerate(blocks)))}
    own = [parts[cells[firsts[block]]] for block in effects]
    turns = [rounds[firsts[block]] for block in effects]
    between = _noise([*effects.values()], own, turns)
    # a block's mean has a share of the noise within it already
    variance = between.variance + within.variance * (1 - len(effects) / len(values))
    return _Noise(variance, max(between.freedom, 0)), parts


def parts_of(cells: Sequence[Cell], blocks: Sequence[Hashable]) -> dict[Cell, int]:
    """A number for each cell: the same where blocks compare the two, be it by way of a third."""
    left, number = _sets(blocks, cells), 0
    found: dict[Cell, int] = {}
    while left:
        reached: set[Any] = left.popitem()[1]
        while met := [name for name, own in left.items() if not own.isdisjoint(reached)]:
            for name in met:
                reached |= left.pop(name)
        found |= dict.fromkeys(reached, number)
        number += 1
    return found


def meet_in_rounds(cells: Sequence[Hashable], rounds: Sequence[Hashable]) -> bool:
    """Whether rounds compare every cell with every other, be it by way of a third."""
    return len({*parts_of(cells, rounds).values()}) < 2


def without_rounds(
    values: Sequence[float], cells: Sequence[Cell], rounds: Sequence[Hashable]
) -> list[float]:
    """The values, each less the effect of its round."""
    _means, effects = _fitted(values, cells, rounds)
    return [value - effects[block] for value, block in zip(values, rounds, strict=True)]


def block_values(
    values: Sequence[float], cells: Sequence[Cell], blocks: Sequence[Hashable]
) -> dict[Hashable, float]:
    """The mean of each block, as if each had all cells."""
    means, effects = _fitted(values, cells, blocks)
    middle = fmean(means.values())
    return {block: middle + effect for block, effect in effects.items()}


def _fitted(
    values: Sequence[float], cells: Sequence[Cell], blocks: Sequence[Hashable]
) -> tuple[dict[Cell, float], Mapping[Hashable, float]]:
    """The mean of each cell and the effect of each round, by least squares.

    Solved in turns: means for the effects found so far, then effects for these means, until still.
    """
    at_cell, at_block = _members(cells), _members(blocks)
    means: dict[Cell, float] = dict.fromkeys(at_cell, 0.0)
    effects: dict[Hashable, float] = dict.fromkeys(at_block, 0.0)
    for _step in range(_STEPS):
        means = {
            cell: fmean(values[one] - effects[blocks[one]] for one in own)
            for cell, own in at_cell.items()
        }
        before = effects
        effects = {
            block: fmean(values[one] - means[cells[one]] for one in own)
            for block, own in at_block.items()
        }
        if max(abs(effects[block] - before[block]) for block in effects) < _STILL:
            break
    # effects of rounds are deviations: their mean belongs to the cells
    middle = fmean(effects[block] for block in blocks)
    return (
        {cell: mean + middle for cell, mean in means.items()},
        {block: effect - middle for block, effect in effects.items()},
    )


def _sets(names: Sequence[Hashable], of: Sequence[Hashable]) -> dict[Hashable, set[Hashable]]:
    """By name what stands beside it."""
    found: dict[Hashable, set[Hashable]] = {}
    for name, one in zip(names, of, strict=True):
        found.setdefault(name, set()).add(one)
    return found


def _members(names: Sequence[Cell]) -> dict[Cell, list[int]]:
    """By name the places where it stands."""
    found: dict[Cell, list[int]] = {}
    for place, name in enumerate(names):
        found.setdefault(name, []).append(place)
    return found
