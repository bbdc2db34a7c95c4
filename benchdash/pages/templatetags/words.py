"""The words of the vocabulary in the reader's language."""

from __future__ import annotations

from django import template
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from benchdash.accounts.roles import group_title
from benchdash.errors import Refused
from benchdash.results.comparison.sentences import listed
from benchdash.results.factors import read_factor
from benchdash.results.language import closed_up
from benchdash.results.titles import factor_title, label_text, option_text, study_text
from benchdash.vocabulary import doubts
from benchdash.vocabulary.measures import METRICS, OPERATIONS
from benchdash.vocabulary.tools import TOOLS
from benchdash.vocabulary.workloads import AXES

register = template.Library()
register.filter("group_title", group_title)
register.filter("translated", study_text)
register.filter("label_in", label_text)
register.filter("option_text", option_text)
register.filter("closed_up", closed_up, is_safe=True)
register.filter("listed", listed)


@register.filter(is_safe=True)
def dotted(text: str) -> str:
    """A name of parts between dots: none of the dots begins a line."""
    return text.replace(" · ", "\N{NO-BREAK SPACE}· ")


STATISTIC_TITLES = {
    "mean": gettext_noop("mean"),
    "min": gettext_noop("lowest"),
    "max": gettext_noop("highest"),
    "stddev": gettext_noop("standard deviation"),
    "total": gettext_noop("total"),
}


@register.simple_tag
def tool_names() -> str:
    """The tools whose output is read: `fio, bonnie++, …`."""
    return _(", ").join(TOOLS)


@register.filter
def factor_words(name: str) -> str:
    """The words for a factor that a study varies."""
    try:
        return factor_title(read_factor(name, "factors"))
    except Refused:
        return name


@register.filter
def doubt_title(kind: str) -> str:
    """A kind of doubt in few words."""
    return _(doubts.title(kind))


@register.filter
def doubt_mend(kind: str) -> str:
    """What would make the number sound; "" where nobody knows."""
    mend = doubts.mend(kind)
    return _(mend) if mend else ""


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
