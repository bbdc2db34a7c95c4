"""One run of fio's normal output: what was announced, and the newest report of each host."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, NamedTuple

from benchdash.parsers.fio.snapshots import Growth
from benchdash.parsers.fio.text_block import Block

Key = tuple[str, str, int, str, int]  # host, name, group, process, which of those alike


class Head(NamedTuple):
    """One announcement: `name: (g=0): rw=…, bs=…, ioengine=…, iodepth=…`."""

    name: str
    group: int
    pattern: str
    rest: str


@dataclass(slots=True)
class Group:
    """The lines under `Run status group N`: figures as printed, by direction."""

    host: str
    number: int
    first_line: int
    last_line: int
    sides: dict[str, tuple[str, ...]] = field(default_factory=dict)


@dataclass(slots=True)
class Report:
    """What one host printed of its jobs at one time."""

    host: str
    blocks: dict[Key, Block] = field(default_factory=dict)
    groups: dict[int, Group] = field(default_factory=dict)
    _alike: dict[tuple[str, int, str], int] = field(default_factory=dict)

    @property
    def first_line(self) -> int:
        parts: list[Block | Group] = [*self.blocks.values(), *self.groups.values()]
        return min(part.first_line for part in parts)

    def add(self, block: Block) -> bool:
        """One more job; False where it is known, so that it is of another report.

        Those that failed before they began have no process to tell them apart.
        """
        job = block.name, block.group, block.process
        alike = self._alike.get(job, 0)
        if alike and not (block.error and block.process in ("", "0")):
            alike -= 1
            if self.blocks[(self.host, *job, alike)].sides:
                return False
        self.blocks[(self.host, *job, alike)] = block
        self._alike[job] = alike + 1
        return True


@dataclass(slots=True)
class Run:
    """One execution of fio: the newest report of each host.

    `clients` are hosts with their versions, "" is the host of what does not say whose it is.
    """

    first_line: int
    version: str = ""
    clients: dict[str, str] = field(default_factory=dict)
    mixed: bool = False  # reports of several hosts
    heads: dict[tuple[str, str, int], dict[Head, None]] = field(default_factory=dict)
    blocks: dict[Key, Block] = field(default_factory=dict)
    groups: dict[tuple[str, int], Group] = field(default_factory=dict)
    disks: list[dict[str, Any]] = field(default_factory=list)
    started: bool = False
    renewed: bool = False
    unclosed: bool = False  # the last report has no group lines
    cut_line: int = 0  # of its closing lines, in which the text ends

    @property
    def reported(self) -> bool:
        return bool(self.blocks or self.groups)

    def announce(self, host: str, head: Head) -> None:
        """`numjobs` announces one job many times: once is enough."""
        self.heads.setdefault((host, head.name, head.group), {})[head] = None

    def take(self, report: Report) -> bool:
        """Add a report, in place of the last one of its host; False where it is of another run."""
        known = [key for key in report.blocks if key in self.blocks] if self.blocks else []
        if not self._may_take(report, known):
            return False
        for key, block in report.blocks.items():
            block.earlier = self.blocks.get(key)
            if block.earlier:
                block.earlier.earlier = None
                self.groups.pop((block.host, block.group), None)  # a newer report has its own
            self.blocks[key] = block
        for number, group in report.groups.items():
            self.groups[report.host, number] = group
        self.unclosed = not report.groups
        self.renewed = self.renewed or bool(known)
        return True

    def _may_take(self, report: Report, known: list[Key]) -> bool:
        if not self.reported:
            return True
        if not report.blocks:  # groups again without blocks are another run
            return bool(self.blocks) or self.groups.keys().isdisjoint(
                [(report.host, number) for number in report.groups]
            )
        if not known:
            # a report has all jobs that have begun, unless hosts cannot be told apart
            closed = any(host == report.host for host, _ in self.groups)
            announced = all(
                (report.host, block.name, block.group) in self.heads or not report.host
                for block in report.blocks.values()
            )
            return not closed or (bool(self.clients) and announced)
        pairs = [(self.blocks[key], report.blocks[key]) for key in known]
        # of what was cut, nothing can be said
        whole = [pair for pair in pairs if pair[1].ended and not pair[1].damage]
        growth = Growth()
        if not all(_add_growth(growth, *pair) for pair in whole):
            return False
        return not whole or growth.goes_on(sure=bool(self.heads) or self.renewed)


def _add_growth(growth: Growth, earlier: Block, later: Block) -> bool:
    """The sides of one job; False where one is missing."""
    sides = {side.name: side for side in later.sides}
    places = {name: place for place, name in enumerate(("read", "write", "trim"))}
    for before in earlier.sides:
        after = sides.get(before.name)
        if after is None:
            return False
        place = places.get(before.name, len(later.issued))
        counts = [block.issued[place : place + 1] or [0] for block in (earlier, later)]
        growth.add(
            (before.run_ms / 1000, after.run_ms / 1000),
            (float(counts[0][0]), float(counts[1][0])),
        )
    return True
