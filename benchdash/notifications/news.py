"""What became of launched plans that their people are to be notified of: ended, in trouble, stalled.

Looked for every so often, from the records alone: whoever ends a job need not know of this, and a
worker that died is found by those that are left.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db.models import Exists, F, Max, OuterRef, Q, QuerySet
from django.utils import timezone

from benchdash.errors import N_
from benchdash.jobs import plan_changes, queueing
from benchdash.jobs.models import HostLock, Job, JobEvent, JobStep, Plan
from benchdash.jobs.stretches import stretches_of
from benchdash.notifications.models import Event

S = Job.State
_FAILED = (S.FAILED, S.LOST)
# a job that waits for another one on its host was held up by an outage that may be long over
_AWAY = Q(state=S.UNREACHABLE) | Q(state=S.WAITING) & ~Exists(
    HostLock.objects.filter(host__targets__parts__job=OuterRef("pk")).exclude(job=OuterRef("pk"))
)
_WAITS = (S.QUEUED, S.WAITING)
_UNREACHABLE_AFTER = timedelta(minutes=10)  # a reboot of a server takes minutes
NO_WORKER_AFTER = timedelta(minutes=15)
_SENT_WITHIN = timedelta(days=3)  # what ended while nobody looked is sent until then


@dataclass(frozen=True, slots=True)
class News:
    """`key` tells it apart from what was sent of the same plan before."""

    event: str
    key: str
    sentence: str
    at: datetime


def plans_to_look_at() -> QuerySet[Plan]:
    """Launched plans of people who want to be notified, that go on or ended a short time ago."""
    recent = Job.objects.filter(plan=OuterRef("pk"), ended_at__gt=timezone.now() - _SENT_WITHIN)
    to_come = Job.objects.filter(plan=OuterRef("pk"), ended_at=None)
    subscribed = Plan.objects.filter(launched_by__notification_preference__isnull=False)
    launched = subscribed.filter(Exists(to_come) | Exists(recent), launched_at__isnull=False)
    return launched.select_related("launched_by__notification_preference")


def news_of(plan: Plan) -> Iterator[News]:
    """What there is to send of a launched plan now; the same again as long as nothing changes."""
    if plan.stopped_at and plan.stopped_reason:
        sentence = N_(
            "The plan stopped with {jobs} jobs left: {reason}",
            jobs=f"{plan.to_make:,}",
            reason=plan.stopped_reason,
        )
        yield News(Event.TROUBLE, f"stopped {plan.stopped_at:%FT%T}", sentence, plan.stopped_at)
    if plan.is_over:
        ended = plan.jobs.aggregate(at=Max("ended_at"))["at"]
        if ended:
            yield News(Event.ENDED, f"ended {plan.jobs.count()}", N_("The plan has ended."), ended)
        return
    if plan.paused_at and plan.has_paused_itself:
        sentence = N_("The plan paused itself: {reason}", reason=plan.paused_reason)
        yield News(Event.TROUBLE, f"paused {plan.paused_at:%FT%T}", sentence, plan.paused_at)
        return
    yield from _failed(plan)
    if plan.paused_at is None:
        yield from _stalled(plan)


def _failed(plan: Plan) -> Iterator[News]:
    """One word for a whole night: the next is for what a person had measured again, or added."""
    preference = getattr(plan.launched_by, "notification_preference", None)
    added = _last_added(plan)
    since = [at for at in (added, preference and preference.since) if at]
    failures = plan.jobs.filter(state__in=_FAILED)
    if since:  # an older failure would stand before the first that is to be told
        failures = failures.filter(state_at__gte=max(since))
    failed = failures.order_by("-attempt", "ended_at").first()
    if failed:
        sentence = N_("A job failed; the plan continues.")
        key = f"failed {failed.attempt}" + (f" {added:%FT%T}" if added else "")
        yield News(Event.TROUBLE, key, sentence, _since(failed))


def _last_added(plan: Plan) -> datetime | None:
    """When rounds, levels or further attempts were added last."""
    added: list[datetime | None] = [
        plan.added.aggregate(at=Max("at"))["at"],
        plan.jobs.filter(attempt__gt=1).aggregate(at=Max("created_at"))["at"],
        *(one.at for one in stretches_of(plan)),
    ]
    return max((at for at in added if at), default=None)


def _stalled(plan: Plan) -> Iterator[News]:
    """Each dated when it became news, not when the silence began."""
    now, changed_at = timezone.now(), _last_change(plan)
    stalled_after = timedelta(hours=settings.STALLED_AFTER_HOURS)
    away = plan.jobs.filter(_AWAY, state_at__lt=now - _UNREACHABLE_AFTER).order_by("state_at")
    if job := away.first():
        sentence = N_("A job waits for its host: {reason}", reason=job.reason)
        key = f"away {job.state_at:%FT%T}"
        yield News(Event.TROUBLE, key, sentence, job.state_at + _UNREACHABLE_AFTER)
    elif (left_at := queueing.left_alone_since(plan)) and left_at < now - NO_WORKER_AFTER:
        sentence = N_("No worker is handling its jobs: is one running?")
        key = f"no worker {left_at:%FT%T}"
        yield News(Event.STALLED, key, sentence, left_at + NO_WORKER_AFTER)
    elif changed_at < now - stalled_after and not _may_wait(plan):
        sentence = N_(
            "None of its jobs has made progress for {n} hours.", n=settings.STALLED_AFTER_HOURS
        )
        key = f"stalled {changed_at:%FT%T}"
        yield News(Event.STALLED, key, sentence, changed_at + stalled_after)


def _since(job: Job) -> datetime:
    return job.ended_at or job.state_at


def _last_change(plan: Plan) -> datetime:
    """When a job of the plan last changed its state, or a step of one began or ended."""
    # a host that is asked again and again gives other reasons, and nothing has changed
    changes = ~Q(before=F("after")) | Q(reason=plan_changes.GOES_ON)
    events = JobEvent.objects.filter(changes, job__plan=plan)
    steps = JobStep.objects.filter(job__plan=plan, job__ended_at=None)
    times = [
        plan.launched_at,
        events.aggregate(at=Max("at"))["at"],
        *steps.aggregate(began=Max("started_at"), ended=Max("ended_at")).values(),
    ]
    latest: datetime = max(at for at in times if at is not None)
    return latest


def _may_wait(plan: Plan) -> bool:
    """Whether standing still is right: a long step, a host that another plan has, or no quiet yet."""
    running = JobStep.objects.filter(job__plan=plan, state=JobStep.State.RUNNING)
    now = timezone.now()
    if any(
        step.started_at and step.started_at + timedelta(seconds=step.timeout_s) > now
        for step in running.only("started_at", "timeout_s")
    ):
        return True
    others = HostLock.objects.exclude(job__plan=plan).filter(
        host__targets__parts__job__plan=plan, host__targets__parts__job__state__in=_WAITS
    )
    return others.exists() or plan.jobs.filter(Q(quiet_by__gt=now), ended_at=None).exists()
