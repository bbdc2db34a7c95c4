"""Times and commands of jobs in templates."""

from __future__ import annotations

from django import template
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

from benchdash.jobs.models import JobStep

register = template.Library()


@register.filter
def clock(seconds: float) -> str:
    """A time span as a clock shows it: `1:02:03`, `4:05`."""
    minutes, rest = divmod(int(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"


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
