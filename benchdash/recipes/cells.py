"""The matrix of a plan: combinations of factors, each measured once a round."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import product
from math import prod
from random import Random
from typing import TypeVar

from benchdash.errors import Refused
from benchdash.recipes.holes import written
from benchdash.recipes.parameters import Value
from benchdash.recipes.recipe import Recipe

MOST_CELLS = 2000
MOST_REPEATS = 100
_Cell = TypeVar("_Cell")


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


def expand(
    recipe: Recipe,
    parameters: Mapping[str, object],
    factors: Mapping[str, Sequence[object]] | None = None,
    repeats: int | None = None,
    seed: int | None = None,
) -> list[Cell]:
    """All cells in the order of the rounds; None takes the recipe's own factors and repeats.

    Every cell is measured once a round, so that drift over a night affects all cells alike. `seed`
    shuffles each round, the same one always alike and more rounds after the same ones; without it
    the first factor changes slowest.
    """
    axes = _axes(recipe, recipe.factors if factors is None else factors)
    times = recipe.repeats if repeats is None else repeats
    _check_count(axes, times)
    fixed = {name: value for name, value in parameters.items() if name not in axes}
    cells = [
        _cell(recipe, fixed, dict(zip(axes, values, strict=True)), number)
        for number, values in enumerate(product(*axes.values()), 1)
    ]
    return [replace(cell, round=number) for number, cell in in_rounds(cells, times, seed)]


def in_rounds(cells: Sequence[_Cell], rounds: int, seed: int | None) -> Iterator[tuple[int, _Cell]]:
    """The number of each round with each cell in its order; None: that of `cells`."""
    # random() is the one method whose sequence Python promises to keep for a seed
    chance = None if seed is None else Random(seed)  # noqa: S311 (an order, no secret)
    for number in range(1, rounds + 1):
        for cell in sorted(cells, key=lambda _cell: chance.random()) if chance else cells:
            yield number, cell


def _axes(recipe: Recipe, factors: Mapping[str, Sequence[object]]) -> dict[str, list[Value]]:
    """Each factor's values as read, none twice."""
    axes: dict[str, list[Value]] = {}
    for name, levels in factors.items():
        parameter = recipe.parameter(name)
        if isinstance(levels, str) or not levels:
            raise Refused("{called} needs a list of values to vary.", name, called=parameter.called)
        axes[name] = list(dict.fromkeys(parameter.read(level) for level in levels))
    return axes


def _check_count(axes: Mapping[str, list[Value]], repeats: int) -> None:
    if not 1 <= repeats <= MOST_REPEATS:
        raise Refused("A plan repeats each cell 1 to {most} times.", "repeats", most=MOST_REPEATS)
    count = prod(len(levels) for levels in axes.values()) * repeats
    if count > MOST_CELLS:
        raise Refused(
            "This would be {count} jobs, a plan has at most {most}: take fewer values or repeats.",
            "factors",
            count=f"{count:,}",
            most=f"{MOST_CELLS:,}",
        )


def _cell(
    recipe: Recipe, fixed: Mapping[str, object], factors: dict[str, Value], number: int
) -> Cell:
    values = recipe.read({**fixed, **factors})
    label = ", ".join(
        f"{name}={written(value, recipe.parameters[name].kind)}" for name, value in factors.items()
    )
    return Cell(values, factors, label, number)
