"""How a job begins on hosts where its block may stand already, and what unmakes a block that nobody takes over."""

from __future__ import annotations

import logging
import time
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import timedelta

from django.utils import timezone

from benchdash.errors import Refused
from benchdash.jobs import blocks, job_states, leases
from benchdash.jobs.giving_up import left_nodes
from benchdash.jobs.models import Job, JobStep
from workers import cleanup
from workers.connections import HostError
from workers.remote_job import Nodes, boots_of

log = logging.getLogger(__name__)
_UNMAKE_S = 45
_AGAIN, _FAILED_AGAIN = timedelta(seconds=30), timedelta(minutes=10)


def begin(job: Job, nodes: Nodes, until: float) -> None:
    """See to what earlier jobs left on the hosts, and begin: with what its block shares, if it stands."""
    hosts = [part.target.host_id for part in nodes.by_role.values()]
    with _left_to(job, nodes) as before:
        cleanup.finish_left_jobs(hosts, until, besides=before)
        # both or neither: a job that was cancelled meanwhile takes nothing
        with leases.fenced(job):
            job_states.move(job, Job.State.PREPARING)
            if before is not None:
                blocks.take_over(job, before)


@contextmanager
def _left_to(job: Job, nodes: Nodes) -> Iterator[Job | None]:
    """The job that left to this one what they share, held; None where that is not there or not whole."""
    found = blocks.left_to(job)
    if found is None or not _is_whole(found, nodes):
        yield None
        return
    before = leases.claim(found.pk, job_states.ENDED)
    if before is None:
        raise cleanup.by_another()
    try:
        with leases.held(before):
            if blocks.left_to(job) != before:  # somebody has begun to unmake it
                raise cleanup.by_another()
            yield before
    finally:
        leases.release(before)


def _is_whole(before: Job, nodes: Nodes) -> bool:
    """Whether no host was rebooted since: mounts and arrays need not be there then."""
    made = (before.made_by or before).steps.filter(shared=True, phase=JobStep.Phase.PREPARE)
    return not nodes.rebooted_since(boots_of(made))


def unmake(pk: int) -> None:
    """Unmake what a job left to nobody; where that fails, a later sweep tries again."""
    hosts = list(left_nodes().filter(job=pk).values_list("target__host", flat=True))
    try:
        cleanup.finish_left_jobs(hosts, time.monotonic() + _UNMAKE_S)
    except (HostError, Refused) as error:
        log.info("job %s: what it left stays for now: %s", pk, error)
        Job.objects.filter(pk=pk).update(look_at=timezone.now() + _AGAIN)
    else:
        # of what failed; what is left no more is looked at by nobody
        Job.objects.filter(pk=pk).update(look_at=timezone.now() + _FAILED_AGAIN)
