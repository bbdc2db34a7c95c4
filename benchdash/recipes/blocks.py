"""Blocks: the cells of a round that have in common what shared steps make, such as an array.

A factor on which a shared step depends is dear: each of its levels is made anew. So the cells that
are alike in all dear factors are measured one after the other, as a block (the whole plot of a
split-plot design), and what they share is made once for them.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import product
from typing import Any

from benchdash.recipes.cells import Cells
from benchdash.recipes.holes import holes
from benchdash.recipes.parameters import Value
from benchdash.recipes.recipe import StepTemplate, Words
from benchdash.recipes.requirements import PEERS, Requirement, holds


def block_factors(cells: Cells) -> list[str] | None:
    """The dear factors, in the order of the axes; None where no shared step is run at all.

    What a shared step may depend on counts, also where no cell has it: to make something once too
    often spoils nothing, to share what differs would.
    """
    shared = [
        step
        for step in cells.recipe.steps
        if step.shared and _may_hold(step.requirement, cells.fixed)
    ]
    if not shared:
        return None
    used = {name for step in shared for name in _used_by(step, cells.fixed)}
    # another zone is other hosts
    return [n for n in cells.axes if n in used or cells.recipe.parameters[n].kind == "hosts"]


def block_of(values: Mapping[str, Value], factors: Sequence[str]) -> tuple[Value, ...]:
    """The dear levels of a cell: cells of the same ones are a block of each round."""
    return tuple(values[name] for name in factors)


def blocks_made(cells: Cells, factors: Sequence[str], *, has_peers: bool) -> int:
    """How many blocks of a round something is made for."""
    axes = {name: cells.axes[name] for name in factors}
    steps = [step for step in cells.recipe.steps if step.shared and step.phase == "prepare"]
    rest = {name: levels[0] for name, levels in cells.axes.items()}
    every = (
        {PEERS: has_peers, **cells.fixed, **rest, **dict(zip(axes, levels, strict=True))}
        for levels in product(*axes.values())
    )
    return sum(any(holds(step.requirement, values) for step in steps) for values in every)


def _may_hold(requirement: Requirement, fixed: Mapping[str, Any]) -> bool:
    """Whether it can hold in a cell, as far as the values tell that all cells share."""
    given = {name: one for name, one in requirement.given.items() if name in fixed}
    missing = tuple(name for name in requirement.missing if name in fixed)
    return holds(Requirement(given, missing), fixed)


def _used_by(step: StepTemplate, fixed: Mapping[str, Any]) -> Iterator[str]:
    yield from _conditions_of(step.requirement)
    yield from (step.each, step.count)
    if isinstance(step.root, Requirement):
        yield from _conditions_of(step.root)
    for choice in step.node:
        yield from _conditions_of(choice.requirement)
    yield from _named(*step.files.values())
    for words in (*step.words, *step.touches):
        yield from _used_in(words, fixed)


def _used_in(words: Words, fixed: Mapping[str, Any]) -> Iterator[str]:
    if _may_hold(words.requirement, fixed):
        yield from _conditions_of(words.requirement)
        yield from _named(*words.argv)
        yield from (words.split, words.each)


def _conditions_of(requirement: Requirement) -> Iterator[str]:
    yield from requirement.given
    yield from requirement.missing


def _named(*texts: str) -> set[str]:
    return {name for text in texts for name, _form in holes(text)}
