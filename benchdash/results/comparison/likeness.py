"""How alike the runs are: what they share, what differs, and which can be held against each other.

Like with like: runs are compared where they share every axis, unless requested otherwise. The tool
counts as an axis: two tools don't measure the same thing. An axis that is grouped by is what the
comparison is about, and not held equal.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from operator import attrgetter
from typing import Any

from django.utils.translation import gettext as _

from benchdash.results.comparison.groups import CONFIGURATION, ENVIRONMENT, RUN, Group, Grouping
from benchdash.results.comparison.records import Records, Workloads
from benchdash.results.comparison.selected_runs import SelectedRun
from benchdash.results.comparison.values import Value, axes_of, value_of
from benchdash.results.comparison.view import (
    CommonFact,
    Difference,
    FactorValue,
    MixedFactor,
    MixedValue,
)
from benchdash.results.criteria import Criteria
from benchdash.results.factors import NAMED, PLAIN, Factor
from benchdash.results.parameters import HELD, held_factor
from benchdash.results.titles import ZONE, factor_title, value_text
from benchdash.vocabulary.workloads import AXES

# where one is unknown, it may be what the others say: unknown neither parts runs nor joins two
# that differ
_MAY_BE_UNKNOWN = ("options", "setting")
# always there to group by: what people ask first
_ALWAYS = (CONFIGURATION, ENVIRONMENT, RUN)


@dataclass(frozen=True, slots=True)
class LikeRuns:
    """The groups, cut down to runs that are alike; `differs_by` sets them off from others."""

    differs_by: tuple[FactorValue, ...]
    groups: tuple[Group, ...]


@dataclass(frozen=True, slots=True)
class Likeness:
    """The parts of a comparison that can be held against each other, and what tells runs apart.

    `varying` are the factors that are worth grouping by.
    """

    parts: list[LikeRuns]
    shared: tuple[FactorValue, ...]
    varying: tuple[Factor, ...]
    differences: tuple[Difference, ...]
    in_common: tuple[CommonFact, ...]


def find_likeness(
    runs: Sequence[SelectedRun], grouping: Grouping, criteria: Criteria, records: Records
) -> Likeness:
    """How alike the runs are; of several facets, each has parts of its own."""
    varying = _varying(runs, records)
    about = (*grouping.factors, *([criteria.facet] if criteria.facet else []))
    return Likeness(
        parts=[
            like
            for facet, groups in _faceted(grouping.groups, criteria.facet, records)
            for like in alike(groups, about, criteria.across, records.workloads, facet)
        ],
        shared=_shared(runs, records.workloads) if runs else (),
        varying=varying,
        differences=_differences(grouping.groups, varying, records),
        in_common=_in_common(runs, varying, records),
    )


def alike(
    groups: Sequence[Group],
    about: Sequence[Factor],
    across: Sequence[str],
    workloads: Workloads,
    facet: tuple[FactorValue, ...] = (),
) -> list[LikeRuns]:
    """The groups in parts of like runs, the part with most groups first.

    Held equal is what the comparison is not `about` and is not named in `across`.
    """
    runs = [run for group in groups for run in group.runs]
    held = [name for name in _names(runs, workloads, about) if name not in across]
    parts: dict[tuple[Any, ...], list[Group]] = {}
    signatures: dict[tuple[Any, ...], tuple[Any, ...]] = {}
    for group in groups:
        members: dict[tuple[Any, ...], list[SelectedRun]] = {}
        for run in group.runs:
            key = _workload_key(run)
            if key not in signatures:
                workload = workload_of(run, workloads)
                signatures[key] = tuple(workload.get(name) for name in held)
            members.setdefault(signatures[key], []).append(run)
        for signature, runs in members.items():
            own = group if len(members) == 1 else replace(group, runs=tuple(runs))
            parts.setdefault(signature, []).append(own)
    differing = [
        index for index, _name in enumerate(held) if len({key[index] for key in parts}) > 1
    ]
    likes = [
        LikeRuns(
            differs_by=(*facet, *_differing_by(held, signature, differing)),
            groups=tuple(part),
        )
        for signature, part in parts.items()
    ]
    return sorted(
        likes, key=lambda like: (-len(like.groups), [_rank(one.value) for one in like.differs_by])
    )


def mixed_factors(
    groups: Sequence[Group],
    about: Sequence[Factor],
    across: Sequence[str],
    workloads: Workloads,
    measured: Sequence[Collection[int]],
) -> tuple[MixedFactor, ...]:
    """What differs of what is mixed `across`, and which groups have which of its values.

    `measured` are the samples behind each measure: factors that part the measures alone, as reading
    and writing are patterns of their own, hold nothing against another.
    """
    runs = [run for group in groups for run in group.runs]
    found = []
    for name in _names(runs, workloads, about):
        if name not in across:
            continue
        values = {run.id: workload_of(run, workloads).get(name) for run in runs}
        if all(len({values[run] for run in values.keys() & own}) < 2 for own in measured):
            continue
        holders: dict[Any, list[str]] = {}
        for group in groups:
            for value in {values[run.id] for run in group.runs}:
                holders.setdefault(value, []).append(group.label)
        texts = tuple(
            MixedValue(value_text(held_factor(name), value), tuple(labels))
            for value, labels in sorted(holders.items(), key=_fewest_first)
        )
        found.append(MixedFactor(name, factor_title(held_factor(name)), texts))
    return tuple(found)


def _differing_by(
    held: Sequence[str], signature: Sequence[Any], differing: Iterable[int]
) -> Iterator[FactorValue]:
    """What sets a part off; a job needs no name where its output says what it did."""
    for index in differing:
        if held[index] != "label" or signature[index] is not None:
            yield _held(held[index], signature[index])


def in_own_colours(
    groups: tuple[Group, ...], parts: list[LikeRuns]
) -> tuple[tuple[Group, ...], list[LikeRuns]]:
    """The same, no two groups of one colour.

    Those of one configuration share its colour within their study: then all are as they come.
    """
    if len({group.slot for group in groups}) == len(groups):
        return groups, parts
    slots = {group.key: place for place, group in enumerate(groups)}

    def coloured(own: Sequence[Group]) -> tuple[Group, ...]:
        return tuple(replace(group, slot=slots[group.key]) for group in own)

    return coloured(groups), [replace(part, groups=coloured(part.groups)) for part in parts]


def by_axes_of_their_tools(parts: Sequence[LikeRuns]) -> list[LikeRuns]:
    """The parts, each by axes that its tools have at all: what one lacks sets it off from no other."""
    tools = [{one.value for one in part.differs_by if one.name == "tool"} for part in parts]
    known = {
        (tool, one.name)
        for own, part in zip(tools, parts, strict=True)
        for tool in own
        for one in part.differs_by
        if one.value is not None
    }
    return [
        replace(
            part,
            differs_by=tuple(
                one
                for one in part.differs_by
                if not own or any((tool, one.name) in known for tool in own)
            ),
        )
        for own, part in zip(tools, parts, strict=True)
    ]


def _names(
    runs: Sequence[SelectedRun], workloads: Workloads, about: Sequence[Factor] = ()
) -> list[str]:
    """What can be held equal: the axes, and what is said in two ways of what may be unknown.

    What the comparison is `about` is not.
    """
    known: dict[str, set[Any]] = {}
    for run in {_workload_key(run): run for run in runs}.values():
        for name, value in workload_of(run, workloads).items():
            if name.partition(".")[0] in _MAY_BE_UNKNOWN and value is not None:
                known.setdefault(name, set()).add(value)
    # where something was measured is not held equal, as its environment is not
    known.pop(str(ZONE), None)
    differing = sorted(name for name, values in known.items() if len(values) > 1)
    names = [
        *(name for name in HELD if name not in _MAY_BE_UNKNOWN or name in differing),
        *(name for name in differing if name not in HELD),
    ]
    return [name for name in names if not _about(name, about)]


def _workload_key(run: SelectedRun) -> tuple[Any, ...]:
    """All that `workload_of` depends on."""
    return run.tool, run.workload_id, run.settings, run.beside, run.jobs, run.job_name


def workload_of(run: SelectedRun, workloads: Workloads) -> dict[str, Any]:
    """The axes of the run's workload that are known, its tool, settings and other options."""
    return {
        "tool": run.tool,
        **axes_of(run, workloads),
        "beside": run.beside,
        "options": workloads[run.workload_id].options,
        "label": run.job_name or None,
        **{f"setting.{name}": value for name, value in run.settings},
    }


def differing_names(runs: Sequence[SelectedRun], workloads: Workloads) -> list[str]:
    """Of what can be held equal, what differs among the runs."""
    every = [
        workload_of(run, workloads) for run in {_workload_key(run): run for run in runs}.values()
    ]
    return [name for name in _names(runs, workloads) if _several(one.get(name) for one in every)]


def _shared(runs: Sequence[SelectedRun], workloads: Workloads) -> tuple[FactorValue, ...]:
    """What all runs have in common; that they ran alone goes without saying."""
    one_each = {_workload_key(run): run for run in runs}
    first, *others = (workload_of(run, workloads) for run in one_each.values())
    return tuple(
        _held(name, value)
        for name, value in first.items()
        if value not in (None, "") and all(one.get(name) == value for one in others)
    )


def _faceted(
    groups: Sequence[Group], facet: Factor | None, records: Records
) -> list[tuple[tuple[FactorValue, ...], list[Group]]]:
    """The groups for each value of the facet, in the order of its values; once where there is none."""
    if facet is None:
        return [((), list(groups))]
    parts: dict[Value, list[Group]] = {}
    for group in groups:
        members: dict[Value, list[SelectedRun]] = {}
        for run in group.runs:
            members.setdefault(value_of(run, facet, records), []).append(run)
        for value, runs in members.items():
            parts.setdefault(value, []).append(replace(group, runs=tuple(runs)))
    return [
        ((FactorValue(str(facet), value.key, factor_title(facet), value.text),), parts[value])
        for value in sorted(parts, key=lambda value: value.order)
    ]


def _about(name: str, factors: Sequence[Factor]) -> bool:
    return held_factor(name) in factors


def _fewest_first(holders: tuple[Any, list[str]]) -> tuple[int, tuple[int, Any]]:
    value, labels = holders
    return len(labels), _rank(value)


def _held(name: str, value: Any) -> FactorValue:
    return FactorValue(
        name, value, factor_title(held_factor(name)), value_text(held_factor(name), value)
    )


def _rank(value: Any) -> tuple[int, Any]:
    if value is None:
        return (2, 0)
    return (1, value) if isinstance(value, str) else (0, value)


def _varying(runs: Sequence[SelectedRun], records: Records) -> tuple[Factor, ...]:
    """Factors that have more than one value over the runs, by kind and name."""
    one_each = {_workload_key(run): run for run in runs}.values()
    workloads = [axes_of(run, records.workloads) for run in one_each]
    settings = [dict(run.settings) for run in one_each]
    stacks = [
        {key: words.text for key, words in facets.items()} for facets in records.facets.values()
    ]
    facts = [words.facts for words in records.environments.values()]
    hosts: set[object] = {tuple(words.hosts) for words in records.environments.values()}
    plain: dict[str, set[Any]] = {
        "study": {run.study_id for run in runs},
        "tool": {run.tool for run in runs},
        "version": {(run.tool, run.tool_version) for run in runs},
        "host": hosts | ({run.machine for run in runs} - {""}),
        "beside": {run.beside for run in one_each},
        "label": {run.job_name for run in one_each},
        "options": {records.workloads[run.workload_id].options for run in one_each} - {None},
    }
    return (
        *_ALWAYS,
        *(Factor(kind) for kind in PLAIN if len(plain.get(kind, ())) > 1),
        *(Factor("layer", name) for name in sorted(_differing(stacks))),
        *(Factor("workload", name) for name in AXES if name in _differing(workloads)),
        *(Factor("setting", name) for name in sorted(_differing(settings))),
        *((Factor("setting", "series"),) if _several(run.series for run in runs) else ()),
        *(Factor("environment", name) for name in sorted(_differing(facts))),
    )


def _differing(records: Sequence[Mapping[str, object]]) -> set[str]:
    names = {name for one in records for name in one}
    return {name for name in names if _several(one.get(name) for one in records)}


def _several(values: Iterable[object]) -> bool:
    return len(set(values)) > 1


def _differences(
    groups: Sequence[Group], varying: Sequence[Factor], records: Records
) -> tuple[Difference, ...]:
    """The lines in which the groups differ; a group of several values shows all of them."""
    lines = []
    different = [_one_each(group) for group in groups]
    for factor in varying:
        if (factor.kind in NAMED and factor.name) or factor.kind in (
            *("tool", "version", "host", "beside", "options", "label"),
        ):
            texts = tuple(_text_of(runs, factor, records) for runs in different)
            if len(set(texts)) > 1:
                lines.append(Difference(str(factor), factor_title(factor), texts))
    return tuple(lines)


def _in_common(
    runs: Sequence[SelectedRun], varying: Sequence[Factor], records: Records
) -> tuple[CommonFact, ...]:
    """Every layer option and fact that all runs share: of one without a record none is known."""
    if not runs:
        return ()
    first, every = runs[0], list[Factor]()
    if all(run.configuration_id for run in runs):
        every += [Factor("layer", name) for facets in records.facets.values() for name in facets]
    if all(run.environment_id for run in runs):
        environments = records.environments.values()
        every += [Factor("environment", name) for words in environments for name in words.facts]
    same = [factor for factor in dict.fromkeys(every) if factor not in varying]
    return tuple(
        CommonFact(factor_title(factor), value_of(first, factor, records).text) for factor in same
    )


def _one_each(group: Group) -> list[SelectedRun]:
    """Of the runs that are alike in all that a factor reads, one."""
    return list({(*_RECORDED(run), *_workload_key(run)): run for run in group.runs}.values())


_RECORDED = attrgetter("configuration_id", "environment_id", "machine", "tool_version")
# what a value is read from, where that is one record
_READ_FROM = {
    "layer": attrgetter("configuration_id"),
    "environment": attrgetter("environment_id"),
    "host": attrgetter("environment_id", "machine"),
}


def _text_of(runs: Sequence[SelectedRun], factor: Factor, records: Records) -> str:
    if (read_from := _READ_FROM.get(factor.kind)) is not None:
        runs = list({read_from(run): run for run in runs}.values())
    values = {value_of(run, factor, records) for run in runs}
    return _(", ").join(value.text for value in sorted(values, key=lambda value: value.order))
