"""How a study's file says that it is measured: its recipe, values, levels and zones, and its hosts' names."""

from __future__ import annotations

import re
from collections.abc import Collection
from typing import Any

from benchdash.errors import N_, Refused
from benchdash.recipes import builtin
from benchdash.recipes.document import Part
from benchdash.recipes.parameters import Parameter
from benchdash.vocabulary.settings import ZONE

MEASURED_BY = ("recipe", "parameters", "factors", "roles")
OF_ZONE = ("name", "hosts", "condition")
_A_ROLE = N_("a role is a name such as node-a, client or guest[1..10]")
_ROLE = re.compile(r"[a-z][a-z0-9-]{0,30}(\[\d{1,2}\.\.\d{1,2}\])?", re.ASCII)


def read_measured_by(part: Part) -> dict[str, Any]:
    """The recipe by its name, values and levels as they are typed, and what its hosts are called."""
    keys = part.mapping(MEASURED_BY)
    if "recipe" not in keys:
        part.refuse(N_("“{name}” is needed here", name="recipe"))
    found: dict[str, Any] = {"recipe": keys["recipe"].text()}
    if "parameters" in keys:
        values = keys["parameters"].mapping()
        found["parameters"] = {name: one.plain() for name, one in values.items()}
    if "factors" in keys:
        levels = keys["factors"].mapping()
        found["factors"] = {
            name: _levels(name, one, found["recipe"]) for name, one in levels.items()
        }
    for role in keys["roles"].items() if "roles" in keys else ():
        if not _ROLE.fullmatch(role.text()):
            role.refuse(_A_ROLE)
        found.setdefault("roles", []).append(role.text())
    return found


def check_zones(part: Part, labels: Collection[str]) -> None:
    """Refused where a zone names a condition that is not in the file."""
    factors = part.mapping().get("factors")
    zones = factors.mapping().get(ZONE) if factors else None
    for level in zones.items() if zones else ():
        named = level.mapping().get("condition") if isinstance(level.value, dict) else None
        if named and named.text() not in labels:
            named.refuse(N_("“{name}” is not a condition of this file", name=named.text()[:80]))


def _levels(name: str, part: Part, recipe: str) -> list[Any]:
    """As they are typed; a zone may say what hosts it has, and which condition it is."""
    levels = part.items()
    if not any(isinstance(level.value, dict) for level in levels):
        return [level.plain() for level in levels]
    known = next((one for one in builtin() if one.name == recipe), None)
    if name != ZONE or (known and not known.has_zones):
        part.refuse(N_("“{name}” of this recipe is not a factor that has hosts", name=name[:80]))
    found = [_zone(level) for level in levels]
    for number, level in enumerate(levels):
        if found[number]["name"] in [one["name"] for one in found[:number]]:
            level.refuse(N_("this zone is listed twice"))
    return found


def _zone(part: Part) -> dict[str, Any]:
    keys = part.mapping(OF_ZONE) if isinstance(part.value, dict) else {"name": part}
    if "name" not in keys:
        part.refuse(N_("“{name}” is needed here", name="name"))
    try:
        name = Parameter(ZONE, "hosts", {"en": "Zone"}).read(keys["name"].plain())
    except Refused as refused:
        keys["name"].refuse(refused.sentence.rstrip("."))
    zone: dict[str, Any] = {"name": name}
    hosts = keys["hosts"].items() if "hosts" in keys else []
    for number, role in enumerate(hosts):
        if not _ROLE.fullmatch(role.text()):
            role.refuse(_A_ROLE)
        if role.text() in [one.text() for one in hosts[:number]]:
            role.refuse(N_("this role is listed twice"))
    if hosts:
        zone["hosts"] = [role.text() for role in hosts]
    elif "hosts" in keys:
        keys["hosts"].refuse(_A_ROLE)
    if "condition" in keys:
        zone["condition"] = keys["condition"].text()
    return zone
