"""Storage stacks in templates: as a drawing, as one line, as the notation that people type."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django import template
from django.utils.translation import gettext as _

from benchdash.pages.stack_drawing import boxes
from benchdash.vocabulary.storage.notation import print_stack
from benchdash.vocabulary.storage.stack import captions

register = template.Library()
register.filter("stack_text", print_stack)


@register.filter
def stack_title(tree: dict[str, Any]) -> str:
    """One line along the first leg, as the reader's language has it: "ext3 on LVM on md RAID6"."""
    text, *higher = reversed(captions(tree))
    for layer in higher:
        text = _("%(above)s on %(below)s") % {"above": layer, "below": text}
    return text


@register.inclusion_tag("stacks/drawing.html")
def stack_drawing(tree: dict[str, Any], differing: Collection[str] = ()) -> dict[str, Any]:
    """Layer on layer from the filesystem to the disks, legs on peers side by side."""
    return {"box": boxes(tree, differing or ()), "title": stack_title(tree)}
