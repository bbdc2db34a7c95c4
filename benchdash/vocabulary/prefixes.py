"""One unit for a whole axis: prefixes are never mixed within a chart or its table."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

from benchdash.vocabulary.measures import Metric
from benchdash.vocabulary.units import BINARY, BINARY_NAMES, DECIMAL

_DECIMAL_BYTES = {f"{prefix}B": float(factor) for prefix, factor in DECIMAL.items()}
_BINARY_BYTES = {BINARY_NAMES[prefix]: float(factor) for prefix, factor in BINARY.items()}
_COUNTS = {prefix: float(factor) for prefix, factor in DECIMAL.items()}
_TIMES = {"ns": 1e-9, "µs": 1e-6, "ms": 1e-3, "s": 1.0}


@dataclass(frozen=True, slots=True)
class ShownUnit:
    """A shown value is the stored one divided by `factor`: B/s by 1e6 are MB/s."""

    name: str
    factor: float

    def text(self, value: float) -> str:
        """The number alone: three significant digits, all digits of a large one, by thousands."""
        number = value / self.factor
        if number == 0 or abs(number) >= 100:
            return f"{number:,.0f}"
        return f"{number:#.3g}".rstrip(".")


def shown_unit(metric: Metric, values: Iterable[float], *, binary: bool = False) -> ShownUnit:
    """The unit that suits the largest of `values`: MB/s (or MiB/s), kIOPS, k/s, ms, %."""
    if metric.family == "cpu":
        return ShownUnit("%", 0.01)
    steps, ending = _steps(metric, binary=binary)
    largest = max((abs(value) for value in values), default=0.0)
    fitting = [name for name in steps if steps[name] <= largest]
    name = max(fitting, key=steps.__getitem__) if fitting else min(steps, key=steps.__getitem__)
    if not largest:
        name = next(name for name in steps if steps[name] == 1)
    return ShownUnit(name + ending, steps[name])


def _steps(metric: Metric, *, binary: bool) -> tuple[dict[str, float], str]:
    if metric.unit in ("B", "B/s"):
        return (_BINARY_BYTES if binary else _DECIMAL_BYTES), metric.unit[1:]
    if metric.unit == "s":
        return _TIMES, ""
    # counts are read out whole: 162 errors
    steps = _COUNTS if metric.unit == "1/s" else {"": 1.0}
    return steps, {"iops": "IOPS", "transactions": "TPS", "rate": "/s"}.get(metric.name, "")
