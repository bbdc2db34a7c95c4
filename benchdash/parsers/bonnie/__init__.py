"""bonnie++ 1.00 to 2.00a: the CSV line, the table for people, or both, of any number of runs.

    bonnie++ -d /mnt -m NAME -s 16G [-n 16] [-f] [-q] [-x N]

Where a run has both, it is one result and the CSV line counts: tables cut names, round, and from
1.98 on print wrong file rates. A machine name is the label. Rates are KiB/s, latencies the longest
single operation. `+++++` is a test that took under half a second: there is no figure.
"""

from __future__ import annotations

import re
from bisect import bisect_left

from benchdash.parsers.bonnie import csv_line
from benchdash.parsers.bonnie.joining import Table, tables
from benchdash.parsers.bonnie.pairing import Tables, give_up_past_reason
from benchdash.parsers.bonnie.record import Record
from benchdash.parsers.lines import LineNumbers
from benchdash.parsers.result import Parsed, ParseError, Result
from benchdash.parsers.source import Source

TOOL = "bonnie++"
VERSION = 3

_FAILURE = re.compile(
    r"^[ \t>]{0,20}(Bonnie: drastic I/O error[^\n]{0,200}|Can't write block[^\n]{0,40}"
    r"|Can't (?:write|putc)\(\) - disk full\?|Can't read a full block[^\n]{0,60})",
    re.MULTILINE,
)
_PROGRESS = re.compile(
    r"^[ \t>]{0,20}(?:Writing (?:with putc\(\)|a byte at a time|intelligently)|Rewriting"
    r"|Reading (?:with getc\(\)|a byte at a time|intelligently)|start 'em"
    r"|(?:Create|Stat|Delete) files in (?:sequential|random) order)\.\.\.",
    re.MULTILINE,
)

_PROGRESSING = (b"Writing ", b"Rewriting", b"Reading ", b"start", b" files in ")
_SIGNS = (b"Sequential ", b"Can't ", b"drastic I/O error", b"Rewriting", b" files in ")
_Problem = tuple[int, str]  # line, sentence
_NEAR = 12  # lines between a table and its CSV line
_MOST_WORKLOADS = 1000


def read(source: Source) -> Parsed | None:
    """The runs of a file, None where nothing is bonnie++'s; ParseError where none can be trusted."""
    if not (source.mentions(*_SIGNS) or any(each in source.utf8 for each in b",;\t")):
        return None
    text = source.text
    found = Tables(tables(text))
    results, problems, csv_ends = _csv_results(text, found)
    tabled, doubts = _table_results(found.left())
    if tabled:
        results = sorted(results + tabled, key=lambda result: result.first_line)
    problems += doubts + _unexplained(found.damaged, csv_ends) + _failures(text)
    return _parsed(results, sorted(problems), source)


def _csv_results(text: str, found: Tables) -> tuple[list[Result], list[_Problem], list[int]]:
    """(results, problems, numbers of the lines) of the CSV lines; their tables are claimed."""
    results: list[Result] = []
    problems: list[_Problem] = []
    lines: list[int] = []
    workloads: set[int] = set()
    name = ""
    tabled = bool(found)
    last = text.count("\n") + 1 if tabled else 0
    for number, fields in csv_line.csv_lines(text):
        if found.damaged:
            lines.append(number)
        try:
            record = csv_line.read(fields)
            record.name = name = name if record.name == name else record.name
            table = found.claim(record, number) if tabled else None
            if tabled and table is None and number == last:
                found.refuse_begun(record, number)
            results.append(_csv_result(record, number, table))
        except ParseError as error:
            problems.append((number, error.sentence))
            give_up_past_reason(len(problems), number, error.sentence)
            continue
        workloads.add(id(results[-1].workload))  # shared by all that were told the same
        if len(workloads) > _MOST_WORKLOADS:
            raise ParseError(
                f"line {number}: more than {_MOST_WORKLOADS} different file sizes: split the file"
            )
    return results, problems, lines


def _csv_result(record: Record, number: int, table: Table | None) -> Result:
    record.lines = (number, number)
    if table and table.record:
        record.lines = (min(number, table.lines[0]), max(number, table.lines[1]))
        record.version = record.version or table.record.version
        # 1.98 and later leave the chunk size out of the CSV line
        record.size = record.size if ":" in record.size else table.record.size
    return record.result()


def _table_results(left: list[Table]) -> tuple[list[Result], list[_Problem]]:
    results: list[Result] = []
    problems = [table.warning for table in left if table.warning]
    for table in left:
        assert table.record
        try:
            results.append(table.record.result())
        except ParseError as error:
            problems.append((table.lines[0], error.sentence))
    return results, problems


def _unexplained(damaged: list[Table], csv_lines: list[int]) -> list[_Problem]:
    """Damage of tables that are not followed by the CSV line of their run."""
    problems = []
    for table in damaged:
        following = csv_lines[bisect_left(csv_lines, table.lines[0]) :][:1]
        if table.damage and not (following and following[0] - table.lines[1] <= _NEAR):
            problems.append(table.damage)
    return problems


def _failures(text: str) -> list[_Problem]:
    if "Can't " not in text and "drastic I/O error" not in text:
        return []
    numbers = LineNumbers(text)
    return [
        (numbers.at(match.start()), f"bonnie++ failed: {match[1].strip()}")
        for match in _FAILURE.finditer(text)
    ]


def _parsed(results: list[Result], problems: list[_Problem], source: Source) -> Parsed | None:
    if not problems and not results:
        said = _PROGRESS.search(source.text) if source.mentions(*_PROGRESSING) else None
        if said:
            line = LineNumbers(source.text).at(said.start())
            raise ParseError(f"line {line}: progress of bonnie++, and no result in the file")
        return None
    problem = _first_of(problems) if problems else None
    if problem and not results:
        raise ParseError(problem)
    return Parsed(results, problem)


def _first_of(problems: list[_Problem]) -> str:
    line, sentence = problems[0]
    problem = f"line {line}: {sentence}"
    more = f", and {len(problems) - 1} more places" if len(problems) > 1 else ""
    return problem + more
