"""The parts of a table joined to runs: each row becomes the record that its CSV line would be."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import zip_longest

from benchdash.parsers.bonnie.cells import TESTS
from benchdash.parsers.bonnie.record import Record
from benchdash.parsers.bonnie.table import Part, Row, parts

_NEAR = 12  # lines between the two parts of one table
_KIB = {"k": 1, "m": 2**10, "g": 2**20}
_NO_LATENCIES = [""] * 6


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
    for part in parts(text):
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
        unequal = (lines[0], "the rows of the two parts of a bonnie++ table do not fit together")
        yield Table(lines, damage=damage or unequal)
        return
    doubt = (lines[1], "the text ends before the end of the table: figures may be missing")
    warning = doubt if _may_be_cut(io, files, blank_end=blank_end) else None
    for io_row, file_row in pairs:
        record = _record(io, io_row, files, file_row)
        record.lines = lines
        yield Table(lines, record, warning=warning)
        warning = None


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


def _cut(whole: list[Part]) -> tuple[int, str] | None:
    """A table of 1.9x or later that ends with the text and has no latencies was cut off."""
    version, last = whole[0].version or whole[-1].version, whole[-1]
    if last.at_end and version >= "1.9" and not last.rows[-1].latencies:
        return (last.last, "the table ends too early: no latencies")
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
