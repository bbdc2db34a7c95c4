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
from itertools import zip_longest

from benchdash.errors import N_
from benchdash.parsers.bonnie.record import TESTS, Record
from benchdash.parsers.text import LineNumbers, lines_from

_HEAD = "Sequential "
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
_PATIENCE = 3  # foreign lines that may stand between a head and its rows
_NEAR = 12  # lines between the two parts of one table
_KIB = {"k": 1, "m": 2**10, "g": 2**20}  # rates of the CSV line are KiB/s
_NO_LATENCIES = [""] * 6


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


def _parts(text: str) -> Iterator[Part]:
    """The parts of all tables of `text`, in reading order."""
    numbers = LineNumbers(text)
    offset = text.find(_HEAD)
    while offset >= 0:
        start = text.rfind("\n", 0, offset) + 1
        end = text.find("\n", offset)
        end = end if end >= 0 else len(text)
        part = _headed(text[start : min(end, start + _LONGEST_LINE)])
        if part:
            part.first = part.last = numbers.at(start)
            _fill(part, text, end + 1)
            yield part
        offset = text.find(_HEAD, end)


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
                part.damage = (number, N_("the text ends within a row of the table"))
            elif not part.damage and _is_narrow(part, line):
                _cut_off(part, number)
            continue
        strangers += 1
        if _HEAD in line or part.rows or part.damage or strangers > _PATIENCE:
            begun = part.kind == "Output" or not part.version or _BEGINNING.fullmatch(line)
            part.at_end = last and bool(begun)
            break
    if not part.rows and not part.damage:
        part.damage = (part.first, N_("a bonnie++ table without figures"))


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
    part.damage = (number, N_("the table is cut off on the right: figures may be cut too"))


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
        part.damage = (number, N_("a row of latencies has values that are not times"))
    elif len(tokens) != len(part.rows[-1].figures) // 2:
        part.damage = (
            number,
            N_("{count} latencies under a different number of tests", count=len(tokens)),
        )
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
        part.damage = (
            number,
            N_("a row of figures is split across lines: the text was wrapped"),
        )
        return True
    if count < 4 or not (labelled or (not output and label < 0)):
        return False
    if labelled and (count == 12 or (output and count == 8)):
        part.rows.append(Row(number, " ".join(tokens[:label]), tokens[label], tokens[-count:]))
    else:
        part.damage = (number, N_("{count} figures instead of 12", count=count))
    return True


@dataclass(slots=True)
class Table:
    """One run of a table, or (`record` None) the damage that stands where a table should.

    `warning` is (line, sentence) of what may be missing although the record is whole.
    """

    lines: tuple[int, int]
    record: Record | None = None
    damage: tuple[int, str] | None = None
    warning: tuple[int, str] | None = None


def tables(text: str) -> Iterator[Table]:
    """Every run of every table of `text`, in reading order."""
    waiting: Part | None = None
    for part in _parts(text):
        if part.kind == "Create" and waiting and _belongs(waiting, part):
            yield from _joined(waiting, part)
            waiting = None
            continue
        if waiting:
            yield from _joined(waiting, None)
        waiting = part if part.kind == "Output" else None
        if part.kind == "Create":
            yield from _joined(None, part)
    if waiting:
        yield from _joined(waiting, None, blank_end=text.endswith("\n\n"))


def _belongs(io: Part, files: Part) -> bool:
    names = (io.rows[0].name if io.rows else "", files.name)
    return files.first - io.last <= _NEAR and (not all(names) or _same_name(*names))


def _same_name(one: str, other: str) -> bool:
    """Tables cut names to what fits, differently in both parts."""
    length = min(len(one), len(other))
    return one[:length] == other[:length]


def _joined(io: Part | None, files: Part | None, *, blank_end: bool = False) -> Iterator[Table]:
    whole = [part for part in (io, files) if part]
    lines = (whole[0].first, whole[-1].last)
    damage = next((part.damage for part in whole if part.damage), None) or _cut(whole)
    pairs = _row_pairs(io.rows if io else [], files.rows if files else [])
    if damage or not pairs:
        unequal = (
            lines[0],
            N_("the rows in the two parts of a bonnie++ table do not match"),
        )
        yield Table(lines, damage=damage or unequal)
        return
    doubt = (lines[1], N_("the text ends before the end of the table: figures may be missing"))
    warning = doubt if _may_be_cut(io, files, blank_end=blank_end) else None
    for io_row, file_row in pairs:
        record = _record(io, io_row, files, file_row)
        record.lines = lines
        yield Table(lines, record, warning=warning)


def _may_be_cut(io: Part | None, files: Part | None, *, blank_end: bool) -> bool:
    """1.9x and later end every row of figures with latencies, and the I/O part with a blank line."""
    if io is None:
        return False
    new = io.version >= "1.9"
    if files is None:
        return io.at_end and not (new and blank_end)
    return files.at_end and not new and len(files.rows) != len(io.rows)


def _row_pairs(io: list[Row], files: list[Row]) -> list[tuple[Row | None, Row | None]]:
    """The rows of each run; bon_csv2txt leaves out the part that a run did not do."""
    if of_diff := _pairs_of_diff(io, files):
        return of_diff
    if len(io) == len(files) or not (io and files):
        return list(zip_longest(io, files))
    if len({row.name for row in io}) < len(io) or len({row.name for row in files}) < len(files):
        return []
    pairs: list[tuple[Row | None, Row | None]] = []
    rest = list(files)
    for row in io:
        same = next((other for other in rest if _same_name(row.name, other.name)), None)
        rest = [other for other in rest if other is not same]
        pairs.append((row, same))
    return pairs + [(None, other) for other in rest]


def _pairs_of_diff(io: list[Row], files: list[Row]) -> list[tuple[Row | None, Row | None]]:
    """The run before and the run after, of a table that was pasted as a diff; else none.

    Rows that changed stand twice, `-host …` and `+host …`; one that did not is of both runs.
    """
    signed = [rows for rows in (io, files) if [row.name[:1] for row in rows] == ["-", "+"]]
    whole = [rows for rows in (io, files) if len(rows) == 1]
    alike = all(rows[0].name[1:] == rows[1].name[1:] for rows in signed)
    if not signed or not alike or len(signed) + len(whole) < bool(io) + bool(files):
        return []
    for row in (row for rows in signed for row in rows):
        row.name = row.name[1:].strip()
    one, other = (rows * 2 if len(rows) == 1 else rows for rows in (io, files))
    return list(zip_longest(one, other))


def _cut(whole: list[Part]) -> tuple[int, str] | None:
    """A table of 1.9x or later that ends with the text and has no latencies was cut off."""
    version, last = whole[0].version or whole[-1].version, whole[-1]
    if last.at_end and version >= "1.9" and not last.rows[-1].latencies:
        return (last.last, N_("the table ends too early: no latencies"))
    return None


def _record(
    io: Part | None, io_row: Row | None, files: Part | None, file_row: Row | None
) -> Record:
    version = (io and io.version) or (files and files.version) or ""
    cells = _io_figures(io_row) + (file_row.figures if file_row else [""] * 12)
    latencies = _latencies(io_row) + ((file_row and file_row.latencies) or _NO_LATENCIES)
    cells += latencies if any(latencies) else []
    names = (io_row and io_row.name, file_row and file_row.name, files and files.name)
    name = max((name for name in names if name), key=len, default="")
    record = Record(_format(version), version, name, "", "", cells)
    own = bool(files and files.versioned)
    if own and version >= "1.98":
        _leave_wrong_rates_out(record)
    record.concurrency = io.concurrency if io else ""
    if io_row:
        _read_size(record, io_row.label.split(":"), own=own)
    if file_row:
        record.files = _files(file_row.label)
    return record


def _format(version: str) -> str:
    family = "1.98" if version >= "1.98" else "1.96" if version >= "1.9" else "1.03"
    return f"bonnie++/table-{family}"


def _io_figures(row: Row | None) -> list[str]:
    if row is None:
        return [""] * 12
    figures = row.figures
    if len(figures) == 8:
        figures = ["", "", *figures[:4], "", "", *figures[4:]]
    return [_in_kib(text) for text in figures]


def _latencies(row: Row | None) -> list[str]:
    found = row.latencies if row else []
    if len(found) == 4:
        return ["", *found[:2], "", *found[2:]]
    return found or _NO_LATENCIES


def _in_kib(text: str) -> str:
    """`540k`, `50.6m` and `1.4g` as the CSV line has them; `0k` is bon_csv2txt's `+++++`."""
    if text == "0k":
        return "+++++"
    return f"{float(text[:-1]) * _KIB[text[-1]]:.6f}" if text[-1:] in _KIB else text


def _leave_wrong_rates_out(record: Record) -> None:
    for index, (operation, _) in enumerate(TESTS[6:], 6):
        if record.cells[2 * index] not in ("", "+++++"):
            record.cells[2 * index] = ""
            record.wrong_rates.append(operation)


def _read_size(record: Record, label: list[str], *, own: bool) -> None:
    """size:chunk:concurrency:seeks:processes, where bon_csv2txt has no concurrency."""
    record.size = ":".join(label[:2]).rstrip(":")
    rest = label[2:] if own or len(label) != 4 else ["", *label[2:]]
    if rest and rest[0]:
        record.concurrency = rest[0]
    if own or len(label) == 5:
        record.seeks, record.seek_processes = ([*rest[1:3], "", ""])[:2]


def _files(label: str) -> str:
    """The label without the fourth number of bon_csv2txt, which may be one of two things."""
    sizes, slash, directories = label.partition("/")
    return ":".join(sizes.split(":")[:3]) + slash + directories
