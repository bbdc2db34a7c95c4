"""What the announcing lines of fio's normal output say of the workload of a block."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, TypeVar

from benchdash.parsers.fio.figures import size
from benchdash.parsers.fio.text_block import Block
from benchdash.parsers.fio.text_reports import Group, Head, Run
from benchdash.parsers.fio.workload import operation

Value = TypeVar("Value", int, str)

_RANGE = re.compile(r"([0-9.]{1,12}[kKMGTP]?i?B?)-([0-9.]{1,12}[kKMGTP]?i?B?)(?![0-9])", re.ASCII)
_ENGINE = re.compile(r"\bioengine=([^,\s]{1,80})")
_DEPTH = re.compile(r"\biodepth=([0-9]{1,9})", re.ASCII)
_BLOCK_SIDES = ("read", "write", "trim")


@dataclass(frozen=True, slots=True)
class Announced:
    """All that the announcements of one block's jobs agree on."""

    axes: dict[str, Any]
    operations: dict[str, str]
    block_bytes: dict[str, int | None]


class Announcements:
    """The announcements of one run, by the block that they belong to."""

    def __init__(self, run: Run) -> None:
        self._by_job = dict(run.heads)
        reported = {(block.host, block.name, block.group) for block in run.blocks.values()}
        self._unreported: dict[tuple[str, int], list[Head]] = {}
        for (host, name, group), heads in run.heads.items() if len(run.clients) > 1 else ():
            if host:  # a block that does not say whose it is may be of any
                of_any = self._by_job.get(("", name, group), {})
                self._by_job["", name, group] = of_any | heads
        for job, heads in self._by_job.items():
            if job not in reported:
                self._unreported.setdefault((job[0], job[2]), []).extend(heads)

    def of(self, block: Block) -> Announced:
        """Its own; for a reporting group also those that have no block of their own."""
        heads = list(self._by_job.get((block.host, block.name, block.group), ()))
        if block.jobs != 1:
            heads += self._unreported.get((block.host, block.group), ())
        return _announced(tuple(head[2:] for head in heads[:1000]))

    def of_group(self, group: Group) -> Announced:
        """All of a group that has no block."""
        heads = self._unreported.get((group.host, group.number), ())
        return _announced(tuple(head[2:] for head in heads[:1000]))


def _announced(heads: tuple[tuple[str, str], ...]) -> Announced:
    """From (pattern, rest of the line)s."""
    sizes = [_block_bytes(rest) for _, rest in heads]
    axes = {
        "pattern": _agreed(pattern for pattern, _ in heads),
        "block_bytes": _agreed(map(_of_pattern, heads, sizes)),
        "queue_depth": _agreed(int(depth) for depth in _each(_DEPTH, heads)),
        "engine": _agreed(_each(_ENGINE, heads)),
    }
    return Announced(
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
    sides = [side for side in ("read", "write") if operation(pattern, side) != side]
    sides += ["trim"] if "trim" in pattern else []
    return _agreed(sizes.get(side) for side in sides)
