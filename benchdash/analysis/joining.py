"""One sample out of several runs: jobs, or hosts, at the same time with the same parameters.

Sums where numbers add up, extremes where they are extremes, and nothing where no number of the
whole follows from those of its parts: percentiles are never averaged.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence

from benchdash.vocabulary.measures import METRICS, MeasureName, percentile

Numbers = Mapping[MeasureName, float]
# what a percentile is taken from: the upper ends of bins in seconds, and how many fell into each
Bins = Mapping[float, int]

_SUMMED = ("bytes", "operations", "errors", "rate", "transactions", "cpu", "cpu_user", "cpu_system")
_AMOUNTS = {"throughput": "bytes", "iops": "operations"}
_NANOSECONDS = 1e9


def join(measure: MeasureName, parts: Sequence[Numbers]) -> float | None:
    """The number of all parts together; None where it does not follow from theirs, or none has one.

    A part without it did nothing of the kind, and adds nothing.
    """
    having = [part for part in parts if measure in part]
    if not having:
        return None
    values = [part[measure] for part in having]
    metric, statistic = measure.metric, measure.statistic
    joined: float | None = None
    if len(parts) == 1:
        joined = values[0]
    elif METRICS[metric].family == "latency":
        joined = _joined_latency(measure, having)
    elif metric == "duration":
        joined = max(values)
    elif metric in _AMOUNTS and statistic == "mean":
        joined = _joined_rate(measure, having)
    elif metric in _SUMMED and statistic in ("mean", "total"):
        joined = math.fsum(values)
    return joined


def helpers(measure: MeasureName) -> list[MeasureName]:
    """What else `join` looks at."""
    operation = measure.operation
    duration = [MeasureName(where, "duration", "total") for where in (operation, "run")]
    if measure.metric in _AMOUNTS:
        return [MeasureName(operation, _AMOUNTS[measure.metric], "total"), *duration]
    if METRICS[measure.metric].family == "latency":
        return [
            MeasureName(operation, "operations", "total"),
            MeasureName(operation, "iops", "mean"),
            MeasureName(operation, measure.metric, "mean"),
            *duration,
        ]
    return []


def _joined_rate(measure: MeasureName, parts: Sequence[Numbers]) -> float:
    """Bytes or operations by the longest run time where both are known, else the sum."""
    amounts = [part.get(helpers(measure)[0]) for part in parts]
    seconds = [_duration(measure.operation, part) for part in parts]
    if None in amounts or not all(seconds):
        return math.fsum(part[measure] for part in parts)
    return math.fsum(amount or 0.0 for amount in amounts) / max(one or 0.0 for one in seconds)


def _duration(operation: str, part: Numbers) -> float | None:
    own = part.get(MeasureName(operation, "duration", "total"))
    return part.get(MeasureName("run", "duration", "total")) if own is None else own


def _joined_latency(measure: MeasureName, parts: Sequence[Numbers]) -> float | None:
    values = [part[measure] for part in parts]
    if measure.statistic in ("min", "max"):
        return min(values) if measure.statistic == "min" else max(values)
    counts = [_operations(measure.operation, part) for part in parts]
    if percentile(measure.statistic) is not None or not all(counts):
        return None
    weights = [count or 0.0 for count in counts]
    means = [part.get(measure._replace(statistic="mean")) for part in parts]
    if None in means:
        return None
    total = math.fsum(weights)
    mean = math.fsum(w * (m or 0.0) for w, m in zip(weights, means, strict=True)) / total
    if measure.statistic == "mean":
        return mean
    # the sums of squares within the parts and between them add up to that of the whole
    squares = math.fsum(
        max(weight - 1, 0.0) * sd**2 + weight * ((own or 0.0) - mean) ** 2
        for weight, sd, own in zip(weights, values, means, strict=True)
    )
    return math.sqrt(squares / (total - 1)) if total > 1 else None


def _operations(operation: str, part: Numbers) -> float | None:
    """How many there were, else as many as the rate makes of the run time."""
    printed = part.get(MeasureName(operation, "operations", "total"))
    if printed is not None:
        return printed
    rate, seconds = part.get(MeasureName(operation, "iops", "mean")), _duration(operation, part)
    return rate * seconds if rate and seconds else None


def bins_of(details: Mapping[str, object], measure: MeasureName) -> Bins | None:
    """The bins that fio 3 prints with `json+`, in seconds; None where there are none."""
    every = details.get("bins")
    own = every.get(f"{measure.operation} {measure.metric}") if isinstance(every, dict) else None
    if not isinstance(own, dict) or not all(isinstance(bin_, int) for bin_ in own["bins"]):
        return None  # fio 2 numbers its bins, and their bounds depend on how it was built
    return {
        bin_ / _NANOSECONDS: count for bin_, count in zip(own["bins"], own["counts"], strict=True)
    }


def join_percentile(percent: float, parts: Sequence[Bins]) -> float | None:
    """The value of the first bin up to which `percent` of all operations fell, as fio has it."""
    merged: dict[float, int] = {}
    for part in parts:
        for value, count in part.items():
            merged[value] = merged.get(value, 0) + count
    wanted = percent / 100 * sum(merged.values())
    below = 0
    for value in sorted(merged):
        below += merged[value]
        if below >= wanted:
            return value
    return None
