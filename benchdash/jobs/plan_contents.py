"""What a plan was made of: its recipe, its cells and its hosts, as they were then."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache

from benchdash.errors import Refused
from benchdash.jobs.models import Plan, Target
from benchdash.jobs.stretches import first_stretches
from benchdash.recipes import Cell, Cells, Recipe, cells_of, load

Targets = dict[tuple[str, str], Target]  # by zone ("" where a plan has none) and role


def recipe_of(plan: Plan) -> Recipe:
    """As it was planned: a recipe that was edited since is for later plans."""
    return _recipe(plan.recipe)


@lru_cache(maxsize=64)
def _recipe(text: str) -> Recipe:
    try:
        return load(text)
    except Refused as refused:
        raise Refused(
            "The recipe that this plan was made from can no longer be read, so plan again: {why}",
            "rounds",
            why=refused.sentence,
        ) from None


def cells_of_plan(plan: Plan) -> Iterator[Cells]:
    """The plan's cells; those that came later by themselves, in their order."""
    for stretch in first_stretches(plan):
        yield cells_of(recipe_of(plan), plan.parameters, stretch.axes)


def cell_of_plan(plan: Plan, number: int) -> Cell:
    """The cell with this number, which counts from 1."""
    for cells in cells_of_plan(plan):
        if number <= len(cells):
            return cells[number]
        number -= len(cells)
    raise IndexError(number)


def targets_of(plan: Plan) -> Targets:
    """The plan's targets by zone and role, the measured ones first; Refused where one was removed."""
    found = Target.objects.select_related("host").defer("secret")
    by_pk = found.in_bulk([node["target"] for node in plan.nodes])
    if len(by_pk) < len({node["target"] for node in plan.nodes}):
        raise Refused("A target of this plan was removed: plan the rest of it again.")
    return {(node.get("zone", ""), node["role"]): by_pk[node["target"]] for node in plan.nodes}
