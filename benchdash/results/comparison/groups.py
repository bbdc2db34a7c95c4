"""Runs that stand under one bar: by configuration, or by whatever else was requested.

With what tells the groups apart at a glance: their labels and their colours.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from operator import attrgetter
from typing import Any

from benchdash.results.comparison.names import Named, named, short_names, whole_name
from benchdash.results.comparison.records import Records
from benchdash.results.comparison.selected_runs import SelectedRun
from benchdash.results.comparison.values import PUBLISHED, Value, value_of
from benchdash.results.criteria import Criteria
from benchdash.results.factors import NONE, Factor
from benchdash.results.titles import SERIES, ZONE

CONFIGURATION, ENVIRONMENT, HOST, RUN = map(Factor, ("configuration", "environment", "host", "run"))
# a configuration and, where one was measured in several, an environment; keys as in addresses
Place = tuple[str, str | None]


@dataclass(frozen=True, slots=True)
class Group:
    """The runs of one bar. `at` is its value of each factor, `slot` its colour.

    `pools` is what differs within it, by how many; `whole` is its name where the label is cut,
    `words` are those of each value in a name.
    """

    key: str
    label: str
    slot: int
    at: tuple[Value, ...]
    runs: tuple[SelectedRun, ...]
    pools: dict[str, int]
    whole: str = ""
    words: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Grouping:
    """The groups of a comparison; `factors` are what it is grouped by, `baseline` a group's key."""

    factors: tuple[Factor, ...]
    groups: tuple[Group, ...]
    baseline: str | None


def group_runs(
    runs: Sequence[SelectedRun],
    factors: Sequence[Factor],
    criteria: Criteria,
    records: Records,
    naming: Named | None = None,
) -> Grouping:
    """The runs by `factors`; the baseline is that of `criteria`, names are `short_names`."""
    groups = _grouped(runs, factors, records, naming)
    return Grouping(
        tuple(factors), tuple(groups), _baseline_key(groups, factors, records, criteria)
    )


def _grouped(
    runs: Sequence[SelectedRun], factors: Sequence[Factor], records: Records, naming: Named | None
) -> list[Group]:
    """The groups, in the order of the study's conditions, else of their values."""
    members: dict[tuple[Value, ...], list[SelectedRun]] = {}
    # of many runs most point at the same records, and have the same values
    known: dict[tuple[Any, ...], tuple[Value, ...]] = {}
    for run in runs:
        place = (run.id,) if RUN in factors else points_at(run)
        values = known.get(place)
        if values is None:
            values = tuple(value_of(run, factor, records) for factor in factors)
            known[place] = values
        members.setdefault(values, []).append(run)
    places = {values: _place(values, factors, records) for values in members}
    ordered = sorted(
        members, key=lambda values: (places[values], [value.order for value in values])
    )
    shown = _with_tools(members, factors) if naming is None else {one: one for one in ordered}
    distinct = [index for index, _factor in enumerate(factors) if _is_distinct(ordered, index)]
    distinguishing = [factors[index] for index in distinct]
    rows = {values: [shown[values][index] for index in distinct] for values in ordered}
    names = dict(
        zip(ordered, (naming or short_names)([*rows.values()], distinguishing), strict=True)
    )
    labels = _labels(names, places, records)
    slots = _slots(ordered, factors, records)
    return [
        Group(
            key=_key(values),
            label=labels[values],
            slot=slots[values],
            at=values,
            runs=tuple(members[values]),
            pools=_pools(members[values], factors),
            whole="" if naming else whole_name(labels[values], rows[values], distinguishing),
            words=tuple(map(named, shown[values], factors)),
        )
        for values in ordered
    ]


def _with_tools(
    members: Mapping[tuple[Value, ...], Sequence[SelectedRun]], factors: Sequence[Factor]
) -> dict[tuple[Value, ...], tuple[Value, ...]]:
    """The values of each group; instead of the first axis that its tools never state, their names.

    "Queue depth not stated" would be wrong of what has none.
    """
    tools = {values: sorted({run.tool for run in runs}) for values, runs in members.items()}
    if len({one for own in tools.values() for one in own}) < 2 or Factor("tool") in factors:
        return {values: values for values in members}
    stated = {
        (tool, place)
        for values, own in tools.items()
        for place, value in enumerate(values)
        for tool in own
        if value.key != NONE
    }
    found = {}
    for values, own in tools.items():
        unknown = (
            place
            for place, factor in enumerate(factors)
            if factor.kind == "workload" and not {(one, place) for one in own} & stated
        )
        named_tools = " + ".join(own)
        shown = list(values)
        # the name of a machine says enough
        is_named = HOST in factors and values[factors.index(HOST)].key != NONE
        for place in islice(unknown, 0 if is_named else 1):
            shown[place] = Value(named_tools, named_tools, values[place].order)
        found[values] = tuple(shown)
    return found


def _key(values: Sequence[Value]) -> str:
    """One text for the values of a group, safe to split: its key in an address."""
    return ",".join(value.key.replace("%", "%25").replace(",", "%2C") for value in values)


def _baseline_key(
    groups: Sequence[Group], factors: Sequence[Factor], records: Records, criteria: Criteria
) -> str | None:
    """The group requested, else the study's.

    One that is no group (any more, after grouping by something else) is none.
    """
    keys = [group.key for group in groups]
    if criteria.baseline is not None:
        return criteria.baseline if criteria.baseline in keys else None
    marked = [place for place, one in enumerate(records.conditions) if one.is_baseline]
    placed = [(place, one) for place, one in enumerate(factors) if one != SERIES]
    fitting = [
        group.key
        for group in groups
        if _place(
            tuple(group.at[place] for place, _one in placed), [one for _, one in placed], records
        )
        in marked
        and (SERIES not in factors or group.at[factors.index(SERIES)].key == PUBLISHED)
    ]
    # never simply the first: another group that joins would become the 100 %
    return fitting[0] if len(fitting) == 1 else None


def _place(values: tuple[Value, ...], factors: Sequence[Factor], records: Records) -> int:
    """The place of the study's condition that the group is; their number where it is none."""
    beyond = len(records.conditions)
    if [*factors] == [ZONE]:
        zones = [one.zone for one in records.conditions]
        return zones.index(values[0].key) if values[0].key in zones else beyond
    if not _places_known(factors):
        return beyond
    place = _condition_of(_place_of(values, factors), records)
    return beyond if place is None else place


def _places_known(factors: Sequence[Factor]) -> bool:
    return CONFIGURATION in factors and set(factors) <= {CONFIGURATION, ENVIRONMENT}


def _labels(
    names: Mapping[tuple[Value, ...], str],
    places: Mapping[tuple[Value, ...], int],
    records: Records,
) -> dict[tuple[Value, ...], str]:
    """Each group's words: those of its condition, else its name."""
    plain = {}
    for values, name in names.items():
        place = places[values]
        condition = records.conditions[place].label if place < len(records.conditions) else ""
        plain[values] = condition or name
    # two conditions can have one label, and several environments one name: numbers tell them apart
    used = Counter(plain.values())
    numbered = {
        values: label if used[label] == 1 else f"{label} #{values[-1].key}"
        for values, label in plain.items()
    }
    used = Counter(numbered.values())
    return {
        values: label if used[label] == 1 else f"{plain[values]} #{_key(values)}"
        for values, label in numbered.items()
    }


def _is_distinct(ordered: Sequence[tuple[Value, ...]], index: int) -> bool:
    return index == 0 or len({values[index] for values in ordered}) > 1


def _pools(runs: Sequence[SelectedRun], factors: Sequence[Factor]) -> dict[str, int]:
    """What a group mixes although nobody asked for that: `{"environment": 2}`."""
    grouped_by = {str(factor) for factor in factors}
    counts = {
        name: len({column(run) for run in runs})
        for name, column in _POOLED.items()
        if name not in grouped_by and "run" not in grouped_by
    }
    return {name: count for name, count in counts.items() if count > 1}


def _slots(
    ordered: Sequence[tuple[Value, ...]], factors: Sequence[Factor], records: Records
) -> dict[tuple[Value, ...], int]:
    """The number of each group's colour, from 0.

    Within a study a configuration keeps it whatever else is chosen or grouped by; elsewhere it is
    as they come.
    """
    if CONFIGURATION not in factors:
        return {values: index for index, values in enumerate(ordered)}
    places = {values: _place_of(values, factors) for values in ordered}
    own = {place: _in_study(place, records) for place in places.values()}
    known = len(records.conditions) + len(records.others)
    strangers = [place for place, slot in own.items() if slot is None]
    slots = {place: known + index for index, place in enumerate(strangers)}
    slots |= {place: slot for place, slot in own.items() if slot is not None}
    return {values: slots[place] for values, place in places.items()}


def _place_of(values: Sequence[Value], factors: Sequence[Factor]) -> Place:
    """The configuration of a group, and its environment where that is grouped by."""
    keys = {factor: value.key for factor, value in zip(factors, values, strict=True)}
    return keys[CONFIGURATION], keys.get(ENVIRONMENT)


def _condition_of(place: Place, records: Records) -> int | None:
    """The number of the one condition that it is; None where there are several or none."""
    fitting = [
        number
        for number, one in enumerate(records.conditions)
        if _fits(place, one.configuration_id, one.environment_id)
    ]
    return fitting[0] if len(fitting) == 1 else None


def _in_study(place: Place, records: Records) -> int | None:
    """Conditions come first, then what else the study has runs of."""
    condition = _condition_of(place, records)
    if condition is not None:
        return condition
    fitting = (number for number, one in enumerate(records.others) if _fits(place, *one))
    number = next(fitting, None)
    return None if number is None else len(records.conditions) + number


def _fits(place: Place, configuration: int, environment: int | None) -> bool:
    wanted, where = place
    return str(configuration) == wanted and (
        environment is None or where in (None, str(environment))
    )


_POINTS = attrgetter(
    *("tool", "tool_version", "study_id", "configuration_id", "environment_id", "workload_id"),
    *("settings", "beside", "jobs", "series", "job_name", "machine"),
)


def points_at(run: SelectedRun) -> tuple[Hashable, ...]:
    """All that a factor's value depends on, but for the run itself."""
    # 1 equals True, but is another value
    return (*_POINTS(run), *(type(value) for _name, value in run.settings))


_POOLED: dict[str, Callable[[SelectedRun], Hashable]] = {
    "configuration": attrgetter("configuration_id"),
    # a machine that was merely printed is another one, too
    "environment": attrgetter("environment_id", "machine"),
    "version": attrgetter("tool_version"),
}
