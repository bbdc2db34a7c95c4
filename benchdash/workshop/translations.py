"""Compiles the translations by Babel, so that no gettext is needed."""

from __future__ import annotations

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po

from benchdash.workshop.place import ROOT

LOCALE = ROOT / "frontend" / "locale"


def compile_translations() -> None:
    """Write each .mo that is older than its .po."""
    for source in LOCALE.glob("*/LC_MESSAGES/*.po"):
        compiled = source.with_suffix(".mo")
        if compiled.exists() and compiled.stat().st_mtime >= source.stat().st_mtime:
            continue
        with source.open("rb") as text, compiled.open("wb") as catalogue:
            write_mo(catalogue, read_po(text))
