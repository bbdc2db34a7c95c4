"""One unit for a whole axis: prefixes are never mixed within a chart or its table."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass

from benchdash.vocabulary.measures import Metric
from benchdash.vocabulary.units import BINARY, BINARY_NAMES, DECIMAL, measured

_DECIMAL_BYTES = {f"{prefix}B": float(factor) for prefix, factor in DECIMAL.items()}
_BINARY_BYTES = {BINARY_NAMES[prefix]: float(factor) for prefix, factor in BINARY.items()}
_COUNTS = {prefix: float(factor) for prefix, factor in DECIMAL.items()}
_BETWEEN_WORDS = re.compile(r"[ ,、・]+")
_TIMES = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}


@dataclass(frozen=True, slots=True)
class ShownUnit:
    """A shown value is the stored one divided by `factor`: B/s by 1e6 are MB/s."""

    name: str
    factor: float

    def text(self, value: float) -> str:
        """The number alone, by three significant digits."""
        return measured(value / self.factor)


def unit_beside(title: str, unit: str) -> str:
    """The unit where it stands beside a title; empty where the title says it: `Random write · IOPS`."""
    return "" if unit in _BETWEEN_WORDS.split(title) else unit


def shown_unit(metric: Metric, values: Iterable[float], *, binary: bool = False) -> ShownUnit:
    """The unit that suits the largest of `values`: MB/s (or MiB/s), kIOPS, k/s, ms, %.

    The next smaller one where others would be below 1 in it, and the largest stays below 10,000:
    87.6 and 3,500 MB/s.
    """
    if metric.family == "cpu":
        return ShownUnit("%", 0.01)
    steps, ending = _steps(metric, binary=binary)
    there = [abs(value) for value in values if value]
    if not there:
        name = next(name for name in steps if steps[name] == 1)
        return ShownUnit(name + ending, 1.0)
    ordered = sorted(steps, key=steps.__getitem__)
    fitting = [name for name in ordered if steps[name] <= max(there)] or ordered[:1]
    *smaller, name = fitting
    # what is shown as 1.00 is not below 1
    if smaller and min(there) < 0.9995 * steps[name] and max(there) < 10 * steps[name]:
        name = smaller[-1]
    return ShownUnit(name + ending, steps[name])


def _steps(metric: Metric, *, binary: bool) -> tuple[dict[str, float], str]:
    if metric.unit in ("B", "B/s"):
        return (_BINARY_BYTES if binary else _DECIMAL_BYTES), metric.unit[1:]
    if metric.unit == "s":
        return _TIMES, ""
    # counts are read out whole: 162 errors
    steps = _COUNTS if metric.unit == "1/s" else {"": 1.0}
    return steps, {"iops": "IOPS", "transactions": "TPS", "rate": "/s"}.get(metric.name, "")
