"""The CSV line of every bonnie++: read by position, told by its count of fields, never by a header.

    1.00-1.03   27 fields: name,size, 6 pairs, files, 6 pairs
    1.92-1.97   48 fields: format,version,name,concurrency,seed,size,chunk, 6 pairs,
                files,max,min,file_chunk,directories, 6 pairs, 12 latencies
    early 1.9x  45 (without concurrency, seed, file_chunk), 46 and 47 between
    1.98-2.00a  50 fields: seeks,seek_processes after the chunk

The header of `-x` lacks the last two names and swaps file_chunk and directories, and a name with
a comma in it shifts all: a line of any other count is damaged. Spreadsheets turn commas into
semicolons or tabs, put fields in quotes and add empty ones at the end.
"""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator

from benchdash.parsers.bonnie.record import Record
from benchdash.parsers.result import ParseError
from benchdash.parsers.text import numbered_lines

_LENGTHS = range(26, 4001)
_FEWEST = 9  # separators of a line that is worth a complaint where it was cut
_JUNK = " \t>|#*`"
_END = " `|"
_VERSIONED = re.compile(r'(?:^|[\s:>|])(?="?(?:2|[12]\.[0-9]{2}[a-z]?)"?[,;\t]"?[12]\.[0-9]{2})')
_SIZED = re.compile(
    r'[ \t>|#*`]{0,40}+[^,;\t]{0,400}+[,;\t]"?[0-9]{1,9}[KMGT](?::[0-9]+[km]?)?"?[,;\t]'
    r'(?:["0-9.+,;\t-]|nan|inf)'
)
# What every such line has somewhere: a size, a version, or a row of empty fields. A pattern that
# begins with one letter is found four times as quickly as one that begins with any of three.
_SOME = tuple(
    re.compile(
        separator
        + r'(?! )(?:"?[0-9]{1,9}[KMGT](?::[0-9]+[km]?)?"?[,;\t]|"?[12]\.[0-9]{2}'
        + r'|(?:(?:"")?[,;\t]){12})'
    )
    for separator in ",;\t"
)
_VERSION = re.compile(r"[12]\.[0-9]{2}[a-z]?")
_CELL = re.compile(r"[0-9]+(?:\.[0-9]+)?|\+{2,6}")
_FIRST_FORMAT = "2"  # the format version of the first 1.9x sources, older than "1.92"


def csv_lines(text: str) -> Iterator[tuple[int, list[str]]]:
    """(number from 1, fields) of every line that is bonnie++'s by its first fields, even damaged."""
    for number, line in numbered_lines(text) if any(s.search(text) for s in _SOME) else ():
        if len(line) not in _LENGTHS:
            continue
        separator, count = ",", line.count(",")
        if count < _FEWEST:
            separator = max(";\t", key=line.count)
            count = line.count(separator)
        if count < _FEWEST:
            continue
        if _SIZED.match(line):
            yield number, _split(line.lstrip(_JUNK), separator)
        elif start := _VERSIONED.search(line, 0, 200):
            yield number, _split(line[start.end() :], separator)
        elif count == 26:
            fields = _split(line.lstrip(_JUNK), separator)
            if _only_files(fields):
                yield number, fields
        elif count > 26 and _SIZED.match(line, line.index(separator) + 1):
            yield number, _split(line, separator)  # a name with a comma


def read(fields: list[str]) -> Record:
    """The run of one line; ParseError with the count of fields where it is not the version's."""
    if len(fields) != 27 and _are_versions(*fields[:2]):
        return _versioned(fields)
    fields = _trimmed(fields, (27,))
    cells = fields[2:14] + fields[15:27]
    return Record("bonnie++/csv-1.03", "", fields[0], fields[1], fields[14], cells)


def _are_versions(first: str, second: str = "") -> bool:
    known_format = first == _FIRST_FORMAT or _VERSION.fullmatch(first)
    return bool(known_format and _VERSION.fullmatch(second))


def _versioned(fields: list[str]) -> Record:
    new = fields[0] != _FIRST_FORMAT and fields[0] >= "1.98"
    fields = _trimmed(fields, (50,) if new else (48, 47, 46, 45))
    version, name = fields[1:3]
    head, files, cells = _new(fields) if new else _old(fields)
    concurrency, seed, size, chunk, seeks, seek_processes = head
    if cells[22] and not cells[35] and any(cells[24:]):
        raise ParseError(
            "a CSV line of bonnie++ {version} is cut off before its last latency", version=version
        )
    label = f"{size}:{chunk}" if chunk else size
    record = Record("", version, name, label, _files(files), cells, concurrency, seed)
    record.format = "bonnie++/csv-1.98" if new else "bonnie++/csv-1.96"
    record.seeks, record.seek_processes = seeks, seek_processes
    return record


def _new(fields: list[str]) -> tuple[list[str], list[str], list[str]]:
    """(concurrency to seek processes, the five of the files, the cells)."""
    return fields[3:9], fields[21:26], fields[9:21] + fields[26:50]


def _old(fields: list[str]) -> tuple[list[str], list[str], list[str]]:
    rest = fields[3:]
    numbered = rest[0].isdigit()
    seeded = numbered and len(fields) > 46
    start = numbered + seeded
    size, chunk, *transfers = rest[start : start + 14]
    files = rest[start + 14 : -24]
    if len(files) not in (4, 5):
        raise ParseError(
            "expected the concurrency from bonnie++, found {text}", text=repr(rest[0][:40])
        )
    files = files if len(files) == 5 else [*files[:3], "", *files[3:]]
    head = [rest[0] if numbered else "", rest[1] if seeded else "", size, chunk, "", ""]
    return head, files, transfers + rest[-24:]


def _files(fields: list[str]) -> str:
    number, largest, smallest, _, directories = fields
    sizes = ":".join(text for text in (number, largest, smallest) if text)
    return f"{sizes}/{directories}" if directories else sizes


def _split(line: str, separator: str) -> list[str]:
    if '"' in line:
        return next(csv.reader([line.rstrip(_END)], delimiter=separator))
    return (line if separator == "\t" else line.rstrip(_END)).split(separator)


def _trimmed(fields: list[str], counts: tuple[int, ...]) -> list[str]:
    if len(fields) not in counts:
        if not any(fields[counts[0] :]) and len(fields) > counts[0]:
            return fields[: counts[0]]
        of = f"bonnie++ {fields[1]}" if _are_versions(*fields[:2]) else "bonnie++ 1.03"
        raise ParseError(
            "a CSV line of {of} has {expected} fields, this one has {fields}",
            of=of,
            expected=counts[0],
            fields=len(fields),
        )
    return fields


def _only_files(fields: list[str]) -> bool:
    """A 1.03 line of `-s 0`: everything empty up to the number of files, all figures after it."""
    if len(fields) != 27 or any(fields[1:14]) or not fields[14]:
        return False
    return all(_CELL.fullmatch(cell) for cell in fields[15:])
