"""Tasks of remote runs. None lives as long as a benchmark: a turn is bounded, then it hands over.

The job's row is the truth, a message only says look: delivered twice, the second finds the job
held by a lease; lost, the sweeper sends it again.
"""

from __future__ import annotations

import logging

from django.db import DatabaseError

from benchdash.accounts.models import User
from benchdash.dispatch import CARRY_ON, CHECK_TARGET, app, ask
from benchdash.jobs import leases, progress
from benchdash.jobs.models import Job, Target
from workers import checking, execution

log = logging.getLogger(__name__)
_AFTER_A_BUG_S = 30.0


@app.task(name=CARRY_ON)
def carry_on(pk: int) -> None:
    """One turn of a job, if nobody else has it."""
    job = leases.claim(pk, progress.ACTIVE)
    if job is None:
        return
    look_in_s: float | None = _AFTER_A_BUG_S
    try:
        with leases.held(job):
            look_in_s = execution.advance(job)
    except leases.LeaseLostError:
        return
    except progress.IllegalChangeError:
        look_in_s = 1.0  # a person was quicker: look again at what is asked now
        log.info("job %s changed meanwhile", pk)
    except DatabaseError:
        log.exception("job %s: the turn broke off", pk)
    finally:
        leases.release(job, look_in_s or 0)
    if look_in_s == 0:
        ask(CARRY_ON, pk)


@app.task(name=CHECK_TARGET)
def check_target(pk: int, path: str = "", by: int | None = None) -> None:
    """Look whether a target can be used, and at the storage under a path where one is named."""
    target = Target.objects.select_related("host", "jump__jump__jump").get(pk=pk)
    checking.check(target, path, User.objects.filter(pk=by or 0).first())


@app.task(name="workers.jobs.sweep")
def sweep() -> None:
    """Send the message again for every job that is due and that nobody carries on."""
    for pk in progress.due():
        Job.objects.filter(pk=pk).update(look_at=progress.soon())
        ask(CARRY_ON, pk)
