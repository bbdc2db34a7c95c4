"""Parses tool output (bytes) into results, without files, clock or database.

A parser is a module (or package) with `TOOL`, `VERSION`, `live_reader` for live charts of a run, and
`read(source)`, which returns
- None: the file has nothing of this tool (decided cheaply, by substrings of `source.utf8`),
- `Parsed`: its results, and in `incomplete` what could not be trusted,
or raises ParseError: the file is this tool's, and nothing of it can be trusted.
"""

from __future__ import annotations

import gc
import re
from bisect import bisect
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol

from benchdash.errors import N_, cleaned, side_by_side
from benchdash.parsers import bonnie, dbench, fio, other_tools, pgbench, rados, rbd, sysbench
from benchdash.parsers.result import LineReader, Parsed, ParseError, Result
from benchdash.parsers.source import Source
from benchdash.parsers.text import LineNumbers


class Parser(Protocol):
    """The interface of each module in `PARSERS`; VERSION is raised whenever a number could change.

    `live_reader` makes what reads the lines of one run, while it runs.
    """

    TOOL: str
    VERSION: int

    def read(self, source: Source) -> Parsed | None: ...

    def live_reader(self) -> LineReader: ...


_NOTHING = N_("no result found: this is not output of a tool that benchdash reads")

# one # begins a comment of a shell, or root's prompt
_HEADING = re.compile(rb"^#{2,6}[ \t]{1,8}([^\s#](?:[^\n]{0,98}[^\s#])?)", re.MULTILINE)

PARSERS: tuple[Parser, ...] = (fio, bonnie, dbench, pgbench, sysbench, rados, rbd)


def parse(data: bytes, name: str = "") -> Parsed:
    """All results of one file, in reading order; ParseError where there is none.

    `name` is a hint for fio's bare logs and for nothing else. Damage beside whole results, and
    output of tools that are not read yet, is named in `incomplete`: numbers in a file are never
    ignored silently.
    """
    with _collection_paused():
        return _parse(Source(data, name))


@contextmanager
def _collection_paused() -> Iterator[None]:
    """Pause the cyclic garbage collector: results have no cycles, but 100,000 containers a file.

    Saves 7 % of the time for fio JSON, which would drop to 0.6 of the speed of `json.loads`.
    """
    enabled = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if enabled:
            gc.enable()


def _parse(source: Source) -> Parsed:
    parsed = _read(source)
    if (figure := source.last_figure) and _at_the_end(source, parsed.results):
        _doubt(parsed.results, source, figure)
    return parsed


def _at_the_end(source: Source, results: list[Result]) -> bool:
    last = max(result.lines[1] for result in results)
    return last > source.text.count("\n")


def _doubt(results: list[Result], source: Source, figure: str) -> None:
    """Doubt the results of which a number is the last figure: it would grow with it."""
    for more in ("0", "5", ".5"):
        try:
            longer = _read(Source(source.utf8 + more.encode(), source.name)).results
        except ParseError:
            continue
        same = len(longer) == len(results)
        for result, other in zip(results, longer, strict=False) if same else ():
            if not result.doubts and result.by_name() != other.by_name():
                result.doubts.append(
                    N_(
                        "The file ends without a newline, and its last figure ({figure}) is one of "
                        "these numbers: it may have been cut. Compare it with the original file.",
                        figure=figure,
                    )
                )


def _read(source: Source) -> Parsed:
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
    _number_executions(results)
    _label_by_headings([result for result in results if not result.label], source)
    return Parsed(results, _sentence(missing))


def _label_by_headings(unlabelled: list[Result], source: Source) -> None:
    """Give results of tools that print no name the Markdown heading above each, where they differ."""
    if len(unlabelled) < 2 or not source.mentions(b"##"):
        return
    if source.utf8.count(b"\n") != source.text.count("\n"):  # lines of the text are other ones
        return
    numbers = LineNumbers(source.utf8)
    headings = [(numbers.at(found.start()), found[1]) for found in _HEADING.finditer(source.utf8)]
    lines = [line for line, _heading in headings]
    above = [bisect(lines, result.lines[0]) for result in unlabelled]
    labels = [headings[place - 1][1].decode(errors="ignore") if place else "" for place in above]
    if len(set(labels)) > 1:
        for result, label in zip(unlabelled, labels, strict=True):
            result.label = label


def _number_executions(results: list[Result]) -> None:
    """From 0 in reading order: each parser numbers only its own."""
    numbers: dict[tuple[str, int], int] = {}
    for result in results:
        key = result.tool, result.execution
        result.execution = numbers.setdefault(key, len(numbers))


def _sentence(parts: list[str]) -> str | None:
    """One printable line: what it quotes of a damaged file may contain anything."""
    return cleaned(side_by_side(parts), _in_one_line) or None


def _in_one_line(text: str) -> str:
    return "".join(c if c.isprintable() else "\ufffd" for c in " ".join(text.split()))
