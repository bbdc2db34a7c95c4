"""Finds fio's JSON documents in a file: one, several, in an array, with text around them.

Two decoders walk the bytes: one that only skips tells where a document ends, the typed one reads
it. No place is tried twice, so the time stays linear whatever the damage.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

import msgspec

from benchdash.parsers.fio.json_shapes import Document
from benchdash.parsers.lines import LineNumbers
from benchdash.parsers.result import ParseError

# of a web page, the first of them as its source has it
MARKS = (
    *(b'"fio version"', b'"fioversion"', b'"jobs"', b'"client_stats"'),
    *(b"&quot;fio version&quot;", b"&#34;fio version&#34;"),
)
_MANY = 1000  # more bad documents than anyone would mend
# An object costs memory, however small: fio's have 60 bytes and more, without a blank between.
_OBJECTS, _BYTES_AN_OBJECT = 10_000, 48
_JOBS = 10_000
_NUL = rb"\u0000"  # no database takes it, and fio never prints it
_START = re.compile(rb'\{\s*"')
_BYTE = re.compile(r"\(byte ([0-9]+)\)")
_TYPED = msgspec.json.Decoder(Document)
_SKIP = msgspec.json.Decoder(msgspec.Raw)


class Piece(NamedTuple):
    """A document and the bytes it was read from."""

    document: Document
    start: int
    end: int


@dataclass(slots=True)
class Found:
    """The documents in order, and one clause for each that cannot be read."""

    pieces: list[Piece] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)


def mentioned(data: bytes) -> bool:
    """The cheap look: could this hold fio JSON?"""
    return any(mark in data for mark in MARKS)


def whole(data: bytes) -> Document | None:
    """The document that fills the file from end to end, the usual case; None for any other."""
    if data.lstrip()[:1] != b"{" or (b"\\" in data and _NUL in data):
        return None
    if len(data) > _OBJECTS:
        _must_be_plausible(data)
    try:
        document = _TYPED.decode(data)
    except (msgspec.DecodeError, RecursionError, UnicodeDecodeError):
        return None
    _must_be_few(document.number_of_jobs)
    return document if document.has_jobs else None


def find(data: bytes) -> Found:
    """All fio documents of UTF-8 `data`."""
    _must_be_plausible(data)
    found, lines = Found(), LineNumbers(data)
    jobs = 0
    for start, end in _objects(data, found.problems, lines):
        problem = _read(data, start, end, found.pieces, lines)
        if not problem:
            jobs += found.pieces[-1].document.number_of_jobs
            _must_be_few(jobs)
        elif mentioned(data[start:end]):
            found.problems.append(problem)
            if len(found.problems) > _MANY:
                raise ParseError(f"{problem}, as in {_MANY} places before")
    return found


def _must_be_plausible(data: bytes) -> None:
    """ParseError where so many objects stand that hardly any can hold figures."""
    objects = data.count(b"{")
    if objects > _OBJECTS + len(data) // _BYTES_AN_OBJECT and mentioned(data):
        raise ParseError(f"JSON of {objects} objects in {len(data)} bytes is none of fio")


def _must_be_few(jobs: int) -> None:
    if jobs > _JOBS:
        raise ParseError(f"more than {_JOBS} fio jobs: split the file")


def _objects(data: bytes, problems: list[str], lines: LineNumbers) -> Iterator[tuple[int, int]]:
    """(start, end) of each JSON object of the top level; of damaged ones a clause."""
    position = 0
    while match := _START.search(data, position):
        start = match.start()
        position, broken = _end(data, start, lines)
        if not broken:
            yield start, position
        elif mentioned(data[start:position]):
            problems.append(broken)


def _end(data: bytes, start: int, lines: LineNumbers) -> tuple[int, str]:
    """Where the object ends or breaks, and in the second case how."""
    try:
        _SKIP.decode(memoryview(data)[start:])
    except msgspec.DecodeError as error:
        at = _BYTE.search(str(error))
        if at is None:
            return len(data), f"fio JSON ends too early at line {lines.at(len(data.rstrip()))}"
        end = start + int(at[1])
        if "trailing characters" in str(error):
            return end - 1, ""  # msgspec counts the character that it could not use
        word = data[end : end + 20].decode("utf-8", "replace").split(maxsplit=1)[:1]
        text = repr(word[0]) if word else "what follows"
        return max(end, start + 1), f"fio JSON breaks at line {lines.at(end)}, before {text}"
    except RecursionError:
        return len(data), f"JSON is nested too deeply at line {lines.at(start)}"
    return len(data), ""


def _read(data: bytes, start: int, end: int, pieces: list[Piece], lines: LineNumbers) -> str:
    """Add the document to `pieces`; else say why not."""
    try:
        document = _TYPED.decode(memoryview(data)[start:end])
    except msgspec.DecodeError as error:
        return _refusal(str(error), lines.at(start))
    except UnicodeDecodeError:
        return f"fio JSON of line {lines.at(start)} is not UTF-8"
    if data.find(_NUL, start, end) >= 0:
        return f"fio JSON of line {lines.at(start)} holds a NUL character"
    if not document.has_jobs:
        return f"fio JSON without jobs at line {lines.at(start)}"
    pieces.append(Piece(document, start, end))
    return ""


def _refusal(error: str, line: int) -> str:
    text, _, path = error.partition(" - at `$.")
    place = path.rstrip("`")
    if place in ("jobs", "client_stats", ""):
        return f"fio JSON without jobs at line {line}"
    return f"fio JSON of line {line}: {place} cannot be measured ({text.replace('`', '')})"
