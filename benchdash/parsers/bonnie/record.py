"""One bonnie++ run as its CSV line has it, whether read there or from the table for people."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from msgspec import Struct

from benchdash.parsers.bonnie.cells import measure
from benchdash.parsers.result import ParseError, Result
from benchdash.vocabulary.units import BINARY
from benchdash.vocabulary.workloads import typed

_SIZE = re.compile(r"([0-9]{1,9})([KMGT])(?::([0-9]{1,9})([kmKM]?))?")
_FILES = re.compile(
    r"([0-9]{1,9})(?::(link|symlink|[0-9]{1,12})(?::([0-9]{1,12}))?)?(?:/([0-9]{1,9}))?"
)
_COUNT = re.compile(r"[0-9]{1,9}")
_FILES_UNIT = 1024  # -n counts files in multiples of 1024
_PLAUSIBLE = range(946684800, 4102444800)  # 2000 to 2100
_WRONG_RATE = "left out: the table of bonnie++ 1.98 and later prints a wrong rate, its CSV line not"


class Record(Struct, gc=False):
    """The fields of one run as printed; "" where not printed.

    `cells` are those of `cells.py`, `size` is `16G` or with the chunk `1G:32k`, `files` is `16`,
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
    wrong_rates: list[str] = []

    def result(self) -> Result:
        """The result; ParseError where a field cannot be what it should be."""
        asked = (self.size, self.files, self.concurrency, self.seeks, self.seek_processes)
        workload, details = _facts(*asked)
        result = Result(
            "bonnie++",
            self.version,
            self.format,
            self.name,
            workload=workload,
            kept=(details, "seed", self.seed) if self.seed else details,
            first_line=self.lines[0],
            last_line=self.lines[1],
        )
        if self.seed:
            result.started_at = self._started_at()
        measure(result, self.cells)
        for operation in self.wrong_rates:
            result.note(operation, "rate", _WRONG_RATE)
        return result

    def _started_at(self) -> datetime | None:
        """The seed is the start time in Unix seconds, unless -z gave another."""
        if not (self.seed.isascii() and self.seed.isdigit() and len(self.seed) <= 10):
            return None
        seconds = int(self.seed)
        return datetime.fromtimestamp(seconds, UTC) if seconds in _PLAUSIBLE else None


@lru_cache(maxsize=256)
def _facts(
    size: str, files: str, concurrency: str, seeks: str, seek_processes: str
) -> tuple[dict[str, Any], dict[str, Any]]:
    """(workload, details) of what the tool was told; ParseError where one is not its grammar."""
    for text in (concurrency, seeks, seek_processes):
        if text and not _COUNT.fullmatch(text):
            raise ParseError(f"{text[:40]!r} stands where a count belongs: is a field too many?")
    sized, filed = _SIZE.fullmatch(size), _FILES.fullmatch(files)
    if (size and not sized) or (files and not filed):
        wrong, what = (files, "number of files") if sized or not size else (size, "file size")
        raise ParseError(f"{wrong[:40]!r} stands where bonnie++ prints the {what}")
    workload = typed(
        {
            "block_bytes": _bytes(sized[3], sized[4]) if sized and sized[3] else None,
            "file_bytes": _bytes(sized[1], sized[2]) if sized else None,
            "files": int(filed[1]) * _FILES_UNIT if filed else None,
            "concurrency": int(concurrency) if concurrency else None,
        }
    )
    details = _file_details(filed) if filed else {}
    asked = {"seeks": seeks, "seek_processes": seek_processes}
    return workload, details | {key: int(text) for key, text in asked.items() if text}


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
