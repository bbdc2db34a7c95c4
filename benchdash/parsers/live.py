"""Live charts: throughput and operations per second while a tool runs.

Each parser reads the lines of its tool (`live_reader`); the CPU of the host comes from lines
of /proc/stat (PROC_STAT). These numbers are only displayed: results are read from the complete output.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from benchdash.parsers import PARSERS
from benchdash.parsers.result import LineReader, Point

# Seconds, then proc(5): user, nice, system, idle, iowait, irq, softirq, steal; guests count as users.
_CPU = re.compile(r"(\d{1,9}) cpu +(\d{1,19}(?: \d{1,19}){3,7})(?: \d{1,19})*")
_LONGEST_LINE = 2000
PROC_STAT = "/proc/stat"


class LiveReader:
    """Reads a tool's output as it arrives, and returns the points in it."""

    def __init__(self, tool: str) -> None:
        reader = _READERS.get(tool)
        self._read = reader() if reader else None
        self._rest = ""

    def feed(self, data: bytes) -> list[Point]:
        """The points of the lines that `data` completes."""
        read = self._read
        if read is None:
            return []
        *lines, rest = re.split(r"[\r\n]+", self._rest + data.decode("utf-8", "replace"))
        self._rest = rest[-_LONGEST_LINE:]
        return [point for line in lines for point in read(line[:_LONGEST_LINE])]


def _proc_stat() -> LineReader:
    """The busy share of all CPUs since the line before; idle and iowait are not busy."""
    before: list[int] = []

    def read(line: str) -> Iterator[Point]:
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


_READERS: dict[str, Callable[[], LineReader]] = {
    PROC_STAT: _proc_stat,
    **{parser.TOOL: parser.live_reader for parser in PARSERS},
}
