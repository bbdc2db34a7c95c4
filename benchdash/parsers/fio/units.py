"""Figures as fio prints them, and option values as people type them.

A printed figure has a last digit: two figures of one quantity agree where they differ by no more
than a unit of it. fio 2.17 to 3.25 lose a fraction close to 1 (11.99 is printed as 11.0, mended in
3.26 by commit c736b361), so of two figures that disagree the larger is right.
"""

from __future__ import annotations

import re

Figure = tuple[float, float]  # a printed value, and what one unit of its last digit is worth

_PREFIXES = ("", "k", "M", "G", "T", "P", "E")
_FIGURE = re.compile(r"([0-9]{1,20})(\.[0-9]{1,9})?([A-Za-z/]{0,8})", re.ASCII)
_DIGIT = (1.0, 1.0, 1e-1, 1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8, 1e-9)
_MOST_BYTES = 2**63
_OPTION_SIZE = re.compile(r"([0-9]{1,18})\s*([kmgtp]?)(ib|b|i)?", re.ASCII)
_OPTION_TIME = re.compile(r"([0-9]{1,18})\s*(us|usec|ms|msec|s|sec|m|h|d)?", re.ASCII)
_SECONDS = {"us": 1e-6, "ms": 1e-3, "s": 1.0, "m": 60.0, "h": 3600.0, "d": 86400.0}


def _byte_units(base: float) -> dict[str, float]:
    """Factors of `MB/s`, `MiB`, `Mbit/s`, `Mi`, …; MiB is 2^20 whatever MB is."""
    units = {}
    for power, prefix in enumerate(_PREFIXES):
        for letter in {prefix, prefix.upper()}:
            for unit, bits in (("B", 1), ("b", 1), ("bit", 8), ("", 1)):
                for per in ("", "/s"):
                    units[f"{letter}{unit}{per}"] = base**power / bits
                    if prefix:
                        units[f"{letter}i{unit}{per}"] = 1024.0**power / bits
    return units


_BINARY, _DECIMAL = _byte_units(1024.0), _byte_units(1000.0)
_THOUSANDS = {letter: 1000.0**power for power, letter in enumerate(_PREFIXES)} | {"K": 1000.0}


def size(text: str, *, decimal: bool) -> Figure | None:
    """Bytes or B/s of `60.6MiB/s`, `8183B/s`, `411Mibit/s`, `16KB`; None where it is none.

    `decimal`: MB is 10^6 (fio from 2.17) and not 2^20 (before). Client mode prints neither B nor
    bit (`156Mi`) and means bytes.
    """
    return _figure(text, _DECIMAL if decimal else _BINARY)


def count(text: str) -> Figure | None:
    """`15.5k`, `1234.5K`, `7247k`, `433495`: a count or a time, in thousands."""
    return _figure(text, _THOUSANDS)


def _figure(text: str, units: dict[str, float]) -> Figure | None:
    match = _FIGURE.fullmatch(text)
    factor = units.get(match[3]) if match else None
    if match is None or factor is None:
        return None
    whole, fraction, _ = match.groups()
    if fraction is None:
        return float(whole) * factor, factor
    return float(whole + fraction) * factor, factor * _DIGIT[len(fraction)]


def thousands(text: str) -> float:
    """`5539.3k` as 5539300; for figures that an expression has checked."""
    return float(text) if text[-1] <= "9" else float(text[:-1]) * _THOUSANDS[text[-1]]


def truer(first: Figure, second: Figure) -> Figure:
    """`first`, unless it disagrees with `second` by more than rounding: then the larger."""
    if abs(first[0] - second[0]) <= first[1] + second[1]:
        return first
    return max(first, second)


def option_bytes(text: str, kb_base: int = 1024) -> int | None:
    """Bytes of an option: `4k`, `16m`, `1GB` are 1024-based and `4KiB` is 4000 (fio's `kb_base`).

    fio turns the IEC names round for old scripts' sake unless kb_base=1000 [parse.c]. None for
    percentages, ranges and sums.
    """
    if text.isascii() and text.isdecimal():
        return int(text) if len(text) < 19 else None
    match = _OPTION_SIZE.fullmatch(text.strip().lower())
    if match is None:
        return None
    number, prefix, suffix = match.groups(default="")
    number_of_bytes = int(number)
    turned = suffix == "ib"
    base = 1000 if turned == (kb_base == 1024) else 1024
    for _ in range(" kmgtp".index(prefix or " ")):
        number_of_bytes *= base
    return number_of_bytes if number_of_bytes < _MOST_BYTES else None


def option_seconds(text: str) -> float | None:
    """Seconds of a time option: `60`, `60s`, `5m`, `500ms`."""
    if text.isascii() and text.isdecimal() and len(text) < 19:
        return float(text)
    match = _OPTION_TIME.fullmatch(text.strip().lower())
    if match is None:
        return None
    number, unit = match.groups(default="s")
    return int(number) * _SECONDS[unit.removesuffix("ec")]
