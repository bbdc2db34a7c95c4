"""Like with like: runs are compared where they share every axis, unless asked otherwise.

The tool counts as an axis: two tools don't measure the same thing. An axis that is grouped by is
what the comparison is about, and not held equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

from benchdash.results.comparison.groups import Group, Grouping
from benchdash.results.comparison.records import Records, SelectedRun
from benchdash.results.comparison.values import Value, value_of
from benchdash.results.comparison.view import FactorValue, MixedFactor, MixedValue
from benchdash.results.criteria import Criteria
from benchdash.results.factors import Factor
from benchdash.results.parameters import HELD
from benchdash.results.titles import factor_title, held_text, held_title


@dataclass(frozen=True, slots=True)
class LikeRuns:
    """The groups, cut down to runs that are alike; `differs_by` sets them off from others."""

    differs_by: tuple[FactorValue, ...]
    groups: tuple[Group, ...]
    mixed: tuple[MixedFactor, ...]


def workload_of(run: SelectedRun, records: Records) -> dict[str, Any]:
    """The axes of the run's workload that are known, and its tool."""
    return {"tool": run.tool} | records.workloads[run.workload_id]


@dataclass(frozen=True, slots=True)
class Likeness:
    """The parts of a comparison that can be held against each other, and what all runs share."""

    parts: list[LikeRuns]
    shared: tuple[FactorValue, ...]


def find_likeness(
    runs: Sequence[SelectedRun], grouping: Grouping, criteria: Criteria, records: Records
) -> Likeness:
    """The groups in parts of like runs: by facet, then the part with most groups first."""
    about = (*grouping.factors, *([criteria.facet] if criteria.facet else []))
    held = [name for name in HELD if name not in criteria.across and not _about(name, about)]
    loose = [name for name in HELD if name not in held and not _about(name, about)]
    parts: list[LikeRuns] = []
    for facet, part in _faceted(grouping.groups, criteria.facet, records):
        parts += _alike(part, facet, held, loose, records)
    return Likeness(parts, _shared(runs, records) if runs else ())


def _shared(runs: Sequence[SelectedRun], records: Records) -> tuple[FactorValue, ...]:
    """What all runs have in common."""
    workloads = _distinct(runs, records)
    return tuple(
        _held(name, workloads[0][name])
        for name in HELD
        if name in workloads[0] and all(one.get(name) == workloads[0][name] for one in workloads)
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


def _alike(
    groups: Sequence[Group],
    facet: tuple[FactorValue, ...],
    held: Sequence[str],
    loose: Sequence[str],
    records: Records,
) -> list[LikeRuns]:
    parts: dict[tuple[Any, ...], list[Group]] = {}
    for group in groups:
        for signature, runs in _by_signature(group, held, records).items():
            parts.setdefault(signature, []).append(replace(group, runs=tuple(runs)))
    apart = [index for index, name in enumerate(held) if len({key[index] for key in parts}) > 1]
    likes = [
        LikeRuns(
            differs_by=(*facet, *(_held(held[index], signature[index]) for index in apart)),
            groups=tuple(part),
            mixed=_mixed(part, loose, records),
        )
        for signature, part in parts.items()
    ]
    return sorted(likes, key=lambda like: (-len(like.groups), _order(like.differs_by)))


def _about(name: str, factors: Sequence[Factor]) -> bool:
    axis = Factor("tool") if name == "tool" else Factor("workload", name)
    return axis in factors or (name == "tool" and Factor("version") in factors)


def _by_signature(
    group: Group, held: Sequence[str], records: Records
) -> dict[tuple[Any, ...], list[SelectedRun]]:
    parts: dict[tuple[Any, ...], list[SelectedRun]] = {}
    for run in group.runs:
        workload = workload_of(run, records)
        parts.setdefault(tuple(workload.get(name) for name in held), []).append(run)
    return parts


def _mixed(
    groups: Sequence[Group], loose: Sequence[str], records: Records
) -> tuple[MixedFactor, ...]:
    found = []
    for name in loose:
        holders: dict[Any, list[str]] = {}
        for group in groups:
            for value in {workload_of(run, records).get(name) for run in group.runs}:
                holders.setdefault(value, []).append(group.label)
        if len(holders) > 1:
            values = tuple(
                MixedValue(held_text(name, value), tuple(labels))
                for value, labels in sorted(holders.items(), key=_fewest_first)
            )
            found.append(MixedFactor(name, held_title(name), values))
    return tuple(found)


def _fewest_first(holders: tuple[Any, list[str]]) -> tuple[int, tuple[int, Any]]:
    value, labels = holders
    return len(labels), _rank(value)


def _distinct(runs: Sequence[SelectedRun], records: Records) -> list[dict[str, Any]]:
    one_each = {(run.workload_id, run.tool): run for run in runs}
    return [workload_of(run, records) for run in one_each.values()]


def _held(name: str, value: Any) -> FactorValue:
    return FactorValue(name, value, held_title(name), held_text(name, value))


def _order(differs_by: Sequence[FactorValue]) -> list[tuple[int, Any]]:
    return [_rank(held.value) for held in differs_by]


def _rank(value: Any) -> tuple[int, Any]:
    if value is None:
        return (2, 0)
    return (1, value) if isinstance(value, str) else (0, value)
