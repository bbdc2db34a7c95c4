"""Remote runs as data: a recipe is parsed, checked, expanded over factors, and rendered. No I/O."""

from benchdash.recipes.cells import Cell, expand, in_rounds
from benchdash.recipes.reading import builtin, load
from benchdash.recipes.recipe import Recipe
from benchdash.recipes.rendering import render
from benchdash.recipes.steps import Node, Place, Step, Touch, TunableValue

__all__ = [
    "Cell",
    "Node",
    "Place",
    "Recipe",
    "Step",
    "Touch",
    "TunableValue",
    "builtin",
    "expand",
    "in_rounds",
    "load",
    "render",
]
