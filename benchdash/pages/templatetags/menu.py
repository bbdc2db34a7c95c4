"""The main menu: an entry knows whether the page at hand lies below it."""

from __future__ import annotations

from django import template
from django.template.context import Context
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString
from django.utils.translation import gettext_lazy, pgettext_lazy

from benchdash.pages.help_chapters import address_of_help

register = template.Library()

WORDS = {
    "studies": gettext_lazy("Studies"),
    "runs": gettext_lazy("Runs"),
    "configurations": gettext_lazy("Configurations"),
    "environments": gettext_lazy("Environments"),
    "hosts": gettext_lazy("Hosts"),
    "jobs": pgettext_lazy("remote runs", "Jobs"),
    "compare": gettext_lazy("Compare"),
}
# where the addresses of a part begin otherwise
BELOW = {"plans": "jobs", "recipes": "jobs", "targets": "hosts", "c": "compare"}


@register.simple_tag(takes_context=True)
def help_address(context: Context) -> str:
    """Where the page at hand is explained."""
    return address_of_help(context["request"].path)


@register.simple_tag(takes_context=True)
def menu_item(context: Context, name: str) -> SafeString:
    """One entry of the menu: `page` on the page itself, `true` anywhere below it."""
    address = reverse(name)
    path = context["request"].path
    part = path.split("/")[1]
    here = "page" if path == address else "true" if BELOW.get(part, part) == name else ""
    current = format_html(' aria-current="{}"', here) if here else ""
    return format_html('<li><a href="{}"{}>{}</a></li>', address, current, WORDS[name])
