"""What verdicts need of runs beside the numbers shown.

How many operations lie above a percentile, and what was done for the CPU that was spent. All of it
is read with the second plots' values, in their query.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Literal

from benchdash.vocabulary.measures import METRICS, MeasureName, percentile

Per = Literal["", "byte", "operation"]
ByRun = Mapping[int, float]
ByMeasure = Mapping[MeasureName, ByRun]

_COSTS: tuple[tuple[str, Per], ...] = (
    ("throughput", "byte"),
    ("iops", "operation"),
    ("rate", "operation"),
)


def needed_beside(
    shown: Iterable[MeasureName], there: Collection[MeasureName]
) -> Iterator[MeasureName]:
    """The measures, of those that are there, without which `shown` could not be judged."""
    for name in shown:
        if percentile(name.statistic) is not None:
            yield from (one for one in [_operations(name)] if one in there)
        if METRICS[name.metric].family == "cpu":
            yield from (
                one for one in there if any(_pays(name, one, paid) for paid, _per in _COSTS)
            )


def above(name: MeasureName, beside: ByMeasure) -> dict[int, float]:
    """`{run id: operations above this percentile}`; empty for what is no percentile."""
    percent = percentile(name.statistic)
    if percent is None:
        return {}
    share = 1 - percent / 100
    return {run: share * count for run, count in beside.get(_operations(name), {}).items()}


def costs(name: MeasureName, values: ByRun, beside: ByMeasure) -> tuple[ByRun, Per]:
    """CPU seconds for each byte or operation, where every run printed what it did; else nothing."""
    for metric, per in _COSTS:
        done = done_for(name, metric, beside)
        if values and all(done.get(run, 0.0) > 0 for run in values):
            return {run: value / done[run] for run, value in values.items()}, per
    return {}, ""


def done_for(name: MeasureName, metric: str, beside: ByMeasure) -> dict[int, float]:
    """`{run id: bytes or operations a second}` that the CPU time `name` was spent on."""
    parts: dict[int, float] = {}
    whole: dict[int, float] = {}
    for one, own in beside.items():
        if _pays(name, one, metric):
            # fio's unified_rw_reporting=both and sysbench print the sum of the sides beside them
            sums = whole if one.operation.rpartition("_")[2] == "mixed" else parts
            for run, rate in own.items():
                sums[run] = sums.get(run, 0.0) + rate
    return parts | whole


def _operations(name: MeasureName) -> MeasureName:
    return MeasureName(name.operation, "operations", "total")


def _pays(cpu: MeasureName, done: MeasureName, metric: str) -> bool:
    """Whether `done` is, by the second, what the CPU was spent on: of `run`, that of all sides."""
    mean = (done.metric, done.statistic) == (metric, "mean")
    return mean and cpu.operation in (done.operation, "run")
