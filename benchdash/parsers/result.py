"""What every parser returns: results in the project's one vocabulary.

A number enters a `Result` only through `Result.measure`, so that a unit, a statistic or an
operation that does not exist, a double entry, or a NaN cannot leave a parser.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any, TypeAlias

from benchdash.errors import Refused
from benchdash.vocabulary.measures import METRICS, is_operation, is_statistic

Name = tuple[str, str, str]  # operation, metric, statistic
# per file: far more than anyone measures; bounds the memory that a file can take
MOST_RESULTS = 10_000


class ParseError(Refused):
    """The one error a parser raises: a whole sentence that says what is wrong, and where."""


@dataclass(frozen=True, slots=True)
class Measurement:
    """One number, in the unit that its metric fixes."""

    operation: str
    metric: str
    statistic: str
    value: float

    @property
    def unit(self) -> str:
        return METRICS[self.metric].unit


@dataclass(frozen=True, slots=True)
class Note:
    """A value that the tool declined to print, e.g. bonnie++'s `+++++`."""

    operation: str
    metric: str
    note: str


@dataclass(frozen=True, slots=True)
class Point:
    """One measure while the tool still runs: `seconds` since it began, in the metric's unit."""

    operation: str
    metric: str
    seconds: float
    value: float


# of a tool that runs: what each line says, in the order that they are printed
LineReader: TypeAlias = Callable[[str], Iterable[Point]]


@dataclass(slots=True)
class Trace:
    """One measure over time: `seconds[i]` since the start, `values[i]` in the metric's unit."""

    operation: str
    metric: str
    seconds: array[float] = field(default_factory=lambda: array("d"))
    values: array[float] = field(default_factory=lambda: array("d"))

    @property
    def unit(self) -> str:
        return METRICS[self.metric].unit

    def add(self, seconds: float, value: float) -> None:
        """Append one point; ParseError if it is not a finite number."""
        if not (math.isfinite(seconds) and math.isfinite(value)):
            raise ParseError(
                "a point of the {metric} trace is not a finite number", metric=self.metric
            )
        self.seconds.append(seconds)
        self.values.append(value)


@lru_cache(maxsize=4096)
def _known(operation: str, metric: str, statistic: str) -> Name:
    name = operation, metric, statistic
    assert metric in METRICS and is_operation(operation) and is_statistic(statistic), name
    return name


@lru_cache(maxsize=4096)
def names_of(operation: str, metric: str, statistics: tuple[str, ...]) -> tuple[Name, ...]:
    """The names of several statistics of one metric, checked against the vocabulary."""
    assert metric in METRICS and is_operation(operation), (operation, metric)
    assert all(map(is_statistic, statistics)), statistics
    return tuple((operation, metric, statistic) for statistic in statistics)


@dataclass(slots=True)
class Result:
    """One run of one workload: a bonnie++ record, a fio job or group, a run of any other tool.

    `lines` are the first and last line (from 1) it was read from in the cleaned text, (0, 0)
    where lines mean nothing. `timed_at_end` where `started_at` is when it was reported. `details` are kept beside the numbers, under the tool's own names.
    `options` are those beyond the workload that can change a number (see `options.py`).
    `doubts` are sentences on how far its numbers, or what it says of other results, can be trusted.
    `error` is `{"code", "message"}` where the tool itself says it failed.

    Results of one pass of the tool share their `execution`, a number from 0 within the file; those
    of one execution that ran at the same time share their `group` too.
    """

    tool: str
    tool_version: str
    format: str
    label: str = ""
    started_at: datetime | None = None
    timed_at_end: bool = False
    workload: dict[str, Any] = field(default_factory=dict)
    traces: list[Trace] = field(default_factory=list)
    details: dict[str, Any] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    options: dict[str, str] = field(default_factory=dict)
    doubts: list[str] = field(default_factory=list)
    error: dict[str, Any] | None = None
    lines: tuple[int, int] = (0, 0)
    execution: int = 0
    group: int = 0
    _numbers: dict[Name, float] = field(default_factory=dict)

    @property
    def measurements(self) -> list[Measurement]:
        """Every number of the result, in the order in which it was added."""
        return [Measurement(*name, value) for name, value in self._numbers.items()]

    def by_name(self) -> dict[Name, float]:
        """Every number by operation, metric and statistic, in the order of `measurements`."""
        return self._numbers

    def measure(self, operation: str, metric: str, statistic: str, value: float | None) -> None:
        """Add one number in base units, as `measure_all`; None is one that was not printed."""
        if value is None:
            return
        name = _known(operation, metric, statistic)
        if not 0 <= value < math.inf:  # NaN is neither
            raise ParseError(
                "{operation} {metric} is {value}, which cannot be measured",
                operation=operation,
                metric=metric,
                value=value,
            )
        if name in self._numbers:
            raise ParseError("one result has {name} twice", name=" ".join(name))
        self._numbers[name] = float(value)

    def measure_all(self, names: Sequence[Name], values: Sequence[float]) -> None:
        """Add numbers in base units by names of `names_of`.

        ParseError where one cannot be a number (NaN, infinite, double); rates, times and amounts
        below zero are damage too. They are checked together, because a job of fio has eighty.
        """
        if not (values and min(values) >= 0 and math.isfinite(sum(values))):
            for (operation, metric, _), value in zip(names, values, strict=True):
                if not 0 <= value < math.inf:
                    raise ParseError(
                        "{operation} {metric} is {value}, which cannot be measured",
                        operation=operation,
                        metric=metric,
                        value=value,
                    )
        before = len(self._numbers)
        self._numbers.update(zip(names, values, strict=True))
        if len(self._numbers) < before + len(names):
            twice = " ".join(names[0])
            raise ParseError("one result has {name} or an equivalent twice", name=twice)

    def note(self, operation: str, metric: str, note: str) -> None:
        """Record why a number is missing."""
        self.notes.append(Note(operation, metric, note))


@dataclass(slots=True)
class Parsed:
    """The results of one file in reading order; `incomplete` names what could not be trusted.

    `whole` says that the parser accounts for every byte (one JSON document from end to end):
    no other parser needs to look.
    """

    results: list[Result]
    incomplete: str | None = None
    whole: bool = False
