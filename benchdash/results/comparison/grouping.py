"""Runs that stand under one bar: by configuration, or by whatever else was asked for."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, replace

from benchdash.results.comparison.colours import (
    CONFIGURATION,
    ENVIRONMENT,
    condition_of,
    place_of,
    slots_of,
)
from benchdash.results.comparison.records import Records
from benchdash.results.comparison.selection import SelectedRun
from benchdash.results.comparison.values import Value, value_of
from benchdash.results.factors import Factor, joined_key
from benchdash.results.words import factor_title


@dataclass(frozen=True, slots=True)
class Group:
    """The runs of one bar. `at` is its value of each factor, `slot` its colour.

    `pools` is what differs within it, by how many.
    """

    key: str
    label: str
    slot: int
    at: tuple[Value, ...]
    runs: tuple[SelectedRun, ...]
    pools: dict[str, int]

    def of(self, runs: Sequence[SelectedRun]) -> Group:
        """The same group with some of its runs."""
        return replace(self, runs=tuple(runs))


def factors_of(asked: Sequence[Factor], runs: Sequence[SelectedRun]) -> tuple[Factor, ...]:
    """What to group by where nothing was asked for.

    Configurations; and environments too, where one configuration was measured in several.
    """
    if asked:
        return tuple(asked)
    pairs = {(run.configuration_id, run.environment_id) for run in runs}
    one_each = len(pairs) == len({configuration for configuration, _ in pairs})
    return (CONFIGURATION,) if one_each else (CONFIGURATION, ENVIRONMENT)


def grouped(
    runs: Sequence[SelectedRun], factors: Sequence[Factor], records: Records
) -> list[Group]:
    """The groups, in the order of the study's conditions, else of their values."""
    members: dict[tuple[Value, ...], list[SelectedRun]] = {}
    for run in runs:
        values = tuple(value_of(run, factor, records) for factor in factors)
        members.setdefault(values, []).append(run)
    places = {values: _place(values, factors, records) for values in members}
    ordered = sorted(
        members, key=lambda values: (places[values], [value.order for value in values])
    )
    labels = _labels(ordered, factors, places, records)
    slots = slots_of(ordered, factors, records)
    return [
        Group(
            key=joined_key(tuple(value.key for value in values)),
            label=labels[values],
            slot=slots[values],
            at=values,
            runs=tuple(members[values]),
            pools=_pools(members[values], factors),
        )
        for values in ordered
    ]


def baseline_key(
    groups: Sequence[Group], factors: Sequence[Factor], records: Records
) -> str | None:
    """The group that the study calls its baseline; None where none of them is it."""
    if not _places_known(factors):
        return None
    marked = [place for place, one in enumerate(records.conditions) if one.is_baseline]
    fitting = [group for group in groups if _place(group.at, factors, records) in marked]
    return fitting[0].key if len(fitting) == 1 else None


def _place(values: tuple[Value, ...], factors: Sequence[Factor], records: Records) -> int:
    """The place of the study's condition that the group is; their number where it is none."""
    beyond = len(records.conditions)
    if not _places_known(factors):
        return beyond
    place = condition_of(place_of(values, factors), records)
    return beyond if place is None else place


def _places_known(factors: Sequence[Factor]) -> bool:
    return CONFIGURATION in factors and set(factors) <= {CONFIGURATION, ENVIRONMENT}


def _labels(
    ordered: Sequence[tuple[Value, ...]],
    factors: Sequence[Factor],
    places: dict[tuple[Value, ...], int],
    records: Records,
) -> dict[tuple[Value, ...], str]:
    """Each group's words: those of its condition, else what tells it from the others."""
    telling = [index for index, _factor in enumerate(factors) if _tells(ordered, index)]
    labels = {}
    for values in ordered:
        place = places[values]
        condition = records.conditions[place].label if place < len(records.conditions) else ""
        labels[values] = condition or " · ".join(
            _said(values[index], factors[index]) for index in telling
        )
    used = Counter(labels.values())
    return {
        # one name can be that of several environments: their numbers tell them apart
        values: label if used[label] == 1 else f"{label} #{values[-1].key}"
        for values, label in labels.items()
    }


def _said(value: Value, factor: Factor) -> str:
    """Its text, with the name of the factor before a bare number: `Queue depth 4`."""
    return f"{factor_title(factor)} {value.text}" if value.text.isdecimal() else value.text


def _tells(ordered: Sequence[tuple[Value, ...]], index: int) -> bool:
    return index == 0 or len({values[index] for values in ordered}) > 1


def _pools(runs: Sequence[SelectedRun], factors: Sequence[Factor]) -> dict[str, int]:
    """What a group mixes although nobody asked to hold it apart: `{"environment": 2}`."""
    asked = {str(factor) for factor in factors}
    counts = {
        name: len({getattr(run, column) for run in runs})
        for name, column in _POOLED.items()
        if name not in asked and "run" not in asked
    }
    return {name: count for name, count in counts.items() if count > 1}


_POOLED = {
    "configuration": "configuration_id",
    "environment": "environment_id",
    "version": "tool_version",
}
