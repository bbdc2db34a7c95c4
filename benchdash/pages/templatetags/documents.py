"""Documents in templates: Markdown, JSON, and what stands under a key."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from django import template

from benchdash.pages.markdown import markdown

register = template.Library()
register.filter(markdown)


@register.filter
def of(values: Mapping[Any, Any], key: Any) -> Any:
    """What stands under `key`, None where nothing does: missing stays missing."""
    return values.get(key)


@register.filter
def pretty(document: Any) -> str:
    """A JSON document for reading; the template escapes it."""
    return json.dumps(document, indent=2, ensure_ascii=False, sort_keys=True)
