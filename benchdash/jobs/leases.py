"""Who carries a job on: one worker at a time, by a lease that it renews while it lives.

Whoever takes a job over counts its `fence` up; what another one still writes is refused then.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager, suppress
from datetime import datetime, timedelta
from threading import Event, Thread

from django.db import Error, connection, models, transaction
from django.utils import timezone

from benchdash.jobs.models import Job

# Three renewals may fail before the job is free: a slow database is no dead worker, and a job of a
# dead one still goes on within half a minute.
LEASE = timedelta(seconds=20)
RENEW_EVERY_S = 5.0
LONGEST_TURN = timedelta(minutes=15)  # one that hangs loses its lease too


class LeaseLostError(Exception):
    """Another worker carries this job on: whoever meets this writes nothing more."""


def claim(pk: int, states: frozenset[str]) -> Job | None:
    """The job for one turn, with a new fence; None where another worker holds it, or by its state."""
    now = timezone.now()
    free = Job.objects.filter(pk=pk, state__in=states).exclude(lease_until__gt=now)
    with transaction.atomic():
        job = free.select_for_update().first()
        if job is None:
            return None
        # The lease alone does not keep a worker out that was stopped (SIGSTOP, swap, a paused VM)
        # beyond its end and then writes on; it does not know. The fence refuses what it writes.
        job.fence += 1
        job.lease_until = now + LEASE
        job.save(update_fields=["fence", "lease_until"])
    return job


def keep(job: Job) -> None:
    """Renew the lease; LeaseLostError where it went to another worker."""
    if not _renew(job):
        raise LeaseLostError(job.pk)


@contextmanager
def held(job: Job) -> Iterator[None]:
    """Renew the lease for as long as the block takes: only that of a dead worker runs out."""
    done = Event()
    # a thread, for the turn itself may wait for a host longer than a lease lasts
    renewing = Thread(target=_keep_renewing, args=(job, done), name=f"lease-{job.pk}", daemon=True)
    renewing.start()
    try:
        yield
    finally:
        done.set()
        renewing.join()


def _keep_renewing(job: Job, done: Event) -> None:
    until = timezone.now() + LONGEST_TURN
    while not done.wait(RENEW_EVERY_S) and timezone.now() < until:
        with suppress(Error):  # a database that is away renews nothing, and gives it to nobody
            try:
                if not _renew(job):
                    return
            finally:
                connection.close()  # this thread's own; kept, it would outlive a database restart


def _renew(job: Job) -> bool:
    mine = Job.objects.filter(pk=job.pk, fence=job.fence)
    return bool(mine.update(lease_until=timezone.now() + LEASE))


@contextmanager
def fenced(job: Job) -> Iterator[Job]:
    """A transaction that holds the job's row, which nobody else has taken over.

    LeaseLostError where somebody has: whatever a follower writes of its job, it writes in here.
    """
    with transaction.atomic():
        # locked until the end: a fence that is only looked at could be counted up before the write
        row = Job.objects.select_for_update().filter(pk=job.pk, fence=job.fence).first()
        if row is None:
            raise LeaseLostError(job.pk)
        yield row


def record(job: Job, row: models.Model, **values: object) -> None:
    """Write values into a row of the job, or into its own, `fenced`."""
    with fenced(job):
        for name, value in values.items():
            setattr(row, name, value)
        row.save(update_fields=[*values])


def release(job: Job, look_in_s: float = 0) -> None:
    """End the turn; the sweeper looks again after `look_in_s` seconds."""
    # without a lock: where another worker has taken the job over, the fence matches no row
    look_at: datetime = timezone.now() + timedelta(seconds=look_in_s)
    Job.objects.filter(pk=job.pk, fence=job.fence).update(lease_until=None, look_at=look_at)
