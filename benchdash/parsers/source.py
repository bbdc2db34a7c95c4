"""One file as the parsers see it: the bytes, and the text with the damage of travel undone."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cached_property

from benchdash.parsers.decoding import to_utf8
from benchdash.parsers.travel import undone


class Source:
    """`data` as uploaded; `name` is a hint for fio's logs.

    `utf8` is valid, without a byte order mark, and no copy where `data` is that already:
    recognise a tool by substrings of it, and read JSON from it. `text` costs more and is
    asked for only where a tool was recognised.
    """

    def __init__(self, data: bytes, name: str = "") -> None:
        """ParseError where there is nothing to read: "empty file", "not text"."""
        self.data = data
        self.name = name
        self.utf8 = to_utf8(data)

    @cached_property
    def text(self) -> str:
        """`utf8` less quoting, markup, escapes and odd spaces; lines end with "\\n"."""
        return undone(self.utf8).decode()

    def mentions(self, *words: bytes) -> bool:
        """True where one of the words stands in the file, as it came: the cheap first look."""
        data = self.utf8
        for word in words:  # noqa: SIM110 - any() takes four times as long for a small file
            if word in data:
                return True
        return False

    def lines(self) -> Iterator[tuple[int, str]]:
        """(number from 1, line without its end), without a list of them all."""
        start, number, text = 0, 1, self.text
        while (end := text.find("\n", start)) >= 0:
            yield number, text[start:end]
            start, number = end + 1, number + 1
        if start < len(text):
            yield number, text[start:]

    def line_at(self, offset: int) -> int:
        """The number of the line (from 1) that `text[offset]` stands in."""
        return self.text.count("\n", 0, offset) + 1
