"""A stack as text: one layer per line from the top down; where there are several legs, each begins with "- ".

    ext3 data=ordered noatime
    lvm
    drbd protocol=C roles=Primary/Secondary
    - disk model="Hitachi HDS721010KLA330"
    - disk @node-b model="Hitachi HDS721010KLA330"

Options are `name=value` with sizes such as 128K, words without a value (`nobarrier`), or mount
option strings (`barrier=0,data=writeback`, with or without `-o`). `@node-b` names the node. Empty
lines and lines that begin with # are ignored. `parse` and `print_stack` are inverses.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from benchdash.errors import Refused
from benchdash.vocabulary.storage import KIND_WORDS, Kind, Value, kind_named
from benchdash.vocabulary.storage.normal_form import DEEPEST, Tree, normalised

LONGEST_TEXT = 100_000
_PLAIN = re.compile(r"[\w.+:/-]+", re.ASCII)
_QUOTE = r'"(?:\\.|[^"\\])*"'
_QUOTED = re.compile(r'"((?:\\.|[^"\\])*)"')
_WORD = re.compile(rf'(?:{_QUOTE}|[^\s"])+')
_LINE = re.compile(rf'(?:{_QUOTE}|[^"])+')
_PART = re.compile(rf'(?:{_QUOTE}|[^,"])+')


@dataclass(slots=True)
class _Line:
    number: int
    indent: int
    text: str

    @property
    def is_leg(self) -> bool:
        return self.text.startswith("- ")


def parse(text: str) -> Tree:
    """The canonical tree of a stack in the notation; Refused names the line and how to correct it."""
    lines = list(_lines(text))
    if not lines:
        raise Refused("A stack needs at least one layer, for example: ext4", "layers")
    tree, rest = _block(lines, lines[0].indent, 1)
    if rest:
        raise Refused(
            "Line {line}: its indentation matches no layer. Layers are written one below the "
            "other; where there are several legs, each begins with “- ”.",
            "layers",
            line=rest[0].number,
        )
    return normalised(tree)


def print_stack(tree: Tree) -> str:
    """A normalised tree in the notation, without a line break at its end."""
    return "\n".join(_printed(tree))


def _lines(text: str) -> Iterator[_Line]:
    if len(text) > LONGEST_TEXT:
        raise Refused("A stack has at most {most} characters.", "layers", most=LONGEST_TEXT)
    for number, line in enumerate(text.expandtabs(4).splitlines(), 1):
        stripped = line.strip()
        if stripped and not stripped.startswith("#"):
            yield _Line(number, len(line) - len(line.lstrip()), stripped)


def _block(lines: list[_Line], indent: int, depth: int) -> tuple[Tree, list[_Line]]:
    """The layer on the first line with everything below it, and the remaining lines."""
    first, rest = lines[0], lines[1:]
    if depth > DEEPEST:
        raise Refused(
            "Line {line}: a stack is at most {most} layers deep.",
            "layers",
            line=first.number,
            most=DEEPEST,
        )
    tree = _layer(first)
    if rest and rest[0].indent == indent and not rest[0].is_leg:
        below, rest = _block(rest, indent, depth + 1)
        tree["below"] = [below]
    while rest and rest[0].indent == indent and rest[0].is_leg:
        leg, rest = _block([_unmarked(rest[0]), *rest[1:]], _unmarked(rest[0]).indent, depth + 1)
        tree["below"].append(leg)
    return tree, rest


def _unmarked(line: _Line) -> _Line:
    text = line.text[2:].lstrip()
    return _Line(line.number, line.indent + len(line.text) - len(text), text)


def _layer(line: _Line) -> Tree:
    word, *words = _words(line)
    kind = KIND_WORDS.get(_spelled(word))
    options: dict[str, Value] = {}
    node = ""
    for text in words:
        if text.startswith("@"):
            node = text[1:]
        elif text != "-o" and kind:
            for name, value in _given_options(kind, text, line.number):
                if options.setdefault(name, value) != value:
                    raise Refused(
                        "Line {line}: {name} is given twice, with two values.",
                        "layers",
                        line=line.number,
                        name=name,
                    )
    return {"kind": word, "node": node, "options": options, "below": []}


def _words(line: _Line) -> list[str]:
    if not _LINE.fullmatch(line.text):
        raise Refused("Line {line}: a quotation mark is not closed.", "layers", line=line.number)
    return _WORD.findall(line.text)


def _given_options(kind: Kind, word: str, number: int) -> Iterator[tuple[str, Value]]:
    """The options of `name=value`, of a flag, or of a comma-separated mount string of these."""
    for part in _parts(kind, word):
        name, equals, value = part.partition("=")
        spelled = _spelled(name)
        if equals:
            yield spelled, _unquoted(value)
        elif spelled in kind.flags:
            option, meant = kind.flags[spelled]
            yield option.name, meant
        else:
            raise Refused(
                "Line {line}: “{word}” needs a value for {title}; write option=value.",
                "layers",
                line=number,
                word=part,
                title=kind.title,
            )


def _parts(kind: Kind, word: str) -> list[str]:
    """`word` split at its commas; a list inside a text stays whole: `features=layering,striping`."""
    parts: list[str] = []
    for part in _PART.findall(word):
        name = _spelled(part.partition("=")[0])
        if parts and _is_text(kind, parts[-1]) and not (name in kind.words or name in kind.flags):
            parts[-1] += f",{part}"
        else:
            parts.append(part)
    return parts


def _is_text(kind: Kind, part: str) -> bool:
    name, equals, _ = part.partition("=")
    words = kind.words.get(_spelled(name))
    return bool(equals and words and words[0].type == "text")


def _spelled(word: str) -> str:
    return word.casefold().replace("-", "_")


def _unquoted(text: str) -> str:
    return _QUOTED.sub(lambda match: re.sub(r"\\(.)", r"\1", match[1]), text)


def _printed(tree: Tree) -> Iterator[str]:
    yield _printed_layer(tree)
    legs = tree["below"]
    for leg in legs:
        marks = ("- ", "  ") if len(legs) > 1 else ("", "")
        for number, line in enumerate(_printed(leg)):
            yield marks[number > 0] + line


def _printed_layer(tree: Tree) -> str:
    kind = kind_named(tree["kind"])
    node = [f"@{tree['node']}"] if tree["node"] else []
    values = [
        f"{name}={_quoted(kind.option_named(name).text(value))}"
        for name, value in kind.ordered(tree["options"]).items()
    ]
    return " ".join([tree["kind"], *node, *values])


def _quoted(text: str) -> str:
    if _PLAIN.fullmatch(text):
        return text
    escaped = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{escaped}"'
