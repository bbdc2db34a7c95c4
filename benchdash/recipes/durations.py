"""The expected duration of a step, and its timeout."""

from __future__ import annotations

from collections.abc import Mapping

from benchdash.recipes.parameters import Value
from benchdash.recipes.recipe import Expected, Recipe, StepTemplate
from benchdash.recipes.requirements import holds

SHORT_S = 600
LONGEST_S = 7 * 86_400
UNKNOWN_S = 86_400
SPARE = 3  # a step may take three times its expected time, and twenty times a guess
SPARE_OF_A_GUESS = 20
SLOW_DISK = 10e6  # bytes a second


def expected_s(expected: Expected | None, values: Mapping[str, Value]) -> float | None:
    """Expected seconds of the step; None where a parameter that they depend on was left out."""
    if expected is None:
        return None
    parts = [values[part] if isinstance(part, str) else part for part in expected.seconds]
    total = sum(_number(part) for part in parts)
    if expected.size:
        if not values[expected.size]:
            return None
        total += _bytes(expected, expected.size, values) * expected.passes / expected.speed
    return total * (_number(values[expected.times]) if expected.times else 1)


def timeout_s(template: StepTemplate, values: Mapping[str, Value]) -> int:
    """Seconds after which the step is killed."""
    seconds = expected_s(template.expected, values)
    if template.timeout_s:
        return int(template.timeout_s)
    if seconds is None or template.expected is None:
        return UNKNOWN_S if template.phase == "measure" else SHORT_S
    spare = SPARE_OF_A_GUESS if template.expected.estimated else SPARE
    layout = _bytes(template.expected, template.expected.layout, values) / SLOW_DISK
    return min(int(SHORT_S + spare * seconds + layout), LONGEST_S)


def bytes_at_least(recipe: Recipe, values: Mapping[str, Value]) -> float | None:
    """What preparing and measuring steps write at least, each its files once; None where none says.

    On a device or an image no files are laid out.
    """
    on_device = bool(values.get("device") or values.get("image"))
    sizes = [
        _bytes(step.expected, _laid_out(step.expected, on_device), values)
        for step in recipe.steps
        if step.phase in ("prepare", "measure")
        and step.expected is not None
        and holds(step.expected.writes, values)
        and _laid_out(step.expected, on_device)
        and holds(step.requirement, values)
    ]
    return sum(sizes) if sizes else None


def _laid_out(expected: Expected, on_device: bool) -> str:
    return expected.size or ("" if on_device else expected.layout)


def _bytes(expected: Expected, name: str, values: Mapping[str, Value]) -> float:
    """A size in bytes, times the number of jobs."""
    jobs = _number(values.get(expected.jobs) or 0) if expected.jobs else 1
    return _number(values.get(name) or 0) * jobs if name else 0


def _number(value: Value | float) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
