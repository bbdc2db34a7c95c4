"""A YAML document as plain data with line numbers; bounded in size, without tags.

Recipes and studies are written in it; aliases and merge keys (`<<`) are for studies alone.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NoReturn

import yaml

from benchdash.errors import N_, Refused, Sentence
from benchdash.vocabulary.near import near

LONGEST = 100_000
DEEPEST = 12
MOST_PARTS = 100_000
LONGEST_PLACE = 500
_MERGE = "tag:yaml.org,2002:merge"


@dataclass(frozen=True, slots=True)
class Part:
    """A value of the document; `place` is its path (`measure[1].argv`), for error messages."""

    value: Any
    place: str
    line: int

    def refuse(self, what: str) -> NoReturn:
        """Refused that names line and place."""
        raise Refused(self.located(what), "recipe")

    def located(self, what: str) -> str:
        """The error `what` as a sentence with line and place."""
        values = {"line": self.line, "place": self.place, "what": what}
        if str(what).endswith((".", "?")):  # a sentence, such as one of layers
            template = (
                N_("Line {line} ({place}): {what}") if self.place else N_("Line {line}: {what}")
            )
        elif self.place:
            template = N_("Line {line} ({place}): {what}.")
        else:
            template = N_("Line {line}: {what}.")
        return Sentence(template, **values)

    def mapping(self, known: tuple[str, ...] | None = None) -> dict[str, Part]:
        """The parts by their keys; an unknown key is refused with the nearest known one."""
        if not isinstance(self.value, dict):
            self.refuse(N_("a mapping of names to values is needed here"))
        for key, part in self.value.items():
            if known is not None and key not in known:
                sentence = part.located(N_("“{key}” is not known here", key=key))
                raise Refused(near(sentence, key, known, known), "recipe")
        return dict(self.value)

    def items(self) -> list[Part]:
        """The parts of a list."""
        if not isinstance(self.value, list):
            self.refuse(N_("a list is needed here"))
        return list(self.value)

    def text(self) -> str:
        """A text; numbers are taken as they are written."""
        if isinstance(self.value, bool) or not isinstance(self.value, str | int | float):
            self.refuse(N_("text is needed here; put “yes”, “no”, “on” and “off” in quotes"))
        if "\x00" in str(self.value):
            self.refuse(N_("text may not contain NUL"))
        return str(self.value)

    def switch(self) -> bool:
        """A yes or no."""
        if not isinstance(self.value, bool):
            self.refuse(N_("yes or no is needed here"))
        return bool(self.value)

    def count(self) -> int:
        """A whole number above zero."""
        if isinstance(self.value, bool) or not isinstance(self.value, int) or self.value < 1:
            self.refuse(N_("a whole number above zero is needed here"))
        return int(self.value)

    def plain(self) -> Any:
        """The value as plain data."""
        if isinstance(self.value, dict):
            return {key: part.plain() for key, part in self.value.items()}
        return [part.plain() for part in self.value] if isinstance(self.value, list) else self.value


def read_document(
    text: str, *, longest: int = LONGEST, most_parts: int = MOST_PARTS, aliases: bool = False
) -> Part:
    """The document as parts; Refused with the line of what is wrong.

    With `aliases` a value may be said once and referred to: it has the line where it is said.
    """
    if len(text) > longest:
        raise Refused("It has at most {most} characters.", "recipe", most=longest)
    # libyaml takes a tenth of the time, and says less of what is wrong
    loader = yaml.CSafeLoader if len(text) > LONGEST else yaml.SafeLoader
    try:
        _check(yaml.parse(text, Loader=loader), most_parts, aliases=aliases)
        node = yaml.compose(text, Loader=loader)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        sentence = N_("this is not YAML: {problem}.", problem=error.problem)
        if mark:
            sentence = N_("Line {line}: {sentence}", line=mark.line + 1, sentence=sentence)
        raise Refused(sentence, "recipe") from None
    except (yaml.YAMLError, UnicodeEncodeError):
        raise Refused(
            "This is not YAML: it contains a character that YAML forbids.", "recipe"
        ) from None
    if node is None:
        raise Refused("It is empty.", "recipe")
    return _part(node, "", iter(range(most_parts)))


def _check(events: Iterable[yaml.Event], most_parts: int, *, aliases: bool) -> None:
    """Before anything is constructed: no tags, bounds, no aliases but where they may be."""
    depth = nodes = 0
    for event in events:
        mark = event.start_mark
        line = mark.line + 1 if mark else 1
        has_anchor = isinstance(event, yaml.AliasEvent) or getattr(event, "anchor", None)
        if has_anchor and not aliases:
            raise Refused("Line {line}: anchors and aliases are not allowed.", "recipe", line=line)
        if getattr(event, "tag", None):
            raise Refused("Line {line}: tags are not allowed.", "recipe", line=line)
        nodes += isinstance(event, yaml.NodeEvent)
        if nodes > 2 * most_parts:  # a value mostly has a name
            raise Refused(
                "Line {line}: more than {most} names and values.",
                "recipe",
                line=line,
                most=2 * most_parts,
            )
        depth += isinstance(event, yaml.CollectionStartEvent)
        depth -= isinstance(event, yaml.CollectionEndEvent)
        if depth > DEEPEST:
            raise Refused(
                "Line {line}: more than {most} levels of nesting.",
                "recipe",
                line=line,
                most=DEEPEST,
            )


def _part(node: yaml.Node, place: str, left: Iterator[int]) -> Part:
    """`left` is one for each part: aliases of aliases, or of what they are in, would have no end."""
    line = node.start_mark.line + 1
    # a place grows by a character at least with each level
    if next(left, None) is None or len(place) > LONGEST_PLACE:
        Part(None, place[:80], line).refuse(N_("with its aliases it is too large"))
    if isinstance(node, yaml.MappingNode):
        return Part(_mapping(node, place, left), place, line)
    if isinstance(node, yaml.SequenceNode):
        parts = [_part(item, f"{place}[{n}]", left) for n, item in enumerate(node.value, 1)]
        return Part(parts, place, line)
    return Part(_scalar(node, place, line), place, line)


def _mapping(node: yaml.MappingNode, place: str, left: Iterator[int]) -> Mapping[str, Part]:
    parts: dict[str, Part] = {}
    merged: dict[str, Part] = {}
    for key_node, value_node in node.value:
        line = key_node.start_mark.line + 1
        if not isinstance(key_node, yaml.ScalarNode):
            Part(None, place, line).refuse(N_("a plain name is needed before the colon"))
        if key_node.tag == _MERGE:
            merged |= _part(value_node, f"{place}.<<", left).mapping()
            continue
        key = str(key_node.value)
        if key in parts:
            Part(None, place, line).refuse(N_("“{key}” is given twice here", key=key))
        parts[key] = _part(value_node, f"{place}.{key}" if place else key, left)
    return merged | parts


def _scalar(node: yaml.Node, place: str, line: int) -> Any:
    """Text, integer, float, boolean or None; a date stays the text that it is."""
    tag = node.tag.rpartition(":")[2]
    if tag not in ("int", "float", "bool", "null"):
        return node.value
    try:
        return yaml.SafeLoader("").construct_document(node)
    except ValueError:
        Part(None, place, line).refuse(N_("this is not a number"))
