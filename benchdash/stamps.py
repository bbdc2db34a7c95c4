"""Stamps: work that is done once for a content, and again where the content changed.

A stamp is a file that holds the digest of what the work was done for. Not by times of files, as
make goes by: a checkout or an image sets them anew. Runs before anything is installed.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from pathlib import Path


def digest(root: Path, names: Iterable[str]) -> str:
    """One digest of files and of all files in folders below `root`: their names and bytes."""
    files = sorted(
        file
        for path in (root / name for name in names)
        for file in ([path] if path.is_file() else path.rglob("*"))
        if file.is_file()
    )
    whole = hashlib.sha256()
    for file in files:
        whole.update(f"{file.relative_to(root)}\0".encode())
        whole.update(hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()


def is_stamped(stamp: Path, content: str) -> bool:
    """Whether the work that `stamp` stands for was finished for this content."""
    return stamp.is_file() and stamp.read_text() == content
