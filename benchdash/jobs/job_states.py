"""Every legal change of a job's state, each with its audit line.

    planned → queued → waiting / preparing → running → collecting → done, failed, cancelled, lost

`unreachable` is no end: what runs on the host goes on, and the job with it once the host answers.
Only an admin gives such a job up: it is lost then.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.db.models.functions import Coalesce
from django.utils import timezone

from benchdash.accounts.models import User
from benchdash.jobs.leases import fenced
from benchdash.jobs.models import Job, JobEvent

S = Job.State
_BATCH = 1000
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


def move(job: Job, state: str, reason: str = "", by: User | None = None) -> None:
    """Bring a job into another state, or give the same state another reason.

    Changes `job` and its row under a lock; the row decides what was before.
    """
    with fenced(job) as row:
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


def move_all(jobs: Sequence[Job], state: str, by: User | None = None) -> None:
    """Bring jobs whose rows are locked, or that no worker knows yet, into another state.

    Two queries, however many they are; IllegalChangeError before any of them changes.
    """
    illegal = {job.state for job in jobs if state not in LEGAL[job.state]}
    if illegal:
        raise IllegalChangeError(f"{', '.join(sorted(illegal))} → {state}")
    now = timezone.now()
    times: dict[str, Any] = {"queued_at": Coalesce("queued_at", now)} if state == S.QUEUED else {}
    times |= {"ended_at": now} if state in ENDED else {}
    JobEvent.objects.bulk_create(
        (JobEvent(job=job, by=by, before=job.state, after=state) for job in jobs), _BATCH
    )
    rows = Job.objects.filter(pk__in=[job.pk for job in jobs])
    rows.update(state=state, state_at=now, reason="", **times)
    for job in jobs:
        job.state = state


def add_event(job: Job, reason: str, by: User | None = None) -> None:
    """An audit line that changes no state."""
    with fenced(job):
        JobEvent.objects.create(job=job, by=by, before=job.state, after=job.state, reason=reason)
