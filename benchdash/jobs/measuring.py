"""What a job knows of the runs it made: what the tool was run with, and what was started with it."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from functools import lru_cache
from itertools import groupby
from pathlib import PurePosixPath

from benchdash.errors import Refused
from benchdash.jobs.models import Job, JobStep, Plan
from benchdash.recipes import Recipe, builtin, load
from benchdash.recipes.settings import Setting, StepParameters, step_parameters
from benchdash.results.assignment import Command
from benchdash.vocabulary.tools import TOOLS


def parameters_of(step: JobStep) -> StepParameters:
    """The settings and the workload of a measuring step; call it once its job is captured.

    A configuration that a person chose for the whole plan says nothing of what the recipe sets, but
    the one that was found where that one was contradicted does.
    """
    job, plan = step.job, step.job.plan
    recipe = recipe_of(plan)
    if recipe is None:
        varied = [name for name, levels in plan.factors.items() if len(levels) > 1]
        return StepParameters({name: Setting(f"cell {job.cell}") for name in varied}, {})
    values = {name: tuple(v) if isinstance(v, list) else v for name, v in job.values.items()}
    captured = job.configuration_id not in (None, plan.configuration_id)
    return step_parameters(recipe, values, step.name, plan.factors, layers_known=captured)


def roles_measured(job: Job) -> dict[str, str]:
    """By their roles in a job, those of its hosts in its environment, where node-a ran the tool.

    Where another one ran it alone, such as the client of a cluster, they change places.
    """
    ran = job.steps.exclude(tool="").values_list("node", flat=True)
    return roles_where({*job.nodes.values_list("role", flat=True)}, {*ran})


def roles_where(roles: Collection[str], ran: Collection[str]) -> dict[str, str]:
    """The same where hosts in these roles `ran` the tool; it leads from the one to the other and back."""
    found = {role: role for role in roles}
    match [*ran]:
        case [role] if role in found and "node-a" in found:
            found |= {"node-a": role, role: "node-a"}
    return found


def recipe_of(plan: Plan) -> Recipe | None:
    """The recipe of a plan as it was planned; None where its text cannot be read any more."""
    return _recipe(plan.recipe_name, plan.recipe)


@lru_cache(maxsize=256)
def _recipe(name: str, text: str) -> Recipe | None:
    """As it was planned; older texts of our own recipes are marked as the present ones are."""
    present = next((one.parameters for one in builtin() if one.name == name), {})
    try:
        recipe = load(text)
    except Refused:  # the language of recipes has changed since
        return None
    marked = {
        name: replace(one, effect=present[name].effect, axis=present[name].axis)
        if name in present and not one.effect and not one.axis
        else one
        for name, one in recipe.parameters.items()
    }
    return replace(recipe, parameters=marked)


def command_to(step: JobStep) -> Command:
    """The tool's own part of a step, without a shell that started it."""
    argv = tuple(step.argv)
    program = TOOLS[step.tool].process if step.tool in TOOLS else ""
    begins = (n for n, word in enumerate(argv) if PurePosixPath(word).name == program)
    return Command(argv[next(begins, 0) :], step.files)


def started_together(steps: Iterable[JobStep]) -> Iterator[list[JobStep]]:
    """Steps in their order, neighbours of one name that start at the same time as one group.

    What of these groups measures on several hosts is one sample. Hosts that measure in turn are
    jobs of plans of their own.
    """
    groups = groupby(
        sorted(steps, key=lambda step: step.position),
        key=lambda step: (step.name, step.phase) if step.together else step.pk,
    )
    return (list(group) for _key, group in groups)
