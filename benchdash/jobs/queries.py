"""What pages and the API ask about jobs, plans and hosts: lists, the matrix of a plan, the search."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from django.db.models import Count, Prefetch, Q, QuerySet

from benchdash.accounts.roles import Role
from benchdash.inventory.models import Host
from benchdash.jobs.job_states import ACTIVE, ENDED, ON_A_HOST
from benchdash.jobs.models import Job, JobNode, JobStep, Plan, Target
from benchdash.jobs.queueing import queue
from benchdash.results import search as results
from benchdash.results.models import Run
from benchdash.results.models.run import LIVING
from benchdash.results.search import MOST_WORDS, Group, contains, group_of

GROUPS: dict[str, frozenset[str]] = {
    "running": ON_A_HOST,
    "waiting": frozenset({Job.State.QUEUED, Job.State.WAITING}),
    "ended": ENDED,
}


def with_hosts(jobs: QuerySet[Job]) -> QuerySet[Job]:
    """Jobs as lists show them: with their plan and the hosts they are for."""
    nodes = JobNode.objects.select_related("target__host").defer("target__secret")
    return jobs.select_related("plan").prefetch_related(Prefetch("nodes", nodes))


def listed(jobs: QuerySet[Job]) -> QuerySet[Job]:
    """Jobs by their names and states alone: a page lists hundreds, each with a plan."""
    columns = (
        *("plan__title", "position", "title", "attempt", "state", "reason", "priority"),
        *("expected_s", "started_at", "ended_at"),
    )
    return jobs.select_related("plan").only(*columns)


def running() -> QuerySet[Job]:
    """Jobs that hold a host, the oldest first."""
    return listed(Job.objects.filter(state__in=ON_A_HOST).order_by("started_at", "pk"))


def waiting() -> QuerySet[Job]:
    """The queue, in its order."""
    return listed(queue())


def ended() -> QuerySet[Job]:
    """Jobs that are over."""
    return listed(Job.objects.filter(state__in=ENDED))


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
    rows = Target.objects.exclude(host_key="").values_list("pk", "address", "findings__known_as")
    found = [pk for pk, address, own in rows if {address, *(own or ())} & {*names}]
    return Target.objects.filter(pk__in=found)


def troubled_targets() -> QuerySet[Target]:
    """Targets that show another host key than the approved one: nothing is sent there."""
    changed = Target.objects.exclude(host_key="").exclude(offered_key="")
    return changed.select_related("host").only("host__name")


@dataclass(frozen=True, slots=True)
class Matrix:
    """`rows` are (title, jobs by repeat, None where there is none); the latest attempt counts."""

    repeats: list[int]
    rows: list[tuple[str, list[Job | None]]]
    expected_s: float | None
    active: bool


def matrix_of(plan: Plan) -> Matrix:
    """The plan's jobs as they stand; one query."""
    latest = {job.position: job for job in plan.jobs.order_by("position", "attempt")}
    jobs = list(latest.values())
    repeats = sorted({job.repetition for job in jobs})
    cells: dict[str, dict[int, Job]] = {}
    for job in jobs:
        cells.setdefault(job.title, {})[job.repetition] = job
    seconds = [job.expected_s for job in jobs if job.expected_s is not None]
    return Matrix(
        repeats=repeats,
        rows=[(title, [row.get(n) for n in repeats]) for title, row in cells.items()],
        expected_s=sum(seconds) if len(seconds) == len(jobs) else None,
        active=any(job.state in ACTIVE for job in jobs),
    )


def search(text: str, role: Role) -> list[Group]:
    """What `role` may see of each kind, kinds without a match left out; one query a kind."""
    words = text.split()[:MOST_WORDS]
    more = _groups_of(words) if words and role >= Role.VIEWER else ()
    return results.search(text, role) + [group for group in more if group.rows]


def _groups_of(words: list[str]) -> Iterator[Group]:
    hosts = Host.objects.distinct()
    yield group_of(
        "hosts", hosts, lambda word: contains(word, "name", "notes", "targets__address"), words
    )
    plans = Plan.objects.all()
    yield group_of("plans", plans, lambda word: contains(word, "title", "recipe_name"), words)
