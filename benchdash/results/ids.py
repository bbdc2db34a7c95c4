"""Numbers of records as people and addresses write them."""

from __future__ import annotations

import re

LARGEST_ID = 2**63 - 1
_DIGITS = re.compile(r"[0-9]{1,19}")  # Python refuses to read thousands of them, with an error


def read_id(text: object) -> int | None:
    """The number, where a record could have it."""
    number = int(str(text)) if _DIGITS.fullmatch(str(text)) else 0
    return number if 0 < number <= LARGEST_ID else None


def read_ids(texts: list[str]) -> list[int]:
    """Those that records could have, in their order."""
    return [pk for text in texts if (pk := read_id(text)) is not None]
