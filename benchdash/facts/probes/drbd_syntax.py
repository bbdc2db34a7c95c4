"""The text of `drbdsetup show`: words, braces, semicolons; what comes behind # says the unit."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field

_MARK = re.compile(r'"(?:\\.|[^"\\\n])*"|[{};]|#[^\n]*|[^\s{};"#]+')
_DEEPEST = 20


@dataclass(slots=True)
class Section:
    """`net { … }`: its words, its statements (`max-buffers 8000;`) and the sections inside."""

    words: list[str]
    statements: list[list[str]] = field(default_factory=list)
    sections: list[Section] = field(default_factory=list)

    def said(self, *words: str) -> str | None:
        """The rest of the first statement that begins with these words."""
        for statement in self.statements:
            if statement[: len(words)] == [*words] and len(statement) > len(words):
                return statement[len(words)]
        return None

    def named(self, name: str) -> list[Section]:
        """The sections of that name inside."""
        return [section for section in self.sections if section.words[:1] == [name]]

    def walk(self) -> Iterator[Section]:
        """This section and all inside."""
        yield self
        for section in self.sections:
            yield from section.walk()


def parse(text: str) -> Section:
    """The whole as one section without words; ValueError where braces do not match."""
    stack, words = [Section([])], list[str]()
    for mark in _MARK.findall(text):
        if mark == "{":
            stack[-1].sections.append(Section(words))
            stack.append(stack[-1].sections[-1])
        elif mark in "};" and words:
            # drbd-utils 8.3 prints what nobody set as well, and says so
            if words[-1] != "_is_default":
                stack[-1].statements.append(words)
        elif not mark.startswith("#") and mark not in "};":
            words.append(mark.strip('"'))
            continue
        if mark == "}":
            stack.pop()
        if not 1 <= len(stack) <= _DEEPEST:
            raise ValueError("braces do not match")
        if mark in "{};":
            words = []
    if len(stack) != 1:
        raise ValueError("braces do not match")
    return stack[0]
