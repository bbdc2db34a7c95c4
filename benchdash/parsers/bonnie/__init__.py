"""bonnie++ 1.00 to 2.00a: the CSV line, the table for people, or both, of any number of runs.

    bonnie++ -d /mnt -m NAME -s 16G [-n 16] [-f] [-q] [-x N]

Where a run has both, it is one result and the CSV line counts: tables cut names, round, and from
1.98 on print wrong file rates. A machine name is the label. Rates are KiB/s, latencies the longest
single operation. `+++++` is a test that took under half a second: there is no figure.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable

from benchdash.errors import N_
from benchdash.parsers.bonnie import csv_line
from benchdash.parsers.bonnie.likeness import Likeness, likenesses, shows
from benchdash.parsers.bonnie.record import Record
from benchdash.parsers.bonnie.table import Table, tables
from benchdash.parsers.result import LineReader, Parsed, ParseError, Result
from benchdash.parsers.source import Source
from benchdash.parsers.text import Findings, LineNumbers, doubt_incomplete, unended_line

TOOL = "bonnie++"
VERSION = 4

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
_BEGUN = re.compile(r"[12](?:\.(?:[0-9]{1,2}[a-z]?(?:,.*)?)?)?")  # `1.98,2.00a,…`
_NEAR = 12  # lines between a table and its CSV line
_NEXT = 2  # lines from a table to its CSV line where nothing stands between
_TRIES = 8  # tables alike that are looked at on either side of a CSV line


def read(source: Source) -> Parsed | None:
    """The runs of a file, None where nothing is bonnie++'s; ParseError where none can be trusted."""
    if not (source.mentions(*_SIGNS) or any(each in source.utf8 for each in b",;\t")):
        return None
    text = source.text
    findings, unclaimed = Findings(TOOL), _Tables(tables(text))
    csv_lines = _read_csv_lines(text, findings, unclaimed)
    _complain_of_begun(text, unclaimed.left(), findings)
    _read_tables(unclaimed.left(), findings)
    _explain_damage(unclaimed.damaged, csv_lines, findings)
    _find_failures(text, findings)
    findings.results.sort(key=lambda result: result.lines[0])
    parsed = findings.parsed()
    if parsed is None and source.mentions(*_PROGRESSING) and (found := _PROGRESS.search(text)):
        line = LineNumbers(text).at(found.start())
        raise ParseError("line {line}: only bonnie++ progress, no result in the file", line=line)
    return parsed


def _read_csv_lines(text: str, findings: Findings, unclaimed: _Tables) -> list[int]:
    """The numbers of the CSV lines; each that can be read is a result, and claims its table."""
    lines: list[int] = []
    tabled = bool(unclaimed)
    last = text.count("\n") + 1
    for number, fields in csv_line.csv_lines(text):
        lines.append(number)
        try:
            record = csv_line.read(fields)
            table = unclaimed.claim(record, number) if tabled else None
            if tabled and table is None and number == last:
                unclaimed.refuse_begun(record, number)
            result = _csv_result(record, number, table)
        except ParseError as error:
            findings.complain(number, error.sentence)
        else:
            findings.add(result)
            if number == last and fields[-2] and not fields[-1]:
                sentence = N_("the text ends within the CSV line of bonnie++")
                findings.complain(number, sentence)
                problem = N_("line {line}: {sentence}", line=number, sentence=sentence)
                doubt_incomplete([result], problem)
    return lines


def _complain_of_begun(text: str, left: list[Table], findings: Findings) -> None:
    """The CSV line under the last table, cut where it is not even known as one."""
    line, number = unended_line(text).strip(), text.count("\n") + 1
    above = max(left, key=lambda table: table.lines[1], default=None)
    if not (line and above and above.record and 0 < number - above.lines[1] <= _NEXT):
        return
    name = f"{above.record.name},"
    if line.startswith(name) or name.startswith(line) or _BEGUN.fullmatch(line):
        findings.complain(number, N_("the text ends within the CSV line of bonnie++"))


def _csv_result(record: Record, number: int, table: Table | None) -> Result:
    record.lines = (number, number)
    if table and table.record:
        record.lines = (min(number, table.lines[0]), max(number, table.lines[1]))
        record.version = record.version or table.record.version
        # 1.98 and later leave the chunk size out of the CSV line
        record.size = record.size if ":" in record.size else table.record.size
    return record.result()


def _read_tables(left: list[Table], findings: Findings) -> None:
    """The tables that no CSV line claimed are results of their own."""
    for warning in {table.warning for table in left if table.warning}:
        findings.complain(*warning)
    problems = dict(findings.problems)
    for table in left:
        assert table.record
        try:
            result = table.record.result()
            findings.add(result)
        except ParseError as error:
            findings.complain(table.lines[0], error.sentence)
            continue
        end = table.lines[1]
        for line in range(end, end + _NEXT + 1):  # of the table, or of the CSV line under it
            if sentence := problems.get(line):
                problem = N_("line {line}: {sentence}", line=line, sentence=sentence)
                doubt_incomplete([result], problem)


def _explain_damage(damaged: list[Table], csv_lines: list[int], findings: Findings) -> None:
    """Damage of tables that are not followed by the CSV line of their run."""
    for table in damaged:
        following = csv_lines[bisect_left(csv_lines, table.lines[0]) :][:1]
        if table.damage and not (following and following[0] - table.lines[1] <= _NEAR):
            findings.complain(*table.damage)


def _find_failures(text: str, findings: Findings) -> None:
    numbers = LineNumbers(text)
    for match in _FAILURE.finditer(text):
        findings.complain(
            numbers.at(match.start()), N_("bonnie++ failed: {message}", message=match[1].strip())
        )


class _Tables:
    """The tables of one file that no CSV line has claimed yet."""

    def __init__(self, tables: Iterable[Table]) -> None:
        self._alike: dict[Likeness, list[Table]] = defaultdict(list)
        self.damaged: list[Table] = []
        for table in tables:
            if table.record:
                self._alike[likenesses(table.record)[0]].append(table)
            elif table.damage:
                self.damaged.append(table)

    def __bool__(self) -> bool:
        return bool(self._alike)

    def claim(self, record: Record, line: int) -> Table | None:
        """The nearest table that shows the figures of `record`, which is then taken."""
        for key in likenesses(record):
            alike = self._alike.get(key, [])
            place = bisect_left(alike, line, key=lambda table: table.lines[0])
            before = range(place - 1, max(place - 1 - _TRIES, -1), -1)
            for index in (*before, *range(place, min(place + _TRIES, len(alike)))):
                shown = alike[index].record
                if shown and shows(shown, record):
                    return alike.pop(index)
        return None

    def refuse_begun(self, record: Record, line: int) -> None:
        """ParseError where the table right before shows `record`, but for its cut last figure."""
        last = 23
        for table in self.left():
            cells = table.record.cells if table.record else []
            if 0 < line - table.lines[1] <= _NEXT and cells[:last] == record.cells[:last]:
                raise ParseError("the text ends within the CSV line of bonnie++")

    def left(self) -> list[Table]:
        """The tables without a CSV line."""
        return [table for tables in self._alike.values() for table in tables]


def live_reader() -> LineReader:
    """Of nothing: bonnie++ prints no figure before it is done."""
    return lambda _line: ()
