"""What every parser returns: results in the project's one vocabulary.

A number enters a `Result` only through `Result.measure`, so that a unit, a statistic or an
operation that does not exist, a double entry, or a NaN cannot leave a parser.
"""

from __future__ import annotations

import math
from array import array
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from benchdash.errors import Refused
from benchdash.vocabulary.measures import METRICS, is_operation, is_statistic


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
            raise ParseError(f"a point of the {self.metric} trace is not a finite number")
        self.seconds.append(seconds)
        self.values.append(value)


@dataclass(slots=True)
class Result:
    """One run of one workload: one bonnie++ record, one fio job or group, one dbench or pgbench.

    `lines` are the first and last line (from 1) it was read from in the cleaned text, (0, 0)
    where lines mean nothing. `error` is `{"code", "message"}` where the tool itself says it failed.
    """

    tool: str
    tool_version: str
    format: str
    label: str = ""
    started_at: datetime | None = None
    workload: dict[str, Any] = field(default_factory=dict)
    measurements: list[Measurement] = field(default_factory=list)
    traces: list[Trace] = field(default_factory=list)
    details: dict[str, Any] = field(default_factory=dict)
    notes: list[Note] = field(default_factory=list)
    error: dict[str, Any] | None = None
    lines: tuple[int, int] = (0, 0)
    _seen: set[tuple[str, str, str]] = field(default_factory=set, repr=False, compare=False)

    def measure(self, operation: str, metric: str, statistic: str, value: float) -> None:
        """Add one number in base units; ParseError where it cannot be one (NaN, infinite, double).

        Rates, times and amounts below zero are damage too.
        """
        key = (operation, metric, statistic)
        assert metric in METRICS and is_operation(operation) and is_statistic(statistic), key
        value = float(value)
        if not math.isfinite(value) or value < 0:
            raise ParseError(f"{operation} {metric} is {value}, which cannot be measured")
        if key in self._seen:
            raise ParseError(f"{operation} {metric} {statistic} stands twice in one result")
        self._seen.add(key)
        self.measurements.append(Measurement(operation, metric, statistic, value))

    def note(self, operation: str, metric: str, note: str) -> None:
        """Say that a number is missing on purpose."""
        self.notes.append(Note(operation, metric, note))


@dataclass(slots=True)
class Parsed:
    """The results of one file in reading order; `incomplete` names what could not be trusted."""

    results: list[Result]
    incomplete: str | None = None
