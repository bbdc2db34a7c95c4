"""What loggers, containers and comments put before every line: times, names, numbers, marks.

A few lines that begin so are nothing; only where nearly all do was it none of the tool's.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

_DATE = rb"\d{4}-\d\d-\d\d[T ]\d\d:\d\d:\d\d(?:[.,]\d{1,9})?(?:Z|[+-]\d\d:?\d\d)?"
_TIME = rb"(?:" + _DATE + rb"|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d(?:\.\d{1,9})?)"
_UNIT = rb"(?: [^\s:]{1,64} [^\s:\[]{1,64}\[\d{1,9}\]:)?"  # syslog: host, program, process
_CONTAINER = rb"(?:\[[\w./-]{1,200}+\]|[\w.-]{1,100}+ *+\|)"  # kubectl --prefix, docker compose
_STAMP = rb"(?:" + _CONTAINER + rb" )?(?:\[" + _TIME + rb"\]|" + _TIME + _UNIT + rb")|" + _CONTAINER
_NUMBER = rb" *\d{1,9}\t"  # cat -n
_MARK = rb"[ \t]*(?://|--|[%;|*])"
# `+` of a patch stands right before the line
_MARGIN = re.compile(
    rb"^(?:(?:" + _STAMP + rb"|" + _MARK + rb")(?:[ \t]|(?=\r?$))|" + _NUMBER + rb"|\+)",
    re.MULTILINE,
)
# cat -n whose tabs became blanks: lines of many tools begin with a number, but none with their own
_COUNT = re.compile(rb"^ *(\d{1,9}) {1,2}", re.MULTILINE)
_TEXT = re.compile(rb"\S")
_BLANK = re.compile(rb"^[ \t\r]*+$", re.MULTILINE)
_FEWEST = 3


def margin_of(data: bytes) -> re.Pattern[bytes] | None:
    """What nearly every line begins with that is none of the tool's. The first one tells of most."""
    first = _TEXT.search(data)
    start = data.rfind(b"\n", 0, first.start()) + 1 if first else 0
    kind = next((kind for kind in (_MARGIN, _COUNT) if first and kind.match(data, start)), None)
    if kind is None:
        return None
    sample = data[: 2**18]
    lines = sample.count(b"\n") + 1 - sum(1 for _ in _BLANK.finditer(sample))
    found = kind.finditer(sample)
    begun = _counted(found) if kind is _COUNT else sum(1 for _ in found)
    return kind if begun >= max(_FEWEST, lines * 9 // 10) else None


def _counted(lines: Iterator[re.Match[bytes]]) -> int:
    """How many have the number that follows the one before."""
    numbers = (int(each[1]) for each in lines)
    return 1 + sum(1 for before, after in pairwise(numbers) if after == before + 1)
