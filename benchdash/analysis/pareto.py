"""What is not beaten in every respect at once: the Pareto front over two or three measures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TypeVar

K = TypeVar("K")


def front(
    points: Mapping[K, Sequence[float]], higher: Sequence[bool], margin: float = 0.0
) -> list[K]:
    """Those that no other point beats; the order of `points` stays.

    One beats another where it is as good in every measure, and better in one. `margin` is a share:
    what lies within it is as good, so that with a margin the front is wider.
    """
    signed = {
        key: [value if up else -value for value, up in zip(own, higher, strict=True)]
        for key, own in points.items()
    }
    return [
        key
        for key, own in signed.items()
        if not any(_beats(other, own, margin) for rival, other in signed.items() if rival != key)
    ]


def _beats(one: Sequence[float], other: Sequence[float], margin: float) -> bool:
    if margin:
        return all(
            mine - its > margin * max(abs(mine), abs(its))
            for mine, its in zip(one, other, strict=True)
        )
    pairs = list(zip(one, other, strict=True))
    return all(mine >= its for mine, its in pairs) and any(mine > its for mine, its in pairs)
