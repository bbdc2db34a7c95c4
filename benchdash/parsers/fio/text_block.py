"""The lines inside a job's block of fio's normal output, by their first three letters.

Blanks and indentation may be lost on the way. First versions [git log -S in axboe/fio]: `IOPS=`,
`BW=` and IEC units 2.17; `samples=` and the `iops` line 2.99; the sync block 3.4. Every repetition
is bounded, so that no line, however damaged, takes more than linear time.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

from benchdash.parsers.fio.figures import thousands

GAP = r"[ \t]{0,16}"
THEN = rf"{GAP},{GAP}"
_NUMBER = rf"{GAP}([0-9]{{1,20}}(?:\.[0-9]{{1,9}})?)"
_COUNT = rf"{GAP}([0-9]{{1,20}}(?:\.[0-9]{{1,9}})?[kKMG]?)"
SIZE = rf"{GAP}([0-9A-Za-z./]{{1,24}})"
TIME = rf"{GAP}([0-9]{{1,15}}){GAP}msec"
_UNIT = rf"{GAP}\((nsec|usec|msec)\){GAP}"


def pattern(expression: str) -> re.Pattern[str]:
    """ASCII digits only: full-width ones that are left are damage."""
    return re.compile(expression, re.ASCII)


_DESCRIPTION = re.compile(r"Description *: *\[(.*)\]")
# `read : io=93580KB, bw=46790KB/s, iops=11697 , runt=  2000msec` (to 2.16)
_OLD_SIDE = pattern(
    rf"(read|write|trim|mixed){GAP}:{GAP}io={SIZE}{THEN}bw={SIZE}{THEN}iops={_COUNT}{THEN}"
    rf"runt={TIME}"
)
# `read: IOPS=15.5k, BW=60.6MiB/s (63.6MB/s)(121MiB/2001msec)` (from 2.17)
_SIDE = pattern(
    rf"(read|write|trim|mixed){GAP}:{GAP}IOPS={_COUNT}{THEN}BW={SIZE}{GAP}\({SIZE}\){GAP}"
    rf"\({GAP}([0-9A-Za-z.]{{1,24}})/{TIME}\)"
)
# `clat (usec): min=44 , max=1339.4K, avg=71.36, stdev=169.48`: a histogram has no min=
_LATENCY = pattern(
    rf"(slat|clat|lat|sync){_UNIT}:{GAP}min={_COUNT}{THEN}max={_COUNT}{THEN}"
    rf"avg={_NUMBER}{THEN}stdev={_NUMBER}"
)
_HISTOGRAM = pattern(rf"lat{_UNIT}:")
_PERCENTILES = pattern(rf"(slat|clat|lat|sync) percentiles?{_UNIT}")
# `bw (  KiB/s): min=…` and `iops        : min=…`: of samples, not of the run
_SAMPLES = pattern(
    rf"(bw|iops){GAP}(?:\({GAP}([A-Za-z]{{1,6}}){GAP}/s\){GAP})?:{GAP}min={_NUMBER}{THEN}"
    rf"max={_NUMBER}{THEN}(?:per={GAP}[^ ,]{{1,20}}{THEN})?avg={_NUMBER}{THEN}stdev={_NUMBER}"
    rf"(?:{THEN}samples={_NUMBER})?"
)
_CPU = pattern(
    rf"cpu{GAP}:{GAP}usr={_NUMBER}%{THEN}sys={_NUMBER}%"
    rf"(?:{THEN}ctx=([0-9]{{1,20}}){THEN}majf=([0-9]{{1,20}}){THEN}minf=([0-9]{{1,20}}))?"
)
_SHARES = pattern(rf"(IO depths|submit|complete){GAP}:{GAP}(.{{1,300}})")
_SHARE = pattern(r"((?:>=)?[0-9]{1,6})=([0-9]{1,3}\.[0-9]{1,3})%")
_ISSUED = pattern(rf"issued[^:]{{0,20}}:{GAP}total=([^s]{{1,200}})short=")
_ERRORS = pattern(rf"errors{GAP}:{GAP}total={_NUMBER}(?:, first_error=(-?[0-9]{{1,9}}))?")
_GOAL = pattern(rf"(latency|steadystate){GAP}:{GAP}((?:target|attained)=.{{1,300}})")

_PER_SECOND = {"nsec": 1e9, "usec": 1e6, "msec": 1e3}
_WHOLE = re.compile(r"[0-9]{1,20}", re.ASCII)
_HISTOGRAMS = {"nsec": "latency_ns", "usec": "latency_us", "msec": "latency_ms"}
_DEPTHS = {name: f"iodepth_{name}" for name in ("submit", "complete")}
_DEPTHS["IO depths"] = "iodepth_level"
_SAMPLE_NAMES = {
    "bw": ("bw_min", "bw_max", "bw_mean", "bw_dev", "bw_samples"),
    "iops": ("iops_min", "iops_max", "iops_mean", "iops_stddev", "iops_samples"),
}


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


def _side(block: Block, line: str) -> bool:
    if match := _SIDE.match(line):
        name, iops, rate, again, amount, run_ms = match.groups()
    elif match := _OLD_SIDE.match(line):
        name, amount, rate, iops, run_ms = match.groups()
        again = ""
    else:
        return False
    block.sides.append(Side(name, amount, rate, again, iops, int(run_ms)))
    return True


def _latency(block: Block, line: str) -> bool:
    """The spread of a latency, the heading of its percentiles, or the histogram of all of them."""
    if match := _LATENCY.match(line):
        name, unit, low, high, mean, deviation = match.groups()
        if name == "sync":
            block.sides.append(Side("sync"))
        if not block.sides:
            return False
        per_second = _PER_SECOND[unit]
        block.sides[-1].spreads[name] = (
            float(mean) / per_second,
            thousands(low) / per_second,
            thousands(high) / per_second,
            float(deviation) / per_second,
        )
        return True
    if match := _PERCENTILES.match(line):
        if block.sides:
            name, unit = match.groups()
            block.percentile_lines = []
            found = _PER_SECOND[unit], block.percentile_lines
            block.sides[-1].percentiles[name] = found
        return True
    return " prio " in line or _histogram(block, line)


def _histogram(block: Block, line: str) -> bool:
    match = _HISTOGRAM.match(line)
    shares = _SHARE.findall(line, match.end()) if match else []
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
    match = _SAMPLES.match(line)
    if match is None or not block.sides:
        return False
    name, unit, low, high, mean, deviation, samples = match.groups(default="")
    side, factor = block.sides[-1], 1.0
    if unit and unit not in ("KiB", "kB", "KB"):
        factor = 1024 if "i" in unit or not side.rate_again else 1000
        factor = (factor if unit[0] in "MG" else 1) / (8 if unit.endswith("bit") else 1)
    least, most, average, spread, number = _SAMPLE_NAMES[name]
    side.samples[least] = float(low) * factor
    side.samples[most] = float(high) * factor
    side.samples[average] = float(mean) * factor
    side.samples[spread] = float(deviation) * factor
    if samples:
        side.samples[number] = int(float(samples))
    return True


def _cpu(block: Block, line: str) -> bool:
    match = _CPU.match(line)
    if match is None:
        return False
    user, system, switches, major, minor = match.groups()
    block.cpu = float(user), float(system)
    if switches:
        block.details |= {"ctx": int(switches), "majf": int(major), "minf": int(minor)}
    return True


def _shares(block: Block, line: str) -> bool:
    match = _SHARES.match(line)
    if match is None:
        return False
    kept = block.details[_DEPTHS[match[1]]] = {}
    for text in match[2].split(","):
        if not text.endswith("=0.0%") and (share := _SHARE.fullmatch(text.strip())):
            kept[share[1]] = float(share[2])
    return True


def _issued(block: Block, line: str) -> bool:
    match = _ISSUED.match(line)
    if match is None:
        return False
    block.issued = [int(count) for count in _WHOLE.findall(match[1])]
    return True


def _errors(block: Block, line: str) -> bool:
    match = _ERRORS.match(line)
    if match is None:
        return False
    block.errors = int(match[1])
    if match[2]:
        block.details["first_error"] = int(match[2])
    return True


def _goal(block: Block, line: str) -> bool:
    """The latency target and the steady state that were asked for, in fio's words."""
    match = _GOAL.match(line)
    if match is not None and not match[2].startswith(("target=0,", "target=0.00ns,")):
        block.details[match[1]] = match[2]
    return match is not None


def _latency_or_goal(block: Block, line: str) -> bool:
    return _goal(block, line) if line.startswith("latency") else _latency(block, line)


def _description(block: Block, line: str) -> bool:
    match = _DESCRIPTION.match(line)
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
