"""Tool output (bytes) to results. Pure: no file, no clock, no database.

A parser is a module (or package) with `TOOL`, `VERSION` and `read(source)`, which answers
- None: nothing of this tool is in the file (decided by a substring of `source.utf8`, cheaply),
- `Parsed`: its results, and in `incomplete` what of it could not be trusted,
- ParseError: the file is this tool's, and nothing of it can be trusted.
"""

from __future__ import annotations

from operator import attrgetter
from typing import Protocol

from benchdash.parsers import bonnie, collector, dbench, fio, other_tools, pgbench
from benchdash.parsers.result import Parsed, ParseError, Result
from benchdash.parsers.source import Source


class Parser(Protocol):
    """What each module of `PARSERS` offers; VERSION goes up whenever a number could change."""

    TOOL: str
    VERSION: int

    def read(self, source: Source) -> Parsed | None: ...


_NOTHING = "no result found: neither bonnie++, fio, dbench nor pgbench output stands in it"

PARSERS: tuple[Parser, ...] = (fio, bonnie, dbench, pgbench)


@collector.paused
def parse(data: bytes, name: str = "") -> Parsed:
    """All results of one file, in reading order; ParseError where there is none.

    `name` is a hint for fio's bare logs and for nothing else. What is damaged beside whole
    results, and what a tool that is not read yet printed beside them, is named in
    `incomplete`: numbers that somebody put into a file are never passed over in silence.
    """
    source = Source(data, name)
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
    results.sort(key=attrgetter("first_line"))
    return Parsed(results, _sentence(missing))


def _sentence(parts: list[str]) -> str | None:
    """One line for people; what it quotes of a damaged file may hold anything."""
    if not parts:
        return None
    line = " ".join("; ".join(parts).split())
    return "".join(c if c.isprintable() else "\ufffd" for c in line)
