"""Links that let a browser fetch modules at once, not one after the other imports it."""

from __future__ import annotations

import json
from functools import lru_cache
from pathlib import Path

from django import template
from django.conf import settings
from django.utils.html import format_html_join
from django.utils.safestring import SafeString

register = template.Library()


@register.simple_tag
def preload(*modules: str) -> SafeString:
    """The chunks behind `main`, `charts/all`, …; nothing for what there is no module of."""
    path = settings.BASE_DIR / "frontend" / "dist" / "preload.json"
    known = _read(path, path.stat().st_mtime) if path.is_file() else {}
    needed = dict.fromkeys(chunk for name in modules for chunk in known.get(name, ()))
    # main.js itself is a script of its own, under a name with a hash
    chunks = ((f"{settings.STATIC_URL}{chunk}",) for chunk in needed if chunk != "main.js")
    return format_html_join("\n  ", '<link rel="modulepreload" href="{}">', chunks)


@lru_cache(maxsize=1)
def _read(path: Path, _changed: float) -> dict[str, list[str]]:
    known: dict[str, list[str]] = json.loads(path.read_text())
    return known
