"""What pages and the API ask about jobs, plans and hosts: lists, the matrix of a plan, the search."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator
from dataclasses import dataclass

from django.db.models import Count, Exists, OuterRef, Prefetch, Q, QuerySet, Subquery

from benchdash.accounts.roles import Role
from benchdash.inventory.models import EnvironmentMachine, Host
from benchdash.jobs.job_states import ACTIVE, ENDED, ON_A_HOST
from benchdash.jobs.models import Job, JobNode, JobStep, Plan, Target
from benchdash.jobs.queueing import queue
from benchdash.results import search as results
from benchdash.results.models import Run
from benchdash.results.models.run import LIVING
from benchdash.results.search import Group, contains, group_of, words_of

_JOB_NUMBER = re.compile(r"(\d{1,9})-(\d{1,4})", re.ASCII)
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


def steps_that_printed(artifact: OuterRef | int) -> QuerySet[JobStep]:
    """The steps whose output a file is, with job, plan, and `host_id`, `host_name` of their node."""
    node = JobNode.objects.filter(job=OuterRef("job"), role=OuterRef("node"))
    steps = JobStep.objects.filter(artifact=artifact).select_related("job__plan")
    return steps.annotate(
        host_id=Subquery(node.values("target__host")[:1]),
        host_name=Subquery(node.values("target__host__name")[:1]),
    ).order_by("pk")


def runs_on(host: Host) -> QuerySet[Run]:
    """The runs in environments that the host was a part of."""
    parts = EnvironmentMachine.objects.filter(snapshot__host=host)
    return Run.objects.filter(LIVING, environment__in=parts.values("environment"))


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


def measured_beside(step: JobStep) -> Iterator[tuple[str, float]]:
    """(host, seconds) of what other jobs measured meanwhile on the machine of an ended step.

    One name of a machine is one lock; the boot id tells that two names are one machine. Guests and
    containers of one kernel are one machine too.
    """
    boot = step.identity.get("boot")
    if not (boot and step.started_at and step.ended_at):
        return
    name = JobNode.objects.filter(job=OuterRef("job"), role=OuterRef("node"))
    beside = JobStep.objects.filter(
        Q(ended_at=None) | Q(ended_at__gt=step.started_at),
        tool__gt="",
        identity__boot=boot,
        started_at__lt=step.ended_at,
    ).exclude(job=step.job_id)
    spans: dict[str, float] = {}
    for other in beside.annotate(host=Subquery(name.values("target__host__name")[:1])):
        since = max(other.started_at or step.started_at, step.started_at)
        until = min(other.ended_at or step.ended_at, step.ended_at)
        spans[other.host] = spans.get(other.host, 0.0) + (until - since).total_seconds()
    yield from sorted(spans.items())


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
class Round:
    """One round of a plan, and how many of its jobs have ended."""

    number: int
    jobs: int
    ended: int


@dataclass(frozen=True, slots=True)
class Matrix:
    """`rows` are (title, jobs by round, None where there is none); the latest attempt counts.

    `round_now` is the first round that is not over, None where all are.
    """

    rounds: list[Round]
    rows: list[tuple[str, list[Job | None]]]
    expected_s: float | None
    active: bool
    round_now: int | None


def matrix_of(plan: Plan) -> Matrix:
    """The plan's jobs as they stand; one query."""
    latest = {job.position: job for job in plan.jobs.order_by("position", "attempt")}
    jobs = list(latest.values())
    all_in = Counter(job.round for job in jobs)
    ended_in = Counter(job.round for job in jobs if job.state in ENDED)
    rounds = [Round(number, all_in[number], ended_in[number]) for number in sorted(all_in)]
    cells: dict[int, dict[int, Job]] = {}
    for job in sorted(jobs, key=lambda job: job.cell):
        cells.setdefault(job.cell, {})[job.round] = job
    seconds = [job.expected_s for job in jobs if job.expected_s is not None]
    return Matrix(
        rounds=rounds,
        rows=[
            (next(iter(row.values())).title, [row.get(each.number) for each in rounds])
            for row in cells.values()
        ],
        expected_s=sum(seconds) if len(seconds) == len(jobs) else None,
        active=any(job.state in ACTIVE for job in jobs),
        round_now=next((each.number for each in rounds if each.ended < each.jobs), None),
    )


def search(text: str, role: Role) -> list[Group]:
    """What `role` may see of each kind, kinds without a match left out; one query a kind."""
    words = words_of(text)
    more = _groups_of(words) if words and role >= Role.VIEWER else ()
    return results.search(text, role) + [group for group in more if group.rows]


def _groups_of(words: list[str]) -> Iterator[Group]:
    hosts = Host.objects.distinct()
    yield group_of(
        "hosts", hosts, lambda word: contains(word, "name", "notes", "targets__address"), words
    )
    plans = Plan.objects.all()
    yield group_of("plans", plans, lambda word: contains(word, "title", "recipe_name"), words)
    jobs = Job.objects.select_related("plan").only("plan__title", "position", "title", "state")
    yield group_of("jobs", jobs, _in_job, words)


def _in_job(word: str) -> Q:
    """Its titles, its hosts, and its number: `12-3`."""
    nodes = JobNode.objects.filter(contains(word, "target__host__name"), job=OuterRef("pk"))
    found = contains(word, "title", "plan__title", "plan__recipe_name") | Q(Exists(nodes))
    if number := _JOB_NUMBER.fullmatch(word):
        found |= Q(plan=int(number[1]), position=int(number[2]))
    return found
