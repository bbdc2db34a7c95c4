"""Answers that are kept: a page asks the same of the same samples whenever somebody opens it.

Working them out again took a fifth of what a study's page costs.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import lru_cache, wraps
from typing import TypeVar

A = TypeVar("A")
MOST_KEPT = 64  # samples of a question whose answer is kept, so that memory stays bounded


def kept(function: Callable[[tuple[float, ...]], A]) -> Callable[[Sequence[float]], A]:
    """The same function of values, which keeps its last answers; these must not be changed."""
    remembering = lru_cache(maxsize=4096)(function)

    @wraps(function)
    def answered(values: Sequence[float]) -> A:
        values = tuple(values)
        return (remembering if len(values) <= MOST_KEPT else function)(values)

    return answered
