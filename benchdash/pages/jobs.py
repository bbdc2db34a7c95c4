"""Jobs: what runs, what waits and in which order, what is over, and everything about one."""

from __future__ import annotations

from collections.abc import Iterable
from itertools import chain, islice
from typing import Any
from urllib.parse import urlencode

from django import forms
from django.contrib import messages
from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse, QueryDict
from django.shortcuts import get_object_or_404, redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_POST

from benchdash.accounts.roles import Role, role_of
from benchdash.errors import Refused
from benchdash.inventory.models import Host
from benchdash.jobs import giving_up, launching, queries, queueing
from benchdash.jobs.blocks import stands
from benchdash.jobs.job_states import ENDED
from benchdash.jobs.logs import pieces_after, state_versions, tail_position
from benchdash.jobs.models import Job, JobStep, Plan
from benchdash.jobs.more_rounds import is_further_look
from benchdash.jobs.queries import runs_of, whole_jobs
from benchdash.pages.access import needs, person
from benchdash.pages.job_rows import job_rows
from benchdash.pages.run_rows import LISTED, run_rows
from benchdash.prepared import Prepared
from benchdash.results.language import in_language
from benchdash.results.paging import page_of
from benchdash.vocabulary.measures import METRICS, OPERATIONS

SHOWN_ACTIVE = 200
_HOSTS = Prepared(
    lambda: Host.objects.filter(targets__isnull=False).distinct().values_list("pk", "name")
)


class JobFilter(forms.Form):
    """A GET form; an unknown value narrows nothing."""

    template_name_div = "parts/filter_fields.html"
    state = forms.ChoiceField(
        label=_("State"),
        required=False,
        choices=[
            ("", _("all")),
            ("running", _("on a host")),
            ("waiting", _("in the queue")),
            ("ended", _("finished")),
            *Job.State.choices,
        ],
    )
    host = forms.ChoiceField(label=_("Host"), required=False)
    plan = forms.ModelChoiceField(
        Plan.objects.only("title").order_by("-pk"), required=False, widget=forms.HiddenInput
    )

    def __init__(self, query: QueryDict) -> None:
        super().__init__(query)
        host = self.fields["host"]
        assert isinstance(host, forms.ChoiceField)
        host.choices = [("", _("all")), *_HOSTS()]

    def narrow(self, jobs: QuerySet[Job]) -> QuerySet[Job]:
        """The jobs that were requested."""
        self.is_valid()
        values = self.cleaned_data
        if state := values.get("state"):
            jobs = jobs.filter(state__in=queries.GROUPS.get(state, {state}))
        if host := values.get("host"):
            jobs = jobs.filter(nodes__target__host=host).distinct()
        return jobs.filter(plan=plan) if (plan := values.get("plan")) else jobs


@needs(Role.VIEWER)
def jobs(request: HttpRequest) -> HttpResponse:
    """Three lists: on hosts, in the queue with its order, over."""
    form = JobFilter(request.GET)
    page = page_of(form.narrow(queries.ended()), request.GET)
    found = {
        "running": list(form.narrow(queries.running())[:SHOWN_ACTIVE]),
        "waiting": list(form.narrow(queries.waiting())[:SHOWN_ACTIVE]),
        "ended": page.rows,
    }
    rows = iter(job_rows(chain(*found.values())))  # at once: one query for all hosts
    context: dict[str, Any] = {name: list(islice(rows, len(jobs))) for name, jobs in found.items()}
    context |= {"filter": form, "page": page, "troubled": queries.troubled_targets()}
    if context["running"] or context["waiting"]:
        context["left_alone_since"] = queueing.left_alone_since()
    return render(request, "jobs/list.html", context)


TAIL_BYTES = 2**16


@needs(Role.VIEWER)
def job(request: HttpRequest, pk: int) -> HttpResponse:
    """Everything about one job; scripts go on where the log ends here."""
    found = get_object_or_404(whole_jobs(), pk=pk)
    pieces = pieces_after(pk, tail_position(pk, TAIL_BYTES))
    text = b"".join(piece.data for piece in pieces)
    context = _state_of(request, found) | {
        "place_end": pieces[-1].end if pieces else "",
        "live_words": live_words(found.steps.all(), binary=person(request).binary_units),
        "log": text.decode("utf-8", "replace").replace("\r\n", "\n").replace("\r", "\n"),
    }
    return render(request, "jobs/job.html", context)


@needs(Role.VIEWER)
def job_progress(request: HttpRequest, pk: int) -> HttpResponse:
    """The part of the page that changes; scripts fetch it again after each event."""
    found = get_object_or_404(whole_jobs(), pk=pk)
    return render(request, "jobs/progress.html", _state_of(request, found))


@needs(Role.OPERATOR)
@require_POST
def change_job(request: HttpRequest, pk: int) -> HttpResponse:
    """Cancel, retry, measure whatever the conditions, or another priority."""
    found = get_object_or_404(Job, pk=pk)
    try:
        if "cancel" in request.POST:
            launching.cancel(found, person(request))
        elif "insist" in request.POST:
            launching.insist(found, person(request))
        elif "retry" in request.POST:
            again = launching.retry(found, person(request))
            messages.success(request, gettext("This is the new attempt."))
            return redirect("job", again.pk)
        elif "priority" in request.POST:
            queueing.prioritise(found, _number(request.POST["priority"]), person(request))
    except Refused as refused:
        messages.error(request, in_language(refused.sentence))
    return redirect("job", pk)


@needs(Role.ADMIN)
@require_POST
def give_up_job(request: HttpRequest, pk: int) -> HttpResponse:
    """Free the hosts of a job that is stuck there, for a reason that stays."""
    try:
        giving_up.give_up(
            get_object_or_404(Job, pk=pk), request.POST.get("reason", ""), person(request)
        )
    except Refused as refused:
        messages.error(request, in_language(refused.sentence))
    return redirect("job", pk)


def _number(text: str) -> int:
    digits = text.strip().removeprefix("-")
    if not digits.isdecimal() or len(digits) > 4:
        raise Refused(gettext("A priority is a number from -100 to 100."), "priority")
    return int(text)


def _state_of(request: HttpRequest, found: Job) -> dict[str, Any]:
    runs = list(LISTED.filter(pk__in=runs_of(found).values("pk")).order_by("pk"))
    ended = found.state in ENDED
    until = found.ended_at or timezone.now()
    return {
        "job": found,
        "ended": ended,
        "left_alone_since": None if ended else queueing.left_alone_since(found.plan),
        "waits": found.waits_for_quiet,
        "stuck": giving_up.is_stuck(found),
        "left": gettext(", ").join(n.target.host.name for n in found.nodes.all() if n.left_at),
        "stands": stands(found),
        "elapsed_s": (until - found.started_at).total_seconds() if found.started_at else None,
        "version": state_versions([found.pk])[found.pk].version,
        "further_look": _would_be_further_look(request, found),
        "changes": [step for step in found.steps.all() if hasattr(step, "change")],
        "rows": run_rows(request, runs, slim=True),
        "compare": _comparison(found, runs),
    }


def _would_be_further_look(request: HttpRequest, found: Job) -> bool:
    """Whether another attempt, which operators are offered, would be a further look at its plan."""
    is_offered = role_of(request.user) >= Role.OPERATOR and found.state == Job.State.DONE
    return is_offered and is_further_look(found.plan)


def _comparison(found: Job, runs: list[Any]) -> str:
    """The address that lays the runs beside others: of the study, of the plan, or by themselves."""
    if not runs:
        return ""
    study = found.plan.study
    query = [("study", study.slug)] if study else [("run", str(run.pk)) for run in runs]
    return f"{reverse('compare')}?{urlencode(query)}"


_OPERATIONS = ("read", "write", "trim", "load", "transaction")


def live_words(steps: Iterable[JobStep], *, binary: bool) -> dict[str, Any]:
    """`{metrics, operations, steps, seconds}`; values are divided by a metric's `factor`."""
    units = {
        "throughput": ("MiB/s", 2**20) if binary else ("MB/s", 10**6),
        "iops": ("IOPS", 1),
        "transactions": ("/s", 1),
        "cpu": ("%", 0.01),
    }
    return {
        "metrics": {
            metric: {"title": gettext(METRICS[metric].title), "unit": unit, "factor": factor}
            for metric, (unit, factor) in units.items()
        },
        "operations": {name: gettext(OPERATIONS[name].title) for name in _OPERATIONS}
        | {"host": gettext("all CPUs of the host")},
        "steps": {step.pk: f"{step.name} {step.node}" for step in steps if step.tool},
        "seconds": gettext("seconds"),
    }
