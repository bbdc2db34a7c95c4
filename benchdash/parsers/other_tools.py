"""Output of tools that are not read yet, and of runs that measured no disk, told by content.

Lines that only a result has are looked for; a mere name (tbench, gobonniego) explains a file only
where no result was found in it. Formats: the tools' own sources and manuals (iozone 3.4xx, ioping
0.6 to 1.3, coreutils dd, hdparm 6 to 9, seeker, elbencho 1 to 3, IOR and mdtest 1.9 to 4.0, and of
sysbench 0.4 to 1.1 and pgbench what measures no disk).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from benchdash.errors import N_
from benchdash.parsers.source import Source


@dataclass(frozen=True, slots=True)
class Sign:
    """`literal` is looked for first (cheap), and with it the expression that makes sure."""

    what: str
    literal: bytes
    line: re.Pattern[str]


def _sign(what: str, literal: str, then: str = "") -> Sign:
    return Sign(what, literal.encode(), re.compile(re.escape(literal) + then))


_NOT_READ = (
    _sign("iozone", "Iozone: Performance Test of File I/O"),
    _sign("iozone", "iozone test complete"),
    _sign("iozone", "Children see throughput for", r" +\d"),
    _sign("iozone", "reclen", r" +write +rewrite"),
    _sign("ioping", "ioping statistics ---"),
    _sign("ioping", ": request=", r"\d+ time=[\d.]"),
    _sign("dd", "copied, ", r"[\d.,e-]+ s(?:econds)?, [\d.,]+ \w*B/s"),
    # every word of dd is translated, but not "N+N"
    _sign("dd", "+0 ", r"[^\d\n]+\n\s*\d+\+\d+ [^\d\n]+\n\s*\d+ "),
    _sign("hdparm", "Timing cached reads:", r" +\d"),
    _sign("hdparm", "Timing buffer-cache reads:", r" +\d"),
    _sign("hdparm", "Timing buffered disk reads:", r" +\d"),
    _sign("hdparm", "Timing O_DIRECT", r" (?:cached|disk) reads: +\d"),
    _sign("seeker", "seeks/second", r", [\d.]+ ms random access time"),
    _sign("elbencho", "FIRST DONE", r" +LAST DONE"),
    _sign("elbencho", "IOPS [last]"),
    _sign("IOR", "IOR-", r"\d[\w.+-]{,40}: MPI Coordinated"),
    _sign("IOR", "bw(MiB/s)", r"[ ,]+IOPS"),
    _sign("IOR", '"Command line"', r' *: *"(?:[^"\s]{,200}/)?ior '),
    _sign("mdtest", "mdtest-", r"\S{1,40} was launched with"),
    _sign("mdtest", "File creation", r" *+:? *[\d.]+ +[\d.]+ +[\d.]+"),
    _sign("mdtest", "Directory creation", r" *+:? *[\d.]+ +[\d.]+ +[\d.]+"),
)

NO_DISK = (
    _sign(N_("sysbench prepare only wrote its files"), "bytes written in", r" [\d.]+ seconds \("),
    _sign(N_("sysbench measured a database"), "SQL statistics:"),
    _sign(N_("sysbench measured a database"), "OLTP test statistics:"),
    _sign(N_("sysbench measured the CPU"), "Prime numbers limit:", r" +\d"),
    _sign(N_("sysbench measured the CPU"), "Maximum prime number checked in CPU test"),
    _sign(N_("sysbench measured memory"), "MiB transferred", r" \("),
    _sign(N_("sysbench measured memory"), "MB transferred", r" \("),
    _sign(N_("sysbench measured threads or mutexes"), "Threads fairness:"),
    _sign(
        N_("pgbench -i only filled its tables"), "tuples", r" (?:\(\d+%\) )?(?:of \S{,80} )?done"
    ),
    _sign(N_("pgbench -i only filled its tables"), "creating tables...", r"\s+generating data"),
    _sign(N_("tbench measured the network"), "tbench", r"(?: version)? \d"),
    _sign(N_("gobonniego is not bonnie++"), "gobonniego"),
)

# ioping -B: count, time in ns, 1/s, B/s, min, mean, max, deviation, all requests, all time
_BATCH = re.compile(r"^" + " ".join([r"([0-9]{1,18})"] * 10) + "$", re.MULTILINE)


def not_read(source: Source) -> list[str]:
    """One sentence for each other tool whose results stand in the file."""
    found = _found(source, _NOT_READ) or (["ioping"] if _is_ioping_batch(source) else [])
    return [N_("{tool} output is not read yet", tool=tool) for tool in found]


def no_disk_result(source: Source) -> list[str]:
    """Why a file in which no result was found holds none, where its kind is known."""
    return [
        N_("not a disk result: {reason}", reason=reason) for reason in _found(source, NO_DISK)[:1]
    ]


def _found(source: Source, signs: tuple[Sign, ...]) -> list[str]:
    there = [s for s in signs if source.mentions(s.literal) and s.line.search(source.text)]
    return list(dict.fromkeys(sign.what for sign in there))


def _is_ioping_batch(source: Source) -> bool:
    """Ten bare numbers a line say nothing yet; that they agree with each other does."""
    match = _BATCH.search(source.text) if len(source.utf8) < 10**5 else None
    if match is None:
        return False
    count, nanoseconds, iops, _, least, mean, most, *_ = map(int, match.groups())
    return least <= mean <= most and abs(count * 1e9 / max(nanoseconds, 1) - iops) <= 1
