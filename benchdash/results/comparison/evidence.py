"""What verdicts need of runs beside the numbers shown.

How many operations lie above a percentile, what was done for the CPU that was spent, and when a
run began. All of it is read with the second plots' values, in their query.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Literal

from benchdash.results.comparison.records import SelectedRun
from benchdash.vocabulary.measures import METRICS, MeasureName, percentile

Per = Literal["", "byte", "operation"]
ByRun = Mapping[int, float]
ByMeasure = Mapping[MeasureName, ByRun]

_COSTS: tuple[tuple[str, Per], ...] = (
    ("throughput", "byte"),
    ("iops", "operation"),
    ("rate", "operation"),
)
_VERSION = re.compile(r"(\d{1,4})\.(\d{1,4})", re.ASCII)
_TRUE_START = (3, 36)  # of fio: its JSON has `job_start` since then


def needed_beside(
    shown: Iterable[MeasureName], there: Collection[MeasureName], runs: Sequence[SelectedRun]
) -> Iterator[MeasureName]:
    """The measures, of those that are there, without which `shown` could not be judged."""
    for name in shown:
        if percentile(name.statistic) is not None:
            yield from (one for one in [_operations(name)] if one in there)
        if METRICS[name.metric].family == "cpu":
            yield from (
                one for one in there if any(_pays(name, one, paid) for paid, _per in _COSTS)
            )
    if any(map(reports_its_end, runs)):
        yield from (one for one in there if one.metric == "duration")


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
        done: dict[int, float] = {}
        for one, own in beside.items():
            if _pays(name, one, metric):
                for run, rate in own.items():
                    done[run] = done.get(run, 0.0) + rate
        if values and all(done.get(run, 0.0) > 0 for run in values):
            return {run: value / done[run] for run, value in values.items()}, per
    return {}, ""


def starts_of(runs: Sequence[SelectedRun], beside: ByMeasure) -> dict[int, float]:
    """`{run id: seconds}` where the start is known; the time of a report less the run's own."""
    durations: dict[int, float] = {}
    for name, values in beside.items():
        if name.metric == "duration":
            for run, seconds in values.items():
                durations[run] = max(seconds, durations.get(run, 0.0))
    return {
        run.id: run.started_at.timestamp()
        - (durations.get(run.id, 0.0) if reports_its_end(run) else 0.0)
        for run in runs
        if run.started_at is not None
    }


def reports_its_end(run: SelectedRun) -> bool:
    """Whether what stands as its start is when fio reported: in text, and in JSON before 3.36."""
    if run.tool != "fio" or run.started_at is None:
        return False
    version = _VERSION.match(run.tool_version)
    known = (int(version[1]), int(version[2])) if version else (0, 0)
    return not run.format.startswith("fio/json") or known < _TRUE_START


def _operations(name: MeasureName) -> MeasureName:
    return MeasureName(name.operation, "operations", "total")


def _pays(cpu: MeasureName, done: MeasureName, metric: str) -> bool:
    """Whether `done` is, by the second, what the CPU was spent on: of `run`, that of all sides."""
    mean = (done.metric, done.statistic) == (metric, "mean")
    return mean and cpu.operation in (done.operation, "run")
