"""Reads fio's normal output line by line into runs.

A file may hold several runs, and pages shorten, indent and run lines together. Where a line of a
job is fio's and cannot be read, the job says so and is not trusted.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable

from benchdash.parsers.fio import text_lines as line_of
from benchdash.parsers.fio.text_block import LINES
from benchdash.parsers.fio.text_runs import Block, Group, Head, Run

_WORD = re.compile(r"[A-Za-z]+")
_FIGURES = re.compile(r"\b(?:io|IOPS|min|usr|total)=")


def read_runs(lines: Iterable[tuple[int, str]]) -> list[Run]:
    """The runs in (number, line)s, in order."""
    reader = _Reader()
    for number, line in lines:
        reader.read(number, line.strip(" \t|"))
    return reader.runs


class _Reader:
    def __init__(self) -> None:
        self.runs: list[Run] = []
        self.block: Block | None = None
        self.group: Group | None = None
        self.percentiles: list[tuple[str, str]] | None = None
        self.host = ""
        self.number = 0

    def read(self, number: int, line: str) -> None:
        self.number = number
        host = line_of.HOST.match(line) if line[:1] == "<" else None
        if host:
            self.host, line = host[1], line[host.end() :]
        at = line.find(": (g")
        if at >= 0 and self._opens(line, at):
            return
        if host and line:
            self.host = ""
        if "th=[" in line:
            self._percentile_line(line)
            return
        word = _WORD.match(line)
        reader = LINES.get(word[0]) if word and self.block else None
        if reader is not None:
            self._block_line(reader, line)
        elif line:
            self._run_line(line)

    def _opens(self, line: str, at: int) -> bool:
        """A line that announces a job or opens its block."""
        name = line[:at]
        if name.startswith("Jobs: ") or "[eta " in name:
            name = line_of.ETA.sub("", name[-600:])
        if head := line_of.HEAD.match(line, at):
            self._head(name, head)
            return True
        if job := line_of.JOB.match(line, at):
            self._job(name, job)
            return True
        return False

    def _head(self, name: str, head: re.Match[str]) -> None:
        if not self.runs or self.runs[-1].reported or self.runs[-1].started:
            self._new_run()
        group, pattern, rest = head.groups()
        self.runs[-1].heads.append(Head(name, int(group), pattern, rest))

    def _job(self, name: str, job: re.Match[str]) -> None:
        group, jobs, error, message, process, rest = job.groups(default="")
        date = line_of.DATE.search(rest)
        key = (name, int(group), process)
        run = self.runs[-1] if self.runs else self._new_run()
        if run.groups and key not in run.blocks and not run.announces(name, int(group)):
            run = self._new_run()
        self.block = run.blocks[key] = Block(
            name=name,
            group=int(group),
            jobs=int(jobs) if jobs else None,
            error=int(error),
            message=message,
            process=process,
            date=date[1] if date else "",
            host=self.host,
            first_line=self.number,
            last_line=self.number,
        )
        self.group = self.percentiles = None
        self.host = ""

    def _new_run(self) -> Run:
        self.block = self.group = self.percentiles = None
        self.runs.append(Run(self.number))
        return self.runs[-1]

    def _block_line(self, reader: Callable[[Block, str], bool], line: str) -> None:
        assert self.block is not None
        self.percentiles = None
        if reader(self.block, line):
            self.block.last_line = self.number
        elif heading := line_of.PERCENTILES.match(line):
            self._percentiles(*heading.groups())
        elif _FIGURES.search(line) and not self.block.damage:
            self.block.damage = f"line {self.number} cannot be read: {line[:60]!r}"

    def _percentiles(self, name: str, unit: str) -> None:
        assert self.block is not None
        if self.block.sides:
            self.percentiles = []
            self.block.sides[-1].percentiles[name] = (unit, self.percentiles)

    def _percentile_line(self, line: str) -> None:
        if self.percentiles is None or self.block is None:
            return
        found = line_of.PERCENTILE.findall(line)
        if len(found) != line.count("th="):
            self.block.damage = f"line {self.number} cannot be read: {line[:60]!r}"
        self.percentiles += found
        self.block.last_line = self.number

    def _run_line(self, line: str) -> None:
        """Lines outside of blocks: version, start, groups, disks."""
        first = line[0]
        if first == "R" and (group := line_of.GROUP.match(line)):
            self._open_group(int(group[1]))
        elif first in "RWTM" and self.group and _group_side(self.group, line):
            self.group.last_line = self.number
        elif first == "f" and (version := line_of.VERSION.fullmatch(line)):
            self._version(version[1])
        elif first == "h" and (client := line_of.CLIENT.match(line)):
            self._version(client[1])
        elif self.runs:
            self._known_run_line(self.runs[-1], line)

    def _known_run_line(self, run: Run, line: str) -> None:
        if line_of.STARTING.match(line):
            run.started = True
        elif "ios=" in line and (disk := line_of.DISK.match(line)):
            run.disks[disk[1]] = disk[2]
        elif run.heads and not run.version and line_of.BARE_VERSION.fullmatch(line):
            run.version = line

    def _version(self, version: str) -> None:
        run = self.runs[-1] if self.runs else self._new_run()
        if run.version == version and not run.heads and not run.reported:
            return  # one line from each client
        if run.version or run.reported:
            run = self._new_run()
        run.version = version

    def _open_group(self, number: int) -> None:
        """Groups again without blocks are another run; with blocks, a newer snapshot."""
        run = self.runs[-1] if self.runs else self._new_run()
        if number in run.groups and not run.blocks:
            run = self._new_run()
        self.block = self.percentiles = None
        self.group = run.groups[number] = Group(number, self.number, self.number)


def _group_side(group: Group, line: str) -> bool:
    match = line_of.GROUP_SIDE.match(line) or line_of.OLD_GROUP_SIDE.match(line)
    if match is None:
        return False
    name, *figures = match.groups()
    group.sides[name.lower()] = tuple(figures)
    return True
