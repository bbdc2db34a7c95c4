"""Layers added, moved and removed by buttons: each press rewrites the text of the layers."""

from __future__ import annotations

from collections.abc import Mapping
from copy import deepcopy
from dataclasses import dataclass
from typing import Any, NamedTuple

from benchdash.errors import Refused
from benchdash.vocabulary.storage import KINDS, kind_named
from benchdash.vocabulary.storage.alignment import aligned
from benchdash.vocabulary.storage.normal_form import normalised
from benchdash.vocabulary.storage.notation import parse, print_stack

Tree = dict[str, Any]
ON_TOP = "top"


@dataclass(frozen=True, slots=True)
class Place:
    """A layer in its tree; `number` counts from the top, legs one after the other."""

    number: int
    layer: Tree
    above: Tree | None

    @property
    def can_rise(self) -> bool:
        """Two layers change places where one stands alone on the other, and neither ends a stack."""
        return self.above is not None and len(self.above["below"]) == 1 and not self._is_end

    @property
    def can_sink(self) -> bool:
        below = self.layer["below"]
        return len(below) == 1 and not kind_named(below[0]["kind"]).leaf

    @property
    def can_go(self) -> bool:
        """The topmost layer goes where one layer takes its place, or none is left."""
        return self.above is not None or len(self.layer["below"]) < 2

    @property
    def takes_more(self) -> bool:
        return not self._is_end

    @property
    def _is_end(self) -> bool:
        return kind_named(self.layer["kind"]).leaf


class Edited(NamedTuple):
    """The text of the layers, and what to look at: a layer's number, and the button pressed."""

    text: str
    number: int
    button: str


def places(tree: Tree) -> list[Place]:
    """All layers of a tree, from the top down."""
    found: list[Place] = []

    def visit(layer: Tree, above: Tree | None) -> None:
        found.append(Place(len(found), layer, above))
        for leg in layer["below"]:
            visit(leg, layer)

    visit(tree, None)
    return found


def edited(text: str, posted: Mapping[str, str]) -> Edited:
    """The text after a button: `edit` is `add`, `align`, `rise-2`, `sink-2` or `drop-2`.

    What is added is of the kind `add_kind`, and comes `top`, `below-2` or, as another leg,
    `leg-2` (`add_place`). Refused where a layer cannot stand there.
    """
    tree = deepcopy(parse(text)) if text.strip() else None
    act, _dash, place = posted["edit"].partition("-")
    if act == "add":
        return _add(tree, posted.get("add_kind", ""), posted.get("add_place", ON_TOP))
    if act == "align" and tree:
        return _printed(aligned(tree), 0, act)
    at = _place(tree, place)
    if act == "rise" and at.can_rise and at.above is not None:
        _swap(at.layer, at.above)
        return _printed(tree, at.number - 1, act)
    if act == "sink" and at.can_sink:
        _swap(at.layer, at.layer["below"][0])
        return _printed(tree, at.number + 1, act)
    if act == "drop" and at.can_go:
        return _printed(_without(tree, at), max(0, at.number - 1), act)
    raise Refused("This layer cannot be moved there.", "layers")


def _add(tree: Tree | None, kind: str, where: str) -> Edited:
    if kind not in KINDS:
        raise Refused("Choose the kind of layer to add.", "layers")
    new: Tree = {"kind": kind, "node": "", "options": {}, "below": []}
    side, _dash, number = where.partition("-")
    if tree is None:
        return _printed(new, 0, "add")
    if side == ON_TOP:
        return _printed(new | {"below": [tree]}, 0, "add")
    at = _place(tree, number)
    # what ends a stack stands beside what is there
    if side == "leg" or KINDS[kind].leaf:
        at.layer["below"].append(new)
    else:
        new["below"], at.layer["below"] = at.layer["below"], [new]
    return _printed(tree, at.number + 1, "add")


def _place(tree: Tree | None, number: str) -> Place:
    found = places(tree) if tree else []
    if not (number.isdecimal() and len(number) < 5 and int(number) < len(found)):
        raise Refused("This layer is no longer there.", "layers")
    return found[int(number)]


def _swap(one: Tree, other: Tree) -> None:
    """Kind and options change places; the node belongs to the place."""
    for key in ("kind", "options"):
        one[key], other[key] = other[key], one[key]


def _without(tree: Tree | None, gone: Place) -> Tree | None:
    below = gone.layer["below"]
    for leg in below:
        leg["node"] = leg["node"] or gone.layer["node"]
    if gone.above is None:
        return below[0] if below else None
    legs = gone.above["below"]
    at = next(n for n, leg in enumerate(legs) if leg is gone.layer)
    legs[at : at + 1] = below
    return tree


def _printed(tree: Tree | None, number: int, button: str) -> Edited:
    return Edited(print_stack(normalised(tree)) if tree else "", number, button)
