"""Splits fio's normal output into runs, line by line, before results are made of them.

A run is one execution of fio: the lines that announce its jobs, a version, and reports: a block
for each job (or reporting group), then group lines (`aggrb=` from 1.5) and disk statistics. With
`--status-interval` reports follow each other, with `--client` each host has its own: `<host>`
stands before the lines that announce jobs, and on a line of its own before a report, unless
reports of several hosts were mixed up. A file may hold several runs, and web pages truncate,
indent and join lines. Where a line of a job is fio's and cannot be read, the job is marked as
damaged.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from typing import Any

from benchdash.errors import N_
from benchdash.parsers.fio.text_block import GAP, LINES, SIZE, THEN, TIME, Block, pattern
from benchdash.parsers.fio.text_reports import Group, Head, Report, Run

# What follows the name: `: (g=0): rw=randrw, bs=4K-4K/4K-4K, ioengine=sync, iodepth=1`
_HEAD = pattern(r": \(g=([0-9]{1,9})\): rw=([a-z0-9:.,]{1,40}), (.{0,400})")
# `: (groupid=0, jobs=4): err= 5 (file:io_u.c:1, func=x, error=Y): pid=31670: Sun Apr  6 …`
_JOB = pattern(
    r": \(groupid=([0-9]{1,9})(?:, jobs=([0-9]{1,9}))?\): err= {0,4}(-?[0-9]{1,9})"
    r"(?: \((.{0,400}?)\))?:(?: pid=(-?[0-9]{1,12}))?(.{0,200})"
)
_VERSION = pattern(r"fio[- ]v?([0-9][0-9A-Za-z.\-+_]{0,40})")
_BARE_VERSION = pattern(r"[0-9]{1,2}\.[0-9]{1,3}(?:\.[0-9]{1,3})?(?:-[0-9A-Za-z\-.]{1,30})?")
_CLIENT = pattern(r"hostname=([^ ,]{1,255}), .{0,200}?\bfio=fio-([0-9][0-9A-Za-z.\-+_]{0,40})")
_HOST = pattern(r"<([^<>]{1,255})>(?: |$)")
_HOST_AFTER_ETA = pattern(r"Jobs: .{0,1000}<([^<>]{1,255})>$")
_STARTING = pattern(r"Starting [0-9]{1,9} (?:process|thread)")
_ETA = pattern(r"(?:Jobs: [0-9]{1,9} \(f=-?[0-9]{1,9}\))+(?:.{0,400}?\[eta [^\]]{1,40}\])? *")
_DATE = pattern(
    r"(?:Mon|Tue|Wed|Thu|Fri|Sat|Sun) ([A-Z][a-z]{2} {1,3}[0-9]{1,2} [0-9:]{8} [0-9]{4})"
)
_GROUP = pattern(r"Run status group ([0-9]{1,9})")
_OLD_GROUP_SIDE = pattern(
    rf"(READ|WRITE|TRIM|MIXED){GAP}:{GAP}io={SIZE}{THEN}aggrb={SIZE}{THEN}minb={SIZE}{THEN}"
    rf"maxb={SIZE}{THEN}mint={TIME}{THEN}maxt={TIME}"
)
_GROUP_SIDE = pattern(
    rf"(READ|WRITE|TRIM|MIXED){GAP}:{GAP}bw={SIZE}{GAP}\({SIZE}\){THEN}{SIZE}-{SIZE}{GAP}"
    rf"\({SIZE}-{SIZE}\){THEN}io={SIZE}{GAP}\({SIZE}\){THEN}"
    rf"run={GAP}([0-9]{{1,15}})-{TIME}"
)
_SIDE_BEGUN = pattern(rf"(?:READ|WRITE|TRIM|MIXED){GAP}:{GAP}(?:bw|io)=")
_DISK = pattern(r"([^ :]{1,64}): (ios=[0-9]{1,20}/[0-9]{1,20}, .{1,400})")
_PAIR = pattern(r"([a-z_]{1,20})=([0-9]{1,20}(?:\.[0-9]{1,9})?)(?:/([0-9]{1,20}))?")
_FIGURES = re.compile(r"\b(?:io|IOPS|min|usr|total)=")

_ALL = "All clients"  # the sum of the others
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
            while len(reader.runs) > 1:
                yield reader.runs.pop(0)
        elif "th=[" in line:
            if block.percentile_lines is not None:
                block.percentile_lines.append(line)
        elif read is not None:
            block.percentile_lines = None
            if read(block, line):
                block.last_line = number
            elif _FIGURES.search(line) and not block.damage:
                block.damage = N_(
                    "line {line} cannot be read: {text}", line=number, text=repr(line[:60])
                )
        else:
            reader.outer_line(number, line)
    reader.end()
    yield from reader.runs


class _Reader:
    """The lines outside of blocks."""

    def __init__(self) -> None:
        self.runs: list[Run] = []
        self.block: Block | None = None
        self.report: Report | None = None
        self.group: Group | None = None
        self.host = ""  # whose report comes next
        self.number = 0
        self.line = ""

    def end(self) -> None:
        """Where the text ends within a block or a closing line, more may have followed."""
        block = self.block
        if self.runs and (
            _is_begun(self.line) if block is None else block.name == _ALL and not block.issued
        ):
            self.runs[-1].cut_line = self.number
        if (
            block
            and not block.issued
            and (self.number <= block.last_line or any(w.startswith(self.line) for w in _CLOSING))
        ):
            block.damage = block.damage or N_(
                "the text ends after line {line}", line=block.last_line
            )
        self._end_report()

    def outer_line(self, number: int, line: str) -> None:
        """Lines outside of blocks, and those that open one, less the `<host>` before them."""
        self.number, self.line = number, line
        host = ""
        if line[0] == "<" and (found := _HOST.match(line)):
            host, line = found[1], line[found.end() :]
        elif line[-1] == ">" and (found := _HOST_AFTER_ETA.fullmatch(line)):
            host, line = found[1], ""
        at = line.find(": (g")
        if not line:
            self._next_report(host)
        elif not (at >= 0 and self._opens(host, line, at)):
            self._run_line(line)

    def _next_report(self, host: str) -> None:
        """A line with nothing but a host: its report follows, after that of the one before."""
        waiting = self.host and not (self.report and self.report.groups)
        self._end_report()
        if self.runs and waiting and host != self.host:
            self.runs[-1].mixed = True
        self.host = host

    def _opens(self, host: str, line: str, at: int) -> bool:
        """A line that announces a job or opens its block."""
        name = line[:at]
        if name.startswith("Jobs: ") or "[eta " in name:
            name = _ETA.sub("", name[-600:])
            if found := _HOST.match(name):
                host, name = found[1], name[found.end() :]
        if head := _HEAD.match(line, at):
            self._head(host, name, head)
        elif job := _JOB.match(line, at):
            self._job(name, job)
        else:
            return False
        return True

    def _head(self, host: str, name: str, head: re.Match[str]) -> None:
        self._end_report()
        run = self.runs[-1] if self.runs else self._new_run()
        if host and run.clients:
            over = any(block.host == host for block in run.blocks.values())
        else:
            over = run.reported or run.started
        if over:
            run = self._new_run()
        if host:
            run.clients.setdefault(host, run.version)
        group, pattern, rest = head.groups()
        run.announce(host, Head(name, int(group), pattern, rest))

    def _job(self, name: str, job: re.Match[str]) -> None:
        group, jobs, error, message, process, rest = job.groups(default="")
        date = _DATE.search(rest)
        host = self._reporting_host()
        block = Block(
            name=name,
            group=int(group),
            jobs=int(jobs) if jobs else None,
            error=int(error),
            message=message,
            process=process,
            date=date[1] if date else "",
            host=host,
            first_line=self.number,
            last_line=self.number,
        )
        report = self.report
        if report is None or report.groups or report.host != host:
            self._end_report()
            report = self.report = Report(host)
        if name != _ALL and not report.add(block):
            self._end_report()
            self.report = Report(host)
            self.report.add(block)
        self.block = block

    def _reporting_host(self) -> str:
        """Of one client all is; of several, what follows its line, unless they were mixed up."""
        run = self.runs[-1] if self.runs else self._new_run()
        if len(run.clients) == 1:
            return next(iter(run.clients))
        return "" if run.mixed or self.host not in run.clients else self.host

    def _end_report(self) -> None:
        """Add the report to its run, or begin another run with it."""
        report, self.report = self.report, None
        self.block = self.group = None
        if report is None or not (report.blocks or report.groups):
            return
        run = self.runs[-1]
        if not run.take(report):
            self.runs.append(Run(report.first_line, run.version))
            self.runs[-1].take(report)

    def _new_run(self) -> Run:
        self._end_report()
        self.host = ""
        self.runs.append(Run(self.number))
        return self.runs[-1]

    def _run_line(self, line: str) -> None:
        first = line[0]
        if first == "R" and (group := _GROUP.match(line)):
            self._open_group(int(group[1]))
        elif first in "RWTM" and self.group and _group_side(self.group, line):
            self.group.last_line = self.number
        elif first == "f" and (version := _VERSION.fullmatch(line)):
            self._version(version[1])
        elif first == "h" and (client := _CLIENT.match(line)):
            self._client(client[1], client[2])
        elif self.runs:
            self._known_run_line(self.runs[-1], line)

    def _known_run_line(self, run: Run, line: str) -> None:
        if _STARTING.match(line):
            run.started = True
        elif "ios=" in line and (disk := _DISK.match(line)):
            run.disks = [known for known in run.disks if known["name"] != disk[1]]
            run.disks.append(_disk(disk[1], disk[2]))
        elif run.heads and not run.version and _BARE_VERSION.fullmatch(line):
            run.version = line

    def _version(self, version: str) -> None:
        self._end_report()
        run = self.runs[-1] if self.runs else self._new_run()
        if run.version or run.reported:
            run = self._new_run()
        run.version = version

    def _client(self, host: str, version: str) -> None:
        """One line from each client, some of them after the first has announced its jobs."""
        self._end_report()
        run = self.runs[-1] if self.runs else self._new_run()
        alone = not run.clients and (run.version or run.heads or run.started)
        if run.reported or alone:
            run = self._new_run()
        run.version = run.version or version
        run.clients[host] = version

    def _open_group(self, number: int) -> None:
        self.block = None
        host = self._reporting_host()
        if self.report is None or self.report.host != host or number in self.report.groups:
            self._end_report()
            self.report = Report(host)
        self.group = Group(host, number, self.number, self.number)
        self.report.groups[number] = self.group


def _is_begun(line: str) -> bool:
    """Whether a line of a group or of a disk has no end."""
    if _SIDE_BEGUN.match(line):
        return not (_GROUP_SIDE.match(line) or _OLD_GROUP_SIDE.match(line))
    return ": ios=" in line and not line.endswith("%")


def _group_side(group: Group, line: str) -> bool:
    match = _GROUP_SIDE.match(line) or _OLD_GROUP_SIDE.match(line)
    if match is None:
        return False
    name, *figures = match.groups()
    group.sides[name.lower()] = tuple(figures)
    return True


def _disk(name: str, text: str) -> dict[str, Any]:
    """`ios=0/458, util=99.39%, aggrios=…` under the names of fio's JSON."""
    found: dict[str, Any] = {"name": name}
    for key, first, second in _PAIR.findall(text):
        summed, plain = ("aggr_", key[4:]) if key.startswith("aggr") else ("", key)
        plain = "merges" if plain == "merge" else plain
        if second:
            found[f"{summed}read_{plain}"] = int(first)
            found[f"{summed}write_{plain}"] = int(second)
        else:
            found[summed + plain] = float(first) if "." in first else int(first)
    return found
