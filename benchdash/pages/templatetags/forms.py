"""Inputs and options in few steps: a template for each takes ten times as long."""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Any

from django import template
from django.forms import BoundField
from django.forms.utils import flatatt
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

register = template.Library()


@register.filter
def control(field: BoundField) -> SafeString:
    """The input or select of a field, as the templates of its widget draw it."""
    attrs = field.build_widget_attrs({"id": field.auto_id})
    widget = field.field.widget.get_context(field.html_name, field.value(), attrs)["widget"]
    if "optgroups" in widget:
        return select(widget)
    filled = {} if widget["value"] is None else {"value": widget["value"]}
    own = {"type": widget["type"], "name": widget["name"]} | filled
    return format_html("<input{}>", flatatt(own | widget["attrs"]))


@register.filter
def select(widget: dict[str, Any]) -> SafeString:
    """The context of a select, drawn."""
    groups = (
        format_html('<optgroup label="{}">{}</optgroup>', name, _options(own))
        if name
        else _options(own)
        for name, own, _index in widget["optgroups"]
    )
    return format_html(
        '<select name="{}"{}>{}</select>',
        *(widget["name"], flatatt(widget["attrs"]), SafeString("".join(groups))),
    )


def _options(own: Iterable[dict[str, Any]]) -> SafeString:
    # a list of jobs has hundreds of them, and Django's own escape asks of each whether it is lazy
    return SafeString(
        "".join(
            f'<option value="{escape(str(one["value"]))}"{" selected" if one["selected"] else ""}>'
            f"{escape(str(one['label']))}</option>"
            for one in own
        )
    )


@register.filter
def suggestions(names: Iterable[str]) -> SafeString:
    """The options of a datalist."""
    return format_html_join("", '<option value="{}"></option>', ((name,) for name in names))
