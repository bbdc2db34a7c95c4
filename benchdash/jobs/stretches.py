"""Which cells a plan measures in which rounds: one stretch after the other.

A plan is one stretch of all its cells. Cells of a level that was added later are a stretch of their
own, in rounds that are numbered after all others: they are measured at another time, and a round is
what was measured at one. Every cell has as many rounds as the others all the same. Where a recipe
makes something once for several cells, these follow each other as blocks (`recipes/blocks.py`).
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

from django.utils.dateparse import parse_datetime

from benchdash.jobs.models import Plan
from benchdash.recipes.cells import count_of, levels_of, order_of_round


@dataclass(frozen=True, slots=True)
class Stretch:
    """`cells` in a row from the number `first`, in `rounds` from the number `first_round`.

    `before` counts the jobs before it. `axes` are those of cells that it is the first to measure.
    """

    first: int
    cells: int
    first_round: int
    rounds: int
    before: int
    axes: dict[str, list[Any]] | None
    at: datetime | None

    def __contains__(self, cell: int) -> bool:
        return self.first <= cell < self.first + self.cells

    @property
    def last_round(self) -> int:
        return self.first_round + self.rounds - 1


def stretches_of(plan: Plan) -> list[Stretch]:
    """In their order."""
    rows: list[dict[str, Any]] = plan.stretches or [
        {"cells": plan.cell_count, "rounds": plan.rounds_planned, "axes": plan.axes}
    ]
    found: list[Stretch] = []
    number, before = 1, 0
    for row in rows:
        cells, rounds = row["cells"], row["rounds"]
        axes = dict(row["axes"]) if "axes" in row else None
        at = parse_datetime(row["at"]) if "at" in row else None
        found.append(Stretch(row.get("first", 1), cells, number, rounds, before, axes, at))
        number, before = number + rounds, before + rounds * cells
    return found


def first_stretches(plan: Plan) -> Iterator[Stretch]:
    """Those that are the first to measure their cells: each cell is in one of them."""
    return (stretch for stretch in stretches_of(plan) if stretch.axes is not None)


class Turn(NamedTuple):
    """What is measured at a position. `block` is a number in the round, None in a plan without blocks.

    `is_first`: no job of its block comes before it.
    """

    round: int
    cell: int
    block: int | None
    is_first: bool


def turn_of(plan: Plan, position: int) -> Turn:
    """Positions count from 1."""
    stretch, number, place = _turn(plan, position)
    order, blocks = _order(stretch.cells, number, plan.seed, _axes_of_blocks(plan, stretch))
    cell = order[place]
    if not blocks:
        return Turn(number, stretch.first - 1 + cell, None, is_first=True)
    block = blocks[cell - 1]
    is_first = place == 0 or blocks[order[place - 1] - 1] != block
    return Turn(number, stretch.first - 1 + cell, block, is_first)


def round_of(plan: Plan, position: int) -> int:
    """Its number."""
    return _turn(plan, position)[1]


def _turn(plan: Plan, position: int) -> tuple[Stretch, int, int]:
    """The stretch of a position, its round and the place in that, from 0."""
    stretch = next(one for one in reversed(stretches_of(plan)) if one.before < position)
    turn, place = divmod(position - stretch.before - 1, stretch.cells)
    return stretch, stretch.first_round + turn, place


def position_of(plan: Plan, cell: int) -> int:
    """Where a cell is in the first round that has it."""
    stretch = next(one for one in first_stretches(plan) if cell in one)
    axes = _axes_of_blocks(plan, stretch)
    order, _blocks = _order(stretch.cells, stretch.first_round, plan.seed, axes)
    return stretch.before + order.index(cell - stretch.first + 1) + 1


# the levels of each axis, and whether it parts cells into blocks: of each stretch that is measured
_AxesOfBlocks = tuple[tuple[tuple[bool, tuple[Hashable, ...]], ...], ...]


def _axes_of_blocks(plan: Plan, stretch: Stretch) -> _AxesOfBlocks | None:
    if plan.block_factors is None:
        return None
    return tuple(
        tuple((name in plan.block_factors, tuple(map(_key, own))) for name, own in axes.items())
        for axes in (one.axes or {} for one in first_stretches(plan) if one.first in stretch)
    )


@lru_cache(maxsize=16)
def _order(
    cells: int, number: int, seed: int | None, axes: _AxesOfBlocks | None
) -> tuple[list[int], list[int]]:
    """The cells of a stretch in the order of a round, and the number of each one's block, from 1."""
    if axes is None:
        return order_of_round(cells, number, seed), []
    levels = [
        tuple(level for (is_dear, _own), level in zip(own, at, strict=True) if is_dear)
        for own in axes
        for at in product(*(keys for _is_dear, keys in own))
    ]
    known: dict[Hashable, int] = {}
    blocks = [known.setdefault(each, len(known) + 1) for each in levels]
    return order_of_round(cells, number, seed, blocks), blocks


def levels_of_cell(plan: Plan, cell: int) -> dict[str, Any]:
    """The level of each axis."""
    stretch = next(one for one in first_stretches(plan) if cell in one)
    return levels_of(stretch.axes or {}, cell - stretch.first + 1)


def cells_in_grid(plan: Plan) -> Sequence[int]:
    """The numbers of all cells in the order of the axes, of which the first one changes slowest."""
    if not plan.stretches:
        return range(1, plan.cell_count + 1)
    places = {name: {_key(level): n for n, level in enumerate(own)} for name, own in plan.axes}
    found = [0] * plan.cell_count
    for stretch in first_stretches(plan):
        axes = stretch.axes or {}
        for number in range(1, count_of(axes) + 1):
            place = 0
            for name, level in levels_of(axes, number).items():
                place = place * len(places[name]) + places[name][_key(level)]
            found[place] = stretch.first + number - 1
    return found


def _key(level: Any) -> tuple[bool, Any]:
    """1 and true are two levels, and a list is one."""
    return isinstance(level, bool), tuple(level) if isinstance(level, list) else level
