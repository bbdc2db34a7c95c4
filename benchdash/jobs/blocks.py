"""What the jobs of a block share stands on their hosts between two of them (recipes/blocks.py).

A job that is done leaves it to the next one: its nodes are marked as those of every job that left
something (giving_up.py), and its shared steps of cleaning up wait. So whoever comes to the hosts first
unmakes it, whatever became of the block, unless that is the job that it was left to.
"""

from __future__ import annotations

from collections.abc import Iterator

from django.db.models import Exists, OuterRef, QuerySet
from django.utils import timezone

from benchdash.errors import N_
from benchdash.jobs import job_states, queueing
from benchdash.jobs.giving_up import left_nodes
from benchdash.jobs.leases import fenced, record
from benchdash.jobs.models import HostLock, Job, JobNode, JobStep

S = JobStep.State
_UNMAKING = JobStep.objects.filter(job=OuterRef("pk"), shared=True, phase=JobStep.Phase.CLEANUP)
_COMING = (Job.State.QUEUED, Job.State.WAITING)


def standing() -> QuerySet[Job]:
    """Jobs that left to others of their block what they share, none of it touched since."""
    return _left().filter(
        Exists(_UNMAKING.filter(state=S.WAITING)), ~Exists(_UNMAKING.exclude(state=S.WAITING))
    )


def _left() -> QuerySet[Job]:
    """The same, also where somebody has begun to unmake it."""
    left = Job.objects.filter(pk__in=left_nodes().values("job"), state=Job.State.DONE)
    return left.exclude(block="")


def stands(job: Job) -> bool:
    """Whether what a job left on its hosts is what its block shares; of one with its steps, no query."""
    unmaking = [
        step for step in job.steps.all() if step.shared and step.phase == JobStep.Phase.CLEANUP
    ]
    waits = all(step.state == S.WAITING for step in unmaking)
    return bool(unmaking) and job.state == Job.State.DONE and waits


def left_to(job: Job) -> Job | None:
    """The job that left to this one what they share; None: it makes that itself."""
    if not job.block:
        return None
    hosts = set(_sharing(job).values_list("role", "target"))
    for before in standing().filter(plan=job.plan_id, block=job.block).order_by("-pk"):
        left = set(left_nodes().filter(job=before).values_list("role", "target"))
        if left == hosts:  # on none of them was it unmade
            return before
    return None


def _sharing(job: Job) -> QuerySet[JobNode]:
    """The hosts on which it shares something."""
    return job.nodes.filter(role__in=job.steps.filter(shared=True).values("node"))


def take_over(job: Job, before: Job) -> None:
    """Have a job find made what another one left to it; from here on it is this one that unmakes it."""
    maker = before.made_by or before
    with fenced(before):
        before.nodes.update(left_at=None)
        steps = before.steps.filter(shared=True, phase=JobStep.Phase.CLEANUP)
        steps.update(state=S.SKIPPED, reason=N_("Left to job {job}.", job=job))
    with fenced(job):
        made = job.steps.filter(shared=True, phase=JobStep.Phase.PREPARE)
        made.update(state=S.SKIPPED, reason=N_("Made by job {job}.", job=maker))
        record(job, job, made_by=maker)
        job_states.add_event(job, N_("What its block shares was made by job {job}.", job=maker))


def can_be_left(job: Job) -> bool:
    """Whether what a job shares with others is whole, and one of them comes next on its hosts."""
    if not job.block or job.outcome != Job.State.DONE:
        return False
    cleaning, shared = job.steps.filter(phase=JobStep.Phase.CLEANUP), job.steps.filter(shared=True)
    own = cleaning.filter(shared=False).exclude(state=S.DONE)
    touched = cleaning.filter(shared=True).exclude(state=S.WAITING)
    if own.exists() or touched.exists() or not cleaning.filter(shared=True).exists():
        return False
    done = (S.DONE, S.SKIPPED) if job.made_by_id else (S.DONE,)
    unmade = shared.filter(phase=JobStep.Phase.PREPARE).exclude(state__in=done)
    return not unmade.exists() and _comes_next(job)


def _comes_next(job: Job) -> bool:
    coming = queueing.queue().filter(queueing.MAY_START, plan=job.plan_id, block=job.block)
    following = coming.exclude(pk=job.pk).first()
    hosts = list(job.nodes.values_list("target__host", flat=True))
    return following is not None and not queueing.ahead_of(following, hosts)


def leave(job: Job) -> None:
    """Leave to the next job what it shares with it."""
    with fenced(job):
        _sharing(job).update(left_at=timezone.now())
        job_states.add_event(job, N_("What its block shares is left for the next job."))


def abandoned() -> Iterator[Job]:
    """Jobs that left to nobody what they share: no job of their block is to come, or may start.

    Or that is unmade already, but not to the end. Where another job has a host, that one sees to it
    first.
    """
    for job in _left().order_by("pk"):
        coming = Job.objects.filter(
            queueing.MAY_START, plan=job.plan_id, block=job.block, state__in=_COMING
        )
        hosts = job.nodes.values("target__host")
        if HostLock.objects.filter(host__in=hosts).exists():
            continue
        whole = standing().filter(plan=job.plan_id, block=job.block)
        if not coming.exists() or not whole.exists():
            yield job
