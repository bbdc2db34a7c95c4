"""Sizes as people type them: `128K` and `128KiB` are 1024-based, `1TB` and `500 MB` 1000-based.

A bare prefix letter is 1024-based, as mdadm, mkfs, lvcreate and fio read it.
"""

from __future__ import annotations

import re
from fractions import Fraction

from benchdash.vocabulary.units import BINARY, DECIMAL

_SPEED = re.compile(r"(\d{1,18}(?:\.\d{1,6})?) ?([KMGTP]?)(?:bit/s|bps|b/s)?", re.IGNORECASE)
_SIZE = re.compile(r"(\d{1,18}(?:\.\d{1,6})?) ?(?:([KMGTP]?)(iB|B)?)", re.IGNORECASE)


def bytes_from(text: str) -> int | None:
    """`128K` as 131072, `1TB` as 10**12, `4096` as it is; None where it is no whole size."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        return None
    number, prefix, ending = match[1], match[2].upper(), (match[3] or "").lower()
    decimal = prefix and ending == "b"
    factor = DECIMAL["k" if prefix == "K" else prefix] if decimal else BINARY[prefix]
    size = Fraction(number) * factor
    return int(size) if size.denominator == 1 else None


def bytes_text(value: int) -> str:
    """The shortest exact writing: 131072 as `128K`, 10**12 as `1TB`, 1000 as `1000`."""
    return min(_writings(value, "", "B"), key=len)


def bytes_shown(value: int) -> str:
    """The same for reading: `128 KiB`, `1 TB`, `1000 B`."""
    return min(_writings(value, " ", "B", binary="iB", plain=" B"), key=len)


def bits_from(text: str) -> int | None:
    """A link's speed, 1000-based: `10Gbit/s`, `1Gbps` and `1G` are bits a second; else None."""
    match = _SPEED.fullmatch(text.strip())
    if match is None:
        return None
    prefix = match[2].upper()
    speed = Fraction(match[1]) * DECIMAL["k" if prefix == "K" else prefix]
    return int(speed) if speed.denominator == 1 else None


def bits_text(value: int, *, blank: str = "") -> str:
    """The shortest exact writing with a 1000-based prefix: 10**9 as `1G`."""
    fits = [p for p, factor in DECIMAL.items() if value and value % factor == 0]
    prefix = max(fits, key=lambda p: DECIMAL[p], default="")
    return f"{value // DECIMAL[prefix]}{blank}{prefix}"


def _writings(
    value: int, blank: str, decimal: str, *, binary: str = "", plain: str = ""
) -> list[str]:
    writings = [f"{value}{plain}"]
    if value:
        for steps, ending in ((BINARY, binary), (DECIMAL, decimal)):
            writings += [
                f"{value // factor}{blank}{prefix}{ending}"
                for prefix, factor in steps.items()
                if prefix and value % factor == 0
            ]
    return writings
