"""The tray: runs and configurations that people take along from page to page, to compare them.

It lives in the session, so that it serves visitors too.
"""

from __future__ import annotations

from dataclasses import dataclass
from urllib.parse import urlencode

from django.http import HttpRequest

from benchdash.inventory.models import Configuration
from benchdash.results.models import Run
from benchdash.results.models.run import LIVING

KINDS = ("runs", "configurations")
KEY = "tray"
Kept = dict[str, list[int]]


@dataclass(frozen=True, slots=True)
class Tray:
    """What was taken along and is still there, in the order in which it was taken."""

    runs: dict[int, Run]
    configurations: dict[int, Configuration]

    def __len__(self) -> int:
        return len(self.runs) + len(self.configurations)

    @property
    def query(self) -> str:
        """The address of the compare page with exactly these."""
        pairs = [("configuration", pk) for pk in self.configurations]
        return urlencode(pairs + [("run", pk) for pk in self.runs])


def tray_of(request: HttpRequest) -> Tray:
    """The tray of whoever looks; no query where it is empty, else one for each kind."""
    runs, configurations = (kept_in(request)[kind] for kind in KINDS)
    living = Run.objects.filter(LIVING).select_related("configuration")
    there = living.only("label", "tool", "configuration__name").in_bulk(runs) if runs else {}
    stacks = Configuration.objects.only("name").in_bulk(configurations) if configurations else {}
    return Tray(
        {pk: there[pk] for pk in runs if pk in there},
        {pk: stacks[pk] for pk in configurations if pk in stacks},
    )


def kept_in(request: HttpRequest) -> Kept:
    """The ids by kind as the session has them."""
    said = request.session.get(KEY, {}) if hasattr(request, "session") else {}
    return {kind: list(said.get(kind, ())) for kind in KINDS}
