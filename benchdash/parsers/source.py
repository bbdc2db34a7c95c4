"""One file as the parsers see it: the bytes, and the text with the damage of travel undone."""

from __future__ import annotations

import re
from functools import cached_property

from benchdash.parsers.result import ParseError

_ANSI = re.compile(r"\x1b(?:\[[0-9;?]*[ -/]*[@-~]|\([A-Z0-9]|\][^\x07\x1b]*(?:\x07|\x1b\\))")


class Source:
    """`data` as uploaded; `text` decoded with "\\n" line ends; `name` is a hint for fio's logs."""

    def __init__(self, data: bytes, name: str = "") -> None:
        self.data = data
        self.name = name

    @cached_property
    def text(self) -> str:
        """Cleaned text; ParseError("empty file" / "not text") where there is none."""
        if not self.data.strip():
            raise ParseError("empty file")
        text = self.data.decode("utf-8-sig", "replace").replace("\r\n", "\n").replace("\r", "\n")
        return _ANSI.sub("", text).replace("\xa0", " ")
