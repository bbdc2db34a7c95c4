"""A stack as text: one layer per line from the top down; where there are several legs, each begins with "- ".

    ext3 data=ordered noatime
    lvm
    drbd protocol=C roles=Primary/Secondary
    - disk model="Hitachi HDS721010KLA330"
    - disk @node-b model="Hitachi HDS721010KLA330"

Options are `name=value` with sizes such as 128K, words without a value (`nobarrier`), or mount
option strings (`barrier=0,data=writeback`, with or without `-o`). `@node-b` names the node. Empty
lines and lines that begin with # are ignored. `parse` and `print_stack` are inverses. What pages show
is read too: `8 × disk`, `md RAID6`, `chunk 512 KiB`, `mq-deadline`, `ext4 on LVM`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from benchdash.errors import Refused
from benchdash.vocabulary.storage import Kind, Option, Value, kind_named
from benchdash.vocabulary.storage.normal_form import DEEPEST, Tree, normalised
from benchdash.vocabulary.storage.shown import kind_at, option_at, options_with, spelled

LONGEST_TEXT = 100_000
_COUNTED = re.compile(r"((?:- +)*)([0-9]{1,5}) ?[×x] +(\S.*)")
_DISKS = re.compile(r"((?:- +)*)([0-9]{1,5}) +(disk)s?\b(.*)", re.IGNORECASE)
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
            first, *below = map(_counted, _chain(stripped))
            indent = len(line) - len(line.lstrip())
            yield _Line(number, indent, first)
            inner = indent + len(first) - len(first.lstrip("- "))
            yield from (_Line(number, inner, text) for text in below)


def _counted(text: str) -> str:
    """`8 × disk` and `8 disks` as `disk count=8`."""
    if match := _COUNTED.fullmatch(text):
        return f"{match[1]}{match[3]} count={match[2]}"
    if match := _DISKS.fullmatch(text):
        return f"{match[1]}{match[3]}{match[4]} count={match[2]}"
    return text


def _chain(text: str) -> list[str]:
    """`ext4 on LVM` as two layers; `write_cache on` stays one."""
    if not _LINE.fullmatch(text):
        return [text]
    words = _WORD.findall(text)
    ends = [
        place
        for place, word in enumerate(words)
        if place and word.casefold() == "on" and _begins_layer(words[place + 1 :])
    ]
    if not ends:
        return [text]
    starts = [0, *(end + 1 for end in ends)]
    return [" ".join(words[start:end]) for start, end in zip(starts, [*ends, None], strict=True)]


def _begins_layer(words: list[str]) -> bool:
    return kind_at(_WORD.findall(_counted(" ".join(words))))[0] is not None


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
    words = _words(line)
    kind, named = kind_at(words)
    word = kind.name if kind else words[0]
    del words[: named if kind else 1]
    options: dict[str, Value] = {}
    node = ""
    while words:
        if words[0].startswith("@"):
            node = words.pop(0)[1:]
        elif words[0] == "-o" or not kind:
            words.pop(0)
        else:
            for name, value in _next_options(kind, words, line.number):
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


def _next_options(kind: Kind, words: list[str], number: int) -> list[tuple[str, Value]]:
    """The options that the first words give, which are taken off."""
    if given := option_at(kind, words):
        name, value, count = given
        del words[:count]
        return [(name, _unquoted(value))]
    if given := _shown_with_equals(kind, words):
        name, value, count = given
        del words[:count]
        return [(name, value)]
    return list(_given_options(kind, words.pop(0), number))


def _shown_with_equals(kind: Kind, words: list[str]) -> tuple[str, str, int] | None:
    """What pages show with the sign that is typed: `block=4K`, `block_bytes=4 KiB`, where that can be."""
    name, equals, value = words[0].partition("=")
    if not equals or set(value) & {",", '"'}:
        return None
    given = option_at(kind, [name, value, *words[1:]])
    if given is None or (given[2] == 2 and spelled(name) in kind.words):
        return None
    option = kind.options.get(given[0]) or kind.words[given[0]][0]
    return None if option.read(given[1]) is None else (given[0], given[1], given[2] - 1)


def _given_options(kind: Kind, word: str, number: int) -> Iterator[tuple[str, Value]]:
    """The options of `name=value`, of a flag, or of a comma-separated mount string of these."""
    for part in _parts(kind, word):
        name, equals, value = part.partition("=")
        flag = spelled(name)
        if equals:
            yield flag, _unquoted(value)
        elif flag in kind.flags:
            option, meant = kind.flags[flag]
            yield option.name, meant
        elif meant_by := options_with(kind, part):
            if len(meant_by) > 1:
                raise _ambiguous(kind, part, meant_by, number)
            yield meant_by[0].name, part
        else:
            raise Refused(
                "Line {line}: “{word}” needs a value for {title}; write option=value.",
                "layers",
                line=number,
                word=part,
                title=kind.title,
            )


def _ambiguous(kind: Kind, word: str, options: list[Option], number: int) -> Refused:
    return Refused(
        "Line {line}: “{word}” can be {names} of {title}; write option=value.",
        "layers",
        line=number,
        word=word,
        names=", ".join(option.name for option in options),
        title=kind.title,
    )


def _parts(kind: Kind, word: str) -> list[str]:
    """`word` split at its commas; a list inside a text stays whole: `features=layering,striping`."""
    parts: list[str] = []
    for part in _PART.findall(word):
        name = spelled(part.partition("=")[0])
        if parts and _is_text(kind, parts[-1]) and not (name in kind.words or name in kind.flags):
            parts[-1] += f",{part}"
        else:
            parts.append(part)
    return parts


def _is_text(kind: Kind, part: str) -> bool:
    name, equals, _ = part.partition("=")
    words = kind.words.get(spelled(name))
    return bool(equals and words and words[0].type == "text")


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
