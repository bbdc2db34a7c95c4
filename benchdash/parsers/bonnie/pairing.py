"""A table and a CSV line of the same run are one result: found by their figures, the nearest."""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Iterable

from benchdash.parsers.bonnie.joining import Table
from benchdash.parsers.bonnie.record import Record
from benchdash.parsers.result import ParseError

_Likeness = tuple[object, ...]
_TRIES = 8
_NEXT = 2  # lines from a table to its CSV line
_MANY = 1000


def give_up_past_reason(count: int, line: int, sentence: str) -> None:
    """ParseError where a file has more damage than anyone would mend."""
    if count > _MANY:
        raise ParseError(f"line {line}: {sentence}, as in {_MANY} places before")


class Tables:
    """The tables of one file that no CSV line has claimed yet."""

    def __init__(self, tables: Iterable[Table]) -> None:
        self._alike: dict[_Likeness, list[Table]] = defaultdict(list)
        self.damaged: list[Table] = []
        for table in tables:
            if table.record:
                self._alike[_likeness(table.record, table.record.cells[24:])].append(table)
            elif table.damage:
                self.damaged.append(table)
                give_up_past_reason(len(self.damaged), *table.damage)

    def __bool__(self) -> bool:
        return bool(self._alike)

    def claim(self, record: Record, line: int) -> Table | None:
        """The nearest table that shows the figures of `record`, which is then taken."""
        for latencies in (record.cells[24:], []):
            alike = self._alike.get(_likeness(record, latencies), [])
            place = bisect_left(alike, line, key=lambda table: table.lines[0])
            before = range(place - 1, max(place - 1 - _TRIES, -1), -1)
            for index in (*before, *range(place, min(place + _TRIES, len(alike)))):
                shown = alike[index].record
                if shown and _shows(shown, record):
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


def _likeness(record: Record, latencies: list[str]) -> _Likeness:
    """What the CSV line and the table of one version print alike, to the letter."""
    exact = [] if record.format.endswith("1.98") else record.cells[:10] + record.cells[12:24]
    return (record.size.partition(":")[0], *exact, *record.cells[1:24:2], *latencies)


def _shows(table: Record, record: Record) -> bool:
    name = " ".join(record.name.split())
    return (name.startswith(table.name) or table.name.startswith(name)) and all(
        _alike(shown, printed)
        for shown, printed in zip(table.cells[:24:2], record.cells[:24:2], strict=True)
    )


def _alike(shown: str, printed: str) -> bool:
    """Tables round seeks to whole numbers, and rates with a suffix to two or three digits."""
    if not shown or not printed or "+" in (shown[0], printed[0]):
        return not shown or shown[:1] == printed[:1]
    try:
        figure = float(printed)
    except ValueError:  # damaged, as the reading of its line will say
        return False
    return abs(float(shown) - figure) <= 0.5 + 0.06 * figure
