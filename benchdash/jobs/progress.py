"""Every legal change of a job's state, each with its audit line.

    planned → queued → waiting / preparing → running → collecting → done, failed, cancelled, lost

`unreachable` is no end: what runs on the host goes on, and the job with it once the host answers.
Only an admin gives such a job up: it is lost then.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta

from django.db import transaction
from django.utils import timezone

from benchdash.accounts.models import User
from benchdash.jobs.models import Job, JobEvent

S = Job.State
ENDED = frozenset({S.DONE, S.FAILED, S.CANCELLED, S.LOST})
ON_A_HOST = frozenset({S.PREPARING, S.RUNNING, S.UNREACHABLE, S.COLLECTING, S.CANCELLING})
ACTIVE = ON_A_HOST | {S.QUEUED, S.WAITING}

LEGAL: dict[str, frozenset[str]] = {
    S.PLANNED: frozenset({S.QUEUED, S.CANCELLED}),
    S.QUEUED: frozenset({S.WAITING, S.PREPARING, S.CANCELLED, S.FAILED}),
    S.WAITING: frozenset({S.PREPARING, S.QUEUED, S.CANCELLED, S.FAILED}),
    S.PREPARING: frozenset({S.RUNNING, S.UNREACHABLE, S.COLLECTING, S.CANCELLING, S.FAILED}),
    S.RUNNING: frozenset({S.UNREACHABLE, S.COLLECTING, S.CANCELLING}),
    S.UNREACHABLE: frozenset({S.PREPARING, S.RUNNING, S.COLLECTING, S.CANCELLING, S.LOST}),
    S.COLLECTING: frozenset({S.UNREACHABLE, S.CANCELLING}) | ENDED,
    S.CANCELLING: frozenset({S.UNREACHABLE, S.COLLECTING}) | ENDED,
    **{state: frozenset() for state in ENDED},
}


class IllegalChangeError(Exception):
    """A change of state that the table above does not know: a bug."""


class LeaseLostError(Exception):
    """Another worker carries this job on: whoever meets this writes nothing more."""


def move(job: Job, state: str, reason: str = "", by: User | None = None) -> None:
    """Bring a job into another state, or give the same state another reason.

    Changes `job` and its row under a lock; the row decides what was before.
    """
    with transaction.atomic():
        row = Job.objects.select_for_update().get(pk=job.pk)
        if row.fence != job.fence:
            raise LeaseLostError(job.pk)
        if (row.state, row.reason) != (state, reason):
            _write(row, state, reason, by)
    for field in ("state", "state_at", "reason", "queued_at", "started_at", "ended_at"):
        setattr(job, field, getattr(row, field))


def _write(row: Job, state: str, reason: str, by: User | None) -> None:
    now = timezone.now()
    if row.state != state:
        if state not in LEGAL[row.state]:
            raise IllegalChangeError(f"{row.state} → {state}")
        row.state_at = now
        row.queued_at = row.queued_at or (now if state == S.QUEUED else None)
        row.started_at = row.started_at or (now if state == S.PREPARING else None)
        row.ended_at = now if state in ENDED else None
    JobEvent.objects.create(job=row, by=by, before=row.state, after=state, reason=reason)
    row.state, row.reason = state, reason
    row.save(update_fields=["state", "state_at", "reason", "queued_at", "started_at", "ended_at"])


def say(job: Job, what: str, by: User | None = None) -> None:
    """An audit line that changes no state."""
    JobEvent.objects.create(job=job, by=by, before=job.state, after=job.state, reason=what)


LEASE = timedelta(seconds=45)
_PATIENCE = timedelta(seconds=10)
_RENEW_AFTER = timedelta(seconds=5)


def claim(pk: int, states: frozenset[str] = ACTIVE) -> Job | None:
    """The job for one turn, with a new fence; None where another worker holds it, or it ended."""
    now = timezone.now()
    free = Job.objects.filter(pk=pk, state__in=states).exclude(lease_until__gt=now)
    with transaction.atomic():
        job = free.select_for_update().first()
        if job is None:
            return None
        job.fence += 1
        job.lease_until = now + LEASE
        job.save(update_fields=["fence", "lease_until"])
    return job


def keep(job: Job, lasting: timedelta = LEASE) -> None:
    """Hold the lease on; LeaseLostError where it went to another worker."""
    until = timezone.now() + lasting
    if not Job.objects.filter(pk=job.pk, fence=job.fence).update(lease_until=until):
        raise LeaseLostError(job.pk)
    job.lease_until = until


@contextmanager
def held(job: Job, lasting: timedelta) -> Iterator[None]:
    """Hold the lease for an answer that may take longer than a lease lasts."""
    keep(job, lasting)
    yield
    keep(job)


def keep_on(job: Job) -> None:
    """`keep`, where the lease is not fresh."""
    if job.lease_until is None or job.lease_until - timezone.now() < LEASE - _RENEW_AFTER:
        keep(job)


def soon() -> datetime:
    """When a job whose message was just sent again is looked for next."""
    return timezone.now() + _PATIENCE


def release(job: Job, look_in_s: float = 0) -> None:
    """End the turn; the sweeper looks again after `look_in_s` seconds."""
    look_at = timezone.now() + timedelta(seconds=look_in_s)
    Job.objects.filter(pk=job.pk, fence=job.fence).update(lease_until=None, look_at=look_at)


def due() -> list[int]:
    """Jobs that nobody carries on now and that are due: their message was lost, or it is time."""
    now = timezone.now()
    waiting = Job.objects.filter(state__in=ACTIVE).exclude(lease_until__gt=now)
    in_turn = waiting.exclude(look_at__gt=now).order_by("-priority", "queued_at", "pk")
    return list(in_turn.values_list("pk", flat=True))
