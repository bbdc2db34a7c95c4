"""The storage stacks behind a comparison, drawn with what differs between them marked."""

from __future__ import annotations

from typing import Any

from benchdash.inventory.models import Configuration
from benchdash.pages.stack_drawing import differing
from benchdash.results.comparison import Comparison

_MOST = 12


def stacks_of(comparison: Comparison) -> dict[str, Any]:
    """The context of `compare/stacks.html`; one query. More than twelve drawings help nobody."""
    runs = [run for group in comparison.groups for run in group.runs]
    ids = {run.configuration_id for run in runs if run.configuration_id is not None}
    if not 1 < len(ids) <= _MOST:
        return {}
    stacks = list(Configuration.objects.filter(pk__in=ids).select_related("stack"))
    trees = [configuration.stack.tree for configuration in stacks]
    return {"stacks": stacks, "differing": differing(trees)}
