"""Figures as fio prints them, and option values as people type them.

A printed figure has a last digit: two figures of one quantity agree where they differ by no more
than a unit of it. fio 2.17 to 3.25 lose a fraction close to 1 (11.99 is printed as 11.0, mended in
3.26 by commit c736b361), so of two figures that disagree the larger is right.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_POWER = {"": 0, "k": 1, "K": 1, "M": 2, "G": 3, "T": 4, "P": 5, "E": 6}
_SIZE = re.compile(r"([0-9]+)(\.[0-9]+)?([kKMGTPE]?)(i?)(B|bit|b)?(?:/s)?", re.ASCII)
_COUNT = re.compile(r"([0-9]+)(\.[0-9]+)?([kKMGTP]?)", re.ASCII)
_OPTION_SIZE = re.compile(r"([0-9]+)\s*([kmgtp]?)(ib|b|i)?", re.ASCII)
_OPTION_TIME = re.compile(r"([0-9]+)\s*(us|usec|ms|msec|s|sec|m|h|d)?", re.ASCII)
_SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


class Figure(NamedTuple):
    """A printed value and what one unit of its last digit is worth."""

    value: float
    step: float


def size(text: str, *, decimal: bool) -> Figure | None:
    """Bytes or B/s of `60.6MiB/s`, `8183B/s`, `411Mibit/s`, `16KB`; None where it is none.

    `decimal`: MB is 10^6 (fio from 2.17) and not 2^20 (before); MiB is 2^20 always. Client mode
    prints neither B nor bit (`156Mi`) and means bytes.
    """
    match = _SIZE.fullmatch(text)
    if match is None:
        return None
    whole, fraction, prefix, binary, unit = match.groups(default="")
    base = 1024.0 if binary or not decimal else 1000.0
    factor = base ** _POWER[prefix] / (8 if unit == "bit" else 1)
    return Figure(float(whole + fraction) * factor, factor * 10.0 ** -max(len(fraction) - 1, 0))


def count(text: str) -> Figure | None:
    """`15.5k`, `1234.5K`, `7247k`, `433495`: a count or a time, in thousands."""
    match = _COUNT.fullmatch(text)
    if match is None:
        return None
    whole, fraction, prefix = match.groups(default="")
    factor = 1000.0 ** _POWER[prefix]
    return Figure(float(whole + fraction) * factor, factor * 10.0 ** -max(len(fraction) - 1, 0))


def truer(first: Figure, second: Figure) -> Figure:
    """`first`, unless it disagrees with `second` by more than rounding: then the larger."""
    if abs(first.value - second.value) <= first.step + second.step:
        return first
    return max(first, second)


def option_bytes(text: str, kb_base: int = 1024) -> int | None:
    """Bytes of an option: `4k`, `16m`, `1GB` are 1024-based and `4KiB` is 4000 (fio's `kb_base`).

    fio turns the IEC names round for old scripts' sake unless kb_base=1000 [parse.c]. None for
    percentages, ranges and sums.
    """
    match = _OPTION_SIZE.fullmatch(text.strip().lower())
    if match is None:
        return None
    number, prefix, suffix = match.groups(default="")
    number_of_bytes = int(number)
    turned = suffix == "ib"
    base = 1000 if turned == (kb_base == 1024) else 1024
    for _ in range(" kmgtp".index(prefix or " ")):
        number_of_bytes *= base
    return number_of_bytes


def option_seconds(text: str) -> float | None:
    """Seconds of a time option: `60`, `60s`, `5m`, `500ms`."""
    match = _OPTION_TIME.fullmatch(text.strip().lower())
    if match is None:
        return None
    number, unit = match.groups(default="s")
    return int(number) * _SECONDS[unit.removesuffix("ec")]
