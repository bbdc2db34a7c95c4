"""The chapters of docs/ as pages, and which one is about which page."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from urllib.parse import urldefrag

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.token import Token

from benchdash.accounts.roles import Role
from benchdash.pages.access import needs
from benchdash.pages.markdown import with_scrolled_tables

FOLDER = settings.BASE_DIR / "docs"
# in the order in which they are wanted
CHAPTERS = (
    *("uploading", "runs", "stacks", "studies", "comparing", "verdicts", "remote", "recipes"),
    *("parsing", "api", "accounts", "settings"),
)
# by the first part of a page's address
ABOUT = {
    "studies": "studies",
    "runs": "runs",
    "configurations": "stacks#configurations",
    "environments": "stacks#environments",
    "search": "runs#search",
    "compare": "comparing#how-they-are-shown",
    "history": "comparing#history",
    "c": "comparing#permanent-links",
    "doubts": "verdicts#doubts",
    "uploads": "uploading",
    "profile": "accounts",
    "sign-in": "accounts",
    "hosts": "remote#on-the-storage-host",
    "targets": "remote#on-the-storage-host",
    "plans": "remote#in-benchdash",
    "jobs": "remote#states-and-failures",
    "recipes": "recipes",
}
_READER = MarkdownIt("commonmark", {"html": False}).enable("table")
_OTHER_CHAPTER = re.compile(r"(\w+)\.md(#.*)?")


@dataclass(frozen=True, slots=True)
class Chapter:
    """One file of docs/: its title, its parts by their addresses, and all of it as HTML."""

    name: str
    title: str
    parts: tuple[tuple[str, str], ...]
    html: SafeString


@needs(Role.NOBODY)
def contents(request: HttpRequest) -> HttpResponse:
    """All chapters."""
    return render(request, "help/contents.html", {"chapters": map(read, CHAPTERS)})


@needs(Role.NOBODY)
def chapter(request: HttpRequest, name: str) -> HttpResponse:
    """One chapter; its headings have the addresses that its file has on a forge."""
    if name not in CHAPTERS:
        raise Http404
    chapters = [read(each) for each in CHAPTERS]
    return render(request, "help/chapter.html", {"chapter": read(name), "chapters": chapters})


def address_of_help(path: str) -> str:
    """The chapter, or the part of one, about the page at `path`; else the contents."""
    name, part = urldefrag(ABOUT.get(path.split("/")[1], ""))
    address = reverse("chapter", args=[name]) if name else reverse("help")
    return f"{address}#{part}" if part else address


@cache
def read(name: str) -> Chapter:
    """A chapter of `CHAPTERS`."""
    tokens = _READER.parse((FOLDER / f"{name}.md").read_text(encoding="utf-8"))
    title = tokens[1].content.replace("`", "")
    parts = []
    for token, inline in pairwise(tokens):
        if token.type == "heading_open":
            token.attrSet("id", _anchor(inline.content))
            if token.tag == "h2":
                parts.append((_anchor(inline.content), inline.content.replace("`", "")))
        # a column of numbers (`--:`): the content security policy lets no style stand in the page
        if token.attrs.pop("style", None):
            token.attrSet("class", "number")
        _lead_to_chapters(inline.children or [])
    html = with_scrolled_tables(_READER.renderer.render(tokens, _READER.options, {}))
    return Chapter(name, title, tuple(parts), mark_safe(html))  # noqa: S308 - our own files, without HTML


def _anchor(heading: str) -> str:
    return re.sub(r"[^\w\- ]", "", heading.lower()).replace(" ", "-")


def _lead_to_chapters(inline: list[Token]) -> None:
    for token in inline:
        found = _OTHER_CHAPTER.fullmatch(str(token.attrGet("href") or ""))
        if found:
            token.attrSet("href", reverse("chapter", args=[found[1]]) + (found[2] or ""))
