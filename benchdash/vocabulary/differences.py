"""Two records compared: flat `{key: text}` against flat `{key: text}`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """One key of two records; None where a record doesn't have it.

    There its default, if known, is what counts: a record that names the default is no other one.
    """

    key: str
    left: str | None
    right: str | None
    left_default: str | None = None
    right_default: str | None = None

    @property
    def equal(self) -> bool:
        left = self.left_default if self.left is None else self.left
        return left == (self.right_default if self.right is None else self.right)

    @property
    def by_default(self) -> bool:
        """Whether one of them does not name it."""
        return self.left is None or self.right is None


def differences(
    left: Mapping[str, str],
    right: Mapping[str, str],
    *,
    defaults: tuple[Mapping[str, str], Mapping[str, str]] = ({}, {}),
) -> list[Line]:
    """Every key of both, in the order of `left`, then those that only `right` has."""
    keys = [*left, *(key for key in right if key not in left)]
    return [
        Line(key, left.get(key), right.get(key), *(one.get(key) for one in defaults))
        for key in keys
    ]
