"""How groups of one, two or more factors are drawn: along an axis, in colours, as charts of their own.

A group has a place for its value of each factor, in the order in which they are grouped by.
"""

from __future__ import annotations

from collections.abc import Sequence
from math import prod
from typing import NamedTuple

from benchdash.results.comparison.groups import Group
from benchdash.results.comparison.view import Chart
from benchdash.results.criteria import Criteria

# two points are two bars
_A_LINE = 3
# charts of one measure beside each other; of more nobody sees the common axis
MOST_PARTS = 12
# a chart has its rows or its axis along a number, and its colours or its columns
_DRAWN = 2


class Places(NamedTuple):
    """The chart, the place of the number that it runs along, and those it is parted by."""

    chart: Chart
    along: int | None
    parted_by: tuple[int, ...] = ()


def places_of(criteria: Criteria, groups: Sequence[Group], *, has_baseline: bool) -> Places:
    """What was requested where the groups allow it, else bars; lines by themselves along a number."""
    # whoever named the factors put the number last
    along = _number_place(groups, by_most=not criteria.group)
    parted_by = _parted_by(groups, None)
    chart = _chart(criteria, groups, along, has_baseline=has_baseline, is_parted=bool(parted_by))
    if chart == "lines":
        parted_by = _parted_by(groups, along)
    return Places(chart, along, parted_by)


def _parted_by(groups: Sequence[Group], along: int | None) -> tuple[int, ...]:
    """All places but those of a chart's own two factors; none where that would be no picture.

    Half of all combinations were measured: charts of one row each say nothing.
    """
    varied = [place for place, own in enumerate(levels(groups)) if len(own) > 1]
    # the number that lines run along comes first
    varied.sort(key=lambda place: place != along)
    rest = tuple(place for place in range(len(groups[0].at)) if place not in varied[:_DRAWN])
    parts = {_at(group, rest) for group in groups}
    is_grid = 2 * len(groups) >= prod(map(len, levels(groups)))
    return rest if is_grid and 1 < len(parts) <= MOST_PARTS else ()


def slots_of(places: Places, groups: Sequence[Group]) -> list[int]:
    """The colour of each group: its own; the groups of one line share theirs, in all charts."""
    own = [group.slot for group in groups]
    if places.chart != "lines" or places.along is None:
        return own
    apart = {places.along, *places.parted_by}
    kept = [place for place in range(len(groups[0].at)) if place not in apart]
    lines = [_at(group, kept) for group in groups]
    pairs = set(zip(lines, own, strict=True))
    if len(pairs) == len(set(lines)) == len(set(own)):
        return own
    slots = {line: slot for slot, line in enumerate(dict.fromkeys(lines))}
    return [slots[line] for line in lines]


def levels(groups: Sequence[Group]) -> list[dict[str, Group]]:
    """The different values of each place by key, in their order, with a group that has it."""
    columns = range(len(groups[0].at)) if groups else ()
    return [
        {one.at[place].key: one for one in sorted(groups, key=lambda one: one.at[place].order)}
        for place in columns
    ]


def _at(group: Group, places: Sequence[int]) -> tuple[str, ...]:
    return tuple(group.at[place].key for place in places)


def _chart(
    criteria: Criteria,
    groups: Sequence[Group],
    along: int | None,
    *,
    has_baseline: bool,
    is_parted: bool,
) -> Chart:
    if criteria.chart == "auto":
        if along is None or not _is_swept(groups, along):
            return "bars"
        # a sweep of two numbers is a map; beside a name, each name is a line
        return "heat" if not criteria.group and _is_map(groups) else "lines"
    possible: dict[Chart, bool] = {
        "boxes": True,
        "lines": along is not None,
        "change": has_baseline,
        "heat": bool(groups) and (len(groups[0].at) == _DRAWN or is_parted),
    }
    return next((one for one in possible if one == criteria.chart and possible[one]), "bars")


def _is_swept(groups: Sequence[Group], along: int) -> bool:
    """Whether lines have two points or more on average; else groups differ in all sorts of things."""
    others = [place for place in range(len(groups[0].at)) if place != along]
    return 2 * len({_at(group, others) for group in groups}) <= len(groups)


def _is_map(groups: Sequence[Group]) -> bool:
    """Whether the groups are told apart by two numbers, each of three values or more."""
    places = zip(*(group.at for group in groups), strict=True)
    numbers = [{value.number for value in values} for values in places]
    return len(numbers) == _DRAWN and all(
        None not in own and len(own) >= _A_LINE for own in numbers
    )


def _number_place(groups: Sequence[Group], *, by_most: bool) -> int | None:
    """The last place that is a number in every group; `by_most`: the last of those of most values."""
    counts: dict[int, int] = {}
    for place in range(len(groups[0].at) if groups else 0):
        numbers = {group.at[place].number for group in groups}
        if None not in numbers and len(numbers) >= _A_LINE:
            counts[place] = len(numbers)
    return max(counts, key=lambda place: (by_most * counts[place], place), default=None)
