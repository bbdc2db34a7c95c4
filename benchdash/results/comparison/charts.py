"""Which chart a figure is drawn as: what was asked for where the groups allow it, else bars."""

from __future__ import annotations

from collections.abc import Sequence

from benchdash.results.comparison.grouping import Group
from benchdash.results.criteria import Criteria

# two points are two bars
_A_LINE = 3


def chart_of(criteria: Criteria, groups: Sequence[Group], *, has_baseline: bool) -> str:
    """`bars`, `change`, `boxes`, `lines` or `heat`; lines by themselves along a number."""
    if criteria.chart == "auto":
        return "lines" if number_place(groups) is not None else "bars"
    possible = {
        "lines": number_place(groups) is not None,
        "change": has_baseline,
        "heat": bool(groups) and len(groups[0].at) == 2,
    }
    return criteria.chart if possible.get(criteria.chart, True) else "bars"


def slots(chart: str, along: int | None, groups: Sequence[Group]) -> list[int]:
    """The colour of each group: its own; the groups of one line share theirs."""
    own = [group.slot for group in groups]
    if chart != "lines" or along is None:
        return own
    lines = [group.at[:along] + group.at[along + 1 :] for group in groups]
    pairs = set(zip(lines, own, strict=True))
    if len(pairs) == len(set(lines)) == len(set(own)):
        return own
    places = {line: place for place, line in enumerate(dict.fromkeys(lines))}
    return [places[line] for line in lines]


def number_place(groups: Sequence[Group]) -> int | None:
    """The place, among the factors grouped by, of the last that is a number in every group."""
    places = len(groups[0].at) if groups else 0
    for place in reversed(range(places)):
        numbers = {group.at[place].number for group in groups}
        if None not in numbers and len(numbers) >= _A_LINE:
            return place
    return None
