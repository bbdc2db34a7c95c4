"""Output of tools that are not read yet, and of runs that measured no disk, told by content.

A line that only a result has is looked for, never a name in prose. Formats: the tools' own
sources and manuals (iozone 3.4xx, sysbench 0.4 to 1.1, Ceph's `rados bench` and `rbd bench`,
ioping 0.6 to 1.3, coreutils dd, hdparm 6 to 9, elbencho 1 to 3, IOR and mdtest 1.9 to 4.0).
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from benchdash.parsers.source import Source


@dataclass(frozen=True, slots=True)
class Sign:
    """`line` is searched for (a line at a time) where the file holds one of `words`: cheap, then sure."""

    name: str
    words: tuple[bytes, ...]
    line: re.Pattern[str]


def _sign(name: str, words: str, line: str) -> Sign:
    return Sign(name, tuple(words.encode().split(b"|")), re.compile(line, re.MULTILINE))


_NOT_READ = (
    _sign(
        "iozone",
        "Iozone|iozone|reclen|Children see",
        r"Iozone: Performance Test|^\s*iozone test complete|^\s*Children see throughput for +\d"
        r"|\b[kK]B +reclen +write +rewrite",
    ),
    _sign(
        "sysbench fileio",
        "fsyncs/s:|Requests/sec executed|total file size",
        r"^\s*(?:reads/s|fsyncs/s): +\d|^ *[\d.]+ Requests/sec executed|^\S+ total file size$",
    ),
    _sign(
        "rados bench",
        "made:|Maintaining",
        r"^\s*Total (?:writes|reads) made: +\d|^\s*Maintaining \d+ concurrent (?:writes|reads)\b",
    ),
    _sign(
        "rbd bench",
        "ops/sec:|io_threads",
        r"^\s*elapsed: +\d+ +ops: +\d+ +ops/sec: +\d|^\s*bench +type \w+ io_size \d+ io_threads",
    ),
    _sign(
        "ioping",
        "ioping|request=|min/avg/max/mdev",
        r"^--- .* ioping statistics ---|^[\d.]+ \w+ (?:<<<|>>>|from|to) .*: request=\d+ time="
        r"|^min/avg/max/mdev = [\d.]+ [num]?s\b.*\n.*iops|\"io\" *: *\{ *\"request\"",
    ),
    # "records in" is translated, "N+N" is not
    _sign(
        "dd", "+", r"^\s*\d+\+\d+ [^\d\n]+\n\s*\d+\+\d+ [^\d\n]+\n\s*\d+ |^\s*\d+ bytes .*copied, "
    ),
    _sign(
        "hdparm",
        "Timing ",
        r"^\s*Timing (?:O_DIRECT )?(?:cached|buffer-cache|buffered disk|disk) reads: ",
    ),
    _sign("seeker", "seeks/second", r"^Results: \d+ seeks/second, "),
    _sign("elbencho", "LAST DONE|[last]", r"^OPERATION +RESULT TYPE +FIRST DONE|IOPS \[last\]"),
    _sign(
        "IOR",
        "bw(MiB/s)|IOR-|Command line",
        r"^IOR-\d[\w.+-]*: |^access[, ]+bw\(MiB/s\)|^\s*\"Command line\" *: *\"(?:\S*/)?ior ",
    ),
    _sign(
        "mdtest",
        "mdtest|File creation",
        r"^mdtest-\S+ was launched with|^\s*(?:File|Directory) creation *:? +[\d.]+ +[\d.]+",
    ),
)
_BATCH = re.compile(r"(\d+) (\d+) (\d+) \d+ (\d+) (\d+) (\d+) \d+ \d+ \d+")

_NO_DISK = (
    _sign(
        "sysbench prepare only wrote its files",
        "bytes written in",
        r"^\d+ bytes written in [\d.]+ seconds \(",
    ),
    _sign(
        "sysbench measured a database",
        "SQL statistics|OLTP test statistics",
        r"^\s*(?:SQL|OLTP test) statistics:",
    ),
    _sign(
        "sysbench measured the processor or the memory",
        "Prime numbers limit|Maximum prime number|CPU speed:|MiB transferred|MB transferred"
        "|Doing thread|Doing mutex",
        r"^Prime numbers limit: |^Maximum prime number|^CPU speed:|^[\d.]+ Mi?B transferred \("
        r"|^Doing (?:thread|mutex)",
    ),
    _sign(
        "pgbench -i only filled its tables",
        "tuples|creating tables|generating data",
        r"^\s*\d+ (?:of \d+ )?tuples? .*done|^creating tables\.\.\.|^generating data",
    ),
    _sign("tbench measured the network", "tbench", r"\btbench(?:_srv)?(?: version \d| +\d)"),
    _sign("gobonniego is another program than bonnie++", "gobonniego", r"\bgobonniego"),
)


def not_read(source: Source) -> list[str]:
    """One sentence for each other tool whose results stand in the file."""
    found = [sign.name for sign in _NOT_READ if _holds(source, sign)]
    if not found and _is_ioping_batch(source):
        found = ["ioping"]
    return [f"{name} output is not read yet" for name in found]


def no_disk_result(source: Source) -> list[str]:
    """Why a file in which no result was found holds none, where its kind is known."""
    return [f"not a disk result: {sign.name}" for sign in _NO_DISK if _holds(source, sign)]


def _holds(source: Source, sign: Sign) -> bool:
    return source.mentions(*sign.words) and sign.line.search(source.text) is not None


def _is_ioping_batch(source: Source) -> bool:
    """`ioping -B`: ten bare numbers a line; count, time in ns and 1/s have to agree."""
    match = _BATCH.match(source.text) if len(source.utf8) < 10**5 else None
    if match is None:
        return False
    count, nanoseconds, iops, least, average, most = map(int, match.groups())
    return least <= average <= most and abs(count * 1e9 / max(nanoseconds, 1) - iops) <= 1
