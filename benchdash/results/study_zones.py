"""The zones that a study is measured in: names of sets of hosts, and which condition each is."""

from __future__ import annotations

from typing import Any

from benchdash.results.models import Study
from benchdash.vocabulary.settings import ZONE


def zones_of(study: Study) -> list[dict[str, Any]]:
    """`{name, hosts, condition}` of each, as far as the study says, in their order."""
    levels = study.measured_by.get("factors", {}).get(ZONE, ())
    return [level if isinstance(level, dict) else {"name": str(level)} for level in levels]


def zones_by_condition(study: Study) -> dict[str, str]:
    """The name of the zone that a condition is, by the label of that."""
    return {zone["condition"]: zone["name"] for zone in zones_of(study) if "condition" in zone}
