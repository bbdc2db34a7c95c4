"""A recipe laid over hosts and factors: a plan, and what stands against it.

What a plan reaches outside its own folders has to be on the lists of its host (`allow_lists.py`),
and confirmed by typing where it is written to (`confirming.py`). Right before that, the worker asks
the host itself as well.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict, replace
from functools import reduce
from secrets import randbelow
from typing import Any, cast

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from benchdash.accounts.models import User
from benchdash.accounts.roles import Role, role_of
from benchdash.errors import N_, Refused
from benchdash.jobs import fitting, making, stopping, study_plans
from benchdash.jobs.allow_lists import refuse_what_is_not_allowed
from benchdash.jobs.models import JobStep, Plan, Target
from benchdash.jobs.plan_contents import recipe_of, targets_of
from benchdash.jobs.plan_titles import LONGEST_TITLE, proposed_title
from benchdash.jobs.wanted import Wanted
from benchdash.recipes import Cells, Place, Step, cells_of, outline, render
from benchdash.recipes.blocks import block_factors, block_of
from benchdash.recipes.cells import some_of
from benchdash.recipes.parameters import Parameter, Value
from benchdash.recipes.recipe import StepTemplate
from benchdash.recipes.rendering import TOO_FEW_HOSTS, StepOutline
from benchdash.recipes.requirements import Requirement, holds
from benchdash.recipes.settings import idle_factors
from benchdash.recipes.steps import Touch
from benchdash.vocabulary.settings import ZONE
from benchdash.vocabulary.tools import TOOLS

MOST_STEPS = 200_000
MOST_ZONES = 20
RENDERED = 1000  # cells whose commands are looked at before any is made
SEEDS, MOST_SEED = 1_000_000, 2**31 - 1  # those that are drawn are short enough to be typed


def plan(wanted: Wanted, by: User) -> Plan:
    """The plan with the first of its jobs, stored as one; Refused names what stands against it.

    Nothing runs, and no host is contacted.
    """
    return store(outlined(wanted, by))


@transaction.atomic
def store(made: Plan) -> Plan:
    """An outlined plan with the first of its jobs."""
    made.save()
    making.make_more(made)
    return made


def outlined(wanted: Wanted, by: User, before: Plan | None = None) -> Plan:
    """The plan, not stored: what it costs and reaches is known. Refused as `plan` is.

    With `before` it is what comes to that plan later, on its hosts as they were then.
    """
    wanted = with_zones(wanted)
    _check(wanted, by)
    wanted, remarks = fitting.fitted(wanted)
    cells = cells_of(wanted.recipe, wanted.parameters, wanted.factors, wanted.repeats)
    _refuse_too_few_hosts(cells, min(len(targets) for targets in wanted.sets.values()))
    made = _plan(wanted, cells, by)
    if before is None:
        refuse_idle_factors(cells)
        stopping.check(made.until_percent, made.rounds_planned)
    else:
        made.nodes, made.key = before.nodes, before.key
    made.remarks = remarks
    made.round_s = _outlined(wanted, cells, made)
    made.reaches = _reached(wanted, cells, made)
    return made


def wanted_again(plan: Plan, by_role: Mapping[str, Target] | None = None) -> Wanted:
    """What a plan was made from, for its own hosts or others."""
    sets: dict[str, dict[str, Target]] = {}
    for (zone, role), target in targets_of(plan).items():
        sets.setdefault(zone, {})[role] = target
    return Wanted(
        recipe=recipe_of(plan),
        targets=sets.pop("", {}) if by_role is None else by_role,
        zones=sets if by_role is None else {},
        parameters=plan.parameters,
        factors=plan.levels,
        repeats=plan.rounds_at_most or plan.rounds_planned,
        until_percent=plan.until_percent,
        seed=plan.seed,
        title=plan.title,
        study=plan.study,
        configuration=plan.configuration,
        priority=plan.priority,
    )


def _check(wanted: Wanted, by: User) -> None:
    recipe, field = wanted.recipe, "zones" if wanted.zones else "targets"
    if recipe.admin and role_of(by) < Role.ADMIN:
        raise Refused("Only an admin may plan with the recipe {name}.", name=recipe.name)
    folder = Parameter("folder", "path", {"en": "Working folder"}, example="/")
    for zone, targets in wanted.sets.items():
        if not targets and zone:
            raise Refused("Choose at least one host for {zone}.", field, zone=zone)
        if not targets:
            raise Refused(_("Choose at least one host."), field)
        if len({target.host_id for target in targets.values()}) < len(targets):
            raise Refused(_("Each part of a plan needs its own host."), field)
        needed = study_plans.hosts_needed(wanted.study, zone) if wanted.study and zone else 0
        if needed and len(targets) != needed:
            raise Refused(
                "The study measures {zone} on another number of hosts: {wanted}, not {chosen}.",
                field,
                zone=zone,
                wanted=needed,
                chosen=len(targets),
            )
        for target in targets.values():
            folder.read(target.folder)


def with_zones(wanted: Wanted) -> Wanted:
    """The same with the zone as its first factor; Refused where zones and hosts do not go together."""
    recipe = wanted.recipe
    factors = dict(recipe.factors if wanted.factors is None else wanted.factors)
    named = list(factors.pop(ZONE, ())) if recipe.has_zones else []
    named += [wanted.parameters[ZONE]] if recipe.has_zones and wanted.parameters.get(ZONE) else []
    if wanted.zones and not recipe.has_zones:
        raise Refused(
            "{title} has no zones: its recipe needs a parameter of kind hosts.",
            "zones",
            title=recipe.title["en"],
        )
    if wanted.zones and wanted.targets:
        raise Refused(_("Give either hosts, or zones with their own hosts."), "zones")
    read = [str(recipe.parameters[ZONE].read(zone)) for zone in wanted.zones]
    if "" in read or len(set(read)) < len(read):
        raise Refused(_("Each zone needs its own name."), "zones")
    strangers = [str(zone)[:80] for zone in named if str(zone).strip() not in read]
    if strangers:
        raise Refused("Name the hosts of {zones}.", "zones", zones=", ".join(strangers))
    if not read:
        return wanted
    if not 1 <= len(read) <= MOST_ZONES:
        raise Refused("A plan has at most {most} zones.", "zones", most=MOST_ZONES)
    parameters = {name: value for name, value in wanted.parameters.items() if name != ZONE}
    zones = dict(zip(read, wanted.zones.values(), strict=True))
    return replace(wanted, zones=zones, parameters=parameters, factors={ZONE: read, **factors})


def _refuse_too_few_hosts(cells: Cells, chosen: int) -> None:
    """Refused with what the cell of most hosts needs; the first that has too few may need fewer."""
    for name in {step.count for step in cells.recipe.steps if _counts_hosts(step, cells)}:
        levels = cells.axes[name] if name in cells.axes else [cells.fixed[name]]
        most = max(cast("Sequence[int]", levels))
        if most > chosen:
            raise Refused(TOO_FEW_HOSTS, name, wanted=most, chosen=chosen)


def _counts_hosts(step: StepTemplate, cells: Cells) -> bool:
    """Whether a step needs a number of hosts: not of values, nor where a fixed value rules it out."""
    fixed, wanted = cells.fixed, step.requirement
    given = {name: some for name, some in wanted.given.items() if name in fixed}
    missing = tuple(name for name in wanted.missing if name in fixed)
    return bool(step.count) and not step.each and holds(Requirement(given, missing), fixed)


def refuse_idle_factors(cells: Cells) -> None:
    """Refused where a factor is varied and no command would differ by it."""
    for name, needed in idle_factors(cells, RENDERED).items():
        called = cells.recipe.parameters[name].called
        missing = [
            ", ".join(cells.recipe.parameters[each].called for each in some) for some in needed
        ]
        if missing:
            raise Refused(
                "Varying {called} would change nothing: name {missing}, or give it one value.",
                name,
                called=called,
                missing=reduce(_either, missing),
            )
        raise Refused(
            "Varying {called} would change nothing: no command of these cells has it.",
            name,
            called=called,
        )


def _either(one: str, other: str) -> str:
    return N_("{one} or {other}", one=one, other=other)


def _plan(wanted: Wanted, cells: Cells, by: User) -> Plan:
    recipe = wanted.recipe
    factors = recipe.factors if wanted.factors is None else wanted.factors
    rounds = recipe.repeats if wanted.repeats is None else wanted.repeats
    targets = (target for own in wanted.sets.values() for target in own.values())
    hosts = dict.fromkeys(target.host.name for target in targets)
    return Plan(
        title=wanted.title[:LONGEST_TITLE] or proposed_title(cells, hosts, timezone.now()),
        recipe_name=recipe.name,
        recipe=recipe.text,
        parameters=dict(wanted.parameters),
        factors={name: list(levels) for name, levels in factors.items()},
        axes=[[name, list(levels)] for name, levels in cells.axes.items()],
        block_factors=block_factors(cells),
        nodes=[
            {"role": role, "target": target.pk, "folder": target.folder}
            | {"user": target.user, "tools": _tools(target)}
            | {"known_as": target.findings.get("known_as", [])}
            | ({"zone": zone, "host": target.host.name} if zone else {})
            for zone, targets in wanted.sets.items()
            for role, target in targets.items()
        ],
        cell_count=len(cells),
        rounds_planned=rounds,
        to_make=len(cells) * rounds,
        until_percent=wanted.until_percent,
        rounds_at_most=None if wanted.until_percent is None else rounds,
        seed=randbelow(SEEDS) if wanted.seed is None else wanted.seed,
        study=wanted.study,
        configuration=wanted.configuration,
        priority=wanted.priority,
        created_by=by,
    )


def _outlined(wanted: Wanted, cells: Cells, made: Plan) -> float | None:
    """Expected seconds of a round; Refused where a cell cannot be, or they have too many steps."""
    places, count = _places(wanted, made), 0
    total: float | None = 0.0
    blocks: set[tuple[Value, ...]] = set()
    for number in range(1, len(cells) + 1):
        values = cells.values(number)
        zone = wanted.recipe.zone_of(values)
        steps = outline(wanted.recipe, values, places[zone])
        count += len(steps)
        if count > MOST_STEPS:
            raise Refused(
                "A round has at most {most} steps: use fewer values or hosts.",
                "factors",
                most=f"{MOST_STEPS:,}",
            )
        refuse_without_root(steps, wanted.sets[zone])
        block = block_of(values, made.block_factors or ())
        is_first = made.block_factors is None or block not in blocks
        blocks.add(block)
        seconds = making.expected_s(steps, with_shared=is_first)
        total = None if total is None or seconds is None else total + seconds
    return total


def _reached(wanted: Wanted, cells: Cells, made: Plan) -> list[dict[str, Any]]:
    """What the steps of all cells reach outside their folders, and are allowed to.

    Of very many cells some are rendered, every level among them: a job that would reach something
    else is refused when it is made.
    """
    places = _places(wanted, made)
    found: dict[tuple[str, str, Touch], bool] = {}
    for number in some_of(cells.axes, RENDERED):
        values = cells.values(number)
        zone = wanted.recipe.zone_of(values)
        for step in render(wanted.recipe, values, places[zone]):
            for touch in step.touches:
                one = zone, step.node, touch
                found[one] = found.get(one, True) and _only_reads(step)
    refuse_what_is_not_allowed((touch, wanted.sets[zone][node]) for zone, node, touch in found)
    return [
        {"node": node, **asdict(touch)}
        | ({"only_read": True} if is_read else {})
        | ({"zone": zone} if zone else {})
        for (zone, node, touch), is_read in found.items()
    ]


def _places(wanted: Wanted, made: Plan) -> dict[str, Place]:
    """Where the commands of each zone run."""
    return {zone: making.place_of(made, made.key, zone) for zone in wanted.sets}


_READING = {"fio": ("--rw=read", "--rw=randread"), "rbd": ("--io-type=read",)}


def _only_reads(step: Step) -> bool:
    """Whether a step writes to nothing outside its folder, although it may."""
    return any(option in step.argv for option in _READING.get(step.tool or "", ()))


def _tools(target: Target) -> dict[str, str]:
    """Tool → version as the last check found them; a tool that was not found is left out."""
    lines = target.findings.get("lines", [])
    return {line["name"]: line["text"] for line in lines if line["name"] in TOOLS and line["ok"]}


def refuse_without_root(
    steps: Iterable[JobStep | StepOutline], targets: Mapping[str, Target]
) -> None:
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
