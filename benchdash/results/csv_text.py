"""CSV that a spreadsheet takes as data: every digit, points as decimal marks, no formula."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Sequence

# what makes a spreadsheet take a text for a formula (OWASP, CSV injection)
_FORMULA = ("=", "+", "-", "@", "\t", "\r", "\n")


def csv_text(columns: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """A line of names, then one for each row; None is an empty cell."""
    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(columns)
    writer.writerows([_cell(value) for value in row] for row in rows)
    return out.getvalue()


def _cell(value: object) -> object:
    if isinstance(value, str) and value.startswith(_FORMULA):
        return f"'{value}"
    return repr(value) if isinstance(value, float) else value
