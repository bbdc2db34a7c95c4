"""Links to the page at hand with something changed: the address is the whole state."""

from __future__ import annotations

from typing import Any

from django import template
from django.template.context import Context

register = template.Library()


@register.simple_tag(takes_context=True)
def address(context: Context, **changes: Any) -> str:
    """The query string with `changes`; None takes a name away."""
    query = context["request"].GET.copy()
    for name, value in changes.items():
        if value is None:
            query.pop(name, None)
        else:
            query[name] = str(value)
    return f"?{query.urlencode()}"


@register.simple_tag(takes_context=True)
def address_without(context: Context, name: str) -> str:
    """The query string less one name, on the first page."""
    return address(context, **{name: None, "before": None, "after": None})
