"""One colour, one meaning: where lines are drawn, a group has the colour of its line everywhere."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TypeVar

from msgspec import Struct
from msgspec.structs import replace

from benchdash.results.comparison.view import ComparisonView, Figure, Section

T = TypeVar("T", bound=Struct)


def in_colours_of_lines(view: ComparisonView) -> ComparisonView:
    """The view; where lines are drawn, each mark of a group has the slot of that group's line.

    Several groups share a line, and so a colour: names, shapes and dashes tell them apart. Where all
    lines have one colour, it says nothing, and groups keep theirs.
    """
    slots = slots_of_lines(figure for section in view.sections for figure in section.figures)
    if not slots:
        return view
    by_label = {group.label: slots[group.key] for group in view.groups if group.key in slots}
    overview = view.overview
    return replace(
        view,
        groups=_coloured((group, slots.get(group.key)) for group in view.groups),
        sections=tuple(_section(section, slots, by_label) for section in view.sections),
        overview=overview
        and replace(overview, rows=_coloured((row, slots.get(row.group)) for row in overview.rows)),
        matrices=tuple(
            replace(
                matrix,
                front=matrix.front
                and replace(
                    matrix.front,
                    points=_coloured((each, slots.get(each.group)) for each in matrix.front.points),
                ),
            )
            for matrix in view.matrices
        ),
    )


def slots_of_lines(figures: Iterable[Figure]) -> dict[str, int]:
    """The slot of each group's line by the group's key; empty where all lines have one colour."""
    drawn = (figure for figure in figures if figure.chart == "lines")
    slots = {row.group: row.slot for figure in drawn for row in figure.rows}
    return slots if len(set(slots.values())) > 1 else {}


def _section(section: Section, slots: Mapping[str, int], by_label: Mapping[str, int]) -> Section:
    marks = _coloured((mark, slots.get(mark.group)) for mark in section.order.marks)
    return replace(
        section,
        order=replace(section.order, marks=marks),
        percentiles=tuple(
            replace(one, curves=_coloured((each, by_label.get(each.label)) for each in one.curves))
            for one in section.percentiles
        ),
        over_time=tuple(
            replace(one, lines=_coloured((each, by_label.get(each.label)) for each in one.lines))
            for one in section.over_time
        ),
    )


def _coloured(pairs: Iterable[tuple[T, int | None]]) -> tuple[T, ...]:
    return tuple(one if slot is None else replace(one, slot=slot) for one, slot in pairs)
