"""What is asked about jobs: lists, and one with all that its page tells."""

from __future__ import annotations

from collections.abc import Collection

from django.db.models import Count, Prefetch, Q, QuerySet

from benchdash.inventory.models import Host
from benchdash.jobs.models import Job, JobNode, JobStep, Plan, Target
from benchdash.jobs.progress import ENDED, ON_A_HOST
from benchdash.jobs.queueing import queue
from benchdash.results.models import Run
from benchdash.results.models.run import LIVING

GROUPS: dict[str, frozenset[str]] = {
    "running": ON_A_HOST,
    "waiting": frozenset({Job.State.QUEUED, Job.State.WAITING}),
    "ended": ENDED,
}


def with_hosts(jobs: QuerySet[Job]) -> QuerySet[Job]:
    """Jobs as lists show them: with their plan and the hosts they are for."""
    nodes = JobNode.objects.select_related("target__host").defer("target__secret")
    return jobs.select_related("plan").prefetch_related(Prefetch("nodes", nodes))


def running() -> QuerySet[Job]:
    """Jobs that hold a host, the oldest first."""
    return with_hosts(Job.objects.filter(state__in=ON_A_HOST).order_by("started_at", "pk"))


def waiting() -> QuerySet[Job]:
    """The queue, in its order."""
    return with_hosts(queue())


def ended() -> QuerySet[Job]:
    """Jobs that are over."""
    return with_hosts(Job.objects.filter(state__in=ENDED))


def whole_jobs() -> QuerySet[Job]:
    """Jobs with steps, events and changed settings."""
    steps = JobStep.objects.select_related("change").defer("argv", "identity")
    jobs = with_hosts(Job.objects.all()).select_related(
        "plan__study", "configuration", "retry_of", "cancel_asked_by"
    )
    return jobs.prefetch_related(
        Prefetch("steps", steps), "events__by", Prefetch("retries", Job.objects.order_by("pk"))
    )


def runs_of(job: Job) -> QuerySet[Run]:
    """The runs that were read from what the job's steps printed."""
    return Run.objects.filter(LIVING, artifact__steps__job=job).order_by("pk")


def runs_of_plan(plan: Plan) -> QuerySet[Run]:
    """The runs that the plan's jobs made."""
    return Run.objects.filter(LIVING, artifact__steps__job__plan=plan).order_by("pk").distinct()


def plans() -> QuerySet[Plan]:
    """Plans with how many of their jobs are in which group."""
    counts = {
        f"{name}_count": Count("jobs", filter=Q(jobs__state__in=states))
        for name, states in GROUPS.items()
    }
    done = Count("jobs", filter=Q(jobs__state=Job.State.DONE))
    counted = Plan.objects.annotate(job_count=Count("jobs"), done_count=done, **counts)
    return counted.select_related("created_by", "study")


def with_targets() -> QuerySet[Host]:
    """Hosts with their targets and the job that holds each of them."""
    targets = Target.objects.select_related("jump__host", "pinned_by")
    return Host.objects.select_related("lock__job").prefetch_related(Prefetch("targets", targets))


def known_as(names: Collection[str]) -> QuerySet[Target]:
    """Targets with an approved key at one of these addresses, or whose machine said it is its own.

    Names count as addresses do: `uname -n`, as the last check heard it.
    """
    said = Target.objects.exclude(host_key="").values_list("pk", "address", "findings__known_as")
    found = [pk for pk, address, own in said if {address, *(own or ())} & {*names}]
    return Target.objects.filter(pk__in=found)


def troubled_targets() -> QuerySet[Target]:
    """Targets that show another host key than the approved one: nothing is sent there."""
    changed = Target.objects.exclude(host_key="").exclude(offered_key="")
    return changed.select_related("host").defer("secret")
