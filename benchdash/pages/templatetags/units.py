"""Numbers as people read them, in the units that the reader prefers."""

from __future__ import annotations

from typing import Any

from django import template
from django.template.context import Context
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from benchdash.vocabulary.measures import METRICS, OPERATIONS, shown
from benchdash.vocabulary.units import human
from benchdash.vocabulary.workloads import AXES

register = template.Library()


@register.simple_tag(takes_context=True)
def measured(context: Context, value: float, metric: str) -> SafeString:
    """A measured value as people read it; the exact number in base units as a tooltip."""
    exact = f"{value!r} {METRICS[metric].unit}".removesuffix(" 1")
    return format_html(
        '<data value="{}" title="{}">{}</data>',
        repr(value),
        exact,
        shown(value, metric, binary=prefers_binary(context)),
    )


@register.filter
def size(value: float) -> str:
    """Bytes with binary prefixes, as block and file sizes are chosen: `4 KiB`, `15.5 GiB`."""
    return human(value, "B", binary=True)


@register.filter
def axis_value(value: Any, name: str) -> str:
    """What a workload axis was set to, as people write it: `4 KiB`, `180 s`, `70 %`, `yes`."""
    axis = AXES[name]
    if axis.unit == "B":
        return size(value)
    if axis.type is bool:
        return _("yes") if value else _("no")
    if name == "read_fraction":
        return f"{value * 100:g} %"
    text = f"{value:g}" if isinstance(value, float) else str(value)
    return f"{text} {axis.unit}".strip()


@register.filter
def axis_title(name: str) -> str:
    """The words for a workload axis, in the reader's language."""
    return _(AXES[name].title)


@register.filter
def metric_title(name: str) -> str:
    """The words for a metric, in the reader's language."""
    return _(METRICS[name].title)


@register.filter
def operation_title(name: str) -> str:
    """The words for an operation, in the reader's language; dbench's rows keep their name."""
    if name in OPERATIONS:
        return _(OPERATIONS[name].title)
    return f"{_(OPERATIONS['load'].title)}: {name.removeprefix('load_')}"


def prefers_binary(context: Context) -> bool:
    """True for people who chose MiB/s on their profile."""
    request = context.get("request")
    return bool(getattr(getattr(request, "user", None), "binary_units", False))
