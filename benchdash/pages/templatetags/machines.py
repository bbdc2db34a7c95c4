"""Environments and machines in words."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import template
from django.utils.translation import gettext as _

from benchdash.inventory.models import EnvironmentMachine
from benchdash.results.titles import fact_title
from benchdash.vocabulary.machines import NETWORK, machine_lines

register = template.Library()
register.filter(fact_title)

IN_ONE_LINE = ("model", "instance_type", "cpu_model", "memory_bytes", "os", "kernel")


@register.filter
def alike_machines(parts: Iterable[EnvironmentMachine]) -> list[tuple[str, dict[str, Any]]]:
    """(roles, facts) of each machine; those with the same facts stand together: "node-a, node-b"."""
    roles: dict[int, list[str]] = {}
    facts: dict[int, dict[str, Any]] = {}
    for part in parts:
        roles.setdefault(part.snapshot_id, []).append(part.role)
        facts[part.snapshot_id] = part.snapshot.facts
    return [(_(", ").join(names), facts[pk]) for pk, names in roles.items()]


@register.filter
def machine_line(facts: dict[str, Any]) -> str:
    """The facts of a machine that people ask for first, in one line."""
    flat = machine_lines(facts)
    return " · ".join(flat[name] for name in IN_ONE_LINE if name in flat)


@register.filter
def network_title(key: str) -> str:
    """The words for a fact of the network."""
    return _(NETWORK[key].help)
