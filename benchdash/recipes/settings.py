"""What a cell ran its tool with: the settings that stay with its runs, and the workload's axes.

A parameter that is an axis of the workload or part of the configuration is that, and no setting
besides; of the rest, what was varied or can change a number is a setting. Settings are shown to
visitors, paths, devices, servers and job files are not: a factor of these is shown as the number of
its level, and else a path by its last name.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import PurePosixPath
from typing import Any

from benchdash.recipes.cells import Cells, some_of
from benchdash.recipes.holes import holes
from benchdash.recipes.parameters import CONFIGURATION, Parameter, Value
from benchdash.recipes.reading import builtin
from benchdash.recipes.recipe import Recipe, StepTemplate, Words
from benchdash.recipes.requirements import PEERS, Requirement, holds
from benchdash.vocabulary.units import bytes_shown
from benchdash.vocabulary.workloads import AXES

_UNITS = {"size": "B", "duration": "s"}
_IN_THE_AXIS = {"%": lambda number: number / 100, "× 1024": lambda number: number * 1024}


@dataclass(frozen=True, slots=True)
class Setting:
    """A number in its unit ("" for none), yes or no, or a text; "" is not given."""

    value: bool | int | float | str
    unit: str = ""

    @property
    def shown(self) -> bool | int | float | str:
        """As it stays with runs: sizes as they are written, `1 MiB`; `-` where it is not given."""
        if self.unit == "B" and isinstance(self.value, int):
            return bytes_shown(self.value)
        return "-" if self.value == "" else self.value


@dataclass(frozen=True, slots=True)
class StepParameters:
    """Settings by parameter; `workload` by axis, for what the tool does not print."""

    settings: dict[str, Setting]
    workload: dict[str, Any]


def step_parameters(
    recipe: Recipe,
    values: Mapping[str, Value],
    step: str,
    factors: Mapping[str, Sequence[object]],
    *,
    layers_known: bool,
) -> StepParameters:
    """What the measuring step of that name was run with; `factors` are those of the plan.

    `layers_known`: the configuration was captured as the recipe had set it. Where it was not, what
    the recipe set of it is a setting: else two cells would look alike.
    """
    used = _used(recipe, values, step)
    varied = {name for name, levels in factors.items() if len(levels) > 1}
    layers = layer_parameters(recipe)

    def is_setting(name: str, parameter: Parameter) -> bool:
        if parameter.axis in AXES or name not in values:
            return False
        if parameter.kind == "hosts":
            return values[name] != ""
        if name in layers:
            return not layers_known and name in used | varied
        return name in varied or (parameter.is_setting and name in used)

    settings = {
        name: _setting(parameter, values[name], factors.get(name, ()))
        for name, parameter in sorted(recipe.parameters.items())
        if is_setting(name, parameter)
    }
    return StepParameters(
        settings, _workload(recipe, {name: values[name] for name in used & {*values}})
    )


@cache
def setting_labels() -> Mapping[str, Mapping[str, str]]:
    """What settings of our recipes are called, in each language, by the names of their parameters.

    A setting does not say which recipe it is of, and people give theirs any name: one that recipes
    label differently ("fill"), or that only says where ("network"), has none.
    """
    every = [one for recipe in builtin() for one in recipe.parameters.values()]
    labels: dict[str, list[Mapping[str, str]]] = {}
    for one in every:
        labels.setdefault(one.name, []).append(one.label)
    settings = {one.name for one in every if one.is_setting}
    return {
        name: own[0]
        for name, own in labels.items()
        if name in settings and own.count(own[0]) == len(own)
    }


def layer_parameters(recipe: Recipe) -> set[str]:
    """Parameters that set an option of a layer: values of tunables, and those marked as such."""
    tunables = (step.tunable for step in recipe.steps if step.tunable)
    marked = {name for name, one in recipe.parameters.items() if one.axis == CONFIGURATION}
    return _named(*(tunable.value for tunable in tunables)) & {*recipe.parameters} | marked


def is_known_of_runs(recipe: Recipe, name: str) -> bool:
    """Whether runs have the value even where it was not varied."""
    parameter = recipe.parameters[name]
    return parameter.axis in AXES or parameter.is_setting or name in layer_parameters(recipe)


def _setting(parameter: Parameter, value: Value, levels: Sequence[object]) -> Setting:
    if parameter.is_place or parameter.lines:
        if len(levels) > 1:
            read = list(dict.fromkeys(map(parameter.read, levels)))
            return Setting(f"{read.index(value) + 1} of {len(read)}")
        return Setting(PurePosixPath(str(value).strip()).name)
    if isinstance(value, tuple):
        return Setting(" ".join(value))
    return Setting(value, "" if value == "" else _UNITS.get(parameter.kind, parameter.unit))


def _workload(recipe: Recipe, values: Mapping[str, Value]) -> dict[str, Any]:
    """Axes that one parameter alone decides, in their own type and unit."""
    marked = Counter(one.axis for one in recipe.parameters.values())
    found = {
        parameter.axis: _in_the_axis(parameter, values[name])
        for name, parameter in recipe.parameters.items()
        if name in values and parameter.axis in AXES and marked[parameter.axis] == 1
    }
    return {axis: found[axis] for axis in AXES if found.get(axis) is not None}


def _in_the_axis(parameter: Parameter, value: Value) -> bool | int | float | str | None:
    """None for what is not given, for a text where a number belongs, and for no time at all."""
    axis = AXES[parameter.axis]
    if isinstance(value, tuple):
        return None
    if isinstance(value, bool | str) or axis.type in (bool, str):
        return value if isinstance(value, axis.type) and value != "" else None
    if value == 0 and parameter.unit != "%":
        return None
    number: float = _IN_THE_AXIS.get(parameter.unit, float)(value)
    return int(number) if axis.type is int else number


def idle_factors(cells: Cells, most: int) -> dict[str, list[tuple[str, ...]]]:
    """Factors of which no command of any cell has anything, and what each such command would need."""
    parameters = cells.recipe.parameters
    varied = {
        name
        for name, levels in cells.axes.items()
        if len(levels) > 1 and parameters[name].kind != "hosts"  # the same command is run elsewhere
    }
    for number in some_of(cells.axes, most):
        for values in _with_and_without_peers(cells.values(number)):
            varied -= {name for step in cells.recipe.steps for name in _used_by(step, values)}
        if not varied:
            return {}
    return {
        name: sorted(
            {
                tuple(sorted(given))
                for step in cells.recipe.steps
                if name in set(_named_in(step))
                and (given := step.requirement.given.keys() & parameters.keys())
            }
        )
        for name in sorted(varied)
    }


def _named_in(step: StepTemplate) -> Iterator[str]:
    """What a step has in its texts, whether or not it is run."""
    tunable = (step.tunable.where, step.tunable.value) if step.tunable else ()
    words = (word for some in step.words for word in some.argv)
    yield from _named(*tunable, *words, *step.files.values())
    yield from (name for some in step.words for name in (some.each, some.count))


def _used(recipe: Recipe, values: Mapping[str, Value], step: str) -> set[str]:
    """Names that decided what this step ran, or what was done around it."""
    steps = [one for one in recipe.steps if one.phase != "measure" or one.name == step]
    return {
        name
        for each in _with_and_without_peers(values)
        for one in steps
        for name in _used_by(one, each)
    }


def _with_and_without_peers(values: Mapping[str, Value]) -> Iterator[dict[str, Value]]:
    """For what is not said of each place: whether the measured host has others beside it."""
    yield from ({PEERS: has_peers, **values} for has_peers in (True, False))


def _used_by(step: StepTemplate, values: Mapping[str, Value]) -> Iterator[str]:
    yield from _conditions_of(step.requirement)
    if not holds(step.requirement, values):
        return
    yield from filter(None, (step.each, step.count))
    if step.tunable:
        yield from _named(step.tunable.where, step.tunable.value)
    if isinstance(step.root, Requirement):
        yield from _conditions_of(step.root)
    for choice in step.node:
        yield from _conditions_of(choice.requirement)
    yield from _named(step.tool, *step.files.values())
    for words in step.words:
        yield from _used_in(words, values)


def _used_in(words: Words, values: Mapping[str, Value]) -> Iterator[str]:
    yield from _conditions_of(words.requirement)
    if holds(words.requirement, values):
        yield from _named(*words.argv)
        yield from filter(None, (words.split, words.each, words.count))


def _conditions_of(requirement: Requirement) -> Collection[str]:
    return (*requirement.given, *requirement.missing)


def _named(*texts: str) -> set[str]:
    return {name for text in texts for name, _form in holes(text)}
