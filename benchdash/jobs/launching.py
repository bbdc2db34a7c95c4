"""What a person does with plans and jobs: launch, cancel, retry, discard."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from django.db import transaction
from django.utils import timezone
from django.utils.translation import gettext as _

from benchdash.accounts.models import User
from benchdash.errors import N_, Refused
from benchdash.jobs import job_states, queueing
from benchdash.jobs.confirming import confirmed_names
from benchdash.jobs.copying import copied, save_copies
from benchdash.jobs.making import FIRST_OF_THE_QUEUE
from benchdash.jobs.models import Job, JobEvent, Plan
from benchdash.jobs.more_rounds import is_further_look

MOST_WAIT_MINUTES = 7 * 24 * 60
WHATEVER = N_("Regardless of the conditions.")
WAIT_RANGE = N_("Jobs wait for quiet hosts for 0 to {most} minutes.")


@transaction.atomic
def launch(
    plan: Plan,
    by: User,
    *,
    whatever_conditions: bool = False,
    wait_minutes: int | None = None,
    confirmed: Iterable[str] = (),
) -> list[Job]:
    """Queue the jobs of a plan, once; Refused where it is launched already or has no jobs.

    Those that are not made yet follow as they come up.

    `confirmed` are the typed names of what the plan writes to: Refused where one is missing.
    `wait_minutes` is for how long a job waits for hosts that are not quiet, None as planned.
    """
    plan = Plan.objects.select_for_update().get(pk=plan.pk)
    if plan.launched_at:
        raise Refused(_("This plan has already been launched: retry its jobs, or plan again."))
    jobs = list(plan.jobs.filter(state=Job.State.PLANNED).order_by("position"))
    if not jobs:
        raise Refused(_("This plan has no jobs to launch."))
    plan.confirmed = confirmed_names(plan, confirmed)
    plan.launched_at, plan.launched_by = timezone.now(), by
    plan.whatever_conditions = plan.whatever_conditions or whatever_conditions
    plan.wait_minutes = plan.wait_minutes if wait_minutes is None else wait_minutes
    fields = "confirmed", "launched_at", "launched_by", "whatever_conditions", "wait_minutes"
    plan.save(update_fields=fields)
    queue_jobs(jobs, by)
    return jobs


def queue_jobs(jobs: Iterable[Job], by: User) -> None:
    """Queue planned jobs, which start in this order, and send workers to the first of them."""
    planned = list(jobs)
    job_states.move_all(planned, Job.State.QUEUED, by)
    queueing.notify(job.pk for job in planned[:FIRST_OF_THE_QUEUE])


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
def insist(job: Job, by: User) -> Job:
    """Measure this job whatever the conditions, at once if it waits for them; its runs say so."""
    job = Job.objects.select_for_update().get(pk=job.pk)
    if job.state in job_states.ENDED or job.steps.filter(started_at__isnull=False).exists():
        raise Refused(_("This job is not waiting for its hosts to become quiet."))
    if not job.whatever_conditions:
        job.whatever_conditions, job.look_at = True, None
        job.save(update_fields=["whatever_conditions", "look_at"])
        job_states.add_event(job, WHATEVER, by)
        queueing.notify([job.pk])
    return job


@transaction.atomic
def retry(job: Job, by: User) -> Job:
    """A new attempt beside the old one, queued; Refused while the old one goes on."""
    plan = launched(job.plan_id)
    job = plan.jobs.get(pk=job.pk)
    if job.state not in job_states.ENDED:
        raise Refused(_("This job is not over yet: cancel it first."))
    latest = plan.jobs.filter(position=job.position).latest("attempt")
    if latest.state not in job_states.ENDED:
        raise Refused(_("A later attempt at this job has not ended."))
    (again,) = queue_again(plan, [(job, latest.attempt + 1)], by)
    return again


def launched(plan: int) -> Plan:
    """A plan under a lock, which whoever adds attempts holds; Refused where it was not launched."""
    found = Plan.objects.select_for_update().get(pk=plan)
    if found.launched_at is None:
        raise Refused(_("This plan has not been launched yet."))
    return found


def queue_again(plan: Plan, attempts: Sequence[tuple[Job, int]], by: User) -> list[Job]:
    """Queue a new attempt of each job, by that number, under the lock of their plan.

    What was measured and is measured again when all was over is chosen by its results: one look more.
    """
    if any(job.state == Job.State.DONE for job, _number in attempts) and is_further_look(plan):
        plan.looks += 1
        plan.save(update_fields=["looks"])
    copies = [
        (job, copied(job, attempt=number, retry_of=job, priority=job.priority))
        for job, number in attempts
    ]
    save_copies(copies)
    jobs = [again for _job, again in copies]
    JobEvent.objects.bulk_create(JobEvent(job=job, by=by, after=Job.State.PLANNED) for job in jobs)
    queue_jobs(jobs, by)
    return jobs


@transaction.atomic
def discard(plan: Plan) -> None:
    """Remove a plan that was never launched, with its jobs."""
    plan = Plan.objects.select_for_update().get(pk=plan.pk)
    if plan.launched_at:
        raise Refused(_("This plan has been launched, so its jobs are kept."))
    plan.delete()
