"""Renders a recipe with its values to the exact commands, in the order in which they run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import cast

from benchdash.errors import Refused
from benchdash.recipes import job_file
from benchdash.recipes.filling import Draft, Filling, version_of
from benchdash.recipes.parameters import Value
from benchdash.recipes.recipe import PHASES, Recipe, StepTemplate
from benchdash.recipes.requirements import holds
from benchdash.recipes.steps import Place, Step


def render(recipe: Recipe, values: Mapping[str, object], place: Place) -> tuple[Step, ...]:
    """Every step in order; values are read again, so what is rendered is what is allowed."""
    read = recipe.read(values)
    _refuse_together(recipe, read, place)
    drafts = [draft for template in _in_order(recipe) for draft in _drafts(template, read, place)]
    return tuple(
        Filling(recipe, read, place, draft, f"{position}-{draft.template.name}").step()
        for position, draft in enumerate(drafts, 1)
    )


def _refuse_together(recipe: Recipe, values: dict[str, Value], place: Place) -> None:
    for rule in recipe.rules:
        if holds(rule.requirement, values):
            raise Refused(rule.sentence, rule.field)
    if len(place.nodes) < recipe.nodes:
        raise Refused(
            "{title} needs {wanted} hosts, {chosen} were chosen.",
            "hosts",
            title=recipe.title["en"],
            wanted=recipe.nodes,
            chosen=len(place.nodes),
        )
    for name, parameter in recipe.parameters.items():
        if parameter.job_file and values[name]:
            job_file.check(str(values[name]), name)


def _in_order(recipe: Recipe) -> Iterator[StepTemplate]:
    """Before and after are repeated around each step that measures."""
    phases = {phase: [s for s in recipe.steps if s.phase == phase] for phase in PHASES}
    yield from phases["prepare"]
    for measure in phases["measure"]:
        yield from (*phases["before"], measure, *phases["after"])
    yield from phases["cleanup"]


def _drafts(template: StepTemplate, values: dict[str, Value], place: Place) -> Iterator[Draft]:
    if not holds(template.requirement, values, version_of(template.tool, place)):
        return
    each = cast("tuple[str, ...]", values[template.each] or ()) if template.each else ("",)
    for node in _nodes(template, values, place):
        yield from (Draft(template, node, one) for one in each)


def _nodes(template: StepTemplate, values: dict[str, Value], place: Place) -> list[str]:
    nodes = list(place.nodes)
    if template.count:
        wanted = int(cast("int", values[template.count]))
        if wanted > len(nodes):
            raise Refused(
                "{wanted} hosts are needed, {chosen} were chosen.",
                template.count,
                wanted=wanted,
                chosen=len(nodes),
            )
        nodes = nodes[:wanted]
    if template.node in ("", "first"):
        return nodes[:1]
    if template.node == "peers":
        return nodes[1:]
    if template.node == "all":
        return nodes
    if template.node not in nodes:
        raise Refused("A host is needed as {node}.", "hosts", node=template.node)
    return [template.node]
