"""Environments of a plan whose cells use some of its hosts: parts of the one that has all of them.

A cell of one guest is captured without the others, which belong to nobody meanwhile. That is no
other environment than the cell of ten: how many took part is said by a setting.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence

from django.db.models import F

from benchdash.inventory.models import EnvironmentMachine
from benchdash.prepared import OneOf, Prepared
from benchdash.results.comparison.records import SelectedRun

Contents = frozenset[tuple[str, ...]]  # the network, and the role and snapshot of each machine


def in_whole_environments(samples: Sequence[SelectedRun]) -> list[SelectedRun]:
    """Each in the largest environment of its plan's samples that its own is a part of.

    One query where a plan has several, else none. What is a part of two that differ stays.
    """
    of_plans: dict[int, set[int]] = defaultdict(set)
    for sample in samples:
        if sample.look and sample.environment_id:
            of_plans[sample.look.plan].add(sample.environment_id)
    several = {plan: own for plan, own in of_plans.items() if len(own) > 1}
    if not several:
        return list(samples)
    contents = _contents(set().union(*several.values()))
    wholes = {plan: _wholes(own, contents) for plan, own in several.items()}
    return [
        sample._replace(environment_id=wholes[sample.look.plan][sample.environment_id])
        if sample.look and sample.environment_id and sample.look.plan in wholes
        else sample
        for sample in samples
    ]


def _wholes(environments: Collection[int], contents: Mapping[int, Contents]) -> dict[int, int]:
    """By environment the one that it is a part of, or itself."""
    found = {}
    for one in environments:
        beyond = [other for other in environments if contents[one] < contents[other]]
        largest = max(beyond, key=lambda other: len(contents[other]), default=one)
        is_chain = all(contents[other] <= contents[largest] for other in beyond)
        found[one] = largest if is_chain else one
    return found


def _contents(environments: Collection[int]) -> dict[int, Contents]:
    found: dict[int, set[tuple[str, ...]]] = {pk: set() for pk in environments}
    for pk, role, snapshot, network in _PARTS(environments):
        found[pk] |= {(role, str(snapshot)), ("", str(network))}
    return {pk: frozenset(own) for pk, own in found.items()}


_PARTS = Prepared(
    lambda environments: EnvironmentMachine.objects.filter(
        OneOf(F("environment_id"), environments)
    ).values_list("environment", "role", "snapshot", "environment__network")
)
