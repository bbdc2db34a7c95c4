"""The lines inside a job's block, each by its first word: True where the line was understood."""

from __future__ import annotations

from collections.abc import Callable

from benchdash.parsers.fio import text_lines as line_of
from benchdash.parsers.fio.text_runs import Block, Side


def _side(block: Block, line: str) -> bool:
    if match := line_of.SIDE.match(line):
        name, iops, rate, again, amount, run_ms = match.groups()
    elif match := line_of.OLD_SIDE.match(line):
        name, amount, rate, iops, run_ms = match.groups()
        again = ""
    else:
        return False
    block.sides.append(Side(name, amount, rate, again, iops, int(run_ms)))
    return True


def _latency(block: Block, line: str) -> bool:
    match = line_of.LATENCY.match(line)
    if match is None:
        return " prio " in line or _histogram(block, line)
    name, *figures = match.groups()
    if name == "sync":
        block.sides.append(Side("sync"))
    if not block.sides:
        return False
    block.sides[-1].latencies[name] = tuple(figures)
    return True


def _histogram(block: Block, line: str) -> bool:
    match = line_of.HISTOGRAM.match(line)
    shares = line_of.SHARE.findall(match[2]) if match else []
    if not match or not shares:
        return False
    kept = block.details.setdefault(f"latency_{match[1].removesuffix('ec')}", {})
    kept.update((level, float(share)) for level, share in shares)
    return True


def _samples(block: Block, line: str) -> bool:
    match = line_of.SAMPLES.match(line)
    if match is None or not block.sides:
        return False
    name, *figures = match.groups(default="")
    block.sides[-1].samples[name] = tuple(figures)
    return True


def _cpu(block: Block, line: str) -> bool:
    match = line_of.CPU.match(line)
    if match is None:
        return False
    user, system, rest = match.groups()
    block.cpu = user, system, rest
    return True


def _shares(block: Block, line: str) -> bool:
    match = line_of.SHARES.match(line)
    if match is None:
        return False
    name = "level" if match[1] == "IO depths" else match[1]
    shares = {level: float(share) for level, share in line_of.SHARE.findall(match[2])}
    block.details[f"iodepth_{name}"] = {level: share for level, share in shares.items() if share}
    return True


def _issued(block: Block, line: str) -> bool:
    match = line_of.ISSUED.match(line)
    if match is None:
        return False
    block.issued = match[1]
    return True


def _errors(block: Block, line: str) -> bool:
    match = line_of.ERRORS.match(line)
    if match is None:
        return False
    block.errors = match[1], match[2] or ""
    return True


def _goal(block: Block, line: str) -> bool:
    """The latency target and the steady state that were asked for, in fio's words."""
    match = line_of.GOAL.match(line)
    if match is None:
        return False
    if not match[2].startswith(("target=0,", "target=0.00ns,")):
        block.details[match[1]] = match[2]
    return True


def _description(block: Block, line: str) -> bool:
    match = line_of.DESCRIPTION.match(line)
    if match is None:
        return False
    block.details["desc"] = match[1]
    return True


LINES: dict[str, Callable[[Block, str], bool]] = {
    **dict.fromkeys(("read", "write", "trim", "mixed"), _side),
    **dict.fromkeys(("slat", "clat", "lat", "sync"), _latency),
    **dict.fromkeys(("bw", "iops"), _samples),
    **dict.fromkeys(("IO", "submit", "complete"), _shares),
    "cpu": _cpu,
    "issued": _issued,
    "errors": _errors,
    "latency": _goal,
    "steadystate": _goal,
    "Description": _description,
}
