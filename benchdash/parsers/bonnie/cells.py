"""The cells of a bonnie++ run: 12 pairs of rate and CPU, and 12 latencies where it has them.

Their order and units are the same in every version: KiB/s for the five transfer tests ("a multiple
of 1024 bytes per second", man page), 1/s for seeks and files, % of a CPU after each rate, then the
longest single operation of each test (1.9x and later). An empty cell is a test that was not run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter, truediv
from typing import Annotated

import msgspec

from benchdash.parsers.result import Name, Note, ParseError, Result, RowNames

TESTS = (
    ("seq_write_char", "throughput"),
    ("seq_write", "throughput"),
    ("seq_rewrite", "throughput"),
    ("seq_read_char", "throughput"),
    ("seq_read", "throughput"),
    ("rand_seek", "iops"),
    ("seq_create", "rate"),
    ("seq_stat", "rate"),
    ("seq_delete", "rate"),
    ("rand_create", "rate"),
    ("rand_stat", "rate"),
    ("rand_delete", "rate"),
)
NAMES: tuple[Name, ...] = (
    *((operation, metric, "mean") for operation, rate in TESTS for metric in (rate, "cpu")),
    *((operation, "latency", "max") for operation, _ in TESTS),
)
_NUMBER = re.compile(r"(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,6})?")
_DECLINED = "too fast to measure"
_PAIR = r"(?:0,0?|,0|\+{3,6},\+{2,4}|,)"
_LATENCY = r"(?:0[um]?s)?"
_KINDS = re.compile(rf"{_PAIR}(?:,{_PAIR}){{11}}(?:(?:,{_LATENCY}){{12}})?")
_KIND = re.compile(r"(?:0|\+{2,6})?")
_DIGITS, _UNITS = b"0123456789.", b"ums"
_DIVISORS = (1 / 1024, 100) * 5 + (1, 100) * 7
_SHORT = 48  # characters of a row with hardly a figure
_PER_SECOND = {"0us": 1e6, "0ms": 1e3, "0s": 1}
# ten times as quick as float() of each
_FIGURES = msgspec.json.Decoder(list[Annotated[float, msgspec.Meta(ge=0, lt=1e15)]])


class _Figures(RowNames):
    """Rows that are kept as they were printed: files of short lines hold many of them."""

    divisors: tuple[float, ...]

    @classmethod
    def at(cls, places: list[int], divisors: tuple[float, ...]) -> _Figures:
        """Those of these cells."""
        self = cls(NAMES[place] for place in places)
        self.divisors = tuple(divisors[place] for place in places)
        return self

    def unpacked(self, row: bytes) -> Iterable[float]:
        """Figures as printed, in brackets, divided into base units."""
        return map(truediv, _FIGURES.decode(row), self.divisors) if row else ()


@dataclass(frozen=True, slots=True)
class _Shape:
    """Which cells hold a figure and which `+++++`: the same for most runs of a file."""

    names: _Figures
    pick: Callable[[list[str]], Iterable[str]]
    declined: tuple[Note, ...]
    has_units: bool


def measure(result: Result, cells: list[str]) -> None:
    """Give `result` the figures of the 24 or 36 cells; ParseError names the one that is none."""
    text = ",".join(cells)
    row = (_short_row if len(text) <= _SHORT else _row)(text, len(cells))
    if row is None:
        raise ParseError(_complaint(cells))
    shape, figures = row
    if not (shape.names or shape.declined):
        raise ParseError("no test was run: all cells are empty")
    result.notes += shape.declined
    result.keep_row(shape.names, figures)


def _row(text: str, count: int) -> tuple[_Shape, bytes] | None:
    """The figures of the cells as JSON, and what they are; None where one is none."""
    cells = text.split(",")
    if len(cells) != count:
        return None  # a comma within quotes
    printed = text.encode()
    gaps = b",," in printed or not (cells[0] and cells[-1])
    shape = _shape(printed.translate(None, _DIGITS), tuple(map(bool, cells)) if gaps else None)
    if shape is None:
        return None
    if len(shape.names) < count:
        printed = ",".join(shape.pick(cells)).encode()
    figures = b"[%b]" % (printed.translate(None, _UNITS) if shape.has_units else printed)
    try:
        _FIGURES.decode(figures)
    except msgspec.DecodeError:
        return None
    return shape, figures


@lru_cache(maxsize=4096)
def _short_row(text: str, count: int) -> tuple[_Shape, bytes] | None:
    """A row, once: of short ones there are few, and in a file of them many lines."""
    return _row(text, count)


@lru_cache(maxsize=1024)
def _shape(texts: bytes, filled: tuple[bool, ...] | None) -> _Shape | None:
    """The shape of cells less their digits (and whether they had any); None where it is no shape."""
    kinds = texts.decode().split(",")
    for place, kind in enumerate(kinds):
        if (filled is None or filled[place]) and not kind.startswith("+"):
            kinds[place] = f"0{kind}"
    if not _KINDS.fullmatch(",".join(kinds)):
        return None
    places = [place for place, kind in enumerate(kinds) if kind.startswith("0")]
    divisors = _DIVISORS + tuple(_PER_SECOND.get(kind, 1) for kind in kinds[24:])
    return _Shape(
        _Figures.at(places, divisors),
        _picker(places),
        tuple(Note(*NAMES[at][:2], _DECLINED) for at, kind in enumerate(kinds) if "+" in kind),
        b"s" in texts,
    )


def _picker(places: list[int]) -> Callable[[list[str]], Iterable[str]]:
    if len(places) > 1:
        return itemgetter(*places)
    return lambda cells: [cells[place] for place in places]


def _complaint(cells: list[str]) -> str:
    for place, cell in enumerate(cells):
        grammar = _KIND if place < 24 else re.compile(_LATENCY)
        if not grammar.fullmatch(_NUMBER.sub("0", cell)):
            operation, metric, _ = NAMES[place]
            return f"{cell[:40]!r} stands where bonnie++ prints the {metric} of {operation}"
    return "rates and CPU shares do not come in pairs: a field is lost or one too many"
