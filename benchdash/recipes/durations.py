"""How long a step takes, and when it is given up."""

from __future__ import annotations

from collections.abc import Mapping

from benchdash.recipes.parameters import Value
from benchdash.recipes.recipe import Expected, StepTemplate

SHORT_S = 600
LONGEST_S = 7 * 86_400
UNKNOWN_S = 86_400
SPARE = 3  # a step may take three times what is known, and twenty times what is guessed
SPARE_OF_A_GUESS = 20


def expected_s(expected: Expected | None, values: Mapping[str, Value]) -> float | None:
    """Seconds that the step takes; None where what they follow from was left out."""
    if expected is None:
        return None
    parts = [values[part] if isinstance(part, str) else part for part in expected.seconds]
    total = sum(_number(part) for part in parts)
    if expected.size:
        size = _number(values[expected.size])
        if not size:
            return None
        jobs = _number(values[expected.jobs]) if expected.jobs else 1
        total += size * jobs * expected.passes / expected.speed
    return total * (_number(values[expected.times]) if expected.times else 1)


def timeout_s(template: StepTemplate, expected: float | None) -> int:
    """Seconds after which a step is ended."""
    if template.timeout_s:
        return int(template.timeout_s)
    if expected is None:
        return UNKNOWN_S if template.phase == "measure" else SHORT_S
    guessed = bool(template.expected and template.expected.estimated)
    spare = SPARE_OF_A_GUESS if guessed else SPARE
    return min(int(SHORT_S + spare * expected), LONGEST_S)


def _number(value: Value | float) -> float:
    return float(value) if isinstance(value, int | float) else 0.0
