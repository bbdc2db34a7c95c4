"""Units: as tools print them, as people read them, and as people type them.

Stored values are SI base units (B, B/s, s, 1/s, 1); prefixes exist only at the edges. Of what is
typed, `128K` and `128KiB` are 1024-based, `1TB` and `500 MB` 1000-based; a bare prefix letter is
1024-based, as mdadm, mkfs, lvcreate and fio read it.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from fractions import Fraction

DECIMAL = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15}
BINARY = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40, "P": 2**50}
SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0}
SECONDS |= {"nsec": 1e-9, "usec": 1e-6, "msec": 1e-3, "sec": 1.0}

BINARY_NAMES = {"": "B", "K": "KiB", "M": "MiB", "G": "GiB", "T": "TiB", "P": "PiB"}
_SPEED = re.compile(r"(\d{1,18}(?:\.\d{1,6})?) ?([KMGTP]?)(?:bit/s|bps|b/s)?", re.IGNORECASE)
_SIZE = re.compile(r"(\d{1,18}(?:\.\d{1,6})?) ?(?:([KMGTP]?)(iB|B)?)", re.IGNORECASE)


def scaled(value: float, steps: dict[str, int]) -> tuple[float, str]:
    """(value, prefix) with the largest prefix of `steps` that leaves the value at 1 or more."""
    size = abs(value)
    prefix = next((p for p in reversed(steps) if size >= steps[p]), "")
    return value / steps[prefix], prefix


def significant(value: float, digits: int = 3) -> str:
    """`value` with at least `digits` significant digits; integers keep all of theirs: 0.0123, 12.3, 1230."""
    if value == 0:
        return "0"
    text = f"{value:.{digits}g}"
    if "e" in text or abs(value) >= 10**digits:
        text = f"{value:.0f}" if abs(value) >= 1 else f"{value:.{digits - 1}e}"
    return text


def measured(value: float) -> str:
    """A measured number: three significant digits, all of a large one, by thousands: 87.0, 1,230.

    Sentences that are stored have their numbers by `significant`, and keep them.
    """
    if value == 0 or abs(value) >= 100:
        return f"{value:,.0f}"
    return f"{value:#.3g}".rstrip(".")


def human(
    value: float,
    unit: str,
    *,
    binary: bool = False,
    digits: Callable[[float], str] = significant,
) -> str:
    """A stored value for people: `90.1 MB/s` (or `85.9 MiB/s`), `14.5 k/s`, `1.2 ms`."""
    if unit in ("B/s", "B"):
        number, prefix = scaled(value, BINARY if binary else DECIMAL)
        name = BINARY_NAMES[prefix] if binary else f"{prefix}B"
        return f"{digits(number)} {name}{unit[1:]}"
    if unit == "s":
        name = next((n for n in ("s", "ms", "µs") if abs(value) >= SECONDS[n]), "ns")
        return f"{digits(value / SECONDS[name])} {name}" if value else "0 s"
    if unit == "1/s":
        number, prefix = scaled(value, DECIMAL)
        return f"{digits(number)} {prefix}/s" if prefix else f"{digits(number)} /s"
    return significant(value)


def bytes_from(text: str) -> int | None:
    """`128K` as 131072, `1TB` as 10**12, `4096` as it is; None where it is not a whole number of bytes."""
    match = _SIZE.fullmatch(text.strip())
    if match is None:
        return None
    number, prefix, ending = match[1], match[2].upper(), (match[3] or "").lower()
    decimal = prefix and ending == "b"
    factor = DECIMAL["k" if prefix == "K" else prefix] if decimal else BINARY[prefix]
    size = Fraction(number) * factor
    return int(size) if size.denominator == 1 else None


def bytes_text(value: int) -> str:
    """The shortest exact notation: 131072 as `128K`, 10**12 as `1TB`, 1000 as `1000`."""
    return min(_notations(value, "", "B"), key=len)


def bytes_shown(value: int) -> str:
    """The same for reading: `128 KiB`, `1 TB`, `1000 B`."""
    return min(_notations(value, " ", "B", binary="iB", plain=" B"), key=len)


def amount_shown(value: int) -> str:
    """How much of memory, a file or a disk: as it was chosen where that is short, else by three digits.

    `4 KiB`, `100 MB`, `1 TB`, and 16626221056 as `15.5 GiB`.
    """
    exact = bytes_shown(value)
    is_short = len(exact.partition(" ")[0]) <= 3
    return exact if is_short or value < 10_000 else human(value, "B", binary=True)


def about_bytes(text: str) -> float:
    """The size that such a text has, 0 for any other: to sort by."""
    number, _blank, name = text.partition(" ")
    prefix = name.removesuffix("B").removesuffix("i")
    steps = BINARY if name.endswith("iB") else DECIMAL
    try:
        return float(number) * steps[prefix]
    except (ValueError, KeyError):
        return 0.0


def bits_from(text: str) -> int | None:
    """A link's speed, 1000-based: `10Gbit/s`, `1Gbps` and `1G` are bits a second; else None."""
    match = _SPEED.fullmatch(text.strip())
    if match is None:
        return None
    prefix = match[2].upper()
    speed = Fraction(match[1]) * DECIMAL["k" if prefix == "K" else prefix]
    return int(speed) if speed.denominator == 1 else None


def bits_text(value: int, *, blank: str = "") -> str:
    """The shortest exact notation with a 1000-based prefix: 10**9 as `1G`."""
    fits = [p for p, factor in DECIMAL.items() if value and value % factor == 0]
    prefix = max(fits, key=lambda p: DECIMAL[p], default="")
    return f"{value // DECIMAL[prefix]}{blank}{prefix}"


def _notations(
    value: int, blank: str, decimal: str, *, binary: str = "", plain: str = ""
) -> list[str]:
    notations = [f"{value}{plain}"]
    if value:
        for steps, ending in ((BINARY, binary), (DECIMAL, decimal)):
            notations += [
                f"{value // factor}{blank}{prefix}{ending}"
                for prefix, factor in steps.items()
                if prefix and value % factor == 0
            ]
    return notations
