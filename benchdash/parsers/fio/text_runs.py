"""What stands in fio's normal output, as printed, before any of it is judged.

A run is one execution of fio: the lines that announce its jobs, a version, a block for each job
(or reporting group), group lines, disk statistics.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Key = tuple[str, int, str]  # name, group, process


@dataclass(slots=True)
class Head:
    """One announcement: `name: (g=0): rw=…, bs=…, ioengine=…, iodepth=…`."""

    name: str
    group: int
    pattern: str
    rest: str


@dataclass(slots=True)
class Side:
    """One direction of a block, the figures as printed; `rate_again` from 2.17 only."""

    name: str
    amount: str = ""
    rate: str = ""
    rate_again: str = ""
    iops: str = ""
    run_ms: int = 0
    latencies: dict[str, tuple[str, ...]] = field(default_factory=dict)
    percentiles: dict[str, tuple[str, list[tuple[str, str]]]] = field(default_factory=dict)
    samples: dict[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(slots=True)
class Block:
    """One job, or one reporting group under its first job's name."""

    name: str
    group: int
    jobs: int | None
    error: int
    message: str
    process: str
    date: str
    host: str
    first_line: int
    last_line: int = 0
    sides: list[Side] = field(default_factory=list)
    cpu: tuple[str, str, str] | None = None
    issued: str = ""
    errors: tuple[str, str] | None = None
    details: dict[str, Any] = field(default_factory=dict)
    damage: str = ""

    @property
    def ended(self) -> bool:
        """Did its closing lines come, so that no side can be missing?"""
        return self.cpu is not None or bool(self.issued)


@dataclass(slots=True)
class Group:
    """The lines under `Run status group N`: figures as printed, by direction."""

    number: int
    first_line: int
    last_line: int
    sides: dict[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(slots=True)
class Run:
    """One execution of fio."""

    first_line: int
    version: str = ""
    heads: list[Head] = field(default_factory=list)
    blocks: dict[Key, Block] = field(default_factory=dict)
    groups: dict[int, Group] = field(default_factory=dict)
    disks: dict[str, str] = field(default_factory=dict)
    started: bool = False

    @property
    def reported(self) -> bool:
        return bool(self.blocks or self.groups)

    def announces(self, name: str, group: int) -> bool:
        return any(head.name == name and head.group == group for head in self.heads)
