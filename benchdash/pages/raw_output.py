"""What a tool printed: an excerpt with its numbers marked, and the whole as a download."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from http import HTTPStatus

import zstandard
from django.http import HttpRequest, HttpResponse
from django.urls import reverse
from django.utils.http import content_disposition_header
from django.utils.translation import gettext as _

from benchdash.errors import Refused
from benchdash.pages.errors import error_page
from benchdash.parsers.printed import Printed, printed_numbers
from benchdash.parsers.result import Name, ParseError
from benchdash.parsers.source import Source
from benchdash.results.artifacts import content_of
from benchdash.results.hidden_paths import without_paths
from benchdash.results.language import in_language
from benchdash.results.models import Artifact, Run

MOST_BYTES = 2**20
MOST_LINES = 500
MOST_CHARACTERS = 128 * 1024
MARGIN = 3


@dataclass(frozen=True, slots=True)
class Piece:
    """Some of the text; `names` are the numbers that it is, none for what stands between."""

    text: str
    names: tuple[str, ...] = ()


@dataclass(slots=True)
class Excerpt:
    """`marked` was read as this run's; `first` is the number of the first line that is shown.

    `anchors` are the names (`seq_write-throughput-mean`) that can be linked to.
    """

    before: list[Piece]
    marked: list[Piece]
    after: list[Piece]
    first: int
    whole: bool
    anchors: set[str] = field(default_factory=set)


def excerpt(
    artifact: Artifact,
    run: Run | None = None,
    numbers: Mapping[Name, float] | None = None,
    *,
    paths: bool = True,
) -> Excerpt:
    """Up to 500 lines around those of `run`, cleaned of what mail and terminals did to it.

    Without `paths` those of hosts are hidden, as visitors read it.
    """
    text = _text(artifact) if paths else without_paths(_text(artifact))
    lines = (run.lines[0], run.lines[1]) if run and len(run.lines) == 2 else (0, 0)
    figures = printed_numbers(text, numbers, run.position, lines) if run and numbers else []
    begins = [0, *(match.end() for match in re.finditer("\n", text))]
    start, end = _marked(begins, lines, len(text))
    top = _line_of(begins, start if end else figures[0].start if figures else 0)
    first = 0 if len(begins) <= MOST_LINES else max(0, top - MARGIN)
    begin = begins[first]
    last = begins[first + MOST_LINES] if first + MOST_LINES < len(begins) else len(text)
    last = min(last, begin + MOST_CHARACTERS)
    start, end = (max(begin, min(each, last)) for each in (start, end))
    inside = [one for one in figures if begin <= one.start and one.end <= last]
    return Excerpt(
        before=list(_pieces(text, begin, start, inside)),
        marked=list(_pieces(text, start, end, inside)),
        after=list(_pieces(text, max(start, end), last, inside)),
        first=first + 1,
        whole=begin == 0 and last == len(text) and artifact.size_bytes <= MOST_BYTES,
        anchors={anchor(one.name) for one in inside},
    )


def anchor(name: Name) -> str:
    """The end of the `id`s of a number in the table and in the output."""
    return "-".join(name)


def _marked(begins: list[int], lines: tuple[int, int], length: int) -> tuple[int, int]:
    """The offsets of the lines from and to, (0, 0) where they mean nothing."""
    if not lines[1] or lines[0] > len(begins):
        return 0, 0
    return begins[lines[0] - 1], begins[lines[1]] if lines[1] < len(begins) else length


def _line_of(begins: list[int], offset: int) -> int:
    return bisect_right(begins, offset) - 1


def _pieces(text: str, start: int, end: int, figures: list[Printed]) -> Iterator[Piece]:
    names: dict[tuple[int, int], list[str]] = {}
    for one in figures:
        if start <= one.start and one.end <= end:
            names.setdefault((one.start, one.end), []).append(anchor(one.name))
    for (begin, stop), here in sorted(names.items()):
        yield Piece(text[start:begin])
        yield Piece(text[begin:stop], tuple(here))
        start = stop
    yield Piece(text[start:end])


def _text(artifact: Artifact) -> str:
    with zstandard.ZstdDecompressor().stream_reader(bytes(artifact.compressed)) as stream:
        data = stream.read(MOST_BYTES)
    try:
        return Source(data).text
    except ParseError as error:
        return f"({in_language(error.sentence)})"


def download(request: HttpRequest, artifact: Artifact, name: str) -> HttpResponse:
    """The bytes as they were uploaded; 410 with the sentence where an admin purged them."""
    try:
        content = content_of(artifact)
    except Refused as refused:
        sentence, way = in_language(refused.sentence), (reverse("runs"), _("All runs"))
        return error_page(request, HTTPStatus.GONE, _("These bytes are gone"), sentence, way)
    response = HttpResponse(content, content_type="application/octet-stream")
    response["Content-Disposition"] = content_disposition_header(as_attachment=True, filename=name)
    return response
