"""The tasks of workers: turns of jobs, checks of targets, large uploads, and what is due every so often.

No task lives as long as a benchmark: a turn is bounded, then it hands over. The job's row is the
truth, a message only sends a worker to it: of one delivered twice, the second finds the job held by
a lease; one that is lost is sent again by the sweeper. Names of tasks are kept whatever module they
stand in: a message may be older than the code that reads it.
"""

from __future__ import annotations

import logging
import resource
from pathlib import Path
from typing import Any

from celery.exceptions import SoftTimeLimitExceeded
from celery.signals import worker_process_init
from django.db import DatabaseError, connection
from django.utils import timezone

from benchdash.accounts import throttling
from benchdash.accounts.models import User
from benchdash.dispatch import (
    CARRY_ON,
    CHECK_TARGET,
    READ_UPLOAD,
    SEND_NOTIFICATION,
    UNMAKE,
    app,
    send,
)
from benchdash.jobs import blocks as shared
from benchdash.jobs import job_states, leases, making, queueing
from benchdash.jobs.models import Job, Target
from benchdash.notifications import delivery
from benchdash.results import facets, run_actions, uploads
from workers import blocks, execution, target_check

log = logging.getLogger(__name__)
_AFTER_A_BUG_S = 30.0
MOST_MEMORY = 2**30  # that a process takes beyond what it has at its start


@worker_process_init.connect
def bound_memory(**_signal: Any) -> None:
    """A file that would take more than `MOST_MEMORY` ends in MemoryError, and no machine in swap."""
    data_pages = int(Path("/proc/self/statm").read_text().split()[5])
    most = data_pages * resource.getpagesize() + MOST_MEMORY
    _, hard = resource.getrlimit(resource.RLIMIT_DATA)
    resource.setrlimit(resource.RLIMIT_DATA, (most, hard))


@app.task(name=READ_UPLOAD, soft_time_limit=uploads.READING_S, time_limit=uploads.READING_S + 60)
def read_upload(upload: int) -> None:
    """Read the uploads that wait with this one; delivered twice, it does nothing twice."""
    try:
        uploads.read_waiting(upload)
    except SoftTimeLimitExceeded:
        uploads.give_up(upload, uploads.TOOK_TOO_LONG)
    except MemoryError:
        uploads.give_up(upload, uploads.TOO_MUCH_MEMORY)


@app.task(name="workers.reading.ring_again")
def resend_uploads() -> None:
    """Uploads whose message was lost."""
    uploads.send_again()


@app.task(name="workers.reading.checkpoint")
def checkpoint() -> None:
    """What was committed, synced to the disk where SQLite leaves that to a convenient time."""
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA wal_checkpoint(PASSIVE)")


@app.task(name="workers.reading.purge_deleted")
def purge_deleted() -> None:
    """What was deleted 30 days ago."""
    run_actions.purge_deleted()


@app.task(name="workers.reading.count_the_whole")
def count_the_whole() -> None:
    """How many runs have what, where there are too many to count them at each look."""
    facets.count_the_whole()


@app.task(name="workers.reading.forget_attempts")
def forget_attempts() -> None:
    """Wrong passwords that delay nobody any more."""
    throttling.forget_attempts()


@app.task(name="workers.notifications.notify")
def notify() -> None:
    """What became of plans; apart from the queue of jobs, whose workers may be what is missing."""
    delivery.notify()


@app.task(name=SEND_NOTIFICATION, soft_time_limit=60, time_limit=90)
def send_notification(pk: int) -> None:
    """One message; delivered twice, it is sent once."""
    delivery.attempt(pk)


@app.task(name=CARRY_ON)
def carry_on(pk: int) -> None:
    """One turn of a job, if nobody else has it."""
    job = leases.claim(pk, job_states.ACTIVE)
    if job is None:
        return
    look_in_s: float | None = _AFTER_A_BUG_S
    try:
        with leases.held(job):
            look_in_s = execution.advance(job)
    except leases.LeaseLostError:
        return
    except job_states.IllegalChangeError:
        look_in_s = 1.0  # a person was quicker: look again at what is requested now
        log.info("job %s changed meanwhile", pk)
    except DatabaseError:
        log.exception("job %s: the turn broke off", pk)
    finally:
        leases.release(job, look_in_s or 0)
    if look_in_s == 0:
        send(CARRY_ON, pk)


@app.task(name=CHECK_TARGET)
def check_target(pk: int, path: str = "", by: int | None = None) -> None:
    """Look whether a target can be used, and at the storage under a path where one is named."""
    target = Target.objects.select_related("host", "jump__jump__jump").get(pk=pk)
    target_check.check(target, path, User.objects.filter(pk=by or 0).first())


@app.task(name=UNMAKE)
def unmake(pk: int) -> None:
    """Unmake what a job left to others of its block; delivered twice, it does nothing twice."""
    blocks.unmake(pk)


@app.task(name="workers.jobs.sweep")
def sweep() -> None:
    """Send the message again for every job that nobody carries on, then make those that come up.

    And have unmade what jobs left to others of their block, of which none comes any more.
    """
    for pk in queueing.due():
        Job.objects.filter(pk=pk).update(look_at=queueing.soon())
        send(CARRY_ON, pk)
    for job in shared.abandoned():
        if not job.look_at or job.look_at <= timezone.now():
            Job.objects.filter(pk=job.pk).update(look_at=queueing.soon())
            send(UNMAKE, job.pk)
    making.make_due()
