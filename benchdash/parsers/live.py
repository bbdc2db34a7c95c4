"""What tools tell while they run: throughput and operations a second, for the one who watches.

fio with `--eta=always` (a line each second, parted by carriage returns), dbench ("execute", each
second), pgbench with `-P`, sysbench with `--report-interval`, rados and rbd bench; beside them the host, in lines of /proc/stat (PROC_STAT). These numbers are for the eye: results are read from the whole output.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass

_FIO_ETA = re.compile(r"Jobs: \d+ \(f=\d+\).*\[eta [^\]]*\]")
_NUMBER = r"\d{1,15}(?:\.\d{1,9})?"
_FIO_RATES = re.compile(
    rf"\[((?:[rwt]={_NUMBER}[kKMGTP]?i?B/s,?)+)\]\[((?:[rwt]={_NUMBER}[kKMGT]?,?)+) IOPS\]", re.I
)
_FIO_OLD = re.compile(
    rf"\[({_NUMBER}[KMGT]?B?)/({_NUMBER}[KMGT]?B?)/[^ ]* ?/s\] "
    rf"\[({_NUMBER}[KMGT]?)/({_NUMBER}[KMGT]?)/"
)
_DBENCH = re.compile(rf"\d+ +\d+ +({_NUMBER}) MB/sec  execute +({_NUMBER}) sec")
_PGBENCH = re.compile(rf"progress: ({_NUMBER}) s, ({_NUMBER}) tps")
_SYSBENCH = re.compile(
    rf"\[ *(\d{{1,9}})s ?\] reads: ({_NUMBER}) Mi?B/s writes: ({_NUMBER}) Mi?B/s fsyncs:"
)
_RADOS = re.compile(
    rf"(\d{{1,9}}) +\d{{1,9}} +\d{{1,15}} +\d{{1,15}} +{_NUMBER} +({_NUMBER}) +(?:-|{_NUMBER}) +{_NUMBER}"
)
_RBD = re.compile(rf"(\d{{1,9}}) +\d{{1,15}} +({_NUMBER}) +{_NUMBER}(?: (?:[KMGTP]i)?B/s)?")
# Seconds, then proc(5): user, nice, system, idle, iowait, irq, softirq, steal; guests count as users.
_CPU = re.compile(r"(\d{1,9}) cpu +(\d{1,19}(?: \d{1,19}){3,7})(?: \d{1,19})*")
_SIDES = {"r": "read", "w": "write", "t": "trim"}
_POWERS = {"": 0, "k": 1, "m": 2, "g": 3, "t": 4, "p": 5}
_LONGEST_LINE = 2000
PROC_STAT = "/proc/stat"


@dataclass(frozen=True, slots=True)
class Point:
    """One measure at one time: `seconds` since the tool began to tell, in the metric's unit."""

    operation: str
    metric: str
    seconds: float
    value: float


class LiveReader:
    """Takes a tool's output as it comes, gives the points that it tells."""

    def __init__(self, tool: str) -> None:
        self._read = _proc_stat() if tool == PROC_STAT else _READERS.get(tool)
        self._rest = ""
        self._told = 0

    def feed(self, data: bytes) -> list[Point]:
        """The points of the lines that `data` completes."""
        if self._read is None:
            return []
        *lines, rest = re.split(r"[\r\n]+", self._rest + data.decode("utf-8", "replace"))
        self._rest = rest[-_LONGEST_LINE:]
        return [point for line in lines for point in self._points(line[:_LONGEST_LINE])]

    def _points(self, line: str) -> list[Point]:
        assert self._read is not None
        points = list(self._read(line, self._told + 1))
        self._told += bool(points)
        return points


def _fio(line: str, second: int) -> Iterator[Point]:
    """fio tells no time; it tells each second."""
    if not _FIO_ETA.search(line):
        return
    if found := _FIO_RATES.search(line):
        for rates, metric in ((found[1], "throughput"), (found[2], "iops")):
            for rate in rates.rstrip(",").split(","):
                side, _equals, amount = rate.partition("=")
                yield Point(_SIDES[side], metric, second, _amount(amount.removesuffix("/s")))
    elif old := _FIO_OLD.search(line):
        told = zip(
            ("read", "write") * 2, ("throughput",) * 2 + ("iops",) * 2, old.groups(), strict=True
        )
        for operation, metric, amount in told:
            yield Point(operation, metric, second, _amount(amount, old=True))


def _dbench(line: str, _second: int) -> Iterator[Point]:
    if found := _DBENCH.search(line):
        yield Point("load", "throughput", float(found[2]), float(found[1]) * 1e6)


def _pgbench(line: str, _second: int) -> Iterator[Point]:
    if found := _PGBENCH.search(line):
        yield Point("transaction", "transactions", float(found[1]), float(found[2]))


def _sysbench(line: str, _second: int) -> Iterator[Point]:
    """Of one side only, where the other does nothing."""
    if found := _SYSBENCH.search(line):
        for side, rate in (("read", found[2]), ("write", found[3])):
            if float(rate):
                yield Point(side, "throughput", float(found[1]), float(rate) * 2**20)


def _rados(line: str, _second: int) -> Iterator[Point]:
    """The line does not say whether it writes or reads."""
    if found := _RADOS.fullmatch(line.strip()):
        yield Point("load", "throughput", float(found[1]), float(found[2]) * 2**20)


def _rbd(line: str, _second: int) -> Iterator[Point]:
    """The line does not say whether it writes or reads; from 16.x its bytes are rounded."""
    if found := _RBD.fullmatch(line.strip()):
        yield Point("load", "iops", float(found[1]), float(found[2]))


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


def _amount(text: str, *, old: bool = False) -> float:
    """`44.5MiB`, `1234kB`, `11.5k`; fio 2 prints KB for 1024 bytes."""
    number, unit = re.fullmatch(r"([0-9.]+)(.*)", text).groups()  # type: ignore[union-attr]  # matched before
    is_binary = "i" in unit or (old and unit.endswith("B"))
    power = _POWERS[unit.removesuffix("B").removesuffix("i").lower()]
    return float(number) * (1024.0 if is_binary else 1000.0) ** power


_READERS: dict[str, Callable[[str, int], Iterator[Point]]] = {
    "fio": _fio,
    "dbench": _dbench,
    "pgbench": _pgbench,
    "sysbench": _sysbench,
    "rados": _rados,
    "rbd": _rbd,
}
