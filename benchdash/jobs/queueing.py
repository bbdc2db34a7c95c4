"""One benchmark a host at a time, in the order of the queue, across all workers."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from benchdash import dispatch
from benchdash.accounts.models import User
from benchdash.errors import N_, Refused
from benchdash.inventory.models import Host
from benchdash.jobs import job_states
from benchdash.jobs.models import HostLock, Job, JobNode, Plan, Target

_PATIENCE = timedelta(seconds=10)  # for a message that was sent again, before one more is sent
SOON_LEFT_ALONE = timedelta(minutes=3)  # workers look every few seconds
# one login in ten minutes: at three that are refused in fifteen, pam_faillock locks an account
REFUSED_FOR = timedelta(minutes=10)
MAY_START = Q(plan__paused_at=None)
_WAITING = (Job.State.QUEUED, Job.State.WAITING)
IN_THE_QUEUE = (F("priority").desc(), F("queued_at").asc(), F("pk").asc())


def queue() -> QuerySet[Job]:
    """Jobs that wait for their hosts, first come first."""
    return Job.objects.filter(state__in=_WAITING).order_by(*IN_THE_QUEUE)


@transaction.atomic
def take_hosts(job: Job) -> bool:
    """Make all hosts of a job its own, or none.

    False where it is not its turn, it was cancelled, or its plan is paused.
    """
    # under its lock: who cancels it frees what it has, and it takes nothing after that
    mine = queue().filter(MAY_START, _is_let_in(), pk=job.pk, fence=job.fence)
    if not mine.select_for_update(of=("self",)).exists():
        return False
    # zones are measured in turn, and none disturbs another: a job takes the hosts of all
    zones = [node["target"] for node in job.plan.nodes] if job.plan.has_zones else []
    wanted = Host.objects.filter(Q(targets__parts__job=job) | Q(targets__in=zones))
    # in one order for everybody: two jobs never wait for each other in a circle
    hosts = list(
        Host.objects.select_for_update()
        .filter(pk__in=wanted)
        .order_by("pk")
        .values_list("pk", flat=True)
    )
    _free_cut_off(job, hosts)
    held = HostLock.objects.filter(host__in=hosts)
    if held.exclude(job=job).exists() or ahead_of(job, hosts):
        return False
    HostLock.objects.bulk_create(
        (HostLock(host_id=host, job=job) for host in hosts), ignore_conflicts=True
    )
    return True


def _free_cut_off(job: Job, hosts: list[int]) -> None:
    """Give back what a worker took that died before its job began: that may not be its turn again.

    What the worker still writes, where it was only stopped, is refused by the fence.
    """
    left = Job.objects.filter(locks__host__in=hosts, state__in=_WAITING)
    left = left.exclude(pk=job.pk).exclude(lease_until__gt=timezone.now())
    # those that are locked have a turn just now; waiting for them could be a circle
    pks = [each.pk for each in left.select_for_update(of=("self",), skip_locked=True)]
    if pks:
        Job.objects.filter(pk__in=pks).update(fence=F("fence") + 1)
        HostLock.objects.filter(job__in=pks).delete()


def ahead_of(job: Job, hosts: list[int]) -> bool:
    """A job that comes first and may start now; one that waits for a dead host holds up nobody.

    Of a plan with zones it takes the hosts of all.
    """
    earlier = Q(priority__gt=job.priority) | Q(priority=job.priority) & (
        Q(queued_at__lt=job.queued_at) | Q(queued_at=job.queued_at, pk__lt=job.pk)
    )
    queued = Job.objects.filter(earlier, MAY_START, _is_let_in(), state=Job.State.QUEUED)
    queued = queued.exclude(pk=job.pk)
    if queued.filter(nodes__target__host__in=hosts).exists():
        return True
    zoned = queued.filter(plan__nodes__0__zone__isnull=False).exclude(plan=job.plan_id)
    plans = zoned.order_by().values_list("plan__nodes", flat=True).distinct()
    targets = {node["target"] for nodes in plans for node in nodes}
    return Host.objects.filter(pk__in=hosts, targets__in=targets).exists()


def _is_let_in() -> Q:
    """Whether none of its hosts has refused the login lately."""
    refused = JobNode.objects.filter(
        job=OuterRef("pk"),
        target__findings__state="refused",
        target__checked_at__gt=timezone.now() - REFUSED_FOR,
    )
    return ~Q(Exists(refused))


@transaction.atomic
def look_again(target: Target) -> None:
    """Have jobs go on that wait for a host which lets its user in again."""
    away = (Job.State.WAITING, Job.State.UNREACHABLE)
    behind = Q(nodes__target=target) | Q(nodes__target__jump=target)
    jobs = list(Job.objects.filter(behind, state__in=away).distinct().values_list("pk", flat=True))
    Job.objects.filter(pk__in=jobs).update(look_at=None)
    notify(jobs)


def free_hosts(job: Job) -> list[int]:
    """Give a job's hosts back; the jobs that waited for them, for `notify`."""
    # a few a host: the first of them takes it, and each that is notified costs a turn of a worker
    hosts = list(HostLock.objects.filter(job=job).values_list("host", flat=True))
    HostLock.objects.filter(job=job).delete()
    next_ones = queue().filter(MAY_START, nodes__target__host__in=hosts).distinct()
    return list(next_ones.values_list("pk", flat=True)[: 4 * len(hosts)])


def notify(jobs: Iterable[int]) -> None:
    """Send workers to these jobs, once the transaction is in; a broker that is down loses nothing."""
    for pk in jobs:
        transaction.on_commit(
            lambda pk=pk: dispatch.send(dispatch.CARRY_ON, pk),  # type: ignore[misc]
            robust=True,
        )


@transaction.atomic
def prioritise(job: Job, priority: int, by: User) -> Job:
    """Change a job's place in the queue: the higher priority goes first. Refused where it ended."""
    job = Job.objects.select_for_update().get(pk=job.pk)
    if job.state in job_states.ENDED:
        raise Refused(_("This job has ended."), "priority")
    if not -100 <= priority <= 100:
        raise Refused(_("A priority is a number from -100 to 100."), "priority")
    if job.priority != priority:
        sentence = N_("Priority {before} → {after}", before=job.priority, after=priority)
        job.priority = priority
        job.save(update_fields=["priority"])
        job_states.add_event(job, sentence, by)
    return job


def soon() -> datetime:
    """When a job whose message was just sent again is looked for next."""
    return timezone.now() + _PATIENCE


def due() -> list[int]:
    """Jobs that nobody carries on now and that are due: their message was lost, or it is time."""
    in_turn = _due().order_by("-priority", "queued_at", "pk")
    return list(in_turn.values_list("pk", flat=True))


def _due() -> QuerySet[Job]:
    now = timezone.now()
    goes_on = MAY_START | Q(state__in=job_states.ON_A_HOST)
    active = Job.objects.filter(goes_on, state__in=job_states.ACTIVE)
    waiting = active.exclude(lease_until__gt=now)
    return waiting.exclude(look_at__gt=now)


def left_alone_since(plan: Plan | None = None) -> datetime | None:
    """Since when no worker has looked at any job, although some are due, of the plan if one is given.

    One query where a worker was there within `SOON_LEFT_ALONE`: None then.
    """
    looks = Job.objects.filter(state__in=job_states.ACTIVE).aggregate(
        look=Max("look_at"), lease=Max("lease_until"), queued=Max("queued_at")
    )
    last = max((at for at in looks.values() if at is not None), default=None)
    if last is None or last > timezone.now() - SOON_LEFT_ALONE:
        return None
    due = _due() if plan is None else _due().filter(plan=plan)
    return last if due.exists() else None
