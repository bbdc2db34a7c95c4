"""What stands in fio's normal output, before any of it is judged.

A run is one execution of fio: the lines that announce its jobs, a version, a block for each job
(or reporting group), group lines, disk statistics.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

Key = tuple[str, int, str]  # name, group, process


class Head(NamedTuple):
    """One announcement: `name: (g=0): rw=…, bs=…, ioengine=…, iodepth=…`."""

    name: str
    group: int
    pattern: str
    rest: str


@dataclass(slots=True)
class Side:
    """One direction of a block: rates as printed (`rate_again` from 2.17 only), times in s.

    Percentiles are still lines, with how many of their unit are a second.
    """

    name: str
    amount: str = ""
    rate: str = ""
    rate_again: str = ""
    iops: str = ""
    run_ms: int = 0
    spreads: dict[str, tuple[float, ...]] = field(default_factory=dict)
    percentiles: dict[str, tuple[float, list[str]]] = field(default_factory=dict)
    samples: dict[str, float] = field(default_factory=dict)


@dataclass(slots=True)
class Block:
    """One job, or one reporting group under its first job's name; `earlier` is its last snapshot."""

    name: str
    group: int
    jobs: int | None
    error: int
    message: str
    process: str
    date: str
    host: str
    first_line: int
    last_line: int
    sides: list[Side] = field(default_factory=list)
    cpu: tuple[float, float] | None = None
    issued: list[int] = field(default_factory=list)
    errors: int | None = None
    details: dict[str, Any] = field(default_factory=dict)
    damage: str = ""
    percentile_lines: list[str] | None = None
    earlier: Block | None = None

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
    clients: set[str] = field(default_factory=set)
    heads: dict[tuple[str, int], dict[Head, None]] = field(default_factory=dict)
    blocks: dict[Key, Block] = field(default_factory=dict)
    groups: dict[int, Group] = field(default_factory=dict)
    disks: list[dict[str, Any]] = field(default_factory=list)
    started: bool = False

    @property
    def host(self) -> str:
        """The one client of the run; of several, fio's text does not say whose a block is."""
        return next(iter(self.clients)) if len(self.clients) == 1 else ""

    @property
    def reported(self) -> bool:
        return bool(self.blocks or self.groups)

    def announce(self, head: Head) -> None:
        """`numjobs` announces one job many times: once is enough."""
        self.heads.setdefault((head.name, head.group), {})[head] = None
