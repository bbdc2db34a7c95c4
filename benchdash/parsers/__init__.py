"""Tool output (bytes) to results. Pure: no file, no clock, no database.

A parser is a module (or package) with `TOOL`, `VERSION`, `live_points` for who watches a run, and
`read(source)`, which answers
- None: nothing of this tool is in the file (decided by a substring of `source.utf8`, cheaply),
- `Parsed`: its results, and in `incomplete` what of it could not be trusted,
- ParseError: the file is this tool's, and nothing of it can be trusted.
"""

from __future__ import annotations

import gc
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from typing import Protocol

from benchdash.errors import N_, cleaned, side_by_side
from benchdash.parsers import bonnie, dbench, fio, other_tools, pgbench, rados, rbd, sysbench
from benchdash.parsers.result import Parsed, ParseError, Point, Result
from benchdash.parsers.source import Source


class Parser(Protocol):
    """What each module of `PARSERS` offers; VERSION goes up whenever a number could change.

    `live_points` reads one line while the tool runs; `second` counts the lines that gave points.
    """

    TOOL: str
    VERSION: int

    def read(self, source: Source) -> Parsed | None: ...

    def live_points(self, line: str, second: int) -> Iterable[Point]: ...


_NOTHING = N_("no result found: output of no tool that is read stands in it")

PARSERS: tuple[Parser, ...] = (fio, bonnie, dbench, pgbench, sysbench, rados, rbd)


def parse(data: bytes, name: str = "") -> Parsed:
    """All results of one file, in reading order; ParseError where there is none.

    `name` is a hint for fio's bare logs and for nothing else. What is damaged beside whole
    results, and what a tool that is not read yet printed beside them, is named in
    `incomplete`: numbers that somebody put into a file are never passed over in silence.
    """
    with _collection_paused():
        return _parse(Source(data, name))


@contextmanager
def _collection_paused() -> Iterator[None]:
    """No search for cycles: results have none, and hold a hundred thousand containers a file.

    Brings 7 % of the time that fio JSON takes, which else falls to 0.6 of `json.loads`' speed.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _parse(source: Source) -> Parsed:
    results: list[Result] = []
    missing: list[str] = []
    for parser in PARSERS:
        try:
            parsed = parser.read(source)
        except ParseError as error:
            missing.append(error.sentence)
            continue
        if parsed is None:
            continue
        results += parsed.results
        missing += [parsed.incomplete] if parsed.incomplete else []
        if parsed.whole:
            return Parsed(results, _sentence(missing), whole=True)
    missing += other_tools.not_read(source)
    if not results:
        raise ParseError(_sentence(missing or other_tools.no_disk_result(source)) or _NOTHING)
    results.sort(key=lambda result: result.lines[0])
    return Parsed(results, _sentence(missing))


def _sentence(parts: list[str]) -> str | None:
    """One line for people; what it quotes of a damaged file may hold anything."""
    return cleaned(side_by_side(parts), _in_one_line) or None


def _in_one_line(text: str) -> str:
    return "".join(c if c.isprintable() else "\ufffd" for c in " ".join(text.split()))
