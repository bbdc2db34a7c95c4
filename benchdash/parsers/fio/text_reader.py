"""Reads fio's normal output line by line into runs.

A file may hold several runs, and pages shorten, indent and run lines together. Where a line of a
job is fio's and cannot be read, the job says so and is not trusted.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from benchdash.parsers.fio import text_lines as line_of
from benchdash.parsers.fio.text_block import LINES
from benchdash.parsers.fio.text_runs import Block, Group, Head, Run

_FIGURES = re.compile(r"\b(?:io|IOPS|min|usr|total)=")

_CLOSING = ("cpu", "lat (", "IO depths", "submit", "complete", "issued")


def read_runs(lines: Iterable[tuple[int, str]]) -> Iterator[Run]:
    """The runs in (number, line)s, each as soon as the next one begins."""
    reader = _Reader()
    for number, line in lines:
        line = line.strip(" \t|")  # noqa: PLW2901 - the hot loop of the whole parser
        if not line:
            continue
        block = reader.block
        read = LINES.get(line[:3]) if block is not None else None
        if block is None or ": (g" in line:
            reader.outer_line(number, line)
            if len(reader.runs) > 1:
                yield reader.runs.pop(0)
        elif "th=[" in line:
            if block.percentile_lines is not None:
                block.percentile_lines.append(line)
        elif read is not None:
            block.percentile_lines = None
            if read(block, line):
                block.last_line = number
            elif _FIGURES.search(line) and not block.damage:
                block.damage = f"line {number} cannot be read: {line[:60]!r}"
        else:
            reader.outer_line(number, line)
    reader.end()
    yield from reader.runs


class _Reader:
    """The lines outside of blocks."""

    def __init__(self) -> None:
        self.runs: list[Run] = []
        self.block: Block | None = None
        self.group: Group | None = None
        self.number = 0
        self.line = ""

    def end(self) -> None:
        """Where the text ends within a block, more of it may have followed."""
        block = self.block
        if block is None or block.issued:
            return
        if self.number <= block.last_line or any(w.startswith(self.line) for w in _CLOSING):
            block.damage = block.damage or f"the text ends after line {block.last_line}"

    def outer_line(self, number: int, line: str) -> None:
        """Lines outside of blocks, and those that open one, less the `<host>` before them."""
        self.number, self.line = number, line
        if line[0] == "<" and (host := line_of.HOST.match(line)):
            line = line[host.end() :]
        at = line.find(": (g")
        if line and not (at >= 0 and self._opens(line, at)):
            self._run_line(line)

    def _opens(self, line: str, at: int) -> bool:
        """A line that announces a job or opens its block."""
        name = line[:at]
        if name.startswith("Jobs: ") or "[eta " in name:
            name = line_of.ETA.sub("", name[-600:])
        if head := line_of.HEAD.match(line, at):
            self._head(name, head)
        elif job := line_of.JOB.match(line, at):
            self._job(name, job)
        else:
            return False
        return True

    def _head(self, name: str, head: re.Match[str]) -> None:
        if not self.runs or self.runs[-1].reported or self.runs[-1].started:
            self._new_run()
        group, pattern, rest = head.groups()
        self.runs[-1].announce(Head(name, int(group), pattern, rest))

    def _job(self, name: str, job: re.Match[str]) -> None:
        group, jobs, error, message, process, rest = job.groups(default="")
        date = line_of.DATE.search(rest)
        key = (name, int(group), process)
        run = self.runs[-1] if self.runs else self._new_run()
        if run.groups and key not in run.blocks and key[:2] not in run.heads:
            run = self._new_run()
        self.group = None
        self.block = run.blocks[key] = Block(
            name=name,
            group=int(group),
            jobs=int(jobs) if jobs else None,
            error=int(error),
            message=message,
            process=process,
            date=date[1] if date else "",
            host=run.host,
            first_line=self.number,
            last_line=self.number,
            earlier=run.blocks.get(key),
        )
        if self.block.earlier:
            self.block.earlier.earlier = None
            run.groups.pop(int(group), None)  # a newer snapshot has its own

    def _new_run(self) -> Run:
        self.block = self.group = None
        self.runs.append(Run(self.number))
        return self.runs[-1]

    def _run_line(self, line: str) -> None:
        first = line[0]
        if first == "R" and (group := line_of.GROUP.match(line)):
            self._open_group(int(group[1]))
        elif first in "RWTM" and self.group and _group_side(self.group, line):
            self.group.last_line = self.number
        elif first == "f" and (version := line_of.VERSION.fullmatch(line)):
            self._version(version[1])
        elif first == "h" and (client := line_of.CLIENT.match(line)):
            self._version(client[2])
            self.runs[-1].clients.add(client[1])
        elif self.runs:
            self._known_run_line(self.runs[-1], line)

    def _known_run_line(self, run: Run, line: str) -> None:
        if line_of.STARTING.match(line):
            run.started = True
        elif "ios=" in line and (disk := line_of.DISK.match(line)):
            run.disks = [known for known in run.disks if known["name"] != disk[1]]
            run.disks.append(line_of.disk(disk[1], disk[2]))
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
        self.block = None
        self.group = run.groups[number] = Group(number, self.number, self.number)


def _group_side(group: Group, line: str) -> bool:
    match = line_of.GROUP_SIDE.match(line) or line_of.OLD_GROUP_SIDE.match(line)
    if match is None:
        return False
    name, *figures = match.groups()
    group.sides[name.lower()] = tuple(figures)
    return True
