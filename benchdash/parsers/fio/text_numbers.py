"""The figures of one text block as numbers in base units."""

from __future__ import annotations

from functools import lru_cache

import msgspec

from benchdash.parsers.fio.numbers import Numbers
from benchdash.parsers.fio.text_axes import Told
from benchdash.parsers.fio.text_lines import PERCENTILE_FRAMES
from benchdash.parsers.fio.text_runs import Block, Side
from benchdash.parsers.fio.units import Figure, count, size, truer
from benchdash.parsers.result import ParseError

_LATENCIES = (("slat", "submission_latency"), ("clat", "completion_latency"), ("lat", "latency"))
_DIRECTIONS = ("read", "write", "trim", "sync")
_FIGURES = msgspec.json.Decoder(list[float])
_NO_FIGURES = dict.fromkeys(map(ord, "0123456789 \t|"))


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
        numbers.side(what, (rate[0], iops[0], amount[0], issued, run_s))
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
        numbers.spread((*called, 1.0), spread)
    if found := side.percentiles.get(name):
        per_second, lines = found
        if lines:
            percents, values = _percentiles("".join(lines), name)
            numbers.percentiles((*called, per_second), percents, values)


def _percentiles(text: str, name: str) -> tuple[tuple[float, ...], list[float]]:
    """(percents, values) of `1.00th=[   42],  5.00th=[   44], …`; ParseError for any other text."""
    try:
        if _are_percentiles(text.translate(_NO_FIGURES)):
            listed = text.replace("th=[", ",").replace("]", " ").rstrip(", ")
            figures = _FIGURES.decode(f"[{listed}]")
            return tuple(figures[::2]), figures[1::2]
    except msgspec.DecodeError:
        pass
    raise ParseError(f"the percentiles of {name} cannot be read: {text[:60]!r}")


@lru_cache(maxsize=256)
def _are_percentiles(frames: str) -> bool:
    return PERCENTILE_FRAMES.fullmatch(frames) is not None
