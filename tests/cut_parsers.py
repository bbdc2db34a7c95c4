"""Files cut within a printed number: refused, incomplete or doubted, or the same values as far as it goes.

    python -m tests.cut_parsers [FILE_OR_FOLDER…]

Cuts every file at every byte inside every number, prints each cut that changes a value in silence,
and exits 1 where there is one. Without arguments all samples, which takes minutes.
"""

from __future__ import annotations

import re
import sys
from collections.abc import Iterable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

from benchdash import parsers
from benchdash.parsers.result import Parsed, ParseError, Result
from tests.parsers.golden import samples

# no part of a name; with the exponent or the unit that belongs to it
_NUMBER = re.compile(rb"(?<![A-Za-z\d.])(?:\d[\d.]*(?:e[+-]?\d+|[kKMGTu]i?[Bs]?)|\d[\d.]*\d)")

_MOST_POINTS = 200  # of a log, which has thousands

Values = dict[Any, Any]  # every number, point and axis of a result, by its name


class Cut(NamedTuple):
    """A file cut before this byte gives this result, in silence."""

    at: int
    result: Result
    unlike: Values


def places(data: bytes) -> Iterator[int]:
    """Every byte inside a printed number, or between it and its unit."""
    for number in _NUMBER.finditer(data):
        yield from range(number.start() + 1, number.end())


def silent_cuts(data: bytes, name: str, at: Iterable[int]) -> Iterator[Cut]:
    """The cuts at these bytes after which a result says what the whole file does not, and nothing warns of it."""
    whole = _parsed(data, name)
    known = [values_of(result) for result in whole.results] if whole else []
    for place in at:
        cut = _parsed(data[:place], name)
        if cut is None or cut.incomplete:
            continue
        for result in cut.results:
            if not result.doubts and (unlike := _unlike(values_of(result), known)):
                yield Cut(place, result, unlike)


def values_of(result: Result) -> Values:
    """What a result says that a cut may change."""
    points: Values = {}
    for trace in result.traces:
        pairs = islice(zip(trace.seconds, trace.values, strict=True), _MOST_POINTS)
        points |= {(trace.operation, trace.metric, nth): pair for nth, pair in enumerate(pairs)}
    return {**result.by_name(), **points, **result.workload}


def _parsed(data: bytes, name: str) -> Parsed | None:
    try:
        return parsers.parse(data, name)
    except ParseError:
        return None


def _unlike(values: Values, known: list[Values]) -> Values:
    """What no result of the whole file says so: of the nearest one; {} where one says all of it."""
    unlike = [
        {name: value for name, value in values.items() if name not in of or of[name] != value}
        for of in known
    ]
    return min(unlike, key=len, default=values)


def main(arguments: list[str]) -> int:
    given = [Path(argument) for argument in arguments]
    files = [
        path
        for each in given
        for path in ([each] if each.is_file() else sorted(each.rglob("*")))
        if path.is_file() and not path.name.endswith(".expect.json")
    ]
    cuts = found = 0
    for path in files if given else samples():
        data = path.read_bytes()
        at = list(places(data))
        cuts += len(at)
        for cut in silent_cuts(data, path.name, at):
            found += 1
            end = data[max(cut.at - 60, 0) : cut.at]
            print(f"{path} at {cut.at}, after {end!r}: {cut.unlike}", flush=True)
    print(
        f"{found} of {cuts} cuts change a value in silence"
        if found
        else f"{cuts} cuts, none silent"
    )
    return bool(found)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
