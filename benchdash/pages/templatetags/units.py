"""Numbers as people read them, in the units that the reader prefers."""

from __future__ import annotations

from typing import Any

from django import template
from django.template.context import Context
from django.utils.formats import number_format
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from benchdash.pages.raw_output import anchor
from benchdash.vocabulary.measures import METRICS, shown
from benchdash.vocabulary.prefixes import unit_beside
from benchdash.vocabulary.units import amount_shown, human
from benchdash.vocabulary.workloads import AXES

register = template.Library()


@register.simple_tag(takes_context=True)
def measured(context: Context, value: float, metric: str) -> SafeString:
    """A measured value as people read it; the exact number in base units as a tooltip."""
    return measured_value(value, metric, binary=prefers_binary(context))


def measured_value(value: float, metric: str, *, binary: bool) -> SafeString:
    """The same outside of templates."""
    exact = f"{value!r} {METRICS[metric].unit}".removesuffix(" 1")
    if METRICS[metric].unit == "1" and METRICS[metric].family != "cpu":
        text = _number(value)
    else:
        text = shown(value, metric, binary=binary)
    # digits and units of the vocabulary: a page has hundreds, and nothing in them to escape
    return SafeString(f'<data value="{value!r}" title="{exact}">{text}</data>')


@register.simple_tag(takes_context=True)
def linked(context: Context, text: str, operation: str, metric: str, statistic: str) -> str:
    """A number of a run, with the way to where it stands in the output of the tool."""
    name = anchor((operation, metric, statistic))
    if name not in context["raw"].anchors:
        return text
    return format_html('<a class="printed" id="number-{0}" href="#printed-{0}">{1}</a>', name, text)


def prefers_binary(context: Context) -> bool:
    """True for people who chose MiB/s on their profile."""
    request = context.get("request")
    return bool(getattr(getattr(request, "user", None), "binary_units", False))


@register.filter
def exact(value: float | None) -> str:
    """Every digit, to sort by; empty where there is no number."""
    return repr(value) if isinstance(value, float) else ""


@register.filter
def beside(unit: str, title: str) -> str:
    """The unit beside a title, unless that says it."""
    return unit_beside(title, unit)


@register.filter
def size(value: int) -> str:
    """A block or file size: `4 KiB`, `100 MB`, `15.5 GiB`."""
    return amount_shown(value)


@register.filter
def seconds(value: float) -> str:
    """A time span: `30 s`, `1.2 ms`."""
    return human(value, "s")


@register.filter
def percent_words(percent: float) -> str:
    """A percentile: `99.9 %`."""
    return f"{percent:g} %"


@register.filter
def percentile_name(percent: float) -> str:
    """The statistic that a percentile is: `p99.9`."""
    return f"p{percent:.12g}"


@register.filter
def axis_value(value: Any, name: str) -> str:
    """What a workload axis was set to: `4 KiB`, `180 s`, `70 %`, `yes`."""
    axis = AXES[name]
    if axis.unit == "B":
        return size(value)
    if axis.type is bool:
        return _("yes") if value else _("no")
    if name == "read_fraction":
        return f"{value * 100:g} %"
    return f"{_number(value)} {axis.unit}".strip()


def _number(value: Any) -> str:
    """Digits grouped as the reader's language groups them; any other text as it is."""
    if isinstance(value, float):
        value = int(value) if value.is_integer() else f"{value:g}"
    return number_format(value, force_grouping=True) if isinstance(value, int) else str(value)
