"""What the announcing lines of a text run tell of a job: `rw=`, `bs=`, `ioengine=`, `iodepth=`."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any, TypeVar

from benchdash.parsers.fio.text_runs import Block, Head, Run
from benchdash.parsers.fio.units import size
from benchdash.parsers.fio.workload import operation
from benchdash.vocabulary.workloads import typed

Value = TypeVar("Value", int, str)
_RANGE = re.compile(r"([0-9.]{1,12}[kKMGTP]?i?B?)-([0-9.]{1,12}[kKMGTP]?i?B?)(?![0-9])", re.ASCII)
_ENGINE = re.compile(r"\bioengine=([^,\s]{1,80})")
_DEPTH = re.compile(r"\biodepth=([0-9]{1,9})", re.ASCII)
_BLOCK_SIDES = ("read", "write", "trim")


@dataclass(slots=True)
class Told:
    """The workload of one block, and what its sides are called."""

    workload: dict[str, Any]
    patterns: list[str] = field(default_factory=list)
    blocks: list[dict[str, int]] = field(default_factory=list)

    def operation(self, side: str) -> str:
        """The one operation that all announcements give the side; else its plain name."""
        names = {operation(pattern, side) for pattern in self.patterns} - {side}
        return names.pop() if len(names) == 1 else side

    def block_bytes(self, side: str) -> int | None:
        """The one block size of the side, None for a range or a mixture."""
        sizes = {block.get(side) for block in self.blocks}
        return sizes.pop() if len(sizes) == 1 else None


def told_of(run: Run, block: Block) -> Told:
    """Everything that the announcements of the block's jobs agree on."""
    heads = _heads(run, block)
    patterns = list(dict.fromkeys(head.pattern for head in heads))
    told = Told({}, patterns, [_block_bytes(head) for head in heads])
    told.workload = typed(
        {
            "pattern": patterns[0] if len(patterns) == 1 else None,
            "block_bytes": _agreed([_block_of_pattern(head) for head in heads]),
            "queue_depth": _agreed([_found(_DEPTH, head) for head in heads]),
            "jobs": block.jobs,
            "engine": _agreed([_found(_ENGINE, head) for head in heads]),
        }
    )
    return told


def _heads(run: Run, block: Block) -> list[Head]:
    """Its own announcement; for a reporting group also those that have no block of their own."""
    reported = {(other.name, other.group) for other in run.blocks.values()} - {
        (block.name, block.group)
    }
    alone = block.jobs == 1
    return [
        head
        for head in run.heads
        if head.group == block.group
        and (head.name == block.name if alone else (head.name, head.group) not in reported)
    ]


def _agreed(values: list[Value | None]) -> Value | None:
    """The one value of all, None where they differ."""
    return values[0] if values and all(value == values[0] for value in values) else None


def _found(expression: re.Pattern[str], head: Head) -> str | None:
    match = expression.search(head.rest)
    return match[1] if match else None


def _block_bytes(head: Head) -> dict[str, int]:
    """Block size by side: `bs=4K-4K/4K-4K` (read/write[/trim]), `bs=(R) 4096B-4096B, (W) …`."""
    new = "(R)" in head.rest
    ranges = _RANGE.findall(head.rest.partition("ioengine")[0])
    sizes = {}
    for side, (low, high) in zip(_BLOCK_SIDES, ranges, strict=False):
        figure = size(low, decimal=new) if low == high else None
        # `63.4KiB` is a rounded figure, no block size
        if figure and figure.value % 512 == 0:
            sizes[side] = int(figure.value)
    return sizes


def _block_of_pattern(head: Head) -> int | None:
    sizes = _block_bytes(head)
    asked = [side for side in _BLOCK_SIDES if _asks(head.pattern, side)]
    return _agreed([sizes.get(side) for side in asked])


def _asks(pattern: str, side: str) -> bool:
    if side == "trim":
        return "trim" in pattern
    return operation(pattern, side) != side
