"""The words of the vocabulary in the reader's language."""

from __future__ import annotations

from django import template
from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _

from benchdash.results.models import Study
from benchdash.vocabulary.measures import METRICS, OPERATIONS
from benchdash.vocabulary.workloads import AXES

register = template.Library()

STATISTIC_TITLES = {
    "mean": gettext_noop("mean"),
    "min": gettext_noop("lowest"),
    "max": gettext_noop("highest"),
    "stddev": gettext_noop("standard deviation"),
    "total": gettext_noop("total"),
}
NOTES = {"too fast to measure": gettext_noop("too fast to measure")}


@register.filter
def axis_title(name: str) -> str:
    """The words for a workload axis."""
    return _(AXES[name].title)


@register.filter
def metric_title(name: str) -> str:
    """The words for a metric."""
    return _(METRICS[name].title)


@register.filter
def operation_title(name: str) -> str:
    """The words for an operation; dbench's rows keep their printed name."""
    if name in OPERATIONS:
        return _(OPERATIONS[name].title)
    return f"{_(OPERATIONS['load'].title)}: {name.removeprefix('load_')}"


@register.filter
def statistic_title(name: str) -> str:
    """The words for a statistic."""
    return _(STATISTIC_TITLES[name])


@register.filter
def note_words(note: str) -> str:
    """Why a value is missing; a tool's own words stay as they are."""
    return _(NOTES[note]) if note in NOTES else note


@register.filter
def told(study: Study, part: str) -> str:
    """`title`, `question` or `words` of a study in the reader's language, where it was written."""
    translated = study.translations.get(get_language() or "", {})
    return str(translated.get(part) or getattr(study, part))
