"""The leading cell of a matrix, and every cell that the data cannot tell from it.

The noise is estimated once, from all cells together, so that two cells of a few samples each can
still be told apart.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Generic, TypeVar

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


def leading_cell(
    values: Sequence[float],
    cells: Sequence[Cell],
    rounds: Sequence[Hashable] | None,
    *,
    higher: bool,
    delta: float,
) -> Leader[Cell] | None:
    """The cell of the highest mean (or the lowest), with each round's effect taken out.

    `values` and `delta` are on a scale where effects add up: callers give logarithms. A cell differs
    from the leader where the two are `delta` or more apart and that is significant at 5 %, corrected
    for the number of other cells (Holm). None where too few samples were repeated to know the noise.
    """
    blocks: Sequence[Hashable] = rounds if rounds is not None else [0] * len(values)
    means, effects = _fitted(values, cells, blocks)
    rests = [
        value - means[cell] - effects[block]
        for value, cell, block in zip(values, cells, blocks, strict=True)
    ]
    freedom = len(values) - len(means) - len(effects) + 1
    if len(means) < 2 or freedom < FEWEST_FREEDOM:
        return None
    sd = math.sqrt(math.fsum(rest**2 for rest in rests) / freedom)
    counts: dict[Cell, int] = {}
    for cell in cells:
        counts[cell] = counts.get(cell, 0) + 1
    first = (max if higher else min)(means, key=lambda cell: means[cell])
    behind = {
        cell: Difference(
            abs(means[first] - mean), sd * math.sqrt(1 / counts[first] + 1 / counts[cell]), freedom
        )
        for cell, mean in means.items()
        if cell != first
    }
    adjusted = holm({cell: one.p() for cell, one in behind.items()})
    near = [cell for cell, one in behind.items() if adjusted[cell] > LEVEL or one.estimate < delta]
    near.sort(key=lambda cell: behind[cell].estimate)
    return Leader(first, tuple(near), min(counts.values()))


def meet_in_rounds(cells: Sequence[Hashable], rounds: Sequence[Hashable]) -> bool:
    """Whether rounds compare every cell with every other, be it by way of a third."""
    left = _sets(rounds, cells)
    reached: set[Hashable] = left.popitem()[1] if left else set()
    while met := [name for name, own in left.items() if not own.isdisjoint(reached)]:
        for name in met:
            reached |= left.pop(name)
    return not left


def without_rounds(
    values: Sequence[float], cells: Sequence[Cell], rounds: Sequence[Hashable]
) -> list[float]:
    """The values, each less the effect of its round."""
    _means, effects = _fitted(values, cells, rounds)
    return [value - effects[block] for value, block in zip(values, rounds, strict=True)]


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
