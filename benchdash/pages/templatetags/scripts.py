"""Scripts that a page asks for by itself, before the one that would import them arrives."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

from django import template
from django.conf import settings
from django.utils.html import format_html
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def script(module: str, *, blocking: bool = False) -> SafeString:
    """`charts/all`, …, under the name by which others import it; nothing where it is not built.

    A `blocking` one runs before the page is first painted, where the browser knows how.
    """
    path = settings.BASE_DIR / "frontend" / "dist" / "modules.json"
    chunk = _read(path, path.stat().st_mtime).get(module) if path.is_file() else None
    if chunk is None:
        return SafeString()
    how = SafeString(' blocking="render"') if blocking else ""
    return format_html(
        '<script type="module"{} src="{}{}"></script>', how, settings.STATIC_URL, chunk
    )


@lru_cache(maxsize=1)
def _read(path: Path, _changed: float) -> dict[str, str]:
    known: dict[str, str] = json.loads(path.read_text())
    return known
