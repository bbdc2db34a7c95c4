"""`manage.py compilemessages`, by Babel: Django's own wants gettext's programs on the machine."""

from __future__ import annotations

from typing import Any

from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from django.conf import settings
from django.core.management.base import BaseCommand


class Command(BaseCommand):
    help = "Write each .mo that is older than its .po."
    requires_system_checks: list[str] = []  # they may load the translations that this makes

    def handle(self, *_arguments: Any, **_options: Any) -> None:
        for folder in settings.LOCALE_PATHS:
            for source in folder.glob("*/LC_MESSAGES/*.po"):
                compiled = source.with_suffix(".mo")
                if compiled.exists() and compiled.stat().st_mtime >= source.stat().st_mtime:
                    continue
                with source.open("rb") as text, compiled.open("wb") as catalogue:
                    write_mo(catalogue, read_po(text))
