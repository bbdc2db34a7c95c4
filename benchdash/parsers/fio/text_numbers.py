"""The figures of one text block as numbers in base units."""

from __future__ import annotations

import re
from typing import Any

from benchdash.parsers.fio import text_lines as line_of
from benchdash.parsers.fio.numbers import Numbers
from benchdash.parsers.fio.text_axes import Told
from benchdash.parsers.fio.text_runs import Block, Side
from benchdash.parsers.fio.units import Figure, count, size, truer
from benchdash.parsers.result import ParseError

_LATENCIES = {"slat": "submission_latency", "clat": "completion_latency", "lat": "latency"}
_DIRECTIONS = ("read", "write", "trim", "sync")
_COUNTERS = re.compile(r"(ctx|majf|minf)=([0-9]{1,20})", re.ASCII)


def issued_by_side(block: Block) -> dict[str, int]:
    """Operations by direction; with unified reporting all of them are the mixed ones."""
    total = re.split("short", block.issued, maxsplit=1)[0]
    counts = [int(number) for number in re.findall(r"[0-9]{1,20}", total, re.ASCII)]
    issued = dict(zip(_DIRECTIONS, counts, strict=False))
    issued["mixed"] = sum(issued.get(name, 0) for name in _DIRECTIONS[:3])
    return issued if counts else {}


def measure_side(numbers: Numbers, side: Side, told: Told, issued: int | None) -> None:
    run_s = side.run_ms / 1000
    iops = _read(count(side.iops), side)
    rate, amount = _rate_and_amount(side, told.block_bytes(side.name), issued)
    if not (rate.value or amount.value or iops.value):
        return
    if issued and run_s:
        iops = truer(iops, Figure(issued / run_s, 0))
    if run_s:
        amount = truer(amount, Figure(rate.value * run_s, rate.step * run_s))
    what = told.operation(side.name)
    numbers.add(what, "throughput", "mean", rate.value)
    numbers.add(what, "iops", "mean", iops.value)
    numbers.add(what, "bytes", "total", amount.value)
    numbers.add(what, "operations", "total", issued)
    numbers.add(what, "duration", "total", run_s)
    for name, metric in _LATENCIES.items():
        _measure_latency(numbers, side, name, (what, metric))


def _read(figure: Figure | None, side: Side) -> Figure:
    if figure is None:
        raise ParseError(f"a unit of the {side.name} line is not understood")
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
    decimal = _read(size(side.amount, decimal=True), side)
    if exact and abs(decimal.value - exact) < 0.005 * exact < abs(amount.value - exact):
        return _read(size(side.rate, decimal=True), side), decimal
    return rate, amount


def _measure_latency(numbers: Numbers, side: Side, name: str, called: tuple[str, str]) -> None:
    if name in side.latencies:
        unit, low, high, mean, deviation = side.latencies[name]
        per_second = line_of.PER_SECOND[unit]
        numbers.add(*called, "mean", float(mean) / per_second)
        numbers.add(*called, "min", _time(low) / per_second)
        numbers.add(*called, "max", _time(high) / per_second)
        numbers.add(*called, "stddev", float(deviation) / per_second)
    if name in side.percentiles:
        unit, printed = side.percentiles[name]
        pairs = [(percent, _time(value)) for percent, value in printed]
        numbers.percentiles(*called, line_of.PER_SECOND[unit], pairs)


def _time(text: str) -> float:
    """`5539.3k` in thousands of its unit."""
    figure = count(text)
    assert figure is not None, text
    return figure.value


def measure_sync(numbers: Numbers, side: Side, issued: dict[str, int]) -> None:
    numbers.add("sync", "operations", "total", issued.get("sync"))
    _measure_latency(numbers, side, "sync", ("sync", "latency"))


def measure_run(numbers: Numbers, details: dict[str, Any], block: Block) -> None:
    if block.errors:
        total, first = block.errors
        numbers.add("run", "errors", "total", float(total))
        if first:
            details["first_error"] = int(first)
    if block.cpu and numbers:
        user, system, rest = block.cpu
        numbers.add("run", "cpu_user", "mean", float(user) / 100)
        numbers.add("run", "cpu_system", "mean", float(system) / 100)
        details |= {name: int(value) for name, value in _COUNTERS.findall(rest)}


def keep_samples(details: dict[str, Any], side: Side) -> None:
    """Figures of half-second samples under the names of fio's JSON; bandwidth in KiB/s as there.

    kb_base=1000 prints `kB/s` over the same KiB/s, and divides by 1000 to come to MB/s.
    """
    for name, (unit, *figures) in side.samples.items():
        factor = 1.0
        if name == "bw":
            binary = "i" in unit or not side.rate_again
            factor = (1024 if binary else 1000) if unit[:1] in "MG" else 1
            factor /= 8 if unit.endswith("bit") else 1
        spread = "bw_dev" if name == "bw" else "iops_stddev"
        keys = (f"{name}_min", f"{name}_max", f"{name}_mean", spread)
        kept = details.setdefault(side.name, {})
        kept |= {key: _time(text) * factor for key, text in zip(keys, figures, strict=False)}
        if figures[4]:
            kept[f"{name}_samples"] = int(float(figures[4]))
