"""How the cells of a plan's matrix look: medians as text and shade, states as marks, factors as axes.

Rows and cells are written here and not by a template: a matrix has up to 10,000 of them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import product
from typing import Any

from django.utils.html import escape
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from benchdash.errors import Refused
from benchdash.jobs.matrix import CellCounts
from benchdash.jobs.models import Plan
from benchdash.jobs.plan_contents import recipe_of
from benchdash.jobs.stretches import cells_in_grid
from benchdash.recipes import Recipe
from benchdash.recipes.cells import count_of, levels_of
from benchdash.recipes.holes import written
from benchdash.results.titles import in_words
from benchdash.vocabulary.measures import METRICS, MeasureName
from benchdash.vocabulary.settings import ZONE
from benchdash.vocabulary.units import BINARY, BINARY_NAMES, DECIMAL, SECONDS, measured, scaled

STEPS = 10  # shades of a cell


@dataclass(frozen=True, slots=True)
class Axis:
    """A factor that varies: its name, its words, the text of each level."""

    name: str
    title: str
    texts: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Unit:
    """What numbers are divided by, so that all of a matrix have one unit."""

    divisor: float = 1.0
    name: str = ""

    def text(self, value: float) -> str:
        """`44.9`."""
        return measured(value / self.divisor)


@dataclass(frozen=True, slots=True)
class Scale:
    """How values stand beside the best and the largest of all cells."""

    best: float | None
    largest: float | None
    unit: Unit

    def step(self, value: float) -> int:
        """0 to `STEPS`: the share of the best."""
        if self.best is None:
            return 0
        small, large = sorted((value, self.best))
        return int(STEPS * small / large + 1e-9) if large else STEPS


@dataclass(frozen=True, slots=True)
class Table:
    """One of the small multiples: what of further factors it is for, and its rows."""

    title: str
    rows: SafeString


@dataclass(frozen=True)
class Cells:
    """All that a cell's mark-up is made of."""

    address: str
    rounds: int
    found: Mapping[int, CellCounts]
    values: Mapping[int, float]
    scale: Scale

    def html(self, number: int, more: str = "") -> str:
        """The link of a cell: its number as it is, its state as a mark, and both in words.

        No element more than it takes: a phone has 10,000 of them.
        """
        counts, value = self.found.get(number, CellCounts()), self.values.get(number)
        name, text, marks, words = "mark", "", "", []
        if value is not None:
            name, text = f"s{self.scale.step(value)}", self.scale.unit.text(value)
            words.append(f"{text} {self.scale.unit.name}".rstrip())
        done = ""
        if 0 < counts.done < self.rounds:
            done = f"{counts.done}/{self.rounds}"
            words.append(done)
        for mark, word in self._states(counts, value):
            marks += mark
            words.append(word)
        if text and marks:
            marks = f"<i>{marks}</i>"
        if marks or done:
            more += f' aria-label="{escape(_(", ").join(words))}"'
        small = f"<small>{done}</small>" if done else ""
        return (
            f'<a id="c{number}" class="{name}" href="{self.address}{number}/"{more}>'
            f"{text}{marks}{small}</a>"
        )

    def _states(self, counts: CellCounts, value: float | None) -> Iterator[tuple[str, str]]:
        """Each as a mark and its word."""
        best, running, failed, waiting = self._words
        if value is not None and value == self.scale.best:
            yield "★", best
        if counts.running:
            yield "▸", running
        elif counts.failed:
            yield "✕", failed
        elif not counts.done:
            yield "·", waiting

    @cached_property
    def _words(self) -> tuple[str, str, str, str]:
        """Translated once, not for each cell."""
        return _("best"), _("running"), _("failed or cancelled"), _("to come")


def axes_of(plan: Plan) -> list[Axis]:
    """The factors that vary, in the order of the plan; the cells alone where these are not known."""
    if plan.cell_count and count_of(plan.levels) != plan.cell_count:
        numbers = tuple(str(n) for n in range(1, plan.cell_count + 1))
        return [Axis("", _("Cell"), numbers)]
    recipe = _recipe(plan)
    return [
        Axis(name, _axis_title(recipe, name), tuple(_text(recipe, name, one) for one in levels))
        if name != ZONE or not (zones := plan.zones)
        else Axis(name, _axis_title(recipe, name), tuple(_hosts(zones, one) for one in levels))
        for name, levels in plan.varied.items()
    ]


def _hosts(zones: Mapping[str, list[dict[str, Any]]], zone: str) -> str:
    """`near (store-1, store-2)`."""
    return f"{zone} ({_(', ').join(node['host'] for node in zones[zone])})"


def label_of(plan: Plan, number: int) -> str:
    """What a cell is: `Block size 4K, Queue depth 8`."""
    axes = axes_of(plan)
    place = cells_in_grid(plan).index(number) + 1 if plan.cell_count else number
    levels = levels_of({axis.name: axis.texts for axis in axes}, place)
    return _(", ").join(f"{axis.title} {levels[axis.name]}" for axis in axes) or plan.title


def _recipe(plan: Plan) -> Recipe | None:
    try:
        return recipe_of(plan)
    except Refused:
        return None


def _axis_title(recipe: Recipe | None, name: str) -> str:
    known = recipe.parameters.get(name) if recipe else None
    return (in_words(known.label) if known else "") or name


def _text(recipe: Recipe | None, name: str, level: Any) -> str:
    known = recipe.parameters.get(name) if recipe else None
    if isinstance(level, bool):
        return _("yes") if level else _("no")
    value = tuple(level) if isinstance(level, list) else level
    return written(value, known.kind if known else "text") or "–"


def chosen_axes(axes: list[Axis], x: str, y: str) -> tuple[Axis | None, Axis | None]:
    """The axes across and down: those that are chosen, else the last two; one alone goes down."""
    by_name = {axis.name: axis for axis in axes}
    across, down = by_name.get(x), by_name.get(y)
    if len(axes) < 2:
        return None, axes[0] if axes else None
    rest = [axis for axis in axes if axis not in (across, down)]
    if across is None:
        across = rest.pop()
    if down is None or down is across:
        down = next(axis for axis in reversed(axes) if axis is not across)
    return across, down


def tables_of(
    plan: Plan, axes: list[Axis], across: Axis | None, down: Axis | None, cells: Cells
) -> Iterator[Table]:
    strides, numbers = _strides(axes), cells_in_grid(plan) or (1,)
    further = [axis for axis in axes if axis not in (across, down)]
    wide, high = (strides[axis.name] if axis else 0 for axis in (across, down))
    columns, rows = (range(len(axis.texts) if axis else 1) for axis in (across, down))
    for places in product(*(range(len(axis.texts)) for axis in further)):
        first = sum(strides[a.name] * n for a, n in zip(further, places, strict=True))
        title = _(", ").join(
            f"{axis.title} {axis.texts[n]}" for axis, n in zip(further, places, strict=True)
        )
        own = [[numbers[first + y * high + x * wide] for x in columns] for y in rows]
        yield Table(title, SafeString("".join(_rows(across, down, own, cells))))


def _strides(axes: list[Axis]) -> dict[str, int]:
    """How many cells of the grid further the next level is."""
    strides, stride = {}, 1
    for axis in reversed(axes):
        strides[axis.name] = stride
        stride *= len(axis.texts)
    return strides


def _rows(
    across: Axis | None, down: Axis | None, numbers: Sequence[Sequence[int]], cells: Cells
) -> Iterator[str]:
    corner = escape(" \\ ".join(axis.title for axis in (down, across) if axis))
    heads = [escape(text) for text in across.texts] if across else [""]
    names = "".join(_head("columnheader", head) for head in heads)
    yield f'<div role="row">{_head("columnheader", corner)}{names}</div>'
    for text, own in zip(down.texts if down else [""], numbers, strict=True):
        row = "".join(f'<span role="cell">{cells.html(number)}</span>' for number in own)
        yield f'<div role="row">{_head("rowheader", escape(text))}{row}</div>'


def _head(role: str, text: str) -> str:
    """A heading; without a second factor there is none, and nothing is to be read there."""
    # `data=ordered,nodelalloc` and `stripe_cache_size` have no blank where a narrow column could break
    words = re.sub(r"(?<=[_=,/])(?=\w)", "<wbr>", text)
    return f'<span role="{role if text else "cell"}">{words}</span>'


def scale_of(measure: MeasureName | None, values: Mapping[int, float], *, binary: bool) -> Scale:
    """Of a measure that is neither good nor bad, the largest is what the others are compared to."""
    if measure is None or not values:
        return Scale(None, None, Unit())
    largest = max(values.values())
    lower = METRICS[measure.metric].higher_is_better is False
    best = min(values.values()) if lower else largest
    return Scale(best, largest, unit_of(measure, largest, binary=binary))


def unit_of(measure: MeasureName, largest: float, *, binary: bool) -> Unit:
    """That of the largest value."""
    metric = METRICS[measure.metric]
    if metric.family == "cpu":
        return Unit(0.01, "%")
    if metric.unit in ("B", "B/s"):
        steps = BINARY if binary else DECIMAL
        prefix = scaled(largest, steps)[1]
        name = BINARY_NAMES[prefix] if binary else f"{prefix}B"
        return Unit(steps[prefix], name + metric.unit[1:])
    if metric.unit == "s":
        name = next((n for n in ("s", "ms", "µs") if largest >= SECONDS[n]), "ns")
        return Unit(SECONDS[name], name)
    prefix = scaled(largest, DECIMAL)[1] if metric.unit == "1/s" else ""
    name = "IOPS" if metric.name == "iops" else metric.unit.removeprefix("1")
    return Unit(DECIMAL[prefix], prefix + name)
