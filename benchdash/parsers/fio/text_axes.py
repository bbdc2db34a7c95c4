"""What the announcing lines of a text run tell of a job: `rw=`, `bs=`, `ioengine=`, `iodepth=`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar

from benchdash.parsers.fio.text_runs import Head, Run
from benchdash.parsers.fio.units import size
from benchdash.parsers.fio.workload import operation

Value = TypeVar("Value", int, str)
_RANGE = re.compile(r"([0-9.]{1,12}[kKMGTP]?i?B?)-([0-9.]{1,12}[kKMGTP]?i?B?)(?![0-9])", re.ASCII)
_ENGINE = re.compile(r"\bioengine=([^,\s]{1,80})")
_DEPTH = re.compile(r"\biodepth=([0-9]{1,9})", re.ASCII)
_BLOCK_SIDES = ("read", "write", "trim")


@dataclass(frozen=True, slots=True)
class Told:
    """All that the announcements of one block's jobs agree on."""

    axes: dict[str, Any]
    operations: dict[str, str]
    block_bytes: dict[str, int | None]


class Announcements:
    """The announcements of one run, by the block that they belong to."""

    def __init__(self, run: Run) -> None:
        self._by_job = run.heads
        reported = {(block.name, block.group) for block in run.blocks.values()}
        self._unreported: dict[int, list[Head]] = {}
        for job, heads in run.heads.items():
            if job not in reported:
                self._unreported.setdefault(job[1], []).extend(heads)

    def of(self, name: str, group: int, jobs: int | None) -> Told:
        """Its own; for a reporting group also those that have no block of their own."""
        heads = list(self._by_job.get((name, group), ()))
        if jobs != 1:
            heads += self._unreported.get(group, ())
        return _told(tuple(head[2:] for head in heads[:1000]))

    def of_group(self, group: int) -> Told:
        """All of a group that has no block."""
        return _told(tuple(head[2:] for head in self._unreported.get(group, ())[:1000]))


@lru_cache(maxsize=256)
def _told(heads: tuple[tuple[str, str], ...]) -> Told:
    """From (pattern, rest of the line)s."""
    sizes = [_block_bytes(rest) for _, rest in heads]
    axes = {
        "pattern": _agreed(pattern for pattern, _ in heads),
        "block_bytes": _agreed(map(_of_pattern, heads, sizes)),
        "queue_depth": _agreed(int(depth) for depth in _each(_DEPTH, heads)),
        "engine": _agreed(_each(_ENGINE, heads)),
    }
    return Told(
        {axis: value for axis, value in axes.items() if value is not None},
        {side: _operation(heads, side) for side in (*_BLOCK_SIDES, "mixed")},
        {side: _agreed(block.get(side) for block in sizes) for side in _BLOCK_SIDES},
    )


def _agreed(values: Iterable[Value | None]) -> Value | None:
    """The one value of all, None where they differ."""
    distinct = set(values)
    return distinct.pop() if len(distinct) == 1 else None


def _each(expression: re.Pattern[str], heads: tuple[tuple[str, str], ...]) -> list[str]:
    found = [expression.search(rest) for _, rest in heads]
    return [match[1] for match in found if match] if all(found) else []


def _operation(heads: tuple[tuple[str, str], ...], side: str) -> str:
    """The one operation that all give the side; else its plain name."""
    names = {operation(pattern, side) for pattern, _ in heads} - {side}
    return names.pop() if len(names) == 1 else side


def _block_bytes(rest: str) -> dict[str, int]:
    """Block size by side: `bs=4K-4K/4K-4K` (read/write[/trim]), `bs=(R) 4096B-4096B, (W) …`."""
    ranges = _RANGE.findall(rest.partition("ioengine")[0])
    sizes = {}
    for side, (low, high) in zip(_BLOCK_SIDES, ranges, strict=False):
        figure = size(low, decimal="(R)" in rest) if low == high else None
        # `63.4KiB` is a rounded figure, no block size
        if figure and figure[0] % 512 == 0:
            sizes[side] = int(figure[0])
    return sizes


def _of_pattern(head: tuple[str, str], sizes: dict[str, int]) -> int | None:
    """The block size of the sides that the pattern asks for."""
    pattern = head[0]
    asked = [side for side in ("read", "write") if operation(pattern, side) != side]
    asked += ["trim"] if "trim" in pattern else []
    return _agreed(sizes.get(side) for side in asked)
