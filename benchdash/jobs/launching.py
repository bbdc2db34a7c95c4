"""What a person does with plans and jobs: launch, cancel, retry, discard."""

from __future__ import annotations

from collections.abc import Iterable

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from benchdash.accounts.models import User
from benchdash.errors import Refused
from benchdash.jobs import job_states, planning, queueing
from benchdash.jobs.copying import copied, save_copies
from benchdash.jobs.models import Job, Plan


@transaction.atomic
def launch(
    plan: Plan, by: User, *, whatever_conditions: bool = False, confirmed: Iterable[str] = ()
) -> list[Job]:
    """Queue every job of a plan, once; Refused where it is launched already or has no jobs.

    `confirmed` are the typed names of what the plan writes to: Refused where one is missing.
    """
    plan = Plan.objects.select_for_update().get(pk=plan.pk)
    if plan.launched_at:
        raise Refused(_("This plan was launched before: retry its jobs, or plan again."))
    jobs = list(plan.jobs.filter(state=Job.State.PLANNED).order_by("position"))
    if not jobs:
        raise Refused(_("This plan has no jobs to launch."))
    planning.confirm(plan, confirmed)
    plan.launched_at, plan.launched_by = timezone.now(), by
    plan.whatever_conditions = plan.whatever_conditions or whatever_conditions
    plan.save(update_fields=["launched_at", "launched_by", "whatever_conditions"])
    queue_jobs(jobs, by)
    return jobs


def queue_jobs(jobs: Iterable[Job], by: User) -> None:
    """Queue planned jobs, in this order, and send workers to them."""
    for job in jobs:
        job_states.move(job, Job.State.QUEUED, by=by)
        queueing.notify([job.pk])


@transaction.atomic
def cancel(job: Job, by: User) -> Job:
    """Ask for the end of a job; at once where nothing of it is on a host. Asked twice: the same."""
    job = Job.objects.select_for_update().get(pk=job.pk)
    if job.state in job_states.ENDED:
        raise Refused(_("This job has ended: there is nothing to cancel."))
    if job.cancel_asked_at is None:
        job.cancel_asked_at, job.cancel_asked_by = timezone.now(), by
        job.save(update_fields=["cancel_asked_at", "cancel_asked_by"])
    if job.state in job_states.ON_A_HOST:
        if job.state != Job.State.CANCELLING:
            job_states.move(job, Job.State.CANCELLING, by=by)
        queueing.notify([job.pk])
    else:
        job_states.move(job, Job.State.CANCELLED, by=by)
        queueing.notify(
            queueing.free_hosts(job)
        )  # a worker may have taken them, and died before it began
    return job


@transaction.atomic
def retry(job: Job, by: User) -> Job:
    """A new attempt beside the old one, queued; Refused while the old one goes on."""
    job = Job.objects.select_for_update().get(pk=job.pk)
    if job.state not in job_states.ENDED:
        raise Refused(_("This job goes on: cancel it first."))
    latest = Job.objects.filter(plan=job.plan_id, position=job.position).latest("attempt")
    if latest.state not in job_states.ENDED:
        raise Refused(_("A later attempt of this job goes on."))
    again = copied(job, attempt=latest.attempt + 1, retry_of=job, priority=job.priority)
    save_copies([(job, again)])
    queue_jobs([again], by)
    return again


@transaction.atomic
def discard(plan: Plan) -> None:
    """Remove a plan that was never launched, with its jobs."""
    plan = Plan.objects.select_for_update().get(pk=plan.pk)
    if plan.launched_at:
        raise Refused(_("This plan was launched: its jobs are kept."))
    plan.delete()
