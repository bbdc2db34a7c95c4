"""Runs of fio's normal output to results: jobs where there are any, groups where there are none."""

from __future__ import annotations

import os
import re
from datetime import UTC, datetime
from typing import Any

from benchdash.parsers.fio import text_lines as line_of
from benchdash.parsers.fio.numbers import Numbers
from benchdash.parsers.fio.text_axes import told_of
from benchdash.parsers.fio.text_numbers import (
    issued_by_side,
    keep_samples,
    measure_run,
    measure_side,
    measure_sync,
)
from benchdash.parsers.fio.text_runs import Block, Group, Run
from benchdash.parsers.fio.units import Figure, size, truer
from benchdash.parsers.fio.workload import operation
from benchdash.parsers.result import ParseError, Result

_MESSAGE = re.compile(r"error=(.*)")


def results(runs: list[Run]) -> tuple[list[Result], list[str]]:
    """The results of all runs, and a clause for each part that cannot be trusted."""
    found: list[Result] = []
    problems: list[str] = []
    for run in runs:
        found += _of_run(run, problems)
    return found, problems


def _of_run(run: Run, problems: list[str]) -> list[Result]:
    found = []
    blocks = [block for block in run.blocks.values() if block.name != "All clients"]
    for block in blocks:
        try:
            _must_be_whole(run, block)
            found.append(_job(run, block))
        except ParseError as error:
            where = f"job {block.name[:60]!r} of line {block.first_line}"
            problems.append(f"{where}: {error.sentence}")
    with_blocks = {block.group for block in run.blocks.values()}
    alone = [group for number, group in run.groups.items() if number not in with_blocks]
    alone = [group for group in alone if group.sides]
    found += [_group(run, group) for group in alone]
    if blocks and not run.groups:
        problems.append(
            f"the run of line {run.first_line} has no closing group lines: jobs may be missing"
        )
    if alone:
        lines = ", ".join(str(group.first_line) for group in alone[:5])
        problems.append(f"only group lines, no jobs, at line {lines}")
    return found


def _must_be_whole(run: Run, block: Block) -> None:
    """ParseError where a side could be missing or a line was not understood."""
    if block.damage:
        raise ParseError(block.damage)
    if not block.sides and not block.error:
        raise ParseError("no figures follow")
    group = run.groups.get(block.group)
    sides = {side.name for side in block.sides}
    if not block.ended and not (group and set(group.sides) <= sides):
        raise ParseError(f"cut off after line {block.last_line}")


def _job(run: Run, block: Block) -> Result:
    told = told_of(run, block)
    result = _new_result(run, block.name)
    if block.host:
        result.label = f"{block.name} @ {block.host}"
    result.started_at = _date(block.date)
    result.workload = told.workload
    result.details = _details(run, block)
    result.lines = block.first_line, block.last_line
    numbers = Numbers()
    issued = issued_by_side(block)
    for side in block.sides:
        if side.name == "sync":
            measure_sync(numbers, side, issued)
        else:
            measure_side(numbers, side, told, issued.get(side.name))
            keep_samples(result.details, side)
    measure_run(numbers, result.details, block)
    numbers.into(result)
    if block.error:
        message = _MESSAGE.search(block.message)
        words = message[1] if message else os.strerror(abs(block.error))
        result.error = {"code": block.error, "message": words}
    return result


def _new_result(run: Run, label: str) -> Result:
    kind = "fio/text-" + run.version.split(".")[0] if run.version else "fio/text"
    return Result("fio", run.version, kind, label)


def _date(text: str) -> datetime | None:
    """fio prints the host's local time without its zone: taken as UTC."""
    try:
        return datetime.strptime(text, "%b %d %H:%M:%S %Y").replace(tzinfo=UTC) if text else None
    except ValueError:
        return None


def _details(run: Run, block: Block) -> dict[str, Any]:
    details: dict[str, Any] = {"groupid": block.group}
    if block.process:
        details["pid"] = int(block.process)
    if block.host:
        details["hostname"] = block.host
    details |= block.details
    if run.disks:
        details["disk_util"] = [_disk(name, text) for name, text in run.disks.items()]
    return details


def _disk(name: str, text: str) -> dict[str, Any]:
    """`ios=0/458, util=99.39%, aggrios=…` under the names of fio's JSON."""
    disk: dict[str, Any] = {"name": name}
    for key, first, second in line_of.PAIR.findall(text):
        summed, plain = ("aggr_", key[4:]) if key.startswith("aggr") else ("", key)
        plain = {"merge": "merges"}.get(plain, plain)
        if second:
            disk[f"{summed}read_{plain}"] = int(float(first))
            disk[f"{summed}write_{plain}"] = int(second)
        else:
            disk[summed + plain] = float(first) if plain == "util" else int(float(first))
    return disk


def _group(run: Run, group: Group) -> Result:
    """A reporting group without job blocks: bandwidth, amount and the longest run time."""
    result = _new_result(run, f"group {group.number}")
    result.details = {"groupid": group.number}
    if run.disks:
        result.details["disk_util"] = [_disk(name, text) for name, text in run.disks.items()]
    result.lines = group.first_line, group.last_line
    patterns = {head.pattern for head in run.heads if head.group == group.number}
    numbers = Numbers()
    for side, figures in group.sides.items():
        names = {operation(pattern, side) for pattern in patterns} - {side}
        what = names.pop() if len(names) == 1 else side
        rate, amount = _group_figures(figures)
        if rate and amount:
            numbers.add(what, "throughput", "mean", rate.value)
            numbers.add(what, "bytes", "total", amount.value)
            numbers.add(what, "duration", "total", int(figures[-1]) / 1000)
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
