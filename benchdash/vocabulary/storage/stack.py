"""What follows from a stack in canonical form: layers, facets, titles, lines to compare."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from benchdash.vocabulary import canonical
from benchdash.vocabulary.options import Option
from benchdash.vocabulary.storage import KINDS, Kind, Value, kind_named
from benchdash.vocabulary.storage.normal_form import MOST_LAYERS, Tree


@dataclass(frozen=True, slots=True)
class Layer:
    """A layer and where it is: `position` counts from the top, `above` is the position above it.

    `node` is the effective node, "" for the one that runs the tool.
    """

    position: int
    above: int | None
    depth: int
    node: str
    kind: Kind
    options: Mapping[str, Value]


def digest(tree: Tree) -> str:
    """Of a normalised tree, 64 hex digits."""
    return canonical.digest(tree)


def walk(tree: Tree) -> Iterator[Layer]:
    """The layers of a normalised tree from the top down, legs one after the other."""
    return _walk(tree, iter(range(MOST_LAYERS)), None, 0, "")


def facets(tree: Tree) -> list[tuple[str, str, float | None]]:
    """(key, text, number or None): what stacks are filtered and grouped by.

    `drbd.protocol` for each option, `filesystem` for the topmost one, `layer` for each kind. A DRBD
    with a leg on its own node has `drbd.diskless` `no`, though captures leave that option out.
    """
    found: dict[tuple[str, str], float | None] = {}
    layers = [*walk(tree)]
    for layer in layers:
        found["layer", layer.kind.name] = None
        if layer.kind.name == "drbd" and _has_own_disk(layer, layers):
            found["drbd.diskless", "no"] = None
        if layer.kind.family == "filesystem" and not any(key == "filesystem" for key, _ in found):
            found["filesystem", layer.kind.name] = None
        for name, value in layer.options.items():
            is_number = isinstance(value, int | float) and not isinstance(value, bool)
            text = layer.kind.option_named(name).text(value)
            found[f"{layer.kind.name}.{name}", text] = float(value) if is_number else None
    return [(key, text, number) for (key, text), number in found.items()]


def _has_own_disk(layer: Layer, layers: Sequence[Layer]) -> bool:
    own = (each for each in layers if each.above == layer.position and each.node == layer.node)
    return "diskless" not in layer.options and any(own)


def default_facets(tree: Tree) -> list[tuple[str, str]]:
    """(key, text) of every option that a layer does not name and whose default is known."""
    return [
        (f"{layer.kind.name}.{option.name}", option.text(value))
        for layer in walk(tree)
        for option, value in _defaults(layer)
    ]


def _defaults(layer: Layer) -> Iterator[tuple[Option, Value]]:
    for name, option in layer.kind.options.items():
        if name not in layer.options and (value := option.default_value) is not None:
            yield option, value


def facet_keys() -> list[str]:
    """The keys of all facets that stacks of today's kinds can have."""
    options = (f"{kind.name}.{name}" for kind in KINDS.values() for name in kind.options)
    return ["layer", "filesystem", *options]


def facet_follows(key: str) -> bool:
    """Whether a facet is of an option that another one usually decides (`ext4.stride`)."""
    kind, _dot, name = key.partition(".")
    return bool(name) and kind_named(kind).option_named(name).follows


def title(tree: Tree) -> str:
    """One line: "ext3 on LVM on DRBD C, Primary/Secondary", along the first leg."""
    return " on ".join(captions(tree))


def captions(tree: Tree) -> list[str]:
    """The layers that a title names, from the top down along the first leg."""
    spine = list(_spine(tree))
    loud = [layer for layer in spine if not kind_named(layer["kind"]).quiet] or spine[:1]
    return [caption(kind_named(layer["kind"]), layer["options"]) for layer in loud]


def caption(kind: Kind, options: Mapping[str, Value]) -> str:
    """A layer in a few words: "md RAID6", "DRBD C, Primary/Secondary"."""
    texts = {name: kind.option_named(name).text(value) for name, value in options.items()}
    parts = [part.format(**texts) for part in kind.caption if _option_in(part) in texts]
    return f"{kind.title} {', '.join(parts)}".rstrip()


def lines(tree: Tree) -> dict[str, str]:
    """Flat `{key: text}` to compare two stacks by: {"lvm.stripes": "2", …}.

    A second layer of a kind is `lvm 2`, one on another node `node-b: lvm`.
    """
    flat = {"layers": outline(tree)}
    for name, layer in _placed(tree):
        for key, value in layer.options.items():
            flat[f"{name}.{key}"] = layer.kind.option_named(key).shown(value)
    return flat


def default_lines(tree: Tree) -> dict[str, str]:
    """The same of the options that no layer names, with their defaults where these are known."""
    return {
        f"{name}.{option.name}": option.shown(value)
        for name, layer in _placed(tree)
        for option, value in _defaults(layer)
    }


def _placed(tree: Tree) -> Iterator[tuple[str, Layer]]:
    """Every layer with its place: `lvm`, `lvm 2`, `node-b: lvm`."""
    seen: dict[str, int] = {}
    for layer in walk(tree):
        place = f"{layer.node}: {layer.kind.name}" if layer.node else layer.kind.name
        seen[place] = seen.get(place, 0) + 1
        yield place if seen[place] == 1 else f"{place} {seen[place]}", layer


def outline(tree: Tree) -> str:
    """The kinds alone: "ext3 > lvm > drbd > (disk | disk @node-b)"."""
    node = f" @{tree['node']}" if tree["node"] else ""
    legs = [outline(below) for below in tree["below"]]
    inner = f"({' | '.join(legs)})" if len(legs) > 1 else "".join(legs)
    return " > ".join(filter(None, [tree["kind"] + node, inner]))


def _walk(
    tree: Tree, positions: Iterator[int], above: int | None, depth: int, node: str
) -> Iterator[Layer]:
    position = next(positions)
    node = tree["node"] or node
    kind = kind_named(tree["kind"])
    yield Layer(position, above, depth, node, kind, kind.ordered(tree["options"]))
    for below in tree["below"]:
        yield from _walk(below, positions, position, depth + 1, node)


def _spine(tree: Tree) -> Iterator[Tree]:
    yield tree
    if tree["below"]:
        yield from _spine(tree["below"][0])


def _option_in(part: str) -> str:
    match = re.search(r"{([\w.]+)}", part)
    assert match is not None, part
    return match[1]
