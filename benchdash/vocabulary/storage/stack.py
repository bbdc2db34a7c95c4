"""The canonical form of a stack, and what can be read off it.

Canonical: kinds and options under their own names, values typed, `node` empty where the layer
stands on the node of the layer above it, `count` only where it is more than one, alike siblings
as one layer with their count, siblings sorted (local legs first). What was not said stays unsaid.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from benchdash.errors import Refused
from benchdash.vocabulary import canonical
from benchdash.vocabulary.near import near
from benchdash.vocabulary.storage import KIND_WORDS, KINDS, Kind, Option, Value
from benchdash.vocabulary.storage.kinds import MOST_ALIKE

Tree = dict[str, Any]

DEEPEST = 30
MOST_LAYERS = 500
_NODE = re.compile(r"[a-zA-Z0-9][a-zA-Z0-9_-]{0,49}")


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer at its place: `position` counts from the top, `above` is the position above it.

    `node` is the effective node, "" for the one that runs the tool.
    """

    position: int
    above: int | None
    depth: int
    node: str
    kind: Kind
    options: Mapping[str, Value]


def normalised(tree: object) -> Tree:
    """The canonical form of `tree`; Refused names layer, option, value and what is allowed."""
    return _Reader().layer(tree, above="", depth=1)


def digest(tree: Tree) -> str:
    """Of a normalised tree, 64 hex digits."""
    return canonical.digest(tree)


def walk(tree: Tree) -> Iterator[Layer]:
    """The layers of a normalised tree from the top down, legs one after the other."""
    return _walk(tree, iter(range(MOST_LAYERS)), None, 0, "")


def facets(tree: Tree) -> list[tuple[str, str, float | None]]:
    """(key, text, number where it is one): what stacks are filtered and grouped by.

    `drbd.protocol` for each option, `filesystem` for the topmost one, `layer` for each kind.
    """
    found: dict[tuple[str, str], float | None] = {}
    for layer in walk(tree):
        found["layer", layer.kind.name] = None
        if layer.kind.family == "filesystem" and not any(key == "filesystem" for key, _ in found):
            found["filesystem", layer.kind.name] = None
        for name, value in layer.options.items():
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            text = layer.kind.options[name].text(value)
            found[f"{layer.kind.name}.{name}", text] = float(value) if is_number else None
    return [(key, text, number) for (key, text), number in found.items()]


def facet_option(key: str) -> Option | None:
    """The option behind a facet's key (`drbd.protocol`), None for `filesystem` and `layer`."""
    kind, _, name = key.partition(".")
    return KINDS[kind].options.get(name) if kind in KINDS else None


def title(tree: Tree) -> str:
    """One line: "ext3 on LVM on DRBD C, Primary/Secondary", along the first leg."""
    spine = list(_spine(tree))
    loud = [layer for layer in spine if not KINDS[layer["kind"]].quiet] or spine[:1]
    return " on ".join(caption(KINDS[layer["kind"]], layer["options"]) for layer in loud)


def caption(kind: Kind, options: Mapping[str, Value]) -> str:
    """A layer in a few words: "md RAID6", "DRBD C, Primary/Secondary"."""
    said = {name: kind.options[name].text(value) for name, value in options.items()}
    parts = [part.format(**said) for part in kind.caption if _named(part) in said]
    return f"{kind.title} {', '.join(parts)}".rstrip()


def lines(tree: Tree) -> dict[str, str]:
    """Flat `{key: text}` for laying two stacks side by side: {"lvm.stripes": "2", …}.

    A second layer of a kind is `lvm 2`, one on another node `node-b: lvm`.
    """
    flat = {"layers": outline(tree)}
    seen: dict[str, int] = {}
    for layer in walk(tree):
        place = f"{layer.node}: {layer.kind.name}" if layer.node else layer.kind.name
        seen[place] = seen.get(place, 0) + 1
        name = place if seen[place] == 1 else f"{place} {seen[place]}"
        for key, value in layer.options.items():
            flat[f"{name}.{key}"] = layer.kind.options[key].shown(value)
    return flat


def outline(tree: Tree) -> str:
    """The kinds alone: "ext3 > lvm > drbd > (disk | disk @node-b)"."""
    node = f" @{tree['node']}" if tree["node"] else ""
    legs = [outline(below) for below in tree["below"]]
    inner = f"({' | '.join(legs)})" if len(legs) > 1 else "".join(legs)
    return " > ".join(filter(None, [tree["kind"] + node, inner]))


class _Reader:
    """Reads one tree; counts its layers, so that sentences can say which one they mean."""

    def __init__(self) -> None:
        self.count = 0

    def layer(self, raw: object, above: str, depth: int) -> Tree:
        self.count += 1
        if depth > DEEPEST or self.count > MOST_LAYERS:
            raise Refused(
                f"A stack has at most {MOST_LAYERS} layers, {DEEPEST} on top of each other.",
                "layers",
            )
        raw = _mapping(raw, self.count)
        kind = _kind(raw.get("kind"), self.count)
        place = f"Layer {self.count} ({kind.name})"
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
            raise Refused(f"{place}: “below” is a list of layers.", "layers")
        if raw and kind.leaf:
            raise Refused(f"{place}: nothing stands below it.", "layers")
        legs = _siblings([self.layer(leg, above=node, depth=depth + 1) for leg in raw])
        if any(leg["options"].get("count", 1) > MOST_ALIKE for leg in legs):
            raise Refused(f"{place}: at most {MOST_ALIKE} alike stand below it.", "layers")
        return legs


def _mapping(raw: object, count: int) -> Mapping[str, Any]:
    if not isinstance(raw, Mapping):
        raise Refused(f"Layer {count} is no object with “kind”, “options” and “below”.", "layers")
    if unknown := [str(key) for key in raw if key not in ("kind", "node", "options", "below")]:
        raise Refused(
            f"Layer {count}: “{unknown[0]}” is not known; a layer has kind, node, options, below.",
            "layers",
        )
    return raw


def _kind(raw: object, count: int) -> Kind:
    word = str(raw or "").strip().casefold().replace("-", "_")
    if kind := KIND_WORDS.get(word):
        return kind
    raise Refused(
        f"Layer {count}: “{raw or ''}” is no kind of layer.{near(word, KIND_WORDS, KINDS)}",
        "layers",
    )


def _node(raw: object, place: str) -> str:
    if raw and not (isinstance(raw, str) and _NODE.fullmatch(raw)):
        raise Refused(f"{place}: the node “{raw}” is no name such as node-b.", "layers")
    return str(raw or "")


def _options(kind: Kind, raw: object, place: str) -> dict[str, Value]:
    if not isinstance(raw, Mapping):
        raise Refused(f"{place}: “options” is an object of names and values.", "layers")
    read: dict[str, Value] = {}
    for name, value in raw.items():
        option, typed = _option(kind, str(name), value, place)
        if read.setdefault(option.name, typed) != typed:
            raise Refused(f"{place}: {option.name} is given twice, with two values.", "layers")
    if read.get("count") == 1:
        del read["count"]
    return kind.ordered(read)


def _option(kind: Kind, name: str, value: object, place: str) -> tuple[Option, Value]:
    word = name.strip().casefold().replace("-", "_")
    if word not in kind.words:
        raise Refused(
            f"{place}: “{name}” is no option of {kind.title}."
            f"{near(word, kind.words, kind.options)}",
            "layers",
        )
    option, factor = kind.words[word]
    typed = option.read(value, factor)
    if typed is None:
        raise Refused(f"{place}: {option.name} is “{value}”; it takes {option.allowed}.", "layers")
    return option, typed


def _siblings(layers: list[Tree]) -> list[Tree]:
    """Alike ones as one with their count, sorted: their order means nothing."""
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


def _walk(
    tree: Tree, positions: Iterator[int], above: int | None, depth: int, node: str
) -> Iterator[Layer]:
    position = next(positions)
    node = tree["node"] or node
    kind = KINDS[tree["kind"]]
    yield Layer(position, above, depth, node, kind, kind.ordered(tree["options"]))
    for below in tree["below"]:
        yield from _walk(below, positions, position, depth + 1, node)


def _spine(tree: Tree) -> Iterator[Tree]:
    yield tree
    if tree["below"]:
        yield from _spine(tree["below"][0])


def _named(part: str) -> str:
    match = re.search(r"{([\w.]+)}", part)
    assert match is not None, part
    return match[1]
