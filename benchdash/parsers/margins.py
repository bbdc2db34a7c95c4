"""What loggers, containers and comments put before every line: times, names, numbers, marks.

A few lines that begin so are nothing; only where nearly all do was it none of the tool's.
"""

from __future__ import annotations

import re

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
_TEXT = re.compile(rb"\S")
_BLANK = re.compile(rb"^[ \t\r]*+$", re.MULTILINE)
_FEWEST = 3


def stands_before(data: bytes) -> bool:
    """Does nearly every line begin with what is none of the tool's? The first one tells of most."""
    first = _TEXT.search(data)
    if not first or not _MARGIN.match(data, data.rfind(b"\n", 0, first.start()) + 1):
        return False
    sample = data[: 2**18]
    lines = sample.count(b"\n") + 1 - sum(1 for _ in _BLANK.finditer(sample))
    begun = sum(1 for _ in _MARGIN.finditer(sample))
    return begun >= max(_FEWEST, lines * 9 // 10)


def without(lines: bytes) -> bytes:
    """The lines as they were printed."""
    return _MARGIN.sub(b"", lines)
