"""Rounds that a plan is given later, and when they are a further look at what it found.

Who adds rounds because nothing was clear yet chooses when to stop: a firm word then needs more
(docs/verdicts.md). So a plan keeps how often its runs could be looked at before rounds were added.
"""

from __future__ import annotations

from dataclasses import dataclass

from django.db import transaction
from django.db.models import Max, Prefetch, QuerySet
from django.utils.translation import gettext as _

from benchdash.accounts.models import User
from benchdash.accounts.roles import Role, role_of
from benchdash.errors import Refused
from benchdash.jobs import launching, planning
from benchdash.jobs.copying import copied, save_copies
from benchdash.jobs.models import AddedRounds, Job, JobEvent, JobNode, JobStep, Plan
from benchdash.recipes import Recipe, Touch, in_rounds, load
from benchdash.recipes.cells import MOST_CELLS, MOST_REPEATS


@dataclass(frozen=True, slots=True)
class Room:
    """`jobs` and `expected_s` (None: unknown) of one more round; `rounds` have room."""

    rounds: int
    jobs: int
    expected_s: float | None


def room_for_rounds(plan: Plan) -> Room:
    """How many more rounds the plan may have; two queries."""
    seconds = list(_first_round(plan).values_list("expected_s", flat=True))
    jobs = len(seconds)
    steps = JobStep.objects.filter(job__in=_first_round(plan)).count()
    most = min(MOST_REPEATS, MOST_CELLS // max(jobs, 1), planning.MOST_STEPS // max(steps, 1))
    known = [each for each in seconds if each is not None]
    return Room(
        rounds=max(0, most - plan.rounds_planned) if jobs else 0,
        jobs=jobs,
        expected_s=sum(known) if len(known) == jobs else None,
    )


def _first_round(plan: Plan) -> QuerySet[Job]:
    return plan.jobs.filter(round=1, attempt=1)


@transaction.atomic
def add_rounds(plan: Plan, rounds: int, by: User) -> list[Job]:
    """Further jobs of every cell, with the commands that the first round has; none that exists changes.

    They are queued where the plan was launched. A plan that was over has one look more. Refused
    where they are too many, or hosts and recipe no longer allow them.
    """
    plan = Plan.objects.select_for_update().get(pk=plan.pk)
    _check(plan, rounds, by)
    look = plan.looks + is_further_look(plan)
    jobs = _added(plan, rounds, by)
    AddedRounds.objects.create(plan=plan, rounds=rounds, look=look, by=by)
    plan.rounds_planned, plan.looks = plan.rounds_planned + rounds, look
    plan.save(update_fields=["rounds_planned", "looks"])
    if plan.launched_at:
        launching.queue_jobs(jobs, by)
    return jobs


def is_further_look(plan: Plan) -> bool:
    """Whether all rounds so far were over at some time since the last ones came; two queries.

    A job that was retried after that takes nothing back.
    """
    if plan.launched_at is None:
        return False
    added = plan.added.aggregate(at=Max("at"))["at"]
    since = max(plan.launched_at, added or plan.launched_at)
    busy_until = since
    for created, ended in plan.jobs.order_by("created_at").values_list("created_at", "ended_at"):
        if created > busy_until:
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
            "A plan has at most {rounds} rounds, {jobs} jobs and {steps} steps: "
            "this one has room for {room} more.",
            "rounds",
            room=room,
            rounds=MOST_REPEATS,
            jobs=f"{MOST_CELLS:,}",
            steps=f"{planning.MOST_STEPS:,}",
        )
    if _recipe(plan).admin and role_of(by) < Role.ADMIN:
        raise Refused("Only an admin may plan with the recipe {name}.", name=plan.recipe_name)


def _recipe(plan: Plan) -> Recipe:
    """As it was planned: without it the new runs would not have the settings of those before."""
    try:
        return load(plan.recipe)
    except Refused as refused:
        raise Refused(
            "The recipe that this plan was made from cannot be read any more, so plan again: {why}",
            "rounds",
            why=refused.sentence,
        ) from None


def _added(plan: Plan, rounds: int, by: User) -> list[Job]:
    nodes = JobNode.objects.select_related("target__host").defer("target__secret")
    cells = list(
        _first_round(plan)
        .select_related("plan")
        .prefetch_related("steps", Prefetch("nodes", nodes))
        .order_by("cell")
    )
    for job in cells:
        targets = {node.role: node.target for node in job.nodes.all()}
        planning.refuse_without_root(job.steps.all(), targets)
        planning.refuse_what_is_not_allowed(
            (Touch(each["kind"], each["name"]), targets[step.node])
            for step in job.steps.all()
            for each in step.touches
        )
    last = plan.jobs.aggregate(last=Max("position"))["last"]
    order = in_rounds(cells, plan.rounds_planned + rounds, plan.seed)
    further = [each for each in order if each[0] > plan.rounds_planned]
    copies = [
        (job, copied(job, position=n, round=number, priority=plan.priority))
        for n, (number, job) in enumerate(further, last + 1)
    ]
    save_copies(copies)
    jobs = [again for _job, again in copies]
    planned = Job.State.PLANNED
    JobEvent.objects.bulk_create(JobEvent(job=job, by=by, after=planned) for job in jobs)
    return jobs
