"""Jobs whose hosts never return: an admin gives them up, and the hosts are free for others.

What such a job left on a host is marked on its node, and seen to at the next contact.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from benchdash.accounts.models import User
from benchdash.capture import Condition
from benchdash.errors import N_, Refused
from benchdash.inventory.models import Host
from benchdash.jobs import job_states, queueing
from benchdash.jobs.leases import fenced
from benchdash.jobs.models import Job, JobNode, JobStep, TunableChange
from benchdash.jobs.targets import request_check
from benchdash.results.storable import storable_text

S = JobStep.State
LONGEST_REASON = 2000
_ENDS_WITHIN = timedelta(minutes=10)


def is_stuck(job: Job) -> bool:
    """Whether its hosts keep it from ending, as far as anybody knows."""
    if job.state not in (Job.State.CANCELLING, Job.State.COLLECTING):
        return job.state == Job.State.UNREACHABLE
    # without a reason where not the host but the turn itself breaks off, over and over
    return bool(job.reason) or job.state_at < timezone.now() - _ENDS_WITHIN


@transaction.atomic
def give_up(job: Job, reason: str, by: User) -> Job:
    """End a stuck job as lost and free its hosts; of one that has ended, forget what it left.

    Refused without a reason, and where there is nothing to give up.
    """
    job = Job.objects.select_for_update().get(pk=job.pk)
    reason = storable_text(reason.strip(), LONGEST_REASON)
    if not reason:
        raise Refused(_("Give a reason: it is kept with your name and the date."), "reason")
    if is_stuck(job):
        _lose(job, reason, by)
    elif left_nodes().filter(job=job).update(left_at=None):
        sentence = N_("What it left on its hosts is no longer waited for: {reason}", reason=reason)
        job_states.add_event(job, sentence, by)
    else:
        raise Refused(_("This job is not stuck on its hosts: there is nothing to give up."))
    return job


def _lose(job: Job, reason: str, by: User) -> None:
    job.fence += 1  # a worker that still holds it writes nothing more
    job.lease_until = None  # what is left is claimed at the next contact, not after the old lease
    job.save(update_fields=["fence", "lease_until"])
    sentence = N_(
        "Given up: {reason} – Parts of it may still run on its hosts, and settings may not "
        "be as before. Both are dealt with on the next contact.",
        reason=reason,
    )
    now = timezone.now()
    job.nodes.update(left_at=now)
    begun = job.steps.filter(state__in=(S.STARTING, S.RUNNING))
    # what cleans up is begun anew at the next contact: it may have got halfway
    begun.filter(phase=JobStep.Phase.CLEANUP).update(state=S.WAITING, started_at=None)
    begun.exclude(phase=JobStep.Phase.CLEANUP).update(
        state=S.LOST, reason=N_("The job was given up."), ended_at=now
    )
    never = job.steps.filter(state=S.WAITING).exclude(phase=JobStep.Phase.CLEANUP)
    never.update(state=S.SKIPPED)
    job_states.move(job, Job.State.LOST, sentence, by)
    queueing.notify(queueing.free_hosts(job))
    for node in job.nodes.select_related("target"):
        request_check(node.target, by)  # what answers is seen to now


def left_nodes() -> QuerySet[JobNode]:
    """Where jobs that are over left something."""
    return JobNode.objects.filter(left_at__isnull=False)


def leave(job: Job) -> None:
    """Mark where settings of a job are not as before, or its cleaning up failed.

    Both are tried again at the next contact.
    """
    changed = _not_put_back().filter(step__job=job).values("step__node")
    untidy = not_cleaned_up().filter(job=job).values("node")
    with fenced(job):
        there = job.nodes.filter(Q(role__in=changed) | Q(role__in=untidy))
        there.update(left_at=timezone.now())


def conditions_left(host: Host) -> Iterator[Condition]:
    """What speaks against measuring on a host: what an earlier job could not put back or clean up."""
    for node in left_nodes().filter(target__host=host).select_related("job").order_by("pk"):
        changes = _not_put_back().filter(step__job=node.job_id, step__node=node.role)
        for change in changes.exclude(trouble=""):
            yield Condition("left", change.trouble, blocking=True)
        for step in not_cleaned_up().filter(job=node.job_id, node=node.role):
            sentence = N_(
                "Job {job} could not be cleaned up here: {why}", job=node.job, why=step.reason
            )
            yield Condition("left", sentence, blocking=False)


def _not_put_back() -> QuerySet[TunableChange]:
    return TunableChange.objects.filter(changed_at__isnull=False, restored_at=None)


def not_cleaned_up() -> QuerySet[JobStep]:
    """Steps of cleaning up that failed."""
    return JobStep.objects.filter(
        phase=JobStep.Phase.CLEANUP, state__in=(S.FAILED, S.LOST)
    ).order_by("position")
