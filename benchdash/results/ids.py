"""Numbers of records as people and addresses write them."""

from __future__ import annotations

import re
from collections.abc import Iterable

LARGEST_ID = 2**63 - 1
_DIGITS = re.compile(r"[0-9]{1,19}")  # Python refuses to read thousands of them, with an error


def read_id(text: object) -> int | None:
    """The number, where a record could have it."""
    number = int(str(text)) if _DIGITS.fullmatch(str(text)) else 0
    return number if 0 < number <= LARGEST_ID else None


def read_ids(texts: list[str]) -> list[int]:
    """Those that records could have, in their order."""
    return [pk for text in texts if (pk := read_id(text)) is not None]


Ranges = tuple[
    tuple[int, int], ...
]  # first and last number of each, in order, apart from each other


def ranges_of(ids: Iterable[int]) -> Ranges:
    """The fewest ranges with exactly these numbers in them."""
    return _joined((pk, pk) for pk in ids)


def read_ranges(text: str) -> Ranges | None:
    """`4-13,17` as ranges; None where it is something else."""
    found = []
    for part in text.split(","):
        first, dash, last = part.strip().partition("-")
        ends = read_id(first), read_id(last if dash else first)
        if ends[0] is None or ends[1] is None or ends[0] > ends[1]:
            return None
        found.append((ends[0], ends[1]))
    return _joined(found)


def ranges_text(ranges: Ranges) -> str:
    """The inverse of `read_ranges`."""
    return ",".join(f"{first}-{last}" if first < last else f"{first}" for first, last in ranges)


def _joined(ranges: Iterable[tuple[int, int]]) -> Ranges:
    joined: list[tuple[int, int]] = []
    for first, last in sorted(ranges):
        if joined and first <= joined[-1][1] + 1:
            joined[-1] = joined[-1][0], max(last, joined[-1][1])
        else:
            joined.append((first, last))
    return tuple(joined)
