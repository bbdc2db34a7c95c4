"""What pages and the API ask about jobs, plans and hosts: lists, the search."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator

from django.db.models import Case, Count, F, OuterRef, Prefetch, Q, QuerySet, Subquery, When
from django.db.models.functions import Coalesce

from benchdash.accounts.roles import Role
from benchdash.errors import Refused
from benchdash.inventory.models import EnvironmentMachine, Host
from benchdash.jobs.job_states import ENDED, ON_A_HOST
from benchdash.jobs.models import Job, JobNode, JobStep, Plan, Target
from benchdash.jobs.models.job import WAITS_FOR_QUIET
from benchdash.jobs.queueing import queue
from benchdash.prepared import planned_anew
from benchdash.results import search as results
from benchdash.results.interface_words import choices_named
from benchdash.results.lookups import Meaning, one_of_found, pointed_at
from benchdash.results.models import Run
from benchdash.results.models.run import LIVING
from benchdash.results.search import (
    Group,
    Rows,
    SearchQuery,
    contains,
    group_of,
    group_of_many,
    keys_of,
)
from benchdash.vocabulary.tools import TOOLS, Tool

_JOB_NUMBER = re.compile(r"(\d{1,9})-(\d{1,6})", re.ASCII)
GROUPS: dict[str, frozenset[str]] = {
    "running": ON_A_HOST,
    "waiting": frozenset({Job.State.QUEUED, Job.State.WAITING}),
    "ended": ENDED,
}


def targets_by_id(ids: Iterable[int], field: str) -> dict[int, Target]:
    """Targets with their hosts; Refused where there is none of an id."""
    wanted = list(ids)
    found = Target.objects.select_related("host").in_bulk(wanted)
    missing = [str(pk) for pk in wanted if pk not in found]
    if missing:
        raise Refused("There is no target {names}.", field, names=", ".join(missing))
    return found


def with_hosts(jobs: QuerySet[Job]) -> QuerySet[Job]:
    """Jobs as lists show them: with their plan and the hosts they are for."""
    nodes = JobNode.objects.select_related("target__host").defer("target__secret")
    return jobs.select_related("plan").prefetch_related(Prefetch("nodes", nodes))


def listed(jobs: QuerySet[Job]) -> QuerySet[Job]:
    """Jobs by their names and states alone: a page lists hundreds, each with a plan."""
    columns = (
        *("plan__title", "plan__paused_at", "position", "round", "title", "attempt"),
        *("state", "reason", "priority"),
        *("expected_s", "started_at", "ended_at", "quiet_by"),
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
    steps = _at_hosts(JobStep.objects.select_related("change").defer("argv", "identity"))
    jobs = with_hosts(Job.objects.all()).select_related(
        "plan__study", "configuration", "retry_of", "cancel_asked_by", "made_by"
    )
    return jobs.prefetch_related(
        Prefetch("steps", steps), "events__by", Prefetch("retries", Job.objects.order_by("pk"))
    )


def runs_of(job: Job) -> QuerySet[Run]:
    """The runs that were read from what the job's steps printed."""
    return Run.objects.filter(LIVING, artifact__steps__job=job).order_by("pk")


def steps_that_printed(artifact: OuterRef | int) -> QuerySet[JobStep]:
    """The steps whose output a file is, with job, plan, and `host_id`, `host_name` of their node."""
    steps = JobStep.objects.filter(artifact=artifact).select_related("job__plan")
    return _at_hosts(steps).order_by("pk")


def _at_hosts(steps: QuerySet[JobStep]) -> QuerySet[JobStep]:
    node = JobNode.objects.filter(job=OuterRef("job"), role=OuterRef("node"))
    return steps.annotate(
        host_id=Subquery(node.values("target__host")[:1]),
        host_name=Subquery(node.values("target__host__name")[:1]),
    )


def runs_on(host: Host) -> QuerySet[Run]:
    """The runs in environments that the host was a part of."""
    parts = EnvironmentMachine.objects.filter(snapshot__host=host)
    return Run.objects.filter(LIVING, environment__in=parts.values("environment"))


def runs_of_plan(plan: Plan) -> QuerySet[Run]:
    """The runs that the plan's jobs made."""
    return Run.objects.filter(LIVING, artifact__steps__job__plan=plan).order_by("pk").distinct()


def plans() -> QuerySet[Plan]:
    """Plans with how many of their jobs are in which group, those that are not made yet with them."""
    waits = Q(launched_at__isnull=False, stopped_at=None)
    never_made = Case(When(stopped_at__isnull=False, then=F("to_make")), default=0)
    counted = Plan.objects.annotate(
        job_count=_jobs() + F("to_make"),
        done_count=_jobs(Q(state=Job.State.DONE)),
        running_count=_jobs(Q(state__in=GROUPS["running"]) & ~WAITS_FOR_QUIET),
        waiting_count=_jobs(Q(state__in=GROUPS["waiting"]) | WAITS_FOR_QUIET)
        + Case(When(waits, then=F("to_make")), default=0),
        failed_count=_jobs(Q(state__in=(Job.State.FAILED, Job.State.LOST))),
        cancelled_count=_jobs(Q(state=Job.State.CANCELLED)) + never_made,
        ended_count=_jobs(Q(state__in=GROUPS["ended"])) + never_made,
    )
    return counted.select_related("created_by", "study", "paused_by", "stopped_by")


def _jobs(condition: Q | None = None) -> Coalesce:
    """How many jobs of a plan meet the condition, or all."""
    jobs = Job.objects.filter(condition or Q(), plan=OuterRef("pk")).order_by()
    return Coalesce(Subquery(jobs.values("plan").annotate(n=Count("pk")).values("n")), 0)


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


def targets_not_ready(plans: Iterable[Plan]) -> list[Target]:
    """Targets of these plans that no check has found ready, such as one without an approved key."""
    used = {node["target"] for plan in plans for node in plan.nodes}
    targets = Target.objects.filter(pk__in=used).select_related("host").defer("secret")
    return [target for target in targets if target.standing != "ok"]


def missing_tools(plans: Iterable[Plan]) -> list[tuple[Host, Tool]]:
    """What these plans measure with and the last check of a host did not find there; two queries."""
    measuring = JobStep.objects.filter(job__plan__in=[*plans], job__nodes__role=F("node"))
    used = set(measuring.values_list("job__nodes__target", "tool").distinct())
    targets = Target.objects.filter(pk__in={pk for pk, _tool in used}).select_related("host")
    return [
        (target.host, TOOLS[line["name"]])
        for target in targets.defer("secret")
        for line in target.findings.get("lines", ())
        if line["name"] in TOOLS and (target.pk, line["name"]) in used and line["ok"] is not True
    ]


@planned_anew()
def search(query: SearchQuery, role: Role) -> list[Group]:
    """What `role` may see of each kind, kinds without a match left out.

    One query a kind, five at most for jobs.
    """
    query = query.seen_by(role)
    more = _groups_of(query) if role >= Role.VIEWER and not query.is_empty else ()
    return results.search(query, role) + [group for group in more if group.rows]


def _groups_of(query: SearchQuery) -> Iterator[Group]:
    having = query.having_runs
    if query.wants("hosts"):
        hosts = having(Host.objects.all(), "snapshots__parts__environment", "environment")
        yield group_of(
            "hosts",
            hosts.distinct(),
            lambda word: contains(word, "name", "notes", "targets__address"),
            query,
        )
    plans, jobs = Plan.objects.only("title", "recipe_name"), Job.objects.all()
    if query.run_query.chosen:
        measured = having(JobStep.objects.all(), "artifact", "artifact")
        jobs = jobs.filter(pk__in=measured.values("job"))
        plans = plans.filter(pk__in=measured.values("job__plan"))
    if query.wants("plans"):
        yield group_of("plans", plans, lambda word: contains(word, "title", "recipe_name"), query)
    if query.wants("jobs"):
        shown = jobs.select_related("plan").only(
            "plan__title", "position", "title", "state", "quiet_by"
        )
        yield group_of_many("jobs", shown, jobs, _of_jobs(query.words), query.most)


def _of_jobs(words: list[str]) -> list[Meaning]:
    """Their titles and those of their plans, their hosts, their state, and their number: `12-3`."""
    on_hosts = Rows(Target.objects.all(), "pk", lambda word: contains(word, "host__name"))
    targets = keys_of({"target": on_hosts}, words)
    found = []
    for word in words:
        condition = contains(word, "title") | Q(state__in=choices_named(word, Job.State))
        if number := _JOB_NUMBER.fullmatch(word):
            condition |= Q(plan=int(number[1]), position=int(number[2]))
        plans = Plan.objects.filter(contains(word, "title", "recipe_name"))
        of_plan = contains(word, "plan__title", "plan__recipe_name")
        by_index = condition | Q(one_of_found("plan", plans.values("pk")))
        meaning = Meaning(condition | of_plan, by_index)
        if own := targets["target", word]:
            nodes = JobNode.objects.filter(target__in=own)
            meaning |= pointed_at("pk", nodes, "job")
        found.append(meaning)
    return found
