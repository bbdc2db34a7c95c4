"""Like with like: runs are compared where they share every axis, unless asked otherwise.

The tool counts as an axis: two tools don't measure the same thing. An axis that is grouped by is
what the comparison is about, and not held equal.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from benchdash.results.comparison.grouping import Group
from benchdash.results.comparison.records import Records
from benchdash.results.comparison.selection import SelectedRun
from benchdash.results.comparison.values import Value, value_of
from benchdash.results.criteria import Criteria
from benchdash.results.factors import Factor
from benchdash.results.parameters import HELD
from benchdash.results.words import factor_title, held_text, held_title


@dataclass(frozen=True, slots=True)
class Held:
    """One axis and what it was: `file_bytes`, 17179869184, "File size", "16 GiB"."""

    name: str
    value: Any
    title: str
    text: str


@dataclass(frozen=True, slots=True)
class Crossing:
    """An axis that differs within a section: its values, the rarest first, and who has each."""

    name: str
    title: str
    values: tuple[tuple[str, tuple[str, ...]], ...]


@dataclass(frozen=True, slots=True)
class Likes:
    """The groups, cut down to runs that are alike; `apart` is what sets them off from others."""

    apart: tuple[Held, ...]
    groups: tuple[Group, ...]
    crossings: tuple[Crossing, ...]


def told_of(run: SelectedRun, records: Records) -> dict[str, Any]:
    """What the run's tool was told, and the tool."""
    return {"tool": run.tool} | records.workloads[run.workload_id]


def shared(runs: Sequence[SelectedRun], records: Records) -> tuple[Held, ...]:
    """What all runs have in common."""
    told = _distinct(runs, records)
    return tuple(
        _held(name, told[0][name])
        for name in HELD
        if name in told[0] and all(one.get(name) == told[0][name] for one in told)
    )


def alike(
    groups: Sequence[Group], factors: Sequence[Factor], criteria: Criteria, records: Records
) -> list[Likes]:
    """The groups in parts of like runs: by facet, then the part with most groups first."""
    about = (*factors, *([criteria.facet] if criteria.facet else []))
    held = [name for name in HELD if name not in criteria.across and not _about(name, about)]
    loose = [name for name in HELD if name not in held and not _about(name, about)]
    likes: list[Likes] = []
    for facet, part in _faceted(groups, criteria.facet, records):
        likes += _alike(part, facet, held, loose, records)
    return likes


def _faceted(
    groups: Sequence[Group], facet: Factor | None, records: Records
) -> list[tuple[tuple[Held, ...], list[Group]]]:
    """The groups for each value of the facet, in the order of its values; once where there is none."""
    if facet is None:
        return [((), list(groups))]
    parts: dict[Value, list[Group]] = {}
    for group in groups:
        members: dict[Value, list[SelectedRun]] = {}
        for run in group.runs:
            members.setdefault(value_of(run, facet, records), []).append(run)
        for value, runs in members.items():
            parts.setdefault(value, []).append(group.of(runs))
    return [
        ((Held(str(facet), value.key, factor_title(facet), value.text),), parts[value])
        for value in sorted(parts, key=lambda value: value.order)
    ]


def _alike(
    groups: Sequence[Group],
    facet: tuple[Held, ...],
    held: Sequence[str],
    loose: Sequence[str],
    records: Records,
) -> list[Likes]:
    parts: dict[tuple[Any, ...], list[Group]] = {}
    for group in groups:
        for signature, runs in _by_signature(group, held, records).items():
            parts.setdefault(signature, []).append(group.of(runs))
    apart = [index for index, name in enumerate(held) if len({key[index] for key in parts}) > 1]
    likes = [
        Likes(
            apart=(*facet, *(_held(held[index], signature[index]) for index in apart)),
            groups=tuple(part),
            crossings=_crossings(part, loose, records),
        )
        for signature, part in parts.items()
    ]
    return sorted(likes, key=lambda like: (-len(like.groups), _order(like.apart)))


def _about(name: str, factors: Sequence[Factor]) -> bool:
    axis = Factor("tool") if name == "tool" else Factor("workload", name)
    return axis in factors or (name == "tool" and Factor("version") in factors)


def _by_signature(
    group: Group, held: Sequence[str], records: Records
) -> dict[tuple[Any, ...], list[SelectedRun]]:
    parts: dict[tuple[Any, ...], list[SelectedRun]] = {}
    for run in group.runs:
        told = told_of(run, records)
        parts.setdefault(tuple(told.get(name) for name in held), []).append(run)
    return parts


def _crossings(
    groups: Sequence[Group], loose: Sequence[str], records: Records
) -> tuple[Crossing, ...]:
    found = []
    for name in loose:
        holders: dict[Any, list[str]] = {}
        for group in groups:
            for value in {told_of(run, records).get(name) for run in group.runs}:
                holders.setdefault(value, []).append(group.label)
        if len(holders) > 1:
            values = tuple(
                (held_text(name, value), tuple(labels))
                for value, labels in sorted(holders.items(), key=_fewest_first)
            )
            found.append(Crossing(name, held_title(name), values))
    return tuple(found)


def _fewest_first(holders: tuple[Any, list[str]]) -> tuple[int, tuple[int, Any]]:
    value, labels = holders
    return len(labels), _rank(value)


def _distinct(runs: Sequence[SelectedRun], records: Records) -> list[dict[str, Any]]:
    one_each = {(run.workload_id, run.tool): run for run in runs}
    return [told_of(run, records) for run in one_each.values()]


def _held(name: str, value: Any) -> Held:
    return Held(name, value, held_title(name), held_text(name, value))


def _order(apart: Sequence[Held]) -> list[tuple[int, Any]]:
    return [_rank(held.value) for held in apart]


def _rank(value: Any) -> tuple[int, Any]:
    if value is None:
        return (2, 0)
    return (1, value) if isinstance(value, str) else (0, value)
