"""One file as the parsers see it: the bytes, and the text with the damage of travel undone."""

from __future__ import annotations

from functools import cached_property

from benchdash.parsers.decoding import to_utf8
from benchdash.parsers.travel import undone

_FIGURES = b"0123456789.,- \t\r"
_PIECE = 2**17


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
        """True where one of the words stands in a line of the file, as it came: the first look."""
        shapes = self._shapes
        return any(_shape(word) in shapes and word in self.utf8 for word in words)

    @cached_property
    def _shapes(self) -> bytes:
        """The lines less their figures, each once in a piece of the file.

        Of ten megabytes of results that is next to nothing: all the words that tell a tool are
        looked for in it, and only one that stands here is looked for in the file.
        """
        found = []
        start, data = 0, self.utf8
        while start < len(data):
            # never within a line, where a word could stand
            end = data.find(b"\n", start + _PIECE) + 1 or len(data)
            found.append(b"\n".join(set(_shape(data[start:end]).split(b"\n"))))
            start = end
        return b"\n".join(found)


def _shape(text: bytes) -> bytes:
    return text.translate(None, _FIGURES)
