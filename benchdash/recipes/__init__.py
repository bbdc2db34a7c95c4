"""Remote runs as data: a recipe is parsed, checked, expanded over factors, and rendered. No I/O."""

from benchdash.recipes.cells import Cell, Cells, cells_of, order_of_round
from benchdash.recipes.reading import builtin, load
from benchdash.recipes.recipe import Recipe
from benchdash.recipes.rendering import outline, render
from benchdash.recipes.steps import Node, Place, Step, Touch, TunableValue

__all__ = [
    "Cell",
    "Cells",
    "Node",
    "Place",
    "Recipe",
    "Step",
    "Touch",
    "TunableValue",
    "builtin",
    "cells_of",
    "load",
    "order_of_round",
    "outline",
    "render",
]
