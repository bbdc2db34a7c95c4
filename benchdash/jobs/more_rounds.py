"""Rounds that a plan is given later, and when they are a further look at what it found.

Who adds rounds because nothing was clear yet chooses when to stop: a firm word then needs more
(docs/verdicts.md). So a plan keeps how often its runs could be looked at before rounds were added.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.db.models import F, Max
from django.utils import timezone
from django.utils.translation import gettext as _

from benchdash.accounts.models import User
from benchdash.accounts.roles import Role, role_of
from benchdash.errors import Refused
from benchdash.jobs import making, planning
from benchdash.jobs.allow_lists import refuse_what_is_not_allowed
from benchdash.jobs.models import AddedRounds, Job, JobStep, Plan
from benchdash.jobs.plan_contents import recipe_of, targets_of
from benchdash.recipes import Touch
from benchdash.recipes.cells import MOST_JOBS, MOST_REPEATS


@dataclass(frozen=True, slots=True)
class Room:
    """`jobs` of one more round; `rounds` have room."""

    rounds: int
    jobs: int


def room_for_rounds(plan: Plan) -> Room:
    """How many more rounds the plan may have."""
    most = min(MOST_REPEATS, MOST_JOBS // max(plan.cell_count, 1))
    return Room(
        rounds=max(0, most - plan.rounds_planned) if plan.cell_count else 0,
        jobs=plan.cell_count,
    )


@transaction.atomic
def add_rounds(plan: Plan, rounds: int, by: User) -> int:
    """How many jobs of every cell follow, with the commands of the first round; none there changes.

    They are queued where the plan was launched. A plan that was over has one look more. Refused
    where they are too many, or hosts and recipe no longer allow them.
    """
    plan = Plan.objects.select_for_update().get(pk=plan.pk)
    _check(plan, rounds, by)
    look, waited = plan.looks + is_further_look(plan), plan.to_make
    AddedRounds.objects.create(plan=plan, rounds=rounds, look=look, by=by)
    jobs = rounds * plan.cell_count
    plan.rounds_planned, plan.looks, plan.to_make = (
        plan.rounds_planned + rounds,
        look,
        waited + jobs,
    )
    if plan.stretches:  # rounds that have no cells left out
        at = timezone.now().isoformat()
        plan.stretches.append({"cells": plan.cell_count, "rounds": rounds, "at": at})
    plan.save(update_fields=["rounds_planned", "looks", "to_make", "stretches"])
    if not waited:
        making.make_more(plan, by)
    return jobs


def is_further_look(plan: Plan) -> bool:
    """Whether all rounds so far were over at some time since the last ones came; few queries.

    A job that was retried after that takes nothing back; where it had been measured, its attempt was
    counted as a look when it came.
    """
    if plan.launched_at is None:
        return False
    if plan.stretches and plan.stretches[-1].get("over"):  # before a level was added to it
        return True
    added = plan.added.aggregate(at=Max("at"))["at"]
    first = plan.jobs.filter(attempt=1)
    if (plan.to_make and not plan.stopped_at) or first.filter(ended_at=None).exists():
        return False
    last = first.aggregate(at=Max("ended_at"))["at"]
    busy_until = max(filter(None, (plan.launched_at, added, last)))
    again = plan.jobs.filter(attempt__gt=1).order_by("created_at")
    for created, ended, before in again.values_list("created_at", "ended_at", "retry_of__state"):
        if created > busy_until and before != Job.State.DONE:
            return True
        if ended is None:
            return False
        busy_until = max(busy_until, ended)
    return True


def _check(plan: Plan, rounds: int, by: User) -> None:
    if rounds < 1:
        raise Refused(_("Add at least one round."), "rounds")
    room = room_for_rounds(plan).rounds
    if rounds > room:
        raise Refused(
            "A plan has at most {rounds} rounds and {jobs} jobs: this one has room for {room} more.",
            "rounds",
            room=room,
            rounds=MOST_REPEATS,
            jobs=f"{MOST_JOBS:,}",
        )
    refuse_unfinished(plan, "rounds")
    if recipe_of(plan).admin and role_of(by) < Role.ADMIN:
        raise Refused("Only an admin may plan with the recipe {name}.", name=plan.recipe_name)
    targets = targets_of(plan)
    by_pk = {target.pk: target for target in targets.values()}
    for step, target in _as_root(plan):
        planning.refuse_without_root([step], {step.node: by_pk[target]})
    refuse_what_is_not_allowed(
        (Touch(each["kind"], each["name"]), targets[each.get("zone", ""), each["node"]])
        for each in plan.reaches
    )


def refuse_unfinished(plan: Plan, field: str) -> None:
    """Refused where a plan stopped halfway, or decides about its rounds by itself."""
    if plan.stopped_at and plan.to_make:
        raise Refused(
            "This plan was stopped with {jobs} jobs left: resume it first.",
            field,
            jobs=f"{plan.to_make:,}",
        )
    if plan.is_deciding:
        raise Refused(
            "This plan adds rounds itself until its intervals are narrow: add more once it "
            "is over.",
            field,
        )


def _as_root(plan: Plan) -> list[tuple[JobStep, int]]:
    """The steps that run as root, one of each name and node, each with the id of its target."""
    found = JobStep.objects.filter(job__plan=plan, root=True, job__nodes__role=F("node"))
    rows = found.order_by().values_list("name", "node", "job__nodes__target").distinct()
    return [(JobStep(name=name, node=node, root=True), target) for name, node, target in rows]
