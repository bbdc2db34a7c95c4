"""Remote runs as data: a recipe is read, checked, laid out over factors, and rendered. Pure."""

from benchdash.recipes.cells import Cell, expand
from benchdash.recipes.library import builtin
from benchdash.recipes.reading import load
from benchdash.recipes.recipe import Recipe
from benchdash.recipes.rendering import render
from benchdash.recipes.steps import KnobSetting, Node, Place, Step, Touch

__all__ = [
    "Cell",
    "KnobSetting",
    "Node",
    "Place",
    "Recipe",
    "Step",
    "Touch",
    "builtin",
    "expand",
    "load",
    "render",
]
