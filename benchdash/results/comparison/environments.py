"""In which environment a sample counts, where several are one as far as it is concerned.

A cell of one guest is captured without the others, which belong to nobody meanwhile. That is no
other environment than the cell of ten: a setting holds how many took part. Nor is a machine on which
a tool was installed another one: each run has the version of its own tool.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import replace

from django.db.models import F

from benchdash.inventory.models import EnvironmentMachine
from benchdash.prepared import OneOf, Prepared
from benchdash.results.comparison.records import Records
from benchdash.results.comparison.selected_runs import SelectedRun
from benchdash.results.criteria import Criteria
from benchdash.results.environment_words import EnvironmentWords
from benchdash.vocabulary.tools import TOOLS

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


def without_other_tools(
    samples: Sequence[SelectedRun], criteria: Criteria, records: Records
) -> tuple[Sequence[SelectedRun], Records]:
    """Environments that differ by versions of tools alone as one, the oldest of them.

    Its words are what they have in common. Not where environments were asked for, where people or a
    study named two of them, or where a run does not say which version measured.
    """
    asked_for = {factor.kind for factor in (*criteria.group, criteria.facet) if factor}
    if len(records.environments) < 2 or "environment" in asked_for:
        return samples, records
    ignored = {tool.name for tool in TOOLS.values() if tool.version_pattern}
    ignored -= {sample.tool for sample in samples if not sample.tool_version}
    of_study = {one.environment_id for one in records.conditions}
    alike: dict[tuple[object, ...], list[int]] = {}
    for pk, words in sorted(records.environments.items()):
        same = *words.hosts, frozenset(_without_versions(words, ignored))
        alike.setdefault(same, []).append(pk)
    one_of: dict[int, int] = {}
    environments = dict(records.environments)
    for several in alike.values():
        names = {environments[pk].name for pk in several} - {""}
        conditions = [pk for pk in several if pk in of_study]
        # two environments with the same facts differ in something that is not among them: all of
        # these stay apart, rather than join some across an unknown difference
        distinct = {frozenset(environments[pk].facts.items()) for pk in several}
        if len(several) == 1 or len(names) > 1 or len(conditions) > 1:
            continue
        if len(distinct) < len(several):
            continue
        one = next(iter(conditions), several[0])
        words = environments[one]
        common = set(words.facts.items()).intersection(
            *(environments[pk].facts.items() for pk in several)
        )
        facts = {key: text for key, text in words.facts.items() if (key, text) in common}
        environments[one] = replace(words, name="".join(names), facts=facts)
        one_of |= dict.fromkeys(several, one)
    if not one_of:
        return samples, records
    joined = [
        sample._replace(environment_id=one_of.get(sample.environment_id, sample.environment_id))
        if sample.environment_id
        else sample
        for sample in samples
    ]
    return joined, replace(records, environments=environments)


def _without_versions(words: EnvironmentWords, tools: Collection[str]) -> Iterator[tuple[str, str]]:
    for key, value in words.facts.items():
        head, _dot, tool = key.rpartition(".")
        if not (tool in tools and head.rpartition(".")[2] == "versions"):
            yield key, value
