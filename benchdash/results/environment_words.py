"""Environments in words: what they are called, and what is known of their machines."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass, field

from django.db.models import F

from benchdash.inventory.models import EnvironmentMachine, EnvironmentName, title_without_name
from benchdash.prepared import OneOf, Prepared
from benchdash.results.factors import NONE
from benchdash.vocabulary import machines
from benchdash.vocabulary.units import about_bytes, amount_shown, bytes_from


@dataclass(slots=True)
class EnvironmentWords:
    """The newest name (or none), the hosts, and the facts as `machines.lines` has them."""

    name: str = ""
    hosts: list[str] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)

    def title(self, pk: int) -> str:
        """As `Environment.title` has it."""
        return self.name or title_without_name(pk, self.hosts)


def environment_words(environments: Collection[int]) -> dict[int, EnvironmentWords]:
    """The words of these environments; two queries, none for none."""
    found = {pk: EnvironmentWords() for pk in environments}
    if not found:
        return found
    parts: dict[int, dict[str, machines.Facts]] = {}
    networks = {}
    for pk, role, host, facts, network in _MACHINES(environments):
        parts.setdefault(pk, {})[role] = facts
        networks[pk] = network
        if host:
            found[pk].hosts.append(host)
    for pk, facts_by_role in parts.items():
        found[pk].facts = machines.lines(facts_by_role, networks[pk])
    for pk, name in _NAMES(environments):
        found[pk].name = name
    return found


_MACHINES = Prepared(
    lambda environments: (
        EnvironmentMachine.objects.filter(OneOf(F("environment_id"), environments))
        .order_by("role")
        .values_list(
            *(
                "environment",
                "role",
                "snapshot__host__name",
                "snapshot__facts",
                "environment__network",
            )
        )
    )
)
_NAMES = Prepared(
    lambda environments: (
        EnvironmentName.objects.filter(OneOf(F("environment_id"), environments))
        .order_by("given_at", "pk")
        .values_list("environment", "name")
    )
)


def environments_with(fact: str, values: Sequence[str]) -> list[int]:
    """The environments that say one of `values` for the fact; three queries."""
    every = EnvironmentMachine.objects.values_list("environment", flat=True)
    words = environment_words(set(every))
    if fact.rpartition(".")[2] == "memory_bytes":  # as lists show it, or as it was typed
        sizes = [bytes_from(value) or round(about_bytes(value)) for value in values]
        values = [amount_shown(size) if size else NONE for size in sizes]
    return [pk for pk, one in words.items() if one.facts.get(fact, NONE) in values]
