"""Renders a recipe with its values to the exact commands, in the order in which they run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import groupby
from typing import cast

from benchdash.errors import N_, Refused
from benchdash.recipes import job_file
from benchdash.recipes.durations import expected_s
from benchdash.recipes.filling import Draft, Filling, needs_root, taken, version_of
from benchdash.recipes.parameters import Value
from benchdash.recipes.recipe import PHASES, Recipe, Rule, StepTemplate
from benchdash.recipes.requirements import PEERS, holds
from benchdash.recipes.steps import Place, Step

TOO_FEW_HOSTS = N_("Hosts needed: {wanted}, chosen: {chosen}.")


def render(recipe: Recipe, values: Mapping[str, object], place: Place) -> tuple[Step, ...]:
    """Every step in order; values are read again, so what is rendered is what is allowed."""
    read = _with_peers(recipe.read(values), place)
    _refuse_together(recipe, read, place)
    for name, parameter in recipe.parameters.items():
        if parameter.job_file and read[name]:
            job_file.check(str(read[name]), name)
    drafts = [
        draft for template in _in_order(recipe) for draft in _drafts(template, recipe, read, place)
    ]
    return tuple(
        Filling(recipe, read, place, draft, f"{position}-{draft.template.name}").step()
        for position, draft in enumerate(drafts, 1)
    )


def _with_peers(values: dict[str, Value], place: Place) -> dict[str, Value]:
    return {PEERS: len(place.nodes) > 1, **values}


def _refuse_together(recipe: Recipe, values: dict[str, Value], place: Place) -> None:
    for rule in recipe.rules:
        too_few = all(_count(values[name]) < least for name, least in rule.fewer.items())
        if too_few and _is_below(rule, values) and holds(rule.requirement, values):
            raise Refused(rule.sentence, rule.field)
    if len(place.nodes) < recipe.nodes:
        raise Refused(
            "{title} needs {wanted} hosts (chosen: {chosen}).",
            "hosts",
            title=recipe.title["en"],
            wanted=recipe.nodes,
            chosen=len(place.nodes),
        )


def _is_below(rule: Rule, values: dict[str, Value]) -> bool:
    """Also of a rule that says nothing about it."""
    for name, others in rule.below.items():
        for other, times in others.items():
            number, limit = cast(float, values[name]), cast(float, values[other])
            if not number or not limit or number >= times * limit:
                return False
    return True


def _count(value: Value) -> int:
    return len(value) if isinstance(value, tuple) else bool(value)


@dataclass(frozen=True, slots=True)
class StepOutline:
    """A step before its holes are filled; the fields are those of `Step`."""

    name: str
    phase: str
    node: str
    folder: str
    together: bool
    root: bool
    expected_s: float | None
    shared: bool


def outline(recipe: Recipe, values: dict[str, Value], place: Place) -> list[StepOutline]:
    """What steps there are, in a hundredth of the time that their commands take.

    `values` are read already. Refused where they do not go together.
    """
    values = _with_peers(values, place)
    _refuse_together(recipe, values, place)
    drafts = (
        each for template in _in_order(recipe) for each in _drafts(template, recipe, values, place)
    )
    return [
        StepOutline(
            name=draft.template.name,
            phase=draft.template.phase,
            node=draft.node,
            folder=f"{position}-{draft.template.name}",
            together=draft.template.together,
            root=draft.template.tunable is not None or needs_root(draft.template, values),
            expected_s=expected_s(draft.template.expected, values),
            shared=draft.template.shared,
        )
        for position, draft in enumerate(drafts, 1)
    ]


def _in_order(recipe: Recipe) -> Iterator[StepTemplate]:
    """Before and after are repeated around all that measures or starts at once."""
    phases = {phase: [s for s in recipe.steps if s.phase == phase] for phase in PHASES}
    yield from phases["prepare"]
    at_once = groupby(phases["measure"], lambda step: (step.together and step.name) or id(step))
    for _key, measure in at_once:
        yield from (*phases["before"], *measure, *phases["after"])
    yield from phases["cleanup"]


def _drafts(
    template: StepTemplate, recipe: Recipe, values: dict[str, Value], place: Place
) -> Iterator[Draft]:
    if not holds(template.requirement, values, version_of(template.tool, place)):
        return
    each = taken(template, recipe, values) if template.each else ("",)
    for node in _nodes(template, values, place):
        yield from (Draft(template, node, one) for one in each)


def _nodes(template: StepTemplate, values: dict[str, Value], place: Place) -> list[str]:
    nodes = list(place.nodes)
    if template.count and not template.each:
        wanted = int(cast("int", values[template.count]))
        if wanted > len(nodes):
            raise Refused(TOO_FEW_HOSTS, template.count, wanted=wanted, chosen=len(nodes))
        nodes = nodes[:wanted]
    node = next(one.node for one in template.node if holds(one.requirement, values))
    if node == "first":
        return nodes[:1]
    if node == "peers":
        return nodes[1:]
    if node == "all":
        return nodes
    if node not in nodes:
        raise Refused("A host is needed as {node}.", "hosts", node=node)
    return [node]
