"""A recipe for one host on several at once: a plan for each, alike down to the order of its rounds.

Hosts measure beside each other then, none waits for another, and the host is what their runs are
compared by. One plan for all would measure one host after the other: one more thing to differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from secrets import randbelow, token_hex
from typing import Any

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from benchdash.accounts.models import User
from benchdash.errors import Refused
from benchdash.jobs import launching, planning
from benchdash.jobs.models import Plan, Target
from benchdash.jobs.plan_contents import recipe_of, targets_of
from benchdash.jobs.plan_titles import title_for_host
from benchdash.jobs.planning import SEEDS
from benchdash.jobs.wanted import Wanted
from benchdash.recipes import Recipe
from benchdash.recipes.cells import count_of
from benchdash.recipes.requirements import PEERS
from benchdash.recipes.settings import layer_parameters
from benchdash.vocabulary.workloads import AXES

MOST_HOSTS = 50


def is_for_one_host(recipe: Recipe) -> bool:
    """Whether each host can have a plan of its own."""
    alone = [step for step in recipe.steps if PEERS not in step.requirement.given]
    nodes = {
        choice.node
        for step in alone
        for choice in step.node
        if PEERS not in choice.requirement.given
    }
    counts = any(step.count for step in recipe.steps)
    return recipe.nodes == 1 and nodes <= {"", "first"} and not counts


@transaction.atomic
def plan_each(wanted: Wanted, targets: Sequence[Target], by: User) -> list[Plan]:
    """A plan for each target, all or none; Refused as a plan for one of them would be.

    `wanted` names no targets. A plan for one target alone is one like any other.
    """
    if not is_for_one_host(wanted.recipe):
        raise Refused(
            "{title} needs several hosts: each plan has its own.",
            "each_of",
            title=wanted.recipe.title["en"],
        )
    if not 1 <= len(targets) <= MOST_HOSTS:
        raise Refused("Choose 1 to {most} hosts.", "each_of", most=MOST_HOSTS)
    if len({target.host_id for target in targets}) < len(targets):
        raise Refused(_("Each part of a plan needs its own host."), "each_of")
    seed = randbelow(SEEDS) if wanted.seed is None else wanted.seed
    batch = token_hex(16) if len(targets) > 1 else ""
    plans = []
    for target in targets:
        title = wanted.title
        if batch and title:
            title = title_for_host(title, "", target.host.name)
        one = replace(wanted, targets={"node-a": target}, seed=seed, title=title)
        plans.append(planning.plan(one, by))
        plans[-1].batch = batch
    Plan.objects.bulk_update(plans, ["batch"])
    return plans


def takes_hosts(plan: Plan) -> bool:
    """Whether its host measures by itself, so that a further one can beside it."""
    return len(plan.nodes) == 1 and not plan.has_zones and is_for_one_host(recipe_of(plan))


def hosts_to_add(plan: Plan, targets: Sequence[Target], by: User) -> list[Plan]:
    """A plan as this one for each further host, not stored; Refused as `plan_each` would be.

    Hosts that work together are refused: one more would be another cluster.
    """
    if not takes_hosts(plan):
        raise Refused(
            _(
                "The hosts of this plan measure together, and adding one would change the "
                "cluster: plan again with all hosts."
            ),
            "hosts",
        )
    if count_of(plan.levels) != plan.cell_count:
        raise Refused(
            _("This plan was made by an older version that kept no levels: plan again."), "hosts"
        )
    known = {target.host_id for each in _alike(plan) for target in targets_of(each).values()}
    if len(known) + len(targets) > MOST_HOSTS or not targets:
        raise Refused("Choose 1 to {most} hosts.", "hosts", most=MOST_HOSTS)
    for target in targets:
        if target.host_id in known:
            raise Refused(
                "{host} is already measured: add rounds to its plan.",
                "hosts",
                host=target.host.name,
            )
        known.add(target.host_id)
    found = []
    for target in targets:
        wanted = planning.wanted_again(plan, {"node-a": target})
        title = title_for_host(plan.title, _host_of(plan), target.host.name)
        wanted = replace(wanted, title=title)
        found.append(planning.outlined(wanted, by))
    return found


@transaction.atomic
def add_hosts(plan: Plan, targets: Sequence[Target], by: User) -> list[Plan]:
    """A plan as this one for each further host, in its batch, to be launched; as `hosts_to_add`."""
    plan = Plan.objects.select_for_update().get(pk=plan.pk)
    made = hosts_to_add(plan, targets, by)
    plan.batch = plan.batch or token_hex(16)
    plan.save(update_fields=["batch"])
    for each in made:
        each.batch = plan.batch
        planning.store(each)
    return made


def _alike(plan: Plan) -> list[Plan]:
    return list(batch_of(plan)) or [plan]


def _host_of(plan: Plan) -> str:
    (target,) = targets_of(plan).values()
    return target.host.name


def batch_of(plan: Plan) -> QuerySet[Plan]:
    """The plans that are alike, one a host, this one among them; none for one by itself."""
    same = Plan.objects.filter(batch=plan.batch) if plan.batch else Plan.objects.none()
    return same.order_by("pk")


def compared_by(plan: Plan) -> list[str]:
    """The host, and what the plan varies, as a comparison groups by it; none where it has to look.

    What is varied of a layer is in the configuration that was captured.
    """
    recipe = recipe_of(plan)
    varied = [name for name, levels in plan.levels.items() if len(levels) > 1]
    if layer_parameters(recipe) & {*varied}:
        return []
    axes = {name: recipe.parameters[name].axis for name in varied}
    return ["host", *(f"workload.{axes[n]}" if axes[n] in AXES else f"setting.{n}" for n in varied)]


@transaction.atomic
def launch_all(plan: Plan, by: User, *, confirmed: Iterable[str] = (), **how: Any) -> list[Plan]:
    """Launch every plan of the batch that is not launched, all or none; else as `launch`."""
    names = list(confirmed)
    plans = list(batch_of(plan).filter(launched_at=None))
    if not plans:
        raise Refused(_("This plan has already been launched: retry its jobs, or plan again."))
    for each in plans:
        launching.launch(each, by, confirmed=names, **how)
    return plans
