"""One file as parsers read it: its bytes, and the text as the tool printed it."""

from __future__ import annotations

import re
from functools import cached_property

from benchdash.parsers.cleaning import cleaned
from benchdash.parsers.decoding import to_utf8

_LAST_FIGURE = re.compile(rb"\d[\d.]*\Z")
_LONGEST_FIGURE = 40


class Source:
    """`data` as uploaded; `name` is a hint for fio's logs.

    `utf8` is valid, without a byte order mark, and no copy where `data` is that already:
    recognise a tool by substrings of it, and read JSON from it. `text` costs more: use it only
    where a tool was recognised.
    """

    def __init__(self, data: bytes, name: str = "") -> None:
        """ParseError where there is nothing to read: "empty file", "not text"."""
        self.data = data
        self.name = name
        self.utf8 = to_utf8(data)

    @cached_property
    def text(self) -> str:
        """`utf8` less quoting, markup, escapes and odd spaces; lines end with "\\n"."""
        return cleaned(self.utf8).decode()

    @cached_property
    def last_figure(self) -> str:
        """The figure that the file ends with, "" where it ends with a newline or anything else.

        It may have been cut: every figure that loses its end is one too.
        """
        found = _LAST_FIGURE.search(self.utf8[-_LONGEST_FIGURE:])
        return found[0].decode() if found else ""

    def mentions(self, *words: bytes) -> bool:
        """True where the file contains one of the words: the first, cheap check."""
        return any(word in self.utf8 for word in words)
