"""Lines of a text one at a time: ten megabytes of text are never held a second time as a list."""

from __future__ import annotations

from collections.abc import Iterator

_PIECE = 2**14


def lines_from(text: str, offset: int = 0) -> Iterator[tuple[int, str]]:
    """(offset, line without its end) of every line from the one that begins at `offset`."""
    while True:
        end = text.find("\n", offset)
        if end < 0:
            yield offset, text[offset:]
            return
        yield offset, text[offset:end]
        offset = end + 1


def numbered_lines(text: str) -> Iterator[tuple[int, str]]:
    """(number from 1, line without its end) of every line, quicker than one at a time."""
    number, start = 1, 0
    while start < len(text):
        end = text.find("\n", start + _PIECE)
        end = len(text) if end < 0 else end
        lines = text[start:end].split("\n")
        yield from enumerate(lines, number)
        number += len(lines)
        start = end + 1


class LineNumbers:
    """Offsets of one text to line numbers (from 1), for offsets that only grow."""

    def __init__(self, text: str | bytes) -> None:
        self._text = text
        self._offset = 0
        self._line = 1

    def at(self, offset: int) -> int:
        """The number of the line that holds `offset`."""
        if isinstance(self._text, str):
            self._line += self._text.count("\n", self._offset, offset)
        else:
            self._line += self._text.count(b"\n", self._offset, offset)
        self._offset = offset
        return self._line
