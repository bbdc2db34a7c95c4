"""Runs of fio's normal output to results: jobs where there are any, groups where there are none.

The announcing lines (`rw=`, `bs=`, `ioengine=`, `iodepth=`) give the workload, the figures of a
block the numbers, in base units.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

import msgspec

from benchdash.errors import N_
from benchdash.parsers.fio.figures import (
    Figure,
    Latencies,
    Totals,
    count,
    measure_cpu,
    measure_percentiles,
    measure_side,
    measure_spread,
    size,
    truer,
)
from benchdash.parsers.fio.text_announcements import Announced, Announcements
from benchdash.parsers.fio.text_block import Block, Side, pattern
from benchdash.parsers.fio.text_reports import Group, Run
from benchdash.parsers.result import ParseError, Result
from benchdash.parsers.text import doubt_incomplete

_MESSAGE = re.compile(r"error=(.*)")
_MONTHS = (
    *("Jan", "Feb", "Mar", "Apr", "May", "Jun"),
    *("Jul", "Aug", "Sep", "Oct", "Nov", "Dec"),
)
_LATENCIES = (("slat", "submission_latency"), ("clat", "completion_latency"), ("lat", "latency"))
_DIRECTIONS = ("read", "write", "trim", "sync")
_FIGURES = msgspec.json.Decoder(list[float])
_NO_FIGURES = dict.fromkeys(map(ord, "0123456789 \t|"))
# `1.00th=[   42],  5.00th=[   44], …`, of which this is what stays without digits and blanks
_PERCENTILE_FRAMES = pattern(r"(?:\.?th=\[\],?)+")


@dataclass(slots=True)
class Texts:
    """The results of all runs, what of them cannot be trusted, and where runs came to nothing."""

    results: list[Result] = field(default_factory=list)
    problems: list[str] = field(default_factory=list)
    fruitless: list[int] = field(default_factory=list)
    reported: bool = False
    runs: int = 0


def results(runs: Iterable[Run]) -> Texts:
    """The results of each run, made as soon as it is complete, so that only one is in memory."""
    texts = Texts()
    for run in runs:
        first, problems = len(texts.results), len(texts.problems)
        _judge(run, texts)
        _number(texts.results[first:], texts.runs)
        _doubt_cut(run, texts.results[first:])
        if run.blocks and len(texts.problems) > problems:
            doubt_incomplete(texts.results[first:], texts.problems[problems])
        texts.runs += 1
    return texts


def _number(of_run: list[Result], execution: int) -> None:
    """Groups as fio numbers them: its text does not say that one waited for nothing."""
    for result in of_run:
        result.execution, result.group = execution, result.details["groupid"]


def _judge(run: Run, texts: Texts) -> None:
    texts.reported = texts.reported or run.reported
    if not run.reported and (run.heads or run.started):
        texts.fruitless.append(run.first_line)
    blocks = list(run.blocks.values())
    if not (blocks or any(group.sides for group in run.groups.values())):
        return
    announcements = Announcements(run)
    for last in blocks:
        for block in filter(None, (last, last.earlier)):
            try:
                _must_be_whole(run, block)
                texts.results.append(_job(run, block, announcements))
                break
            except ParseError as error:
                texts.problems.append(
                    N_(
                        "job {name} at line {line}: {sentence}",
                        name=repr(block.name[:60]),
                        line=block.first_line,
                        sentence=error.sentence,
                    )
                )
    with_blocks = {(block.host, block.group) for block in blocks}
    alone = [group for of, group in run.groups.items() if group.sides and of not in with_blocks]
    texts.results += [_group(run, group, announcements) for group in alone]
    if blocks and (run.unclosed or not run.groups):
        texts.problems.append(
            N_(
                "the run at line {line} has no closing group lines: jobs may be missing",
                line=run.first_line,
            )
        )
    texts.problems += [
        N_("line {line}: only group lines, no jobs", line=group.first_line) for group in alone
    ]


def _doubt_cut(run: Run, results: list[Result]) -> None:
    """A run that is printed again and again is not over where the text ends."""
    if run.cut_line:
        doubt = N_(
            "The text ends within line {line}, a closing line of fio: a later report of this run "
            "may be missing. Compare it with the original file.",
            line=run.cut_line,
        )
        for result in results:
            result.doubts.append(doubt)


def _must_be_whole(run: Run, block: Block) -> None:
    """ParseError where a side could be missing or a line was not understood."""
    if block.damage:
        raise ParseError(block.damage)
    group = run.groups.get((block.host, block.group))
    if not block.sides and not block.error and not (block.ended and group and not group.sides):
        raise ParseError("no figures follow")
    if not block.ended and not (group and set(group.sides) <= {s.name for s in block.sides}):
        raise ParseError("cut off after line {line}", line=block.last_line)


def _job(run: Run, block: Block, announcements: Announcements) -> Result:
    announced = announcements.of(block)
    result = _new_result(run, block.name, block.host)
    result.started_at, result.timed_at_end = _date(block.date), True
    result.workload = dict(announced.axes)
    if block.jobs is not None:
        result.workload["jobs"] = block.jobs
    result.details = _details(run, block)
    result.lines = block.first_line, block.last_line
    _measure(result, block, announced)
    if block.error:
        message = _MESSAGE.search(block.message)
        words = message[1] if message else os.strerror(abs(block.error))
        result.error = {"code": block.error, "message": words}
    elif not result.by_name():
        result.note("run", "bytes", N_("no I/O was done"))
    return result


def _new_result(run: Run, label: str, host: str) -> Result:
    version = run.clients.get(host) or run.version
    kind = f"fio/text-{version.partition('.')[0]}" if version else "fio/text"
    return Result("fio", version, kind, f"{label} @ {host}" if host else label)


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


def _group(run: Run, group: Group, announcements: Announcements) -> Result:
    """A reporting group without job blocks: bandwidth, amount and the longest run time."""
    result = _new_result(run, f"group {group.number}", group.host)
    announced = announcements.of_group(group)
    result.workload = dict(announced.axes)
    result.details = {"groupid": group.number}
    if group.host:
        result.details["hostname"] = group.host
    if run.disks:
        result.details["disk_util"] = run.disks
    result.lines = group.first_line, group.last_line
    for side, figures in group.sides.items():
        rate, amount = _group_figures(figures)
        if rate and amount:
            what = announced.operations[side]
            measure_side(
                result,
                what,
                Totals(
                    rate=rate[0],
                    iops=None,
                    amount=amount[0],
                    operations=None,
                    run_s=int(figures[-1]) / 1000,
                ),
            )
    return result


def _group_figures(figures: tuple[str, ...]) -> tuple[Figure | None, Figure | None]:
    """(bandwidth, amount); minb and maxb of 1.x are in another unit than aggrb and not used."""
    # to 2.16: io, aggrb, minb, maxb, mint, maxt; then bw twice, four bounds, io twice, run times
    if len(figures) == 6:
        return size(figures[1], decimal=False), size(figures[0], decimal=False)
    rate, again, amount, more = (size(figures[at], decimal=True) for at in (0, 1, 6, 7))
    if not (rate and again and amount and more):
        return None, None
    return truer(rate, again), truer(amount, more)


def _measure(result: Result, block: Block, announced: Announced) -> None:
    """All numbers of a block; ParseError where a figure or a unit cannot be read."""
    issued = dict(zip(_DIRECTIONS, block.issued, strict=False))
    if issued:  # with unified reporting all of them are the mixed ones
        issued["mixed"] = sum(issued.get(name, 0) for name in _DIRECTIONS[:3])
    for side in block.sides:
        if side.name == "sync":
            result.measure("sync", "operations", "total", issued.get("sync"))
            _measure_latency(result, ("sync", "latency"), side, "sync")
        else:
            _measure_side(result, side, announced, issued.get(side.name))
    result.measure("run", "errors", "total", block.errors)
    if block.cpu and result.by_name():
        measure_cpu(result, *block.cpu, block.jobs or 1)


def _measure_side(result: Result, side: Side, announced: Announced, issued: int | None) -> None:
    run_s = side.run_ms / 1000
    iops = _read(count(side.iops), side)
    rate, amount = _rate_and_amount(side, announced.block_bytes.get(side.name), issued)
    what = announced.operations[side.name]
    # unified_rw_reporting=both prints zeros, and latencies that were measured
    if rate[0] or amount[0] or iops[0]:
        if run_s:
            # against fio 2.17 to 3.25, which lose fractions (see figures.py)
            amount = truer(amount, (rate[0] * run_s, rate[1] * run_s))
            # of less than one a second fio prints 0
            if issued:
                exact = (issued / run_s, 0)
                iops = truer(iops, exact) if iops[0] else exact
        measure_side(
            result,
            what,
            Totals(rate=rate[0], iops=iops[0], amount=amount[0], operations=issued, run_s=run_s),
        )
    for name, metric in _LATENCIES:
        _measure_latency(result, (what, metric), side, name)


def _read(figure: Figure | None, side: Side) -> Figure:
    if figure is None:
        raise ParseError("unknown unit in the {name} line", name=side.name)
    return figure


def _rate_and_amount(
    side: Side, block_bytes: int | None, issued: int | None
) -> tuple[Figure, Figure]:
    """Bandwidth and amount in bytes.

    From 2.17 MiB and MB are told apart. Before, MB is 2^20 unless kb_base=1000 was given, which
    prints the same letters: then operations times block size give the amount in 10^6 only.
    """
    new = bool(side.rate_again)
    rate = _read(size(side.rate, decimal=new), side)
    amount = _read(size(side.amount, decimal=new), side)
    if new:
        return truer(rate, _read(size(side.rate_again, decimal=True), side)), amount
    exact = (issued or 0) * (block_bytes or 0)
    if abs(amount[0] - exact) > 0.005 * exact > 0:
        decimal = _read(size(side.amount, decimal=True), side)
        if abs(decimal[0] - exact) < 0.005 * exact:
            return _read(size(side.rate, decimal=True), side), decimal
    return rate, amount


def _measure_latency(result: Result, of: Latencies, side: Side, name: str) -> None:
    if spread := side.spreads.get(name):
        measure_spread(result, of, spread, 1.0)
    if found := side.percentiles.get(name):
        per_second, lines = found
        if lines:
            measure_percentiles(result, of, _percentiles("".join(lines), name), per_second)


def _percentiles(text: str, name: str) -> dict[float, float]:
    """Values by percent of `1.00th=[   42],  5.00th=[   44], …`; ParseError for any other text."""
    try:
        if _PERCENTILE_FRAMES.fullmatch(text.translate(_NO_FIGURES)):
            listed = text.replace("th=[", ",").replace("]", " ").rstrip(", ")
            figures = _FIGURES.decode(f"[{listed}]")
            return dict(zip(figures[::2], figures[1::2], strict=True))
    except (msgspec.DecodeError, ValueError):
        pass
    raise ParseError(
        "the percentiles of {name} cannot be read: {text}", name=name, text=repr(text[:60])
    )
