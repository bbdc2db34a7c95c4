"""CSV that a spreadsheet takes as data: every digit, points as decimal marks, no formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, islice

# what makes a spreadsheet take a text for a formula (OWASP, CSV injection)
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


_ROWS_AT_ONCE = 1000


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A line of names, then one for each row; None is an empty cell."""
    return "".join(csv_parts(columns, rows))


def csv_parts(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> Iterator[str]:
    """The same in parts, for more rows than should be in memory."""
    cells = ([_cell(value) for value in row] for row in rows)
    lines = chain([columns], cells)
    while some := list(islice(lines, _ROWS_AT_ONCE)):
        out = io.StringIO()
        csv.writer(out).writerows(some)
        yield out.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return repr(value) if isinstance(value, float) else value
