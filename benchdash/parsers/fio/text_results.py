"""Runs of fio's normal output to results: jobs where there are any, groups where there are none."""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from functools import lru_cache
from typing import Any

from benchdash.parsers.fio.numbers import Numbers
from benchdash.parsers.fio.text_axes import Announcements
from benchdash.parsers.fio.text_numbers import numbers_of
from benchdash.parsers.fio.text_runs import Block, Group, Run
from benchdash.parsers.fio.units import Figure, size, truer
from benchdash.parsers.result import ParseError, Result

_MESSAGE = re.compile(r"error=(.*)")
_MONTHS = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)


@dataclass(slots=True)
class Texts:
    """The results of all runs, what of them cannot be trusted, and where runs came to nothing."""

    results: list[Result] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    fruitless: list[int] = field(default_factory=list)
    reported: bool = False


def results(runs: Iterable[Run]) -> Texts:
    """Each run is judged as soon as it is complete, and let go."""
    texts = Texts()
    for run in runs:
        _judge(run, texts)
    return texts


def _judge(run: Run, texts: Texts) -> None:
    announced = Announcements(run)
    blocks = [block for block in run.blocks.values() if block.name != "All clients"]
    for last in blocks:
        for block in filter(None, (last, last.earlier)):
            try:
                _must_be_whole(run, block)
                texts.results.append(_job(run, block, announced))
                break
            except ParseError as error:
                texts.problems.append(
                    f"job {block.name[:60]!r} of line {block.first_line}: {error.sentence}"
                )
    with_blocks = {block.group for block in run.blocks.values()}
    alone = [g for g in run.groups.values() if g.sides and g.number not in with_blocks]
    texts.results += [_group(run, group, announced) for group in alone]
    if blocks and not run.groups:
        texts.problems.append(
            f"the run of line {run.first_line} has no closing group lines: jobs may be missing"
        )
    texts.problems += [f"line {group.first_line}: only group lines, no jobs" for group in alone]
    texts.reported = texts.reported or run.reported
    if not run.reported and (run.heads or run.started):
        texts.fruitless.append(run.first_line)


def _must_be_whole(run: Run, block: Block) -> None:
    """ParseError where a side could be missing or a line was not understood."""
    if block.damage:
        raise ParseError(block.damage)
    if not block.sides and not block.error:
        raise ParseError("no figures follow")
    group = run.groups.get(block.group)
    if not block.ended and not (group and set(group.sides) <= {s.name for s in block.sides}):
        raise ParseError(f"cut off after line {block.last_line}")


def _job(run: Run, block: Block, announced: Announcements) -> Result:
    told = announced.of(block.name, block.group, block.jobs)
    result = _new_result(run, f"{block.name} @ {block.host}" if block.host else block.name)
    result.started_at = _date(block.date)
    result.workload = dict(told.axes)
    if block.jobs is not None:
        result.workload["jobs"] = block.jobs
    result.details = _details(run, block)
    result.lines = block.first_line, block.last_line
    numbers_of(block, told).into(result)
    if block.error:
        message = _MESSAGE.search(block.message)
        words = message[1] if message else os.strerror(abs(block.error))
        result.error = {"code": block.error, "message": words}
    return result


def _new_result(run: Run, label: str) -> Result:
    kind = f"fio/text-{run.version.partition('.')[0]}" if run.version else "fio/text"
    return Result("fio", run.version, kind, label)


@lru_cache(maxsize=16)
def _date(text: str) -> datetime | None:
    """`Nov 20 22:03:54 2026`: the host's local time without its zone, taken as UTC."""
    try:
        month, day, clock, year = text.split()
        hour, minute, second = map(int, clock.split(":"))
        number = _MONTHS.index(month) + 1
        return datetime(int(year), number, int(day), hour, minute, second, tzinfo=UTC)
    except ValueError:
        return None


def _details(run: Run, block: Block) -> dict[str, Any]:
    details: dict[str, Any] = {"groupid": block.group}
    if block.process:
        details["pid"] = int(block.process)
    if block.host:
        details["hostname"] = block.host
    details |= block.details
    details |= {side.name: side.samples for side in block.sides if side.samples}
    if run.disks:
        details["disk_util"] = run.disks
    return details


def _group(run: Run, group: Group, announced: Announcements) -> Result:
    """A reporting group without job blocks: bandwidth, amount and the longest run time."""
    result = _new_result(run, f"group {group.number}")
    told = announced.of_group(group.number)
    result.workload = dict(told.axes)
    result.details = {"groupid": group.number}
    if run.disks:
        result.details["disk_util"] = run.disks
    result.lines = group.first_line, group.last_line
    numbers = Numbers()
    for side, figures in group.sides.items():
        rate, amount = _group_figures(figures)
        if rate and amount:
            what = told.operations[side]
            numbers.side(what, (rate[0], None, amount[0], None, int(figures[-1]) / 1000))
    numbers.into(result)
    return result


def _group_figures(figures: tuple[str, ...]) -> tuple[Figure | None, Figure | None]:
    """(bandwidth, amount); minb and maxb of 1.x are in another unit than aggrb and not used."""
    if len(figures) == 6:
        return size(figures[1], decimal=False), size(figures[0], decimal=False)
    rate, again, amount, more = (size(figures[at], decimal=True) for at in (0, 1, 6, 7))
    if not (rate and again and amount and more):
        return None, None
    return truer(rate, again), truer(amount, more)
