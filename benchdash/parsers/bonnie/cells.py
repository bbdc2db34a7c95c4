"""The 36 cells of a bonnie++ run: 12 pairs of rate and CPU, then 12 latencies.

Their order and units are the same in every version: KiB/s for the five transfer tests ("a multiple
of 1024 bytes per second", man page), 1/s for seeks and files, % of a CPU after each rate, then the
longest single operation of each test (1.9x and later). An empty cell is a test that was not run.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from operator import itemgetter, truediv

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
NO_LATENCIES = [""] * 12

_PAIR = r"(?:0,0?|,0|\+{3,6},\+{2,4}|,)"
_LATENCY = r"(?:0[um]?s)?"
_KINDS = re.compile(rf"(?:{_PAIR},){{12}}(?:{_LATENCY},){{11}}{_LATENCY}")
_KIND = re.compile(r"(?:0|\+{2,6})?")
_FIGURES = msgspec.json.Decoder(list[float])  # six times as fast as float()
_ZEROS = str.maketrans("123456789", "000000000")
_DECLINED = "too fast to measure"
_UNITS = {ord(letter): None for letter in "ums"}
_DIVISORS = (1 / 1024, 100) * 5 + (1, 100) * 7
_PER_SECOND = {"0us": 1e6, "0ms": 1e3, "0s": 1}


@dataclass(frozen=True, slots=True)
class _Shape:
    """Which cells hold a figure and which `+++++`: the same for most runs of a file."""

    names: RowNames
    divisors: tuple[float, ...]
    pick: Callable[[Sequence[str]], tuple[str, ...]]
    declined: list[Note]
    has_units: bool


def measure(result: Result, cells: list[str]) -> None:
    """Give `result` the figures of the 36 cells; ParseError names the one that is none."""
    text = ",".join(cells)
    shape = _shape(_without_figures(text))
    if shape is None:
        raise ParseError(_complaint(cells))
    result.notes += shape.declined
    plain = text.translate(_UNITS).split(",") if shape.has_units else cells
    try:
        figures = _FIGURES.decode(f"[{','.join(shape.pick(plain))}]")
    except msgspec.DecodeError:  # a leading zero, which C's printf never makes
        raise ParseError("a number begins with a zero, which bonnie++ does not print") from None
    result.measure_row(shape.names, map(truediv, figures, shape.divisors))


def _without_figures(text: str) -> str:
    """`text` with every number as `0`; what is longer than any figure stays too long."""
    text = text.translate(_ZEROS)
    for _ in range(4):
        text = text.replace("00", "0")
    return text.replace("0.0", "0")


@lru_cache(maxsize=1024)
def _shape(text: str) -> _Shape | None:
    """The shape of cells in which every number is a `0`; None where they cannot be bonnie++'s."""
    if not _KINDS.fullmatch(text):
        return None
    kinds = text.split(",")
    places = [place for place, kind in enumerate(kinds) if kind.startswith("0")]
    divisors = _DIVISORS + tuple(_PER_SECOND.get(kind, 1) for kind in kinds[24:])
    return _Shape(
        RowNames(NAMES[place] for place in places),
        tuple(divisors[place] for place in places),
        _picker(places),
        [Note(*NAMES[place][:2], _DECLINED) for place, kind in enumerate(kinds) if "+" in kind],
        "s" in text,
    )


def _picker(places: list[int]) -> Callable[[Sequence[str]], tuple[str, ...]]:
    if len(places) > 1:
        return itemgetter(*places)
    return lambda cells: tuple(cells[place] for place in places)


def _complaint(cells: list[str]) -> str:
    for place, cell in enumerate(cells):
        grammar = _KIND if place < 24 else re.compile(_LATENCY)
        if not grammar.fullmatch(_without_figures(cell)):
            operation, metric, _ = NAMES[place]
            return f"{cell[:40]!r} stands where bonnie++ prints the {metric} of {operation}"
    return "rates and CPU shares do not come in pairs: a field is lost or one too many"
