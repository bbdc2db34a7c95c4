"""The figures of one text block as numbers in base units."""

from __future__ import annotations

from benchdash.parsers.fio.numbers import Numbers
from benchdash.parsers.fio.text_axes import Told
from benchdash.parsers.fio.text_lines import PERCENTILE
from benchdash.parsers.fio.text_runs import Block, Side
from benchdash.parsers.fio.units import Figure, count, size, truer
from benchdash.parsers.result import ParseError

_LATENCIES = (("slat", "submission_latency"), ("clat", "completion_latency"), ("lat", "latency"))
_DIRECTIONS = ("read", "write", "trim", "sync")


def numbers_of(block: Block, told: Told) -> Numbers:
    """All numbers of a block; ParseError where a figure or a unit cannot be read."""
    numbers = Numbers()
    issued = dict(zip(_DIRECTIONS, block.issued, strict=False))
    if issued:  # with unified reporting all of them are the mixed ones
        issued["mixed"] = sum(issued.get(name, 0) for name in _DIRECTIONS[:3])
    for side in block.sides:
        if side.name == "sync":
            numbers.add("sync", "operations", "total", issued.get("sync"))
            _measure_latency(numbers, side, "sync", ("sync", "latency"))
        else:
            _measure_side(numbers, side, told, issued.get(side.name))
    if block.errors is not None:
        numbers.add("run", "errors", "total", block.errors)
    if block.cpu and numbers:
        numbers.cpu(*block.cpu)
    return numbers


def _measure_side(numbers: Numbers, side: Side, told: Told, issued: int | None) -> None:
    run_s = side.run_ms / 1000
    iops = _read(count(side.iops), side)
    rate, amount = _rate_and_amount(side, told.block_bytes.get(side.name), issued)
    what = told.operations[side.name]
    # unified_rw_reporting=both prints zeros, and latencies that were measured
    if rate[0] or amount[0] or iops[0]:
        if run_s:
            amount = truer(amount, (rate[0] * run_s, rate[1] * run_s))
            iops = truer(iops, (issued / run_s, 0)) if issued else iops
        numbers.side(what, rate[0], iops[0], amount[0], issued, run_s)
    for name, metric in _LATENCIES:
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
    if abs(amount[0] - exact) > 0.005 * exact > 0:
        decimal = _read(size(side.amount, decimal=True), side)
        if abs(decimal[0] - exact) < 0.005 * exact:
            return _read(size(side.rate, decimal=True), side), decimal
    return rate, amount


def _measure_latency(numbers: Numbers, side: Side, name: str, called: tuple[str, str]) -> None:
    if spread := side.spreads.get(name):
        numbers.spread(*called, spread)
    if found := side.percentiles.get(name):
        per_second, lines = found
        text = "".join(lines)
        pairs = PERCENTILE.findall(text)
        if len(pairs) != text.count("th="):
            raise ParseError(f"the percentiles of {name} cannot be read: {text[:60]!r}")
        if pairs:
            percents, values = zip(*pairs, strict=True)
            numbers.percentiles(*called, percents, [float(value) / per_second for value in values])
