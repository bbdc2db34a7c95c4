"""What runs have of their plans: whether these are over, how often looked at, the whole environment.

A cell of one guest is captured without the others, which belong to nobody meanwhile. That is no
other environment than the cell of ten: how many took part is said by a setting.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from typing import Any

from django.apps import apps
from django.db.models import Case, Exists, F, OuterRef, Q, QuerySet, When

from benchdash.inventory.models import EnvironmentMachine
from benchdash.prepared import OneOf, Prepared
from benchdash.results.comparison.selected_runs import Look, SelectedRun
from benchdash.results.models import Run


def with_looks(samples: Sequence[SelectedRun]) -> list[SelectedRun]:
    """Each sample with the look at its plan, that of its first run; one query."""
    looks = looks_of([sample.id for sample in samples])
    return [
        sample._replace(look=looks[sample.id]) if sample.id in looks else sample
        for sample in samples
    ]


def looks_of(runs: Collection[int]) -> dict[int, Look]:
    """By run, those that no plan made left out; one query.

    Of equal bytes that several jobs printed, the run is the first one's.
    """
    return {run: Look(*columns) for run, *columns in _LOOKS(runs)}


def _looks(runs: Sequence[int]) -> QuerySet[Run, Any]:
    job, plan = "artifact__steps__job", "artifact__steps__job__plan"
    to_come = apps.get_model("jobs", "Job")._default_manager.filter(
        plan=OuterRef(plan), ended_at=None
    )
    return (
        Run.objects.filter(OneOf(F("id"), runs), artifact__steps__isnull=False)
        .annotate(
            over=Case(
                When(
                    ~Exists(to_come)
                    & (Q(**{f"{plan}__to_make": 0}) | Q(**{f"{plan}__stopped_at__isnull": False})),
                    then=True,
                ),
                default=False,
            )
        )
        .order_by("-artifact__steps__pk")  # the first one stays
        .values_list("pk", plan, f"{job}__round", "over", f"{plan}__looks", f"{job}__block")
    )


_LOOKS = Prepared(_looks)


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
