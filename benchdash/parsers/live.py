"""Throughput and operations a second while a tool runs, for the one who watches.

Each parser reads the lines of its tool (`live_points`); beside them the host is read, in lines of
/proc/stat (PROC_STAT). These numbers are for the eye: results are read from the whole output.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from benchdash.parsers import PARSERS
from benchdash.parsers.result import Point

# Seconds, then proc(5): user, nice, system, idle, iowait, irq, softirq, steal; guests count as users.
_CPU = re.compile(r"(\d{1,9}) cpu +(\d{1,19}(?: \d{1,19}){3,7})(?: \d{1,19})*")
_LONGEST_LINE = 2000
PROC_STAT = "/proc/stat"


class LiveReader:
    """Takes a tool's output as it comes, and gives the points that stand in it."""

    def __init__(self, tool: str) -> None:
        self._read = _proc_stat() if tool == PROC_STAT else _READERS.get(tool)
        self._rest = ""
        self._seconds = 0

    def feed(self, data: bytes) -> list[Point]:
        """The points of the lines that `data` completes."""
        if self._read is None:
            return []
        *lines, rest = re.split(r"[\r\n]+", self._rest + data.decode("utf-8", "replace"))
        self._rest = rest[-_LONGEST_LINE:]
        return [point for line in lines for point in self._points(line[:_LONGEST_LINE])]

    def _points(self, line: str) -> list[Point]:
        assert self._read is not None
        points = list(self._read(line, self._seconds + 1))
        self._seconds += bool(points)
        return points


def _proc_stat() -> Callable[[str, int], Iterator[Point]]:
    """The share of their time that all CPUs worked since the line before; waiting is no work."""
    before: list[int] = []

    def read(line: str, _second: int) -> Iterator[Point]:
        nonlocal before
        if not (found := _CPU.fullmatch(line)):
            return
        now = [int(number) for number in found[2].split()]
        spent = [later - earlier for earlier, later in zip(before, now, strict=False)]
        before = now
        total = sum(spent)
        if total > 0 and min(spent) >= 0:
            yield Point("host", "cpu", float(found[1]), 1 - sum(spent[3:5]) / total)

    return read


_READERS: dict[str, Callable[[str, int], Iterable[Point]]] = {
    parser.TOOL: parser.live_points for parser in PARSERS
}
