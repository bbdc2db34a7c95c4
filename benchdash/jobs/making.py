"""The jobs of a plan, made as they come up: one of 10,000 cells has the rows that wait, not all.

What a job will be follows from its position: the plan keeps its factors, the seed of its order, and
its hosts as they were when it was made. A cell that has commands already gets the very same again.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict, dataclass
from functools import reduce
from itertools import groupby
from operator import or_

from django.db import transaction
from django.db.models import Max, Prefetch, Q
from django.utils import timezone

from benchdash.accounts.models import User
from benchdash.errors import Refused
from benchdash.jobs import job_states, queueing, stopping
from benchdash.jobs.copying import copied, steps_again
from benchdash.jobs.models import Job, JobEvent, JobNode, JobStep, Plan
from benchdash.jobs.plan_contents import Targets, cell_of_plan, recipe_of, targets_of
from benchdash.jobs.stretches import first_stretches, stretches_of, turn_of
from benchdash.recipes import Node, Place, Step, render
from benchdash.recipes.rendering import StepOutline

AHEAD = 200  # jobs that are there before their turn
FIRST_OF_THE_QUEUE = 20  # the rest follow as hosts become free
_BATCH = 1000


@dataclass(frozen=True, slots=True)
class Made:
    """A job with its nodes and steps, none of them stored yet."""

    job: Job
    nodes: list[JobNode]
    steps: list[JobStep]


def make_more(plan: Plan, by: User | None = None) -> list[Job]:
    """Store the plan's next jobs, up to `AHEAD`; queued where it is launched. Its row is locked.

    None beyond the next look at its intervals, where these may end its rounds. Refused where a job
    would reach what nobody was asked about, or cannot be rendered any more.
    """
    later = plan.cell_count * (plan.rounds_planned - stopping.rounds_to_make(plan))
    if plan.to_make <= later:
        return []
    made = list(upcoming(plan, min(plan.to_make - later, AHEAD)))
    for each in made:
        refuse_what_is_new(plan, each)
    jobs = [each.job for each in made]
    _put_in_the_queue_since(plan, jobs)
    Job.objects.bulk_create(jobs, _BATCH)
    JobNode.objects.bulk_create((node for each in made for node in each.nodes), _BATCH)
    JobStep.objects.bulk_create((step for each in made for step in each.steps), _BATCH)
    by, planned = by or plan.launched_by or plan.created_by, Job.State.PLANNED
    JobEvent.objects.bulk_create((JobEvent(job=job, by=by, after=planned) for job in jobs), _BATCH)
    plan.to_make -= len(jobs)
    plan.save(update_fields=["to_make"])
    if plan.launched_at:
        job_states.move_all(jobs, Job.State.QUEUED, by)
        queueing.notify(job.pk for job in jobs[:FIRST_OF_THE_QUEUE])
    return jobs


def make_due() -> None:
    """Make further jobs of every launched plan of which few wait; one that cannot go on is stopped.

    Where intervals may end its rounds, they are looked at first.
    """
    going_on = Plan.objects.filter(launched_at__isnull=False, paused_at=None, stopped_at=None)
    for plan in going_on.filter(Q(to_make__gt=0) | stopping.DECIDING).only("pk"):
        if _few_wait(plan):
            with transaction.atomic():
                _go_on(Plan.objects.select_for_update().get(pk=plan.pk))


def _few_wait(plan: Plan) -> bool:
    return plan.jobs.filter(ended_at=None).count() <= AHEAD // 2


def _go_on(plan: Plan) -> None:
    if plan.paused_at or plan.stopped_at or not _few_wait(plan):
        return  # somebody was quicker
    try:
        stopping.look(plan)
        make_more(plan)
    except Refused as refused:
        plan.stopped_at, plan.stopped_reason = timezone.now(), refused.sentence
        plan.save(update_fields=["stopped_at", "stopped_reason"])


def upcoming(plan: Plan, most: int, first: int | None = None) -> Iterator[Made]:
    """The jobs from a position on, those that are not made yet where none is given; few queries.

    Their tokens, and so their commands, are those that they will have.
    """
    first = first or (plan.jobs.aggregate(last=Max("position"))["last"] or 0) + 1
    turns = {
        position: turn_of(plan, position)
        for position in range(first, min(first + most, plan.cell_count * plan.rounds_planned + 1))
    }
    firsts = {one.first_round for one in first_stretches(plan)}
    before = _made_before(plan, {one.cell for one in turns.values() if one.round not in firsts})
    targets = targets_of(plan)
    for position, turn in turns.items():
        job = Job(
            plan=plan,
            position=position,
            round=turn.round,
            cell=turn.cell,
            priority=plan.priority,
            token=plan.token_of(position),
            block="" if turn.block is None else plan.token_of_block(turn.round, turn.block),
        )
        earlier = before.get(turn.cell)
        made = _again(earlier, job) if earlier else _rendered(plan, job, targets)
        if made.job.block:  # what is made for all of a block takes time once
            made.job.expected_s = expected_s(made.steps, with_shared=turn.is_first)
        yield made


def commands(plan: Plan, first: int, most: int) -> list[Made]:
    """The jobs at some positions with every command, those that are not made yet as they will be."""
    stored = plan.jobs.filter(position__gte=first, position__lt=first + most, retry_of=None)
    nodes = JobNode.objects.select_related("target__host").defer("target__secret")
    steps = JobStep.objects.select_related("change").defer("identity")
    stored = stored.select_related("plan").order_by("position")
    shown = [
        Made(job, list(job.nodes.all()), list(job.steps.all()))
        for job in stored.prefetch_related(Prefetch("nodes", nodes), Prefetch("steps", steps))
    ]
    if plan.to_make and len(shown) < most:
        shown += upcoming(plan, most - len(shown), first + len(shown))
    return shown


def _made_before(plan: Plan, cells: set[int]) -> dict[int, Job]:
    """The jobs of the first round that has them by cell: later ones run their commands."""
    if not cells:
        return {}
    firsts = [
        Q(position__gt=one.before, position__lte=one.before + one.cells)
        for one in first_stretches(plan)
    ]
    nodes = JobNode.objects.select_related("target__host").defer("target__secret")
    first = plan.jobs.filter(reduce(or_, firsts), attempt=1, cell__in=cells)
    return {job.cell: job for job in first.prefetch_related("steps", Prefetch("nodes", nodes))}


def _again(earlier: Job, job: Job) -> Made:
    earlier.plan = job.plan
    same = {"position": job.position, "round": job.round, "priority": job.priority}
    again = copied(earlier, **same, token=job.token, block=job.block if earlier.block else "")
    nodes = [
        JobNode(job=again, role=node.role, target=node.target, folder=node.folder)
        for node in earlier.nodes.all()
    ]
    return Made(again, nodes, steps_again(earlier, again))


def _rendered(plan: Plan, job: Job, targets: Targets) -> Made:
    cell = cell_of_plan(plan, job.cell)
    zone = recipe_of(plan).zone_of(cell.values)
    job.title, job.values = title_of(plan, cell.label), cell.values
    job.configuration_id = plan.configuration_id
    steps = render(recipe_of(plan), cell.values, place_of(plan, job.token, zone, job.block))
    if not any(step.shared for step in steps):
        job.block = ""
    job.expected_s = expected_s(steps)
    used = _roles_used(plan, zone, steps)
    nodes = [
        JobNode(
            job=job,
            role=node["role"],
            target=targets[zone, node["role"]],
            folder=node["folder"],
        )
        for node in plan.nodes_of(zone)
        if node["role"] in used
    ]
    return Made(job, nodes, [_row(job, n, step) for n, step in enumerate(steps, 1)])


def _roles_used(plan: Plan, zone: str, steps: Iterable[Step]) -> set[str]:
    """All of the plan's, less those that a recipe which counts its hosts leaves out of this cell."""
    roles = [node["role"] for node in plan.nodes_of(zone)]
    # a host without a step is used all the same elsewhere: it mirrors, or serves
    counts = any(step.count for step in recipe_of(plan).steps)
    return {roles[0], *(step.node for step in steps)} if counts else {*roles}


def title_of(plan: Plan, label: str) -> str:
    """What jobs of a cell are called."""
    return (label or recipe_of(plan).title["en"])[:300]


def place_of(plan: Plan, token: str, zone: str = "", block: str = "") -> Place:
    """Where the commands of a job with this token run, in one of the plan's zones, and its block's."""
    nodes = {
        node["role"]: Node(
            node["user"],
            node["tools"],
            f"{node['folder'].rstrip('/')}/{token}",
            tuple(node.get("known_as", ())),
        )
        for node in plan.nodes_of(zone)
    }
    return Place(next(iter(nodes.values())).work, nodes, block)


def expected_s(
    steps: Iterable[Step | StepOutline | JobStep], *, with_shared: bool = True
) -> float | None:
    """Seconds that a job takes; what starts together counts once, None where that is unknown.

    Without what is shared where the job finds that made, and leaves it to the next one.
    """
    known: list[float] = []
    own = (step for step in steps if with_shared or not step.shared)
    for _key, group in groupby(own, lambda step: (step.together and step.name) or step.folder):
        seconds = [step.expected_s for step in group if step.phase == "measure" or step.expected_s]
        if None in seconds:
            return None
        known += [max(second for second in seconds if second is not None)] if seconds else []
    return sum(known)


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
        shared=step.shared,
        tool=step.tool or "",
        result=step.result or "",
        touches=[asdict(touch) for touch in step.touches],
        tunable=asdict(step.tunable) if step.tunable else None,
    )


def refuse_what_is_new(plan: Plan, made: Made) -> None:
    """Refused where a step reaches what the plan did not name when it was made."""
    zone = recipe_of(plan).zone_of(made.job.values) if plan.has_zones else ""
    named = {
        (each["node"], each["kind"], each["name"])
        for each in plan.reaches
        if each.get("zone", "") == zone
    }
    for step in made.steps:
        for touch in step.touches:
            if (step.node, touch["kind"], touch["name"]) not in named:
                raise Refused(
                    "{step} of the next cells reaches {name}, which this plan did not name "
                    "when it was made: plan these cells separately.",
                    step=step.name,
                    name=touch["name"],
                )


def _put_in_the_queue_since(plan: Plan, jobs: list[Job]) -> None:
    """Their place in the queue is that of the launch, or of when their round was added."""
    if not plan.launched_at:
        return
    before = plan.jobs.filter(position=jobs[0].position - 1, attempt=1).first()
    since = (before.queued_at if before else None) or plan.launched_at
    first, *later = stretches_of(plan)
    starts = [(one.first_round - 1, one.at) for one in later if one.at]
    added = list(plan.added.order_by("pk"))
    if later and later[0].at:  # rounds that came after these cells are a stretch of their own
        added = [each for each in added if each.at < later[0].at]
    rounds = first.rounds - sum(each.rounds for each in added)
    for each in added:
        starts.append((rounds, each.at))
        rounds += each.rounds
    for job in jobs:
        job.queued_at = max([since, *(at for after, at in starts if job.round > after)])
