"""Whether a table and a CSV line are of one pass: what both print alike, and how tables round.

Tables cut names, round seeks to whole numbers, and from 1.98 on rates to two or three digits and
print wrong rates of files, which are left out. All else is the same in both to the letter.
"""

from __future__ import annotations

from benchdash.parsers.bonnie.record import NAMES, Record
from benchdash.parsers.result import Name

Likeness = tuple[object, ...]

_RATES = slice(0, 24, 2)
_SHARES = slice(1, 24, 2)
_EXACT_RATES = [place for place in range(0, 24, 2) if NAMES[place][1] != "iops"]
_ENOUGH = 8  # figures that both print: fewer may be alike by chance


def likenesses(record: Record) -> list[Likeness]:
    """What both of one pass print to the letter: a table has one, one without latencies may do."""
    exact = [] if rounds_rates(record) else record.cells[:10] + record.cells[12:24]
    known = (record.size.partition(":")[0], *exact, *record.cells[_SHARES])
    with_latencies = (*known, *record.cells[24:])
    return [with_latencies] if is_table(record) else [with_latencies, known]


def is_table(record: Record) -> bool:
    """Whether it was read from a table alone."""
    return record.format.startswith("bonnie++/table-")


def rounds_rates(record: Record) -> bool:
    """Whether tables of its version print rates with a suffix, or wrong ones."""
    return record.format.endswith("1.98")


def shows(table: Record, record: Record) -> bool:
    """Whether the table shows the name and the rates of a CSV line that is like it."""
    name = " ".join(record.name.split())
    return (name.startswith(table.name) or table.name.startswith(name)) and all(
        _alike(shown, printed)
        for shown, printed in zip(table.cells[_RATES], record.cells[_RATES], strict=True)
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


def is_same(table: Record, row: Record) -> bool:
    """Whether both are of one pass, where nothing but what they print says so: in files apart.

    Their cells are those of `cells_of`.
    """
    pairs = zip(table.cells, row.cells, strict=False)  # latencies may be missing
    both = sum(bool(shown and printed) for shown, printed in pairs)
    # CSV lines of 1.03 print no version, those of early 1.9x no concurrency
    printed = zip(_settings_of(table), _settings_of(row), strict=True)
    return (
        both >= _ENOUGH
        and all(one == other or not (one and other) for one, other in printed)
        and likenesses(table)[0] in likenesses(row)
        and shows(table, row)
    )


def _settings_of(record: Record) -> tuple[str, ...]:
    return record.version, record.concurrency, record.files


def rarest(record: Record) -> Name | None:
    """The number with most digits of those that both print to the letter: few other passes have it.

    None where there is none.
    """
    exact = range(24, len(record.cells)) if rounds_rates(record) else _EXACT_RATES
    digits = {
        place: len(record.cells[place].strip("0."))
        for place in exact
        if record.cells[place][:1].isdigit()
    }
    best = max(digits, key=lambda place: digits[place], default=None)
    return None if best is None else NAMES[best]
