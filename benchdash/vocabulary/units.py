"""Units: prefixes as the tools print them, and values as people read them.

Stored values are SI base units (B, B/s, s, 1/s, 1); prefixes exist only at the edges.
"""

from __future__ import annotations

DECIMAL = {"": 1, "k": 10**3, "M": 10**6, "G": 10**9, "T": 10**12, "P": 10**15}
BINARY = {"": 1, "K": 2**10, "M": 2**20, "G": 2**30, "T": 2**40, "P": 2**50}
SECONDS = {"ns": 1e-9, "us": 1e-6, "µs": 1e-6, "ms": 1e-3, "s": 1.0}
SECONDS |= {"nsec": 1e-9, "usec": 1e-6, "msec": 1e-3, "sec": 1.0}

BINARY_NAMES = {"": "B", "K": "KiB", "M": "MiB", "G": "GiB", "T": "TiB", "P": "PiB"}


def scaled(value: float, steps: dict[str, int]) -> tuple[float, str]:
    """(value, prefix) with the largest prefix of `steps` that keeps the value at 1 or more."""
    prefix = max((p for p in steps if abs(value) >= steps[p]), key=lambda p: steps[p], default="")
    return value / steps[prefix], prefix


def significant(value: float, digits: int = 3) -> str:
    """`value` with at least `digits` significant digits, integers never cut: 0.0123, 12.3, 1230."""
    if value == 0:
        return "0"
    text = f"{value:.{digits}g}"
    if "e" in text or abs(value) >= 10**digits:
        text = f"{value:.0f}" if abs(value) >= 1 else f"{value:.{digits - 1}e}"
    return text


def human(value: float, unit: str, *, binary: bool = False) -> str:
    """A stored value for people: `90.1 MB/s` (or `85.9 MiB/s`), `14.5 k/s`, `1.2 ms`."""
    if unit in ("B/s", "B"):
        number, prefix = scaled(value, BINARY if binary else DECIMAL)
        name = BINARY_NAMES[prefix] if binary else f"{prefix}B"
        return f"{significant(number)} {name}{unit[1:]}"
    if unit == "s":
        name = next((n for n in ("s", "ms", "µs") if abs(value) >= SECONDS[n]), "ns")
        return f"{significant(value / SECONDS[name])} {name}" if value else "0 s"
    if unit == "1/s":
        number, prefix = scaled(value, DECIMAL)
        return f"{significant(number)} {prefix}/s" if prefix else f"{significant(number)} /s"
    return significant(value)
