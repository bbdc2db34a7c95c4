"""The table for people: an I/O part and a file part, each with heads, rows and latencies.

Read by tokens, since pastes lose leading blanks and collapse runs of them: after the size stand
12 figures, or 8 where `-f` left the per-character tests out; after the number of files stand 12.
1.98 and later print rates as `540k`, `50.6m`, `1.4g` and put chunk, concurrency and seeks behind
the size; their own table has wrong file rates (a double printed with %d), while `+++++`, CPU and
latencies in it are right. bon_csv2txt lists all I/O rows before all file rows, gets the rates
right, and prints a rate of `+++++` as `0k`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

from benchdash.parsers.lines import LineNumbers, lines_from

HEAD = "Sequential "
_VERSION = re.compile(r"[0-9]\.[0-9]{2}[a-z]?")
_VALUE = re.compile(r"[0-9]{1,15}(?:\.[0-9]{1,6})?[kmg]?|\+{2,6}")
_SIZE = re.compile(r"[0-9]{1,9}[KMGT](?::[0-9]{0,9}[kmKM]?){0,4}")
_FILES = re.compile(r"[0-9]{1,9}(?::(?:link|symlink|[0-9]{0,12})){0,4}(?:/[0-9]{1,9})?")
_LATENCY = re.compile(r"[0-9]{1,9}[um]?s")
_CONCURRENCY = re.compile(r"Concurrency\s+([0-9]{1,9})")
_BEGINNING = re.compile(r"L[atency]*|V[ersion]*(?:\s.*)?|[-\s]*(?:S[equntialCr ]*)?")
_TOKEN = re.compile(r"\S+")
_SHARE = len(" 100")  # a CPU share is three wide, with a blank before
_QUOTE = " \t>|#*`"
_LONGEST_LINE = 1000
_PATIENCE = 3  # lines of others between a head and its rows


@dataclass(slots=True)
class Row:
    """One row of figures, with the latencies under it."""

    line: int
    name: str
    label: str
    figures: list[str]
    latencies: list[str] = field(default_factory=list)


@dataclass(slots=True)
class Part:
    """One head with the rows under it: `kind` is Output or Create.

    `damage` is (line, sentence) where the figures cannot be trusted; `at_end`: the text ended here.
    """

    kind: str
    version: str
    first: int
    last: int
    versioned: bool = False
    name: str = ""
    concurrency: str = ""
    rows: list[Row] = field(default_factory=list)
    damage: tuple[int, str] | None = None
    at_end: bool = True


def parts(text: str) -> Iterator[Part]:
    """The parts of all tables of `text`, in reading order."""
    numbers = LineNumbers(text)
    offset = text.find(HEAD)
    while offset >= 0:
        start = text.rfind("\n", 0, offset) + 1
        end = text.find("\n", offset)
        end = end if end >= 0 else len(text)
        part = _headed(text[start : min(end, start + _LONGEST_LINE)])
        if part:
            part.first = part.last = numbers.at(start)
            _fill(part, text, end + 1)
            yield part
        offset = text.find(HEAD, end)


def _headed(line: str) -> Part | None:
    for kind in ("Output", "Create"):
        before, found, _ = line.partition(f"Sequential {kind}")
        if found and before.rstrip().endswith("--"):
            words = before.rstrip(" \t-").split()
            version = words[-1] if words and _VERSION.fullmatch(words[-1]) else ""
            return Part(kind, version, 0, 0, versioned=bool(version))
    return None


def _fill(part: Part, text: str, start: int) -> None:
    """Give `part` everything from `start` to the first line that is no longer of its table."""
    strangers = 0
    following = lines_from(text, start) if start <= len(text) else iter(())
    for number, (offset, whole) in enumerate(following, part.first + 1):
        line = whole[:_LONGEST_LINE].strip(_QUOTE)
        last = offset + len(whole) == len(text)
        if not line:
            continue
        if _take(part, line, number):
            part.last = number
            if last and _is_cut(part, line):
                part.damage = (number, "the text ends within a row of the table")
            elif not part.damage and _is_narrow(part, line):
                _cut_off(part, number)
            continue
        strangers += 1
        if HEAD in line or part.rows or part.damage or strangers > _PATIENCE:
            begun = part.kind == "Output" or not part.version or _BEGINNING.fullmatch(line)
            part.at_end = last and bool(begun)
            break
    if not part.rows and not part.damage:
        part.damage = (part.first, "a bonnie++ table without figures")


def _is_cut(part: Part, line: str) -> bool:
    """A row of -f has eight figures, and so has the first part of any other."""
    row = part.rows[-1].figures if part.rows and not part.rows[-1].latencies else []
    return len(row) == 8 or _is_narrow(part, line)


def _is_narrow(part: Part, line: str) -> bool:
    """Whether the last CPU share alone takes less room than any has: its end is missing."""
    if not part.rows or part.rows[-1].line != part.last or "  " not in line:
        return False
    ends = [token.end() for token in _TOKEN.finditer(line)][-len(part.rows[-1].figures) :]
    room = [share - rate for rate, share in zip(ends[::2], ends[1::2], strict=True)]
    return room[-1] < _SHARE <= min(room[:-1])


def _cut_off(part: Part, number: int) -> None:
    part.damage = (number, "the table is cut off on the right: figures may be too")


def _take(part: Part, line: str, number: int) -> bool:
    """Whether `line` belongs to the part; what it says is kept."""
    if line.startswith("Latency"):
        return _take_latencies(part, line.split()[1:], number)
    if "-Per Chr-" in line or "-Create-" in line:
        concurrency = _CONCURRENCY.search(line)
        part.concurrency = concurrency[1] if concurrency else ""
        part.name = line.partition("-Create-")[0].strip() if part.kind == "Create" else ""
        return True
    if "%CP" in line:
        if line.endswith(("%", "%C")):
            _cut_off(part, number)
        return True
    return _take_row(part, line.split(), number)


def _take_latencies(part: Part, tokens: list[str], number: int) -> bool:
    if not part.rows or part.rows[-1].latencies:
        return False
    if not all(_LATENCY.fullmatch(token) for token in tokens):
        part.damage = (number, "a row of latencies that are not all times")
    elif len(tokens) != len(part.rows[-1].figures) // 2:
        part.damage = (number, f"{len(tokens)} latencies under another number of tests")
    part.rows[-1].latencies = tokens
    return True


def _take_row(part: Part, tokens: list[str], number: int) -> bool:
    count = 0
    while count < len(tokens) and _VALUE.fullmatch(tokens[-1 - count]):
        count += 1
    output = part.kind == "Output"
    count = count if output else min(count, 12)
    label = len(tokens) - count - 1
    labelled = label >= 0 and bool((_SIZE if output else _FILES).fullmatch(tokens[label]))
    if count == len(tokens) < 5 and part.rows and part.rows[-1].line == number - 1:
        part.damage = (number, "a row of figures goes on in the next line: the text was wrapped")
        return True
    if count < 4 or not (labelled or (not output and label < 0)):
        return False
    if labelled and (count == 12 or (output and count == 8)):
        part.rows.append(Row(number, " ".join(tokens[:label]), tokens[label], tokens[-count:]))
    else:
        part.damage = (number, f"{count} figures where 12 belong")
    return True
