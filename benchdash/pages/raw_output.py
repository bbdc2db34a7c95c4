"""The beginning of what a tool printed, or the lines around one result, bounded for a page."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import zstandard

from benchdash.parsers.result import ParseError
from benchdash.parsers.source import Source
from benchdash.results.models import Artifact

MOST_BYTES = 2**20
MOST_LINES = 500
MARGIN = 3


@dataclass(frozen=True, slots=True)
class Excerpt:
    """`marked` was read as this run's; `first` is the number of the first line that is shown."""

    before: str
    marked: str
    after: str
    first: int
    whole: bool


def excerpt(artifact: Artifact, lines: Sequence[int] = ()) -> Excerpt:
    """Up to 500 lines around `lines` (first and last, from 1), with the damage of travel undone."""
    text = _text(artifact)
    shown = text.splitlines(keepends=True)
    start, end = (lines[0] - 1, lines[1]) if len(lines) == 2 and lines[1] else (0, 0)
    if start >= len(shown):
        start = end = 0
    first = 0 if len(shown) <= MOST_LINES else max(0, start - MARGIN)
    last = min(len(shown), first + MOST_LINES)
    end = min(end, last)
    return Excerpt(
        before="".join(shown[first:start]),
        marked="".join(shown[start:end]),
        after="".join(shown[end:last]),
        first=first + 1,
        whole=first == 0 and last == len(shown) and artifact.size_bytes <= MOST_BYTES,
    )


def _text(artifact: Artifact) -> str:
    with zstandard.ZstdDecompressor().stream_reader(bytes(artifact.compressed)) as stream:
        data = stream.read(MOST_BYTES)
    try:
        return Source(data).text
    except ParseError as error:
        return f"({error.sentence})"
