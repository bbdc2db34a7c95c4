"""What every parser returns: results in the project's one vocabulary.

A number enters a `Result` only through `Result.measure`, so that a unit, a statistic or an
operation that does not exist, a double entry, or a NaN cannot leave a parser.
"""

from __future__ import annotations

import math
import struct
from array import array
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from functools import lru_cache
from typing import Any

from msgspec import Struct

from benchdash.errors import Refused
from benchdash.vocabulary.measures import METRICS, is_operation, is_statistic

Name = tuple[str, str, str]  # operation, metric, statistic
# Details that results share, and one of its own: a third of a dictionary's size.
OneMore = tuple[dict[str, Any], str, Any]


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


_SHORT = 200  # characters of what many results of a file are told alike

_note = lru_cache(maxsize=1024)(Note)


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


def _is_measurable(value: float) -> bool:
    return math.isfinite(value) and value >= 0


@lru_cache(maxsize=4096)
def _checked(name: Name) -> Name:
    operation, metric, statistic = name
    assert metric in METRICS and is_operation(operation) and is_statistic(statistic), name
    return name


class RowNames(tuple[Name, ...]):
    """The names of one row of numbers, checked once and shared by all results that have them.

    `layout` is how the numbers are kept, eight bytes each; a format whose figures are shorter as
    they were printed has `unpacked` of its own.
    """

    layout: struct.Struct

    def __new__(cls, names: Iterable[Name]) -> RowNames:
        self = super().__new__(cls, map(_checked, names))
        assert len(set(self)) == len(self), self
        self.layout = struct.Struct(f"<{len(self)}d")
        return self

    def unpacked(self, row: bytes) -> Iterable[float]:
        """The numbers of one row in base units."""
        return self.layout.unpack(row)


_row_names = lru_cache(maxsize=256)(RowNames)


class Result(Struct, gc=False):
    """One run of one workload: one bonnie++ record, one fio job or group, one dbench or pgbench.

    `lines` are the first and last line (from 1) it was read from in the cleaned text, (0, 0)
    where lines mean nothing. `error` is `{"code", "message"}` where the tool itself says it failed.
    Results of one file may share `workload` and `details`: they are replaced and not changed.
    `kept` are the details as the parser gives them.
    """

    tool: str
    tool_version: str
    format: str
    label: str = ""
    started_at: datetime | None = None
    workload: dict[str, Any] = {}
    traces: tuple[Trace, ...] = ()
    kept: dict[str, Any] | OneMore = {}
    notes: tuple[Note, ...] = ()
    error: dict[str, Any] | None = None
    first_line: int = 0
    last_line: int = 0
    _numbers: dict[Name, float] | None = None
    _row_names: RowNames = RowNames(())
    _row: bytes = b""

    @property
    def details(self) -> dict[str, Any]:
        """What is kept beside the numbers, under the tool's own names."""
        if isinstance(self.kept, tuple):
            shared, name, value = self.kept
            self.kept = shared | {name: value}
        return self.kept

    @details.setter
    def details(self, details: dict[str, Any]) -> None:
        self.kept = details

    @property
    def lines(self) -> tuple[int, int]:
        return self.first_line, self.last_line

    @lines.setter
    def lines(self, lines: tuple[int, int]) -> None:
        self.first_line, self.last_line = lines

    @property
    def measurements(self) -> list[Measurement]:
        """Every number of the result, in the order in which it was added."""
        return [Measurement(*name, value) for name, value in self.by_name().items()]

    def by_name(self) -> dict[Name, float]:
        """Every number by operation, metric and statistic, in the order of `measurements`."""
        row = self._row_names.unpacked(self._row)
        return dict(zip(self._row_names, row, strict=True)) | (self._numbers or {})

    def measure(self, operation: str, metric: str, statistic: str, value: float) -> None:
        """Add one number in base units; ParseError where it cannot be one (NaN, infinite, double).

        Rates, times and amounts below zero are damage too.
        """
        name = _checked((operation, metric, statistic))
        value = float(value)
        if not _is_measurable(value):
            raise ParseError(f"{operation} {metric} is {value}, which cannot be measured")
        if self._numbers is None:
            self._numbers = {}
        if name in self._numbers or name in self._row_names:
            raise ParseError(f"{operation} {metric} {statistic} stands twice in one result")
        self._numbers[name] = value

    def measure_row(self, names: RowNames, values: Iterable[float]) -> None:
        """All numbers of a result at once, as `measure` would add them: small and quick.

        For formats of one line a result, where files hold ten thousands of them.
        """
        row = names.layout.pack(*values)
        # The last byte of each has its sign and says whether it is larger than anything real.
        last = row[7::8]
        plain = last.isascii() and 0x7F not in last
        if not (plain or all(map(_is_measurable, names.layout.unpack(row)))):
            raise ParseError("a figure is below zero or not finite, which cannot be measured")
        self.keep_row(names, row)

    def keep_row(self, names: RowNames, row: bytes) -> None:
        """`measure_row` of numbers that were checked already, as `names` unpacks them."""
        assert not self._numbers and not self._row, "a row comes first, and once"
        self._row_names, self._row = names, row

    def pack(self, known: dict[str, dict[str, Any]]) -> None:
        """Keep the numbers as a row, and what earlier results of the file were told only once.

        `known` has that by its text; for formats of a line a result, when nothing more is added.
        """
        if self._numbers and not self._row:
            names = _row_names(tuple(self._numbers))
            self._row_names, self._row = names, names.layout.pack(*self._numbers.values())
            self._numbers = None
        self.workload = _shared(self.workload, known)
        self.details = _shared(self.details, known)

    def note(self, operation: str, metric: str, note: str) -> None:
        """Say that a number is missing on purpose."""
        self.notes += (_note(operation, metric, note),)


def _shared(told: dict[str, Any], known: dict[str, dict[str, Any]]) -> dict[str, Any]:
    text = repr(told)
    return known.setdefault(text, told) if len(text) < _SHORT else told


class Parsed(Struct, gc=False):
    """The results of one file in reading order; `incomplete` names what could not be trusted.

    `whole` says that the parser accounts for every byte (one JSON document from end to end):
    no other parser needs to look.
    """

    results: list[Result]
    incomplete: str | None = None
    whole: bool = False
