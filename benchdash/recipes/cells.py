"""The matrix of a plan: combinations of factors, each measured once a round.

A cell is known by its number, and what it is follows from the factors: plans have thousands, and
jobs are made of them as they come up.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import prod
from random import Random

from benchdash.errors import Refused
from benchdash.recipes.holes import written
from benchdash.recipes.parameters import Value
from benchdash.recipes.recipe import Recipe

MOST_CELLS = 10_000
MOST_REPEATS = 100
MOST_JOBS = 100_000
Axes = Mapping[str, Sequence[Value]]


@dataclass(frozen=True, slots=True)
class Cell:
    """All values of one job, the factors among them; `number` and `round` count from 1.

    The number stays with the combination, whatever place it has in a round.
    """

    values: dict[str, Value]
    factors: dict[str, Value]
    label: str
    number: int
    round: int = 1


@dataclass(frozen=True, slots=True)
class Cells:
    """The cells of a recipe by their numbers; of `axes` the first one changes slowest.

    `fixed` has the value of every parameter that is not varied.
    """

    recipe: Recipe
    axes: Axes
    fixed: Mapping[str, Value]

    def __len__(self) -> int:
        return count_of(self.axes)

    def values(self, number: int) -> dict[str, Value]:
        """All values of the cell with this number."""
        found = {**self.fixed, **levels_of(self.axes, number)}
        return {name: found[name] for name in self.recipe.parameters}

    def __getitem__(self, number: int) -> Cell:
        levels = levels_of(self.axes, number)
        return Cell(self.values(number), levels, self.label(levels), number)

    def label(self, levels: Mapping[str, Value]) -> str:
        """`bs=4K, rw=read`."""
        return ", ".join(
            f"{name}={written(value, self.recipe.parameters[name].kind)}"
            for name, value in levels.items()
        )


def cells_of(
    recipe: Recipe,
    parameters: Mapping[str, object],
    factors: Mapping[str, Sequence[object]] | None = None,
    repeats: int | None = None,
) -> Cells:
    """The cells, read and counted; None takes the recipe's own factors and repeats."""
    axes = _axes(recipe, recipe.factors if factors is None else factors)
    _check_count(axes, recipe.repeats if repeats is None else repeats)
    for name in parameters:
        recipe.parameter(name)
    given = {name: one for name, one in recipe.parameters.items() if name not in axes}
    return Cells(
        recipe, axes, {name: one.read(parameters.get(name)) for name, one in given.items()}
    )


def count_of(axes: Axes) -> int:
    """How many combinations there are."""
    return prod(len(levels) for levels in axes.values())


def levels_of(axes: Axes, number: int) -> dict[str, Value]:
    """The level of each axis in the cell with this number."""
    rest = number - 1
    found: dict[str, Value] = {}
    for name in reversed(list(axes)):
        rest, place = divmod(rest, len(axes[name]))
        found[name] = axes[name][place]
    return {name: found[name] for name in axes}


def order_of_round(
    cells: int, number: int, seed: int | None, blocks: Sequence[Hashable] | None = None
) -> list[int]:
    """The numbers of all cells in the order of a round; None: that of their numbers.

    Every cell is measured once a round, so that drift over a night affects all cells alike. `seed`
    shuffles each round, the same one always alike and more rounds after the same ones. With the block
    of each cell, blocks are shuffled, and the cells within each.
    """
    turns: dict[Hashable, float] = {name: n for n, name in enumerate(dict.fromkeys(blocks or ()))}
    if seed is None:
        return sorted(
            range(1, cells + 1), key=lambda cell: turns[blocks[cell - 1]] if blocks else 0
        )
    # random() is the one method whose sequence Python promises to keep for a seed
    chance = Random(seed)  # noqa: S311 (an order, no secret)
    for _drawn in range((number - 1) * (cells + len(turns))):
        chance.random()
    places = {cell: chance.random() for cell in range(1, cells + 1)}
    turns = {name: chance.random() for name in turns}
    if not blocks:
        return sorted(places, key=places.__getitem__)
    return sorted(places, key=lambda cell: (turns[blocks[cell - 1]], places[cell]))


def some_of(axes: Axes, most: int) -> Iterator[int]:
    """Numbers of at most so many cells, and one of each level; all where there are no more."""
    count = count_of(axes)
    if count <= most:
        yield from range(1, count + 1)
        return
    longest = max(len(levels) for levels in axes.values())
    chance = Random(count)  # noqa: S311 (always the same ones)
    for place in range(longest):  # a diagonal through all levels
        number = 0
        for levels in axes.values():
            number = number * len(levels) + place % len(levels)
        yield number + 1
    for _drawn in range(most - longest):
        yield 1 + int(chance.random() * count)


def _axes(recipe: Recipe, factors: Mapping[str, Sequence[object]]) -> dict[str, list[Value]]:
    """Each factor's values as read, none twice."""
    axes: dict[str, list[Value]] = {}
    for name, levels in factors.items():
        parameter = recipe.parameter(name)
        if isinstance(levels, str) or not levels:
            raise Refused("{called} needs a list of values to vary.", name, called=parameter.called)
        axes[name] = list(dict.fromkeys(parameter.read(level) for level in levels))
    return axes


def _check_count(axes: Axes, repeats: int) -> None:
    if not 1 <= repeats <= MOST_REPEATS:
        raise Refused("A plan repeats each cell 1 to {most} times.", "repeats", most=MOST_REPEATS)
    cells = count_of(axes)
    if cells > MOST_CELLS:
        raise Refused(
            "This makes {count} cells, but a plan has at most {most}: use fewer values.",
            "factors",
            count=f"{cells:,}",
            most=f"{MOST_CELLS:,}",
        )
    if cells * repeats > MOST_JOBS:
        raise Refused(
            "This makes {count} jobs, but a plan has at most {most}: use fewer values or repeats.",
            "factors",
            count=f"{cells * repeats:,}",
            most=f"{MOST_JOBS:,}",
        )
