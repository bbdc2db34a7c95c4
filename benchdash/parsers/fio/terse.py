"""fio's terse output (`--minimal`): one line a job, fields divided by `;`.

| version | start | blocks | fields without disks |
| --- | --- | --- | --- |
| 2, fio 1.x | `2;name;group;err` | read, write of 20 | 78 |
| 2, fio 2.x on | `2;name;group;err` | read, write, trim of 41 | 161 |
| 3 | `3;fio-3.33;name;group;err` | read, write of 41 | 121 |
| 4 (2.1) | `4;…` | read, write, trim of 41 | 162 |
| 5 (3.0) | `5;…` | read, write, trim of 47 | 180 |

A block is amount KiB, bandwidth (KiB/s; in 1.x 1000 B/s), iops, run time ms, then µs: slat, clat,
twenty percentiles, lat, then the bandwidth of samples. Unified reporting prints one block, `both`
one more at the end. Which latency the percentiles are of is not printed: fio's default is clat.
After 34 fields on the whole job (CPU, queue depths, latency shares) follow nine for each disk,
two with continue_on_error, and the description. [fio-1.58 and fio-3.33 stat.c]
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

import msgspec

from benchdash.parsers.fio.once import Report, Snapshots
from benchdash.parsers.fio.terse_numbers import WIDTHS, measure
from benchdash.parsers.result import ParseError, Result

_LINE = re.compile(r"([0-9]{1,2});(?:fio[- ]?)?([0-9]{1,2}\.[0-9][^;]{0,40};)?", re.ASCII)
_COMMAS = re.compile(r"[2-5],fio-[0-9]", re.ASCII)
_VERSION = re.compile(r"fio[- ]v?([0-9][0-9A-Za-z.\-+_]{0,40})|([0-9]\.[0-9.]{1,8})", re.ASCII)
_NUMBER = re.compile(r"-?[0-9]{1,20}(?:\.[0-9]{1,9})?%?|[0-9.]{1,12}%=[0-9]{1,20}", re.ASCII)
_NUMBERS = msgspec.json.Decoder(list[float])
_SIDES = {
    1: ("mixed",),
    2: ("read", "write"),
    3: ("read", "write", "trim"),
    4: ("read", "write", "trim", "mixed"),
}
_TAIL = 34
_CODE = re.compile(r"-?[0-9]{1,6}")
_MANY = 1000  # more bad lines than anyone would mend


def read_lines(lines: Iterable[tuple[int, str]]) -> tuple[list[Result], list[str]]:
    """Results of all terse lines, snapshots counted once; a clause for each bad line."""
    snapshots = Snapshots()
    problems: list[str] = []
    version = ""
    for number, line in lines:
        text = line.strip()
        match = _LINE.match(text)
        if match and text.count(";") >= 5:
            try:
                result = _result(text.split(";"), match, version)
            except ParseError as error:
                problems.append(f"terse line {number}: {error.sentence}")
                if len(problems) > _MANY:
                    raise ParseError(f"{problems[0]}, as in {_MANY} places after") from None
            else:
                result.lines = number, number
                snapshots.add(Report([result]))
        elif _COMMAS.match(text):
            problems.append(f"terse line {number}: its semicolons were turned into commas")
        elif text[:1] in "f123" and (seen := _VERSION.fullmatch(text)):
            version = seen[1] or seen[2]
    return snapshots.results, problems


class _Place(NamedTuple):
    """Where the blocks of a line begin, of which sides they are, and where they end."""

    start: int
    width: int
    sides: tuple[str, ...]
    end: int


def _result(fields: list[str], match: re.Match[str], seen: str) -> Result:
    terse = int(match[1])
    place = _place(terse, len(fields), tuple([i for i, f in enumerate(fields) if "%=" in f]))
    name = ";".join(fields[1 if terse == 2 else 2 : place.start - 2])
    group, code = fields[place.start - 2 : place.start]
    if not (group.isascii() and group.isdecimal() and _CODE.fullmatch(code)):
        raise ParseError("no group and error number follow the name")
    version = seen if terse == 2 else (match[2] or "").rstrip(";")
    result = Result("fio", version, f"fio/terse-{terse}", name)
    result.details = {"groupid": int(group)}
    values = _values(fields[place.start : place.end])
    measure(result, (place.width, place.sides), values, fields[place.end :])
    if int(code):
        result.error = {"code": int(code), "message": os.strerror(abs(int(code)))}
    return result


@lru_cache(maxsize=64)
def _place(terse: int, count: int, percentiles: tuple[int, ...]) -> _Place:
    """Where the blocks stand, told by the fields with percentiles (`99.000000%=120`).

    A `;` in the job's name moves everything; the percentiles move along.
    """
    if terse not in (2, 3, 4, 5):
        raise ParseError(f"terse version {terse} is not known")
    if not percentiles:
        if terse == 2 and count == 78:
            return _Place(4, 20, _SIDES[2], 78)
        raise ParseError(f"{count} fields are too few for terse version {terse}")
    width, blocks = 47 if terse == 5 else 41, len(percentiles) // 20
    start = percentiles[0] - WIDTHS[width].percentiles
    sides = _SIDES.get(blocks, ())
    if terse == 3 and blocks == 3:
        sides = ("read", "write", "mixed")
    expected = [percentiles[0] + width * block + at for block in range(blocks) for at in range(20)]
    end = start + blocks * width + _TAIL
    if list(percentiles) != expected or not sides or start < 4 + (terse > 2) or count < end:
        raise ParseError(f"its {count} fields are not those of terse version {terse}")
    return _Place(start, width, sides, end)


def _values(fields: list[str]) -> list[float]:
    """All numbers, a percentile as two; ParseError names the field that is none."""
    text = ",".join(fields).replace("%=", ",").replace("%", "")
    try:
        return _NUMBERS.decode(f"[{text}]")
    except msgspec.DecodeError:
        wrong = next((field for field in fields if not _NUMBER.fullmatch(field)), "a number")
        raise ParseError(f"{wrong[:40]!r} stands where a number belongs") from None
