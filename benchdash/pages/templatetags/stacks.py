"""Storage stacks in templates: as a drawing, as one line, as the notation that people type."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django import template

from benchdash.pages.stack_drawing import boxes
from benchdash.vocabulary.storage.notation import print_stack
from benchdash.vocabulary.storage.stack import title

register = template.Library()
register.filter("stack_title", title)
register.filter("stack_text", print_stack)


@register.inclusion_tag("stacks/drawing.html")
def stack_drawing(tree: dict[str, Any], differing: Collection[str] = ()) -> dict[str, Any]:
    """Layer on layer from the filesystem to the disks, legs on peers side by side."""
    return {"box": boxes(tree, differing or ()), "title": title(tree)}
