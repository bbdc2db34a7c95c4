"""Jobs as lists show them: the content of each cell, so that a row costs its template little."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from django.db.models import F
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.text import Truncator
from django.utils.translation import gettext as _
from django.utils.translation import pgettext

from benchdash.jobs.models import Job, JobNode, Plan
from benchdash.pages.templatetags.addresses import addresses_of
from benchdash.pages.templatetags.jobs import clock, paused_badge, state_badge
from benchdash.pages.templatetags.records import when
from benchdash.pages.templatetags.words import dotted
from benchdash.prepared import OneOf, Prepared
from benchdash.results.language import in_language

_CELLS = (
    '<th scope="row">{}</th><td data-label="{}">{}</td><td data-label="{}">{}</td>'
    '<td class="small soft whole" data-label="{}">{}</td>'
)


@dataclass(frozen=True, slots=True)
class JobRow:
    """One job; `cells` are its title, state, hosts and time.

    `change_address` is where its priority is changed.
    """

    cells: SafeString
    priority: str
    priority_label: str
    change_address: str


def job_rows(found: Iterable[Job]) -> list[JobRow]:
    """The rows of jobs out of `queries.listed`, in their order; one query for all their hosts."""
    jobs = list(found)
    hosts = _hosts(jobs)
    stands = {job.pk: (job.state, job.waits_for_quiet) for job in jobs}
    badges = {each: state_badge(each[0], waits=each[1]) for each in set(stands.values())}
    address_of, change_address_of = addresses_of("job"), addresses_of("change_job")
    plans = {job.plan_id: job.plan for job in jobs}
    to_plan = {pk: _plan(plan) for pk, plan in plans.items()}
    priority_label = _("Priority of job %(job)s")
    state, on, moment = _("State"), _("Hosts"), pgettext("when", "Time")
    return [
        JobRow(
            cells=format_html(
                _CELLS,
                _title(job, address_of(job.pk), to_plan[job.plan_id]),
                *(state, badges[stands[job.pk]] + paused_badge(job) + _reason(job)),
                *(on, hosts[job.pk], moment, _time(job)),
            ),
            priority=str(job.priority),
            priority_label=priority_label % {"job": job},
            change_address=change_address_of(job.pk),
        )
        for job in jobs
    ]


def _plan(plan: Plan) -> SafeString:
    address = reverse("plan", args=[plan.pk])
    return format_html(' <a class="small soft" href="{}">{}</a>', address, dotted(plan.title))


def _title(job: Job, address: str, to_plan: SafeString) -> SafeString:
    """Its own title or that of its plan, and of the plan too where both differ."""
    plan = job.plan.title
    title = format_html('<a href="{}">{}</a>', address, f"{job} {dotted(job.title or plan)}")
    if job.attempt > 1:
        attempt = _("attempt %(n)s") % {"n": job.attempt}
        title += format_html(' <span class="badge">{}</span>', attempt)
    if job.title not in ("", plan):
        title += to_plan
    return title


def _reason(job: Job) -> SafeString:
    if not job.reason:
        return SafeString()
    reason = Truncator(in_language(job.reason)).chars(120)
    return format_html(' <span class="small soft">{}</span>', reason)


def _hosts(jobs: Iterable[Job]) -> dict[int, SafeString]:
    """Links to the hosts of each job, the one that measures first."""
    address_of = addresses_of("host")
    links = defaultdict(list)
    for job, host, name in _NODES([job.pk for job in jobs]):
        links[job].append(format_html('<a class="whole" href="{}">{}</a>', address_of(host), name))
    return defaultdict(
        SafeString, {job: SafeString(_(", ").join(each)) for job, each in links.items()}
    )


_NODES = Prepared(
    lambda jobs: (
        JobNode.objects.filter(OneOf(F("job_id"), jobs))
        .order_by("role")
        .values_list("job", "target__host", "target__host__name")
    )
)


def _time(job: Job) -> str:
    """When it ended or began; before that, how long it may take."""
    if moment := job.ended_at or job.started_at:
        return when(moment)
    return f"≈ {clock(job.expected_s)}" if job.expected_s else ""
