"""The lines inside a job's block, by their first three letters: True where one was understood."""

from __future__ import annotations

import re
from collections.abc import Callable

from benchdash.parsers.fio import text_lines as line_of
from benchdash.parsers.fio.text_runs import Block, Side
from benchdash.parsers.fio.units import thousands

_NUMBER = re.compile(r"[0-9]{1,20}", re.ASCII)
_HISTOGRAMS = {"nsec": "latency_ns", "usec": "latency_us", "msec": "latency_ms"}
_DEPTHS = {name: f"iodepth_{name}" for name in ("submit", "complete")}
_DEPTHS["IO depths"] = "iodepth_level"


_SAMPLES = {
    "bw": ("bw_min", "bw_max", "bw_mean", "bw_dev", "bw_samples"),
    "iops": ("iops_min", "iops_max", "iops_mean", "iops_stddev", "iops_samples"),
}


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
    """The spread of a latency, the heading of its percentiles, or the histogram of all of them."""
    if match := line_of.LATENCY.match(line):
        name, unit, low, high, mean, deviation = match.groups()
        if name == "sync":
            block.sides.append(Side("sync"))
        if not block.sides:
            return False
        per_second = line_of.PER_SECOND[unit]
        block.sides[-1].spreads[name] = (
            float(mean) / per_second,
            (float(low) if low[-1] <= "9" else thousands(low)) / per_second,
            (float(high) if high[-1] <= "9" else thousands(high)) / per_second,
            float(deviation) / per_second,
        )
        return True
    if match := line_of.PERCENTILES.match(line):
        if block.sides:
            name, unit = match.groups()
            block.percentile_lines = []
            found = line_of.PER_SECOND[unit], block.percentile_lines
            block.sides[-1].percentiles[name] = found
        return True
    return " prio " in line or _histogram(block, line)


def _histogram(block: Block, line: str) -> bool:
    match = line_of.HISTOGRAM.match(line)
    shares = line_of.SHARE.findall(line, match.end()) if match else []
    if not match or not shares:
        return False
    kept = block.details.setdefault(_HISTOGRAMS[match[1]], {})
    for level, share in shares:
        kept[level] = float(share)
    return True


def _samples(block: Block, line: str) -> bool:
    """Of half-second samples, under the names of fio's JSON; bandwidth in KiB/s as there.

    kb_base=1000 prints `kB/s` over the same KiB/s, and divides by 1000 to come to MB/s.
    """
    match = line_of.SAMPLES.match(line)
    if match is None or not block.sides:
        return False
    name, unit, low, high, mean, deviation, samples = match.groups(default="")
    side, factor = block.sides[-1], 1.0
    if unit and unit not in ("KiB", "kB", "KB"):
        factor = 1024 if "i" in unit or not side.rate_again else 1000
        factor = (factor if unit[0] in "MG" else 1) / (8 if unit.endswith("bit") else 1)
    least, most, average, spread, number = _SAMPLES[name]
    side.samples[least] = float(low) * factor
    side.samples[most] = float(high) * factor
    side.samples[average] = float(mean) * factor
    side.samples[spread] = float(deviation) * factor
    if samples:
        side.samples[number] = int(float(samples))
    return True


def _cpu(block: Block, line: str) -> bool:
    match = line_of.CPU.match(line)
    if match is None:
        return False
    user, system, switches, major, minor = match.groups()
    block.cpu = float(user), float(system)
    if switches:
        block.details |= {"ctx": int(switches), "majf": int(major), "minf": int(minor)}
    return True


def _shares(block: Block, line: str) -> bool:
    match = line_of.SHARES.match(line)
    if match is None:
        return False
    kept = block.details[_DEPTHS[match[1]]] = {}
    for text in match[2].split(","):
        if not text.endswith("=0.0%") and (share := line_of.SHARE.fullmatch(text.strip())):
            kept[share[1]] = float(share[2])
    return True


def _issued(block: Block, line: str) -> bool:
    match = line_of.ISSUED.match(line)
    if match is None:
        return False
    block.issued = [int(count) for count in _NUMBER.findall(match[1])]
    return True


def _errors(block: Block, line: str) -> bool:
    match = line_of.ERRORS.match(line)
    if match is None:
        return False
    block.errors = int(match[1])
    if match[2]:
        block.details["first_error"] = int(match[2])
    return True


def _goal(block: Block, line: str) -> bool:
    """The latency target and the steady state that were asked for, in fio's words."""
    match = line_of.GOAL.match(line)
    if match is not None and not match[2].startswith(("target=0,", "target=0.00ns,")):
        block.details[match[1]] = match[2]
    return match is not None


def _latency_or_goal(block: Block, line: str) -> bool:
    return _goal(block, line) if line.startswith("latency") else _latency(block, line)


def _description(block: Block, line: str) -> bool:
    match = line_of.DESCRIPTION.match(line)
    if match is None:
        return False
    block.details["desc"] = match[1]
    return True


LINES: dict[str, Callable[[Block, str], bool]] = {
    **dict.fromkeys(("rea", "wri", "tri", "mix"), _side),
    **dict.fromkeys(("sla", "cla", "syn"), _latency),
    "lat": _latency_or_goal,
    **dict.fromkeys(("bw ", "bw(", "iop"), _samples),
    **dict.fromkeys(("IO ", "sub", "com"), _shares),
    "cpu": _cpu,
    "iss": _issued,
    "err": _errors,
    "ste": _goal,
    "Des": _description,
}
