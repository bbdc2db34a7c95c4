"""One benchmark a host at a time, in the order of the queue, across all workers."""

from __future__ import annotations

from django.db import transaction
from django.db.models import F, Q, QuerySet

from benchdash.inventory.models import Host
from benchdash.jobs.models import HostLock, Job

IN_THE_QUEUE = (F("priority").desc(), F("queued_at").asc(), F("pk").asc())


def queue() -> QuerySet[Job]:
    """Jobs that wait for their hosts, first come first."""
    waiting = (Job.State.QUEUED, Job.State.WAITING)
    return Job.objects.filter(state__in=waiting).order_by(*IN_THE_QUEUE)


@transaction.atomic
def take_hosts(job: Job) -> bool:
    """Make all hosts of a job its own, or none: False where it is not its turn, or it was cancelled."""
    # under its lock: who cancels it frees what it has, and it takes nothing after that
    if not queue().select_for_update().filter(pk=job.pk, fence=job.fence).exists():
        return False
    wanted = Host.objects.filter(targets__parts__job=job)
    # in one order for everybody: two jobs never wait for each other in a circle
    hosts = list(
        Host.objects.select_for_update()
        .filter(pk__in=wanted)
        .order_by("pk")
        .values_list("pk", flat=True)
    )
    held = HostLock.objects.filter(host__in=hosts)
    if held.exclude(job=job).exists() or _ahead_of(job, hosts):
        return False
    HostLock.objects.bulk_create(
        (HostLock(host_id=host, job=job) for host in hosts), ignore_conflicts=True
    )
    return True


def _ahead_of(job: Job, hosts: list[int]) -> bool:
    """A job that comes first and may start now; one that waits for a dead host holds up nobody."""
    earlier = Q(priority__gt=job.priority) | Q(priority=job.priority) & (
        Q(queued_at__lt=job.queued_at) | Q(queued_at=job.queued_at, pk__lt=job.pk)
    )
    queued = Job.objects.filter(earlier, state=Job.State.QUEUED, nodes__target__host__in=hosts)
    return queued.exclude(pk=job.pk).exists()


def free_hosts(job: Job) -> list[int]:
    """Give a job's hosts back; the jobs that waited for them, to be rung."""
    hosts = list(HostLock.objects.filter(job=job).values_list("host", flat=True))
    HostLock.objects.filter(job=job).delete()
    next_ones = queue().filter(nodes__target__host__in=hosts).distinct()
    return list(next_ones.values_list("pk", flat=True)[: 4 * len(hosts)])
