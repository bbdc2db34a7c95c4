"""All cells of a recipe at once; a plan makes its jobs as they come up (jobs/stretches.py)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from benchdash.recipes import Cell, Recipe, cells_of, order_of_round
from benchdash.recipes.blocks import block_factors, block_of


def expand(
    recipe: Recipe,
    parameters: Mapping[str, object],
    factors: Mapping[str, Sequence[object]] | None = None,
    repeats: int | None = None,
    seed: int | None = None,
) -> list[Cell]:
    """All cells in the order of the rounds; None takes the recipe's own factors and repeats."""
    cells = cells_of(recipe, parameters, factors, repeats)
    rounds = range(1, (recipe.repeats if repeats is None else repeats) + 1)
    dear = block_factors(cells)
    numbers = range(1, len(cells) + 1)
    blocks = None if dear is None else [block_of(cells.values(each), dear) for each in numbers]
    return [
        replace(cells[number], round=each)
        for each in rounds
        for number in order_of_round(len(cells), each, seed, blocks)
    ]
