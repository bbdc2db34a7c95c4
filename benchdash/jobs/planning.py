"""A recipe laid over hosts and factors: a plan with its jobs and the exact commands.

What a plan reaches outside its own folders has to be allowed on the host, and confirmed by typing
where it is written to. Right before that, the worker asks the host itself as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field, replace
from itertools import groupby
from secrets import randbelow
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _

from benchdash.accounts.models import User
from benchdash.accounts.roles import Role, role_of
from benchdash.errors import N_, Refused, Sentence
from benchdash.inventory.models import Configuration
from benchdash.jobs.models import Job, JobEvent, JobNode, JobStep, Plan, Target
from benchdash.recipes import Cell, Node, Place, Recipe, Step, expand, render
from benchdash.recipes.parameters import Parameter
from benchdash.recipes.steps import WRITTEN, Touch
from benchdash.results.models import Study
from benchdash.vocabulary.tools import TOOLS

MOST_STEPS = 20_000
BATCH = 1000
SEEDS, MOST_SEED = 1_000_000, 2**31 - 1  # those that are drawn are short enough to be typed


@dataclass(frozen=True, slots=True)
class Wanted:
    """What a person wants run: the recipe, the targets by the parts they play, values and factors.

    The first target is the measured one. `factors` and `repeats` None take the recipe's own.
    `seed` is that of the order within rounds, None for one by chance.
    """

    recipe: Recipe
    targets: Mapping[str, Target]
    parameters: Mapping[str, Any] = field(default_factory=dict)
    factors: Mapping[str, Sequence[Any]] | None = None
    repeats: int | None = None
    seed: int | None = None
    title: str = ""
    study: Study | None = None
    configuration: Configuration | None = None
    priority: int = 0


def plan(wanted: Wanted, by: User) -> Plan:
    """The plan with planned jobs, stored as one; Refused names what stands against it.

    Nothing runs, and no host is contacted.
    """
    _check(wanted, by)
    if wanted.seed is None:
        wanted = replace(wanted, seed=randbelow(SEEDS))
    cells = expand(
        wanted.recipe, wanted.parameters, wanted.factors, wanted.repeats, seed=wanted.seed
    )
    jobs = [
        (Job(position=n, **_cell_fields(wanted, cell)), cell) for n, cell in enumerate(cells, 1)
    ]
    steps = list(_rendered(wanted, jobs))
    with transaction.atomic():
        made = _plan(wanted, by)
        for job, _cell in jobs:
            job.plan = made
        Job.objects.bulk_create([job for job, _cell in jobs], BATCH)
        _bulk_create(wanted, [job for job, _cell in jobs], steps, by)
    return made


def _check(wanted: Wanted, by: User) -> None:
    recipe, targets = wanted.recipe, wanted.targets
    if recipe.admin and role_of(by) < Role.ADMIN:
        raise Refused("Only an admin may plan with the recipe {name}.", name=recipe.name)
    if not targets:
        raise Refused(_("Choose at least one host."), "targets")
    if len({target.host_id for target in targets.values()}) < len(targets):
        raise Refused(_("Each part of a plan needs a host of its own."), "targets")
    folder = Parameter("folder", "path", {"en": "Working folder"}, example="/")
    for target in targets.values():
        folder.read(target.folder)


def _cell_fields(wanted: Wanted, cell: Cell) -> dict[str, Any]:
    return {
        "title": (cell.label or wanted.recipe.title["en"])[:300],
        "values": cell.values,
        "cell": cell.number,
        "round": cell.round,
        "priority": wanted.priority,
        "configuration": wanted.configuration,
    }


def _rendered(
    wanted: Wanted, jobs: Iterable[tuple[Job, Cell]]
) -> Iterator[tuple[Job, tuple[Step, ...]]]:
    """The steps of each job, while they are not too many and nothing of them is refused."""
    count = 0
    for job, cell in jobs:
        steps = render(wanted.recipe, cell.values, _place(wanted.targets, job))
        count += len(steps)
        if count > MOST_STEPS:
            raise Refused(
                "A plan has at most {most} steps: take fewer values, repeats or hosts.",
                "factors",
                most=MOST_STEPS,
            )
        refuse_without_root(steps, wanted.targets)
        refuse_what_is_not_allowed(
            (touch, wanted.targets[step.node]) for step in steps for touch in step.touches
        )
        job.expected_s = expected_s(steps)
        yield job, steps


def _place(targets: Mapping[str, Target], job: Job) -> Place:
    nodes = {
        role: Node(target.user, _tools(target), job.work_folder(target.folder))
        for role, target in targets.items()
    }
    return Place(next(iter(nodes.values())).work, nodes)


def _tools(target: Target) -> dict[str, str]:
    """Tool → version as the last check found them; a tool that was not found is left out."""
    lines = target.findings.get("lines", [])
    return {line["name"]: line["text"] for line in lines if line["name"] in TOOLS and line["ok"]}


def refuse_without_root(steps: Iterable[Step | JobStep], targets: Mapping[str, Target]) -> None:
    """Refused where a step needs root on a target that has no way to it."""
    for step in steps:
        target = targets[step.node]
        if step.root and target.user != "root" and not target.sudo:
            raise Refused(
                "{step} needs root on {host}: allow sudo for {user} there, or sign in as root.",
                "targets",
                step=step.name,
                host=target.host.name,
                user=target.user,
            )


def expected_s(steps: Iterable[Step]) -> float | None:
    """Seconds that a job takes; what starts together counts once, None where that is unknown."""
    known: list[float] = []
    for _key, group in groupby(steps, lambda step: (step.together and step.name) or step.folder):
        seconds = [step.expected_s for step in group if step.phase == "measure" or step.expected_s]
        if None in seconds:
            return None
        known += [max(second for second in seconds if second is not None)] if seconds else []
    return sum(known)


def _plan(wanted: Wanted, by: User) -> Plan:
    recipe = wanted.recipe
    factors = recipe.factors if wanted.factors is None else wanted.factors
    return Plan.objects.create(
        title=(wanted.title or recipe.title["en"])[:200],
        recipe_name=recipe.name,
        recipe=recipe.text,
        parameters=dict(wanted.parameters),
        factors={name: list(levels) for name, levels in factors.items()},
        rounds_planned=recipe.repeats if wanted.repeats is None else wanted.repeats,
        seed=wanted.seed,
        study=wanted.study,
        configuration=wanted.configuration,
        priority=wanted.priority,
        created_by=by,
    )


def _bulk_create(
    wanted: Wanted, jobs: list[Job], steps: list[tuple[Job, tuple[Step, ...]]], by: User
) -> None:
    nodes = [
        JobNode(job=job, role=role, target=target, folder=target.folder)
        for job in jobs
        for role, target in wanted.targets.items()
    ]
    JobNode.objects.bulk_create(nodes, BATCH)
    rows = [_row(job, n, step) for job, some in steps for n, step in enumerate(some, 1)]
    JobStep.objects.bulk_create(rows, BATCH)
    planned = Job.State.PLANNED
    JobEvent.objects.bulk_create([JobEvent(job=job, by=by, after=planned) for job in jobs], BATCH)


def _row(job: Job, position: int, step: Step) -> JobStep:
    return JobStep(
        job=job,
        position=position,
        phase=step.phase,
        node=step.node,
        name=step.name,
        folder=step.folder,
        argv=list(step.argv),
        command=step.command(),
        files=dict(step.files),
        root=step.root,
        timeout_s=step.timeout_s,
        expected_s=step.expected_s,
        estimated=step.estimated,
        together=step.together,
        tool=step.tool or "",
        result=step.result or "",
        touches=[asdict(touch) for touch in step.touches],
        tunable=asdict(step.tunable) if step.tunable else None,
    )


@dataclass(frozen=True, slots=True)
class Touched:
    """A device or path on a host, and whether its name was typed."""

    kind: str
    name: str
    host: str
    confirmed: bool


def refuse_what_is_not_allowed(touches: Iterable[tuple[Touch, Target]]) -> None:
    """Refused where something is reached that is not on its host's list."""
    for touch, target in touches:
        if sentence := not_allowed(touch, target):
            raise Refused(sentence, "targets")


def not_allowed(touch: Touch, target: Target) -> str:
    """Why a target's lists keep a step from what it reaches; empty where they do not."""
    lists = {"file": target.readable, "server": target.servers}
    if touch.name in lists.get(touch.kind, target.allowed):
        return ""
    templates = {
        "file": N_(
            "{name} is not on the list of files that may be read on {host}: "
            "an admin adds it to the target {target}."
        ),
        "server": N_(
            "{name} is not on the list of servers that {host} may connect to: "
            "an admin adds it to the target {target}."
        ),
    }
    written = N_(
        "{name} is not on the list of what may be written on {host}: "
        "an admin adds it to the target {target}."
    )
    template = templates.get(touch.kind, written)
    return Sentence(template, name=touch.name, host=target.host.name, target=target)


def touched(plan: Plan) -> list[Touched]:
    """Everything outside its own folders that the plan writes to, by host."""
    hosts = dict(
        JobNode.objects.filter(job__plan=plan).values_list("role", "target__host__name").distinct()
    )
    rows = JobStep.objects.filter(job__plan=plan).exclude(touches=[]).values_list("node", "touches")
    found = {
        (hosts[node], touch["kind"], touch["name"])
        for node, touches in rows
        for touch in touches
        if touch["kind"] in WRITTEN
    }
    return [Touched(kind, name, host, name in plan.confirmed) for host, kind, name in sorted(found)]


def confirm(plan: Plan, typed: Iterable[str]) -> None:
    """Keep the names that a person typed; Refused where one is missing. Changes the plan's row."""
    wanted = {touch.name for touch in touched(plan)}
    plan.confirmed = sorted(wanted & {name.strip() for name in typed} | {*plan.confirmed})
    missing = sorted(wanted - set(plan.confirmed))
    if missing:
        raise Refused(
            "This plan writes to {names}: type the name to confirm it.",
            "confirmed",
            names=", ".join(missing),
        )
    plan.save(update_fields=["confirmed"])
