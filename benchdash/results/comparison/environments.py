"""What groups and filters need to know of environments: names, hosts, facts of the machine."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from benchdash.inventory.models import EnvironmentMachine, EnvironmentName
from benchdash.results.factors import NONE


@dataclass(slots=True)
class EnvironmentWords:
    """The newest name (or none), the hosts, and the facts of the machine that ran the tool."""

    name: str = ""
    hosts: list[str] = field(default_factory=list)
    facts: dict[str, str] = field(default_factory=dict)


def environment_words(environments: Collection[int]) -> dict[int, EnvironmentWords]:
    """The words of these environments; two queries."""
    found = {pk: EnvironmentWords() for pk in environments}
    machines = EnvironmentMachine.objects.filter(environment__in=environments)
    rows = machines.order_by("environment", "role").values_list(
        "environment", "snapshot__host__name", "snapshot__facts"
    )
    for pk, host, facts in rows:
        words = found[pk]
        if host:
            words.hosts.append(host)
        # the first role is where the tool ran: client, node-a
        words.facts = words.facts or dict(flat(facts))
    names = EnvironmentName.objects.filter(environment__in=environments).order_by("given_at", "pk")
    for pk, name in names.values_list("environment", "name"):
        found[pk].name = name
    return found


def environments_with(fact: str, values: Sequence[str]) -> list[int]:
    """The environments whose machine says one of `values` for the fact."""
    every = EnvironmentMachine.objects.values_list("environment", flat=True).distinct()
    words = environment_words(set(every))
    return [pk for pk, one in words.items() if one.facts.get(fact, NONE) in values]


def flat(facts: Mapping[str, Any], prefix: str = "") -> Iterator[tuple[str, str]]:
    """Nested facts as `("cpu.model", "Xeon")`; of a list its different entries, joined."""
    for name, value in facts.items():
        if isinstance(value, Mapping):
            yield from flat(value, f"{prefix}{name}.")
        elif isinstance(value, list):
            yield from _flat_list(value, f"{prefix}{name}")
        elif value not in (None, ""):
            yield f"{prefix}{name}", str(value)


def _flat_list(entries: list[Any], name: str) -> Iterator[tuple[str, str]]:
    if entries and all(isinstance(entry, Mapping) for entry in entries):
        columns: dict[str, list[str]] = {}
        for entry in entries:
            for key, value in flat(entry, f"{name}."):
                columns.setdefault(key, []).append(value)
        yield from ((key, _joined(values)) for key, values in columns.items())
    elif entries:
        yield name, _joined(map(str, entries))


def _joined(values: Any) -> str:
    return " + ".join(dict.fromkeys(values))
