"""The canonical form of a stack.

Kinds and options have their own names, values are typed, `node` is empty where it is that of the
layer above, identical siblings are one layer with their `count` (where it is more than one), and
siblings are sorted (local legs first). What was not given stays absent.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from benchdash.errors import N_, Refused
from benchdash.vocabulary import canonical
from benchdash.vocabulary.near import near
from benchdash.vocabulary.storage import KIND_WORDS, KINDS, Kind, Option, Value
from benchdash.vocabulary.storage.kinds import MOST_ALIKE

Tree = dict[str, Any]

DEEPEST = 30
MOST_LAYERS = 500
_NODE = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9_-]{0,49}")


def normalised(tree: object) -> Tree:
    """The canonical form of `tree`; Refused names layer, option, value and what is allowed."""
    return _Reader().layer(tree, above="", depth=1)


class _Reader:
    """Reads one tree; counts its layers, so that sentences can say which one they mean."""

    def __init__(self) -> None:
        self.count = 0

    def layer(self, raw: object, above: str, depth: int) -> Tree:
        self.count += 1
        if depth > DEEPEST or self.count > MOST_LAYERS:
            raise Refused(
                "A stack has at most {most} layers, at most {deepest} deep.",
                "layers",
                most=MOST_LAYERS,
                deepest=DEEPEST,
            )
        raw = _mapping(raw, self.count)
        kind = _kind(raw.get("kind"), self.count)
        place = N_("Layer {count} ({name})", count=self.count, name=kind.name)
        node = _node(raw.get("node") or above, place)
        options = _options(kind, raw.get("options", {}), place)
        below = self._below(raw.get("below", []), kind, place, node, depth)
        return {
            "kind": kind.name,
            "node": "" if node == above else node,
            "options": options,
            "below": below,
        }

    def _below(self, raw: object, kind: Kind, place: str, node: str, depth: int) -> list[Tree]:
        if not isinstance(raw, list):
            raise Refused("{place}: “below” must be a list of layers.", "layers", place=place)
        if raw and kind.leaf:
            raise Refused("{place}: nothing can be below it.", "layers", place=place)
        legs = _siblings([self.layer(leg, above=node, depth=depth + 1) for leg in raw])
        if any(leg["options"].get("count", 1) > MOST_ALIKE for leg in legs):
            raise Refused(
                "{place}: at most {most} identical layers can be below it.",
                "layers",
                place=place,
                most=MOST_ALIKE,
            )
        return legs


def _mapping(raw: object, count: int) -> Mapping[str, Any]:
    if not isinstance(raw, Mapping):
        raise Refused(
            "Layer {count} is not an object with “kind”, “options” and “below”.",
            "layers",
            count=count,
        )
    if unknown := [str(key) for key in raw if key not in ("kind", "node", "options", "below")]:
        raise Refused(
            "Layer {count}: “{name}” is not known; a layer has kind, node, options, below.",
            "layers",
            count=count,
            name=unknown[0],
        )
    return raw


def _kind(raw: object, count: int) -> Kind:
    word = str(raw or "").strip().casefold().replace("-", "_")
    if kind := KIND_WORDS.get(word):
        return kind
    sentence = N_("Layer {count}: “{name}” is not a kind of layer.", count=count, name=raw or "")
    raise Refused(near(sentence, word, KIND_WORDS, KINDS), "layers")


def _node(raw: object, place: str) -> str:
    if raw and not (isinstance(raw, str) and _NODE.fullmatch(raw)):
        raise Refused(
            "{place}: the node “{raw}” is not a name such as node-b.",
            "layers",
            place=place,
            raw=raw,
        )
    return str(raw or "")


def _options(kind: Kind, raw: object, place: str) -> dict[str, Value]:
    if not isinstance(raw, Mapping):
        raise Refused(
            "{place}: “options” must be an object of names and values.", "layers", place=place
        )
    read: dict[str, Value] = {}
    for name, value in raw.items():
        option, typed = _option(kind, str(name), value, place)
        if read.setdefault(option.name, typed) != typed:
            raise Refused(
                "{place}: {name} is given twice, with two values.",
                "layers",
                place=place,
                name=option.name,
            )
    if read.get("count") == 1:
        del read["count"]
    return kind.ordered(read)


def _option(kind: Kind, name: str, value: object, place: str) -> tuple[Option, Value]:
    word = name.strip().casefold().replace("-", "_")
    if word not in kind.words:
        sentence = N_(
            "{place}: “{name}” is not an option of {title}.",
            place=place,
            name=name,
            title=kind.title,
        )
        raise Refused(near(sentence, word, kind.words, kind.options), "layers")
    option, factor = kind.words[word]
    typed = option.read(value, factor)
    if typed is None:
        raise Refused(
            "{place}: {name} is “{value}”; it takes {allowed}.",
            "layers",
            place=place,
            name=option.name,
            value=value,
            allowed=option.allowed,
        )
    return option, typed


def _siblings(layers: list[Tree]) -> list[Tree]:
    """Sorted, because their order means nothing; identical ones are merged with their count."""
    merged: dict[str, Tree] = {}
    for layer in layers:
        options = {key: value for key, value in layer["options"].items() if key != "count"}
        alike = canonical.canonical({**layer, "options": options})
        count = layer["options"].get("count", 1)
        count += merged[alike]["options"].get("count", 1) if alike in merged else 0
        merged[alike] = layer | {"options": _counted(layer["kind"], options, count)}
    return sorted(merged.values(), key=lambda leg: (leg["node"], canonical.canonical(leg)))


def _counted(kind: str, options: dict[str, Value], count: int) -> dict[str, Value]:
    if count > 1:
        options = options | {"count": count}
    return KINDS[kind].ordered(options)
