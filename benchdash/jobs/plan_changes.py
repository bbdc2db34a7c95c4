"""What a person does with all jobs of a launched plan: pause, go on, cancel, measure some again."""

from __future__ import annotations

from collections import Counter

from django.db import transaction
from django.db.models import Exists, OuterRef, Prefetch, QuerySet
from django.utils import timezone
from django.utils.translation import gettext as _

from benchdash.accounts.models import User
from benchdash.errors import N_, Refused
from benchdash.jobs import job_states, launching, queueing
from benchdash.jobs.making import FIRST_OF_THE_QUEUE
from benchdash.jobs.models import Job, JobEvent, JobNode, Plan
from benchdash.jobs.models.job import WAITS_FOR_QUIET
from benchdash.results.doubts import DOUBTED
from benchdash.results.models import Run
from benchdash.results.models.run import LIVING

S = Job.State
GOES_ON = N_("The plan has been resumed.")
_MOST_FAILURES, _MOST_REASONS = 200, 3
_ALIKE = 3  # failures before a plan pauses itself
_STOPPED = ("stopped_at", "stopped_by", "stopped_reason")
_UNMEASURED = (S.FAILED, S.LOST, S.CANCELLED)
_DOUBTED = Exists(Run.objects.filter(LIVING, DOUBTED, artifact__steps__job=OuterRef("pk")))


@transaction.atomic
def pause(plan: Plan, by: User) -> None:
    """Start no further job of the plan; what is on a host goes on to its end."""
    plan = launching.launched(plan.pk)
    if plan.paused_at is None:
        plan.paused_at, plan.paused_by = timezone.now(), by
        plan.save(update_fields=["paused_at", "paused_by"])


@transaction.atomic
def pause_where_all_fail(plan: Plan) -> None:
    """Pause a plan of which nothing was measured and at least three jobs failed alike, once.

    A mistake that holds for all cells (a folder that is not there) would fail a whole night.
    Where the failed ones share a level of a factor, that may be the reason, and others go on.
    """
    plan = launching.launched(plan.pk)
    if plan.paused_at or plan.paused_reason or plan.is_over:
        return
    if plan.jobs.filter(state=S.DONE).exists():
        return
    failed = list(plan.jobs.filter(state=S.FAILED).only("reason", "token", "values"))
    if len(failed) < _ALIKE:
        return
    if len({job.reason.replace(job.token, "") for job in failed}) > 1:
        return
    if all(len({str(job.values.get(name)) for job in failed}) > 1 for name in plan.varied):
        plan.paused_at, plan.paused_by = timezone.now(), None
        plan.paused_reason = N_(
            "{n} jobs failed alike and nothing was measured: {reason}",
            n=len(failed),
            reason=failed[0].reason,
        )
        plan.save(update_fields=["paused_at", "paused_by", "paused_reason"])


@transaction.atomic
def resume(plan: Plan) -> None:
    """Start jobs of the plan again, in the order of the queue; after a stop, make those to come."""
    plan = launching.launched(plan.pk)
    plan.paused_at = plan.paused_by = plan.stopped_at = plan.stopped_by = None
    plan.stopped_reason = ""
    plan.save(update_fields=["paused_at", "paused_by", *_STOPPED])
    first = list(queueing.queue().filter(plan=plan)[:FIRST_OF_THE_QUEUE])
    JobEvent.objects.bulk_create(
        JobEvent(job=job, before=job.state, after=job.state, reason=GOES_ON) for job in first
    )
    queueing.notify(job.pk for job in first)


@transaction.atomic
def insist(plan: Plan, by: User) -> None:
    """Measure what is left of the plan whatever the conditions, at once what waits for them.

    Its runs say so. Refused where all of it has ended.
    """
    plan = launching.launched(plan.pk)
    if plan.is_over:
        raise Refused(_("All jobs of this plan have ended."))
    if plan.whatever_conditions:
        return
    plan.whatever_conditions = True
    plan.save(update_fields=["whatever_conditions"])
    waiting = list(plan.jobs.filter(WAITS_FOR_QUIET))
    Job.objects.filter(pk__in=[job.pk for job in waiting]).update(look_at=None)
    for job in waiting:
        job_states.add_event(job, launching.WHATEVER, by)
    queueing.notify(job.pk for job in waiting)


@transaction.atomic
def wait_for_quiet_again(plan: Plan) -> None:
    """Have jobs that did not begin to measure wait for quiet hosts, but for those insisted on."""
    plan = launching.launched(plan.pk)
    plan.whatever_conditions = False
    plan.save(update_fields=["whatever_conditions"])


@transaction.atomic
def cancel_jobs(plan: Plan, by: User) -> list[Job]:
    """Cancel every job of the plan that has not ended, and make no more; Refused where all have.

    The jobs that were there.
    """
    plan = launching.launched(plan.pk)
    jobs = list(plan.jobs.select_for_update().exclude(state__in=job_states.ENDED))
    if plan.to_make and not plan.stopped_at:
        plan.stopped_at, plan.stopped_by = timezone.now(), by
        plan.save(update_fields=[*_STOPPED])
    elif not jobs:
        raise Refused(_("All jobs of this plan have ended: there is nothing to cancel."))
    queued = [job for job in jobs if job.state not in job_states.ON_A_HOST]
    Job.objects.filter(pk__in=[job.pk for job in queued]).update(
        cancel_asked_at=timezone.now(), cancel_asked_by=by
    )
    job_states.move_all(queued, S.CANCELLED, by)
    # taken by a worker that died before it began
    for job in plan.jobs.filter(pk__in=[job.pk for job in queued], locks__isnull=False).distinct():
        queueing.notify(queueing.free_hosts(job))
    for job in jobs:
        if job.state in job_states.ON_A_HOST:
            launching.cancel(job, by)
    return jobs


def unmeasured(plan: Plan) -> QuerySet[Job]:
    """The last attempts that failed, were lost or cancelled."""
    return _last_attempts(plan).filter(state__in=_UNMEASURED)


def reasons_of_failures(plan: Plan) -> list[tuple[str, int]]:
    """Why the newest jobs that are unmeasured failed, the most frequent reason first, and how many."""
    failed = unmeasured(plan).exclude(state=S.CANCELLED).exclude(reason="").order_by("-ended_at")
    rows = list(failed.values_list("reason", "token")[:_MOST_FAILURES])
    alike = Counter(reason.replace(token, "") for reason, token in rows)
    first = {reason.replace(token, ""): reason for reason, token in reversed(rows)}
    return [(first[key], count) for key, count in alike.most_common(_MOST_REASONS)]


def doubted(plan: Plan) -> QuerySet[Job]:
    """The last attempts that were measured, and have a run that is doubted as a whole."""
    return _last_attempts(plan).filter(_DOUBTED, state=S.DONE)


@transaction.atomic
def measure_again(plan: Plan, which: QuerySet[Job], by: User) -> list[Job]:
    """A new attempt of some jobs of the plan, queued in their order; Refused where there are none."""
    plan = launching.launched(plan.pk)
    nodes = JobNode.objects.select_related("target").defer("target__secret")
    jobs = list(
        which.select_related("plan")
        .prefetch_related("steps", Prefetch("nodes", nodes))
        .order_by("position")
    )
    if not jobs:
        raise Refused(_("No job of this plan needs to be measured again."))
    return launching.queue_again(plan, [(job, job.attempt + 1) for job in jobs], by)


def _last_attempts(plan: Plan) -> QuerySet[Job]:
    later = plan.jobs.filter(position=OuterRef("position"), attempt__gt=OuterRef("attempt"))
    return plan.jobs.filter(~Exists(later))
