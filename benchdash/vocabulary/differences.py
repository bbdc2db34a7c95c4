"""Two records compared: flat `{key: text}` against flat `{key: text}`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Line:
    """One key of two records; None where a record doesn't have it."""

    key: str
    left: str | None
    right: str | None

    @property
    def equal(self) -> bool:
        return self.left == self.right


def differences(left: Mapping[str, str], right: Mapping[str, str]) -> list[Line]:
    """Every key of both, in the order of `left`, then those that only `right` has."""
    keys = [*left, *(key for key in right if key not in left)]
    return [Line(key, left.get(key), right.get(key)) for key in keys]
