"""The version, which stands in CHANGELOG.md and nowhere else."""

from __future__ import annotations

import re
from pathlib import Path

CHANGELOG = Path(__file__).resolve().parent.parent / "CHANGELOG.md"


def newest_version(changelog: str) -> str:
    """The version in the first heading, `## 1.2.3 …`."""
    heading = re.search(r"^## (\d+\.\d+\.\d+)", changelog, re.MULTILINE)
    if not heading:
        raise ValueError("CHANGELOG.md has no heading of the form `## 1.2.3`.")
    return heading[1]


VERSION = newest_version(CHANGELOG.read_text(encoding="utf-8"))
