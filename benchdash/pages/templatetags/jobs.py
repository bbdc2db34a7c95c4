"""Times and commands of jobs in templates."""

from __future__ import annotations

from typing import Any

from django import template
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from benchdash.jobs.models import Job, JobStep, Target
from benchdash.pages.step_titles import step_title
from benchdash.pages.target_states import state_of
from benchdash.vocabulary.units import human

register = template.Library()

_S = Job.State
# all others are on a host
COLOURS: dict[str, str] = {
    _S.DONE: "good",
    **dict.fromkeys((_S.FAILED, _S.LOST), "bad"),
    **dict.fromkeys((_S.UNREACHABLE, _S.CANCELLED, _S.CANCELLING), "warn"),
    **dict.fromkeys((_S.PLANNED, _S.QUEUED, _S.WAITING), ""),
}
NOTICES = {"good": "success", "bad": "error"}


@register.filter
def job_badge(job: Job) -> SafeString:
    """The state of a job in its colour; of one that is prepared, whether it waits for its hosts."""
    return state_badge(job.state, waits=job.waits_for_quiet)


@register.filter
def target_badge(target: Target) -> SafeString:
    """How a target stands."""
    return format_html('<span class="badge {}">{}</span>', *state_of(target))


@register.filter
def paused_badge(job: Job) -> SafeString:
    """Of a job that waits while its plan is paused."""
    if job.state not in (Job.State.QUEUED, Job.State.WAITING) or job.plan.paused_at is None:
        return SafeString()
    return format_html(' <span class="badge warn">{}</span>', _("paused"))


def state_badge(state: str, *, waits: bool = False) -> SafeString:
    """A state of jobs in its colour."""
    colour = "warn" if waits else COLOURS.get(state, "accent")
    # `get_state_display` reads all choices anew, each time
    words = _("waiting for quiet hosts") if waits else Job.State(state).label
    return format_html('<span class="badge {}">{}</span>', colour, words)


_PRIORITY = (
    '<form class="row" method="post" action="{}">'
    '<input type="hidden" name="csrfmiddlewaretoken" value="{}">'
    '<input class="short" type="number" name="priority" min="-100" max="100" value="{}"'
    ' aria-label="{}"> <button class="button small">{}</button></form>'
)


register.filter("step_title", step_title)


@register.filter
def priority_form(row: Any, token: str) -> SafeString:
    """Where the priority of a job of `job_rows` is changed; a queue has one in each row."""
    return format_html(
        *(_PRIORITY, row.change_address, token, row.priority, row.priority_label, _("Set"))
    )


@register.filter
def job_notice(job: Job) -> str:
    """The kind of notice that says why a job is in its state."""
    return NOTICES.get(COLOURS.get(job.state, ""), "warning")


@register.filter
def look_name(number: int) -> str:
    """“First look” of a plan, “Second look” …"""
    names = {1: _("First look"), 2: _("Second look"), 3: _("Third look")}
    return names.get(number) or _("Look {n}").format(n=number)


@register.filter
def clock(seconds: float) -> str:
    """A time span as a clock shows it: `1:02:03`, `4:05`."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


@register.filter
def amount(count: float) -> str:
    """Bytes, as `12.3 GB`."""
    return human(count, "B")


@register.filter
def milliseconds(seconds: float) -> int:
    """Whole milliseconds."""
    return round(seconds * 1000)


@register.filter
def took(step: JobStep) -> float:
    """Seconds from a step's start to its end."""
    assert step.started_at is not None
    assert step.ended_at is not None
    return (step.ended_at - step.started_at).total_seconds()


@register.filter
def by_words(command: str) -> SafeString:
    """A command whose lines break between its words and not at their hyphens."""
    return format_html_join(" ", "<span>{}</span>", ((word,) for word in command.split(" ")))
