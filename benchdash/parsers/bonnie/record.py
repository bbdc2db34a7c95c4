"""One bonnie++ run as its CSV line has it, whether read there or from the table for people.

The cells of a run are 12 pairs of rate and CPU, and 12 latencies where it has them. Their order and
units are the same in every version: KiB/s for the five transfer tests ("a multiple of 1024 bytes
per second", man page), 1/s for seeks and files, % of a CPU after each rate, then the longest single
operation of each test (1.9x and later). An empty cell is a test that was not run; `+++++` is one
that took under half a second, too short to measure.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from benchdash.errors import N_
from benchdash.parsers.options import canonical, without_defaults
from benchdash.parsers.result import Name, ParseError, Result
from benchdash.vocabulary.units import BINARY
from benchdash.vocabulary.workloads import typed

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
# by these a cell is divided: KiB/s to B/s (exact, a power of two), 1/s as it is, % to a share
_DIVISORS = (1 / 1024, 100) * 5 + (1, 100) * 7
_NUMBER = r"(?:0|[1-9][0-9]{0,14})(?:\.[0-9]{1,9})?"
_PAIR = rf"(?:{_NUMBER},(?:{_NUMBER})?|,{_NUMBER}|\+{{3,6}},\+{{2,4}}|,)"
_LATENCY = rf"(?:{_NUMBER}[um]?s)?"
_CELLS = re.compile(rf"{_PAIR}(?:,{_PAIR}){{11}}(?:(?:,{_LATENCY}){{12}})?")
_PER_SECOND = {"us": 1e6, "ms": 1e3, "s": 1}
_SIZE = re.compile(r"([0-9]{1,9})([KMGT])(?::([0-9]{1,9})([kmKM]?))?")
_FILES = re.compile(
    r"([0-9]{1,9})(?::(link|symlink|[0-9]{1,12})(?::([0-9]{1,12}))?)?(?:/([0-9]{1,9}))?"
)
_COUNT = re.compile(r"[0-9]{1,9}")
_FILES_UNIT = 1024  # -n counts files in multiples of 1024
_PLAUSIBLE = range(946684800, 4102444800)  # the years 2000 to 2100, as Unix time
_OPTIONS = (
    *("file_kind", "max_file_bytes", "min_file_bytes", "directories"),
    *("seeks", "seek_processes"),
)
_DEFAULTS = {"seeks": "8192", "seek_processes": "5"}
_WRONG_RATE = N_(
    "left out: the table of bonnie++ 1.98 and later prints a wrong rate, its CSV line not"
)


@dataclass(slots=True)
class Record:
    """The fields of one run as printed; "" where not printed.

    `cells` are those of the module's docstring, `size` is `16G` or with the chunk `1G:32k`, `files` is `16`,
    `16:link`, `2:8192:1024` (largest and smallest in bytes) or `2:8192:1024/3` (directories).
    """

    format: str
    version: str
    name: str
    size: str
    files: str
    cells: list[str]
    concurrency: str = ""
    seed: str = ""
    seeks: str = ""
    seek_processes: str = ""
    lines: tuple[int, int] = (0, 0)
    wrong_rates: list[str] = field(default_factory=list)

    def result(self) -> Result:
        """The result; ParseError where a field cannot be what it should be."""
        workload, details = self._workload()
        if self.seed:
            details["seed"] = self.seed
        result = Result(
            "bonnie++",
            self.version,
            self.format,
            self.name,
            started_at=self._started_at(),
            workload=workload,
            details=details,
            options=_options(details),
            lines=self.lines,
        )
        _measure(result, self.cells)
        for operation in self.wrong_rates:
            result.note(operation, "rate", _WRONG_RATE)
        return result

    def _started_at(self) -> datetime | None:
        """The seed is the start time in Unix seconds, unless -z gave another."""
        if not (self.seed.isascii() and self.seed.isdigit() and len(self.seed) <= 10):
            return None
        seconds = int(self.seed)
        return datetime.fromtimestamp(seconds, UTC) if seconds in _PLAUSIBLE else None

    def _workload(self) -> tuple[dict[str, Any], dict[str, Any]]:
        """(workload, details) in the command; ParseError where a field is not its grammar."""
        for text in (self.concurrency, self.seeks, self.seek_processes):
            if text and not _COUNT.fullmatch(text):
                raise ParseError(
                    "expected a count, found {text}: is there an extra field?",
                    text=repr(text[:40]),
                )
        sized, filed = _SIZE.fullmatch(self.size), _FILES.fullmatch(self.files)
        if (self.size and not sized) or (self.files and not filed):
            wrong, what = self.files, "number of files"
            if self.size and not sized:
                wrong, what = self.size, "file size"
            raise ParseError(
                "expected the {what} from bonnie++, found {text}", text=repr(wrong[:40]), what=what
            )
        workload = typed(
            {
                "block_bytes": _bytes(sized[3], sized[4]) if sized and sized[3] else None,
                "file_bytes": _bytes(sized[1], sized[2]) if sized else None,
                "files": int(filed[1]) * _FILES_UNIT if filed else None,
                "concurrency": int(self.concurrency) if self.concurrency else None,
            }
        )
        details = _file_details(filed) if filed else {}
        counts = {"seeks": self.seeks, "seek_processes": self.seek_processes}
        return workload, details | {key: int(text) for key, text in counts.items() if text}


def _options(details: dict[str, Any]) -> dict[str, str]:
    """Sizes and number of the small files, and how 1.98 and later seek."""
    found = {name: str(details[name]) for name in _OPTIONS if name in details}
    return canonical(without_defaults(found, _DEFAULTS).items())


def _file_details(files: re.Match[str]) -> dict[str, Any]:
    kind = files[2] if files[2] and not files[2].isdigit() else None
    numbers = {
        "max_file_bytes": None if kind else files[2],
        "min_file_bytes": files[3],
        "directories": files[4],
    }
    details: dict[str, Any] = {key: int(text) for key, text in numbers.items() if text}
    return details | ({"file_kind": kind} if kind else {})


def _bytes(number: str, unit: str) -> int:
    return int(number) * BINARY[unit.upper()]


def _measure(result: Result, cells: list[str]) -> None:
    """Give `result` the figures of the 24 or 36 cells; ParseError names the one that is none."""
    row = ",".join(cells)
    # a spreadsheet's quotes may hold a comma
    if row.count(",") >= len(cells) or not _CELLS.fullmatch(row):
        raise ParseError(_complaint(cells))
    if not any(cells):
        raise ParseError("no test was run: all cells are empty")
    figures = {
        name: float(cell) / divisor
        for name, cell, divisor in zip(NAMES, cells, _DIVISORS, strict=False)
        if cell and cell[0] != "+"
    }
    for name, cell in zip(NAMES[24:], cells[24:], strict=False):
        if cell:
            number = cell.rstrip("ums")
            figures[name] = float(number) / _PER_SECOND[cell[len(number) :]]
    result.measure_all(tuple(figures), tuple(figures.values()))
    if "+" in row:
        declined = (name for name, cell in zip(NAMES, cells, strict=False) if cell[:1] == "+")
        for operation, metric, _ in declined:
            result.note(operation, metric, N_("too fast to measure"))


def cells_of(numbers: Mapping[Name, float]) -> list[str]:
    """The cells of a result that is read already, all written alike; empty where it has no number."""
    cells = [
        f"{numbers[name] * divisor:.9f}" if name in numbers else ""
        for name, divisor in zip(NAMES, _DIVISORS, strict=False)
    ]
    latencies = [f"{numbers[name]:.9f}" if name in numbers else "" for name in NAMES[24:]]
    return cells + latencies if any(latencies) else cells


def _complaint(cells: list[str]) -> str:
    for place, cell in enumerate(cells):
        grammar = rf"(?:{_NUMBER}|\+{{2,6}})?" if place < 24 else _LATENCY
        if not re.fullmatch(grammar, cell):
            operation, metric, _ = NAMES[place]
            return N_(
                "expected the {metric} of {operation} from bonnie++, found {text}",
                text=repr(cell[:40]),
                metric=metric,
                operation=operation,
            )
    return N_("rates and CPU shares do not pair up: a field is missing or extra")
