"""The matrix of a plan: combinations of factors times repeats; each cell is a job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import prod

from benchdash.errors import Refused
from benchdash.recipes.holes import written
from benchdash.recipes.parameters import Value
from benchdash.recipes.recipe import Recipe

MOST_CELLS = 2000
MOST_REPEATS = 100


@dataclass(frozen=True, slots=True)
class Cell:
    """All values of one job, the factors among them, and the repeat from 1."""

    values: dict[str, Value]
    factors: dict[str, Value]
    repeat: int
    label: str


def expand(
    recipe: Recipe,
    parameters: Mapping[str, object],
    factors: Mapping[str, Sequence[object]] | None = None,
    repeats: int | None = None,
) -> list[Cell]:
    """All cells, the first factor slowest; None takes the recipe's own factors and repeats.

    Every cell is measured once before any is repeated, so that drift over a night affects all
    cells alike and is not mistaken for a difference between them.
    """
    axes = _axes(recipe, recipe.factors if factors is None else factors)
    times = recipe.repeats if repeats is None else repeats
    _check_count(axes, times)
    fixed = {name: value for name, value in parameters.items() if name not in axes}
    cells = [
        _cell(recipe, fixed, dict(zip(axes, values, strict=True)))
        for values in product(*axes.values())
    ]
    return [
        Cell(cell.values, cell.factors, repeat, cell.label)
        for repeat in range(1, times + 1)
        for cell in cells
    ]


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


def _cell(recipe: Recipe, fixed: Mapping[str, object], factors: dict[str, Value]) -> Cell:
    values = recipe.read({**fixed, **factors})
    label = ", ".join(
        f"{name}={written(value, recipe.parameters[name].kind)}" for name, value in factors.items()
    )
    return Cell(values, factors, 1, label)
