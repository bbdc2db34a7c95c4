"""Documents in templates: Markdown, JSON, and what stands under a key."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

from django import template
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString

from benchdash.pages.markdown import markdown
from benchdash.pages.raw_output import Piece

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


@register.filter
def printed(pieces: Iterable[Piece]) -> SafeString:
    """Raw output: each figure that is a number of the run is marked, and leads to it."""
    return SafeString("".join(_marked(piece) for piece in pieces))


def _marked(piece: Piece) -> str:
    if not piece.names:
        return conditional_escape(piece.text)
    places = format_html_join("", '<span id="printed-{}"></span>', ((n,) for n in piece.names))
    line = '{}<a href="#number-{}"><mark>{}</mark></a>'
    return format_html(line, places, piece.names[0], piece.text)
