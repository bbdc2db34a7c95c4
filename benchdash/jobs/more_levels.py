"""A level that a factor of a plan is given later: only the new cells are measured.

They have as many rounds as the plan has, in an order of the same seed, numbered after its rounds:
what was measured at another time is no pair of what was measured then (docs/verdicts.md).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from benchdash.accounts.models import User
from benchdash.errors import Refused
from benchdash.jobs import making, planning
from benchdash.jobs.confirming import confirmed_names
from benchdash.jobs.models import Plan
from benchdash.jobs.more_rounds import is_further_look, refuse_unfinished
from benchdash.jobs.plan_contents import recipe_of
from benchdash.jobs.stretches import stretches_of
from benchdash.recipes import Recipe, cells_of
from benchdash.recipes.cells import count_of
from benchdash.recipes.holes import written
from benchdash.recipes.settings import is_known_of_runs
from benchdash.vocabulary.settings import ZONE


@dataclass(frozen=True, slots=True)
class AddedLevels:
    """Levels that a factor was given later, and the rounds that have their cells and no others."""

    factor: str
    levels: list[Any]
    cells: int
    first_round: int
    last_round: int
    at: datetime
    by: str


def added_levels(plan: Plan) -> list[AddedLevels]:
    """In their order."""
    return [
        AddedLevels(
            row["factor"],
            row["levels"],
            one.cells,
            one.first_round,
            one.last_round,
            datetime.fromisoformat(row["at"]),
            row["by"],
        )
        for row, one in zip(plan.stretches, stretches_of(plan), strict=False)
        if "factor" in row
    ]


def cells_to_add(plan: Plan, factor: str, levels: Sequence[Any], by: User) -> Plan:
    """The new cells as a plan of their own, not stored: `cost_of` and `touched` tell of it.

    Refused where a level is there already, where such a plan would be, or where this one is not
    launched or not whole.
    """
    refuse_unfinished(plan, "factor")
    if plan.launched_at is None:
        raise Refused(
            _(
                "This plan is not launched yet: plan again with all levels, so they are "
                "measured in the same rounds."
            ),
            "factor",
        )
    if factor == ZONE and plan.has_zones:
        raise Refused(_("A zone has its own hosts: plan again with all zones."), "factor")
    recipe = recipe_of(plan)
    before = _levels_of(plan, recipe, factor)
    wanted = replace(planning.wanted_again(plan), repeats=plan.rounds_planned, until_percent=None)
    wanted = replace(wanted, factors=plan.levels | {factor: levels})
    made = planning.outlined(wanted, by, plan)
    parameter = recipe.parameters[factor]
    for level in dict(made.axes)[factor]:
        if parameter.read(level) in before:
            raise Refused(
                "{called} already has the level {level}.",
                "levels",
                called=parameter.called,
                level=written(parameter.read(level), parameter.kind) or "–",
            )
    whole = plan.levels | {factor: [*plan.levels[factor], *dict(made.axes)[factor]]}
    planning.refuse_idle_factors(
        cells_of(recipe, plan.parameters, whole, plan.rounds_planned)  # refuses too many
    )
    return made


@transaction.atomic
def add_levels(
    plan: Plan, factor: str, levels: Sequence[Any], by: User, confirmed: Iterable[str] = ()
) -> int:
    """How many jobs follow, queued at once; none of those that are there changes.

    `confirmed` are the typed names of what the new cells write to: Refused where one is missing,
    and as `cells_to_add`.
    """
    plan = Plan.objects.select_for_update().get(pk=plan.pk)
    made = cells_to_add(plan, factor, levels, by)
    names = confirmed_names(made, confirmed)
    now = timezone.now()
    first = {"cells": plan.cell_count, "rounds": plan.rounds_planned, "axes": plan.axes}
    new = dict(made.axes)[factor]
    plan.stretches = [
        *(plan.stretches or [first]),
        {"first": plan.cell_count + 1, "cells": made.cell_count, "rounds": plan.rounds_planned}
        | {"axes": made.axes, "factor": factor, "levels": new, "over": is_further_look(plan)}
        | {"at": now.isoformat(), "by": by.get_username()},
    ]
    plan.axes = [[name, [*own, *(new if name == factor else ())]] for name, own in plan.axes]
    plan.factors = plan.factors | {factor: [*plan.factors.get(factor, ()), *new]}
    plan.reaches = _together(plan.reaches, made.reaches)
    plan.confirmed = sorted({*plan.confirmed, *names})
    plan.remarks = list(dict.fromkeys([*plan.remarks, *made.remarks]))
    known = plan.round_s is not None and made.round_s is not None
    plan.round_s = (plan.round_s or 0) + (made.round_s or 0) if known else None
    jobs, waited = made.cell_count * plan.rounds_planned, plan.to_make
    plan.cell_count, plan.to_make = plan.cell_count + made.cell_count, waited + jobs
    plan.save()
    if not waited:
        making.make_more(plan, by)
    return jobs


def factors_of(plan: Plan) -> list[str]:
    """The factors that take further levels: zones have hosts, and of some values runs know nothing."""
    recipe = recipe_of(plan)
    if count_of(plan.levels) != plan.cell_count:
        return []
    return [
        name
        for name, levels in plan.axes
        if name in recipe.parameters
        and not (name == ZONE and plan.has_zones)
        and (len(levels) > 1 or is_known_of_runs(recipe, name))
    ]


def _levels_of(plan: Plan, recipe: Recipe, factor: str) -> set[Any]:
    """The levels that a factor has, as read; Refused where the plan does not vary it."""
    if count_of(plan.levels) != plan.cell_count:
        raise Refused(
            _("This plan was made by an older version that kept no levels: plan again."), "factor"
        )
    parameter = recipe.parameters.get(factor)
    factors = factors_of(plan)
    if parameter is None or factor not in factors:
        raise Refused(
            "This plan does not vary {factor}. It varies: {names}.",
            "factor",
            factor=parameter.called if parameter else factor[:80],
            names=", ".join(recipe.parameters[name].called for name in factors) or "–",
        )
    return {parameter.read(level) for level in plan.levels[factor]}


def _together(before: list[dict[str, Any]], new: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What both reach, by node; only read where neither writes."""
    found: dict[tuple[str, str, str, str], dict[str, Any]] = {}
    for each in (*before, *new):
        key = each.get("zone", ""), each["node"], each["kind"], each["name"]
        if key not in found or not each.get("only_read"):
            found[key] = each
    return list(found.values())
