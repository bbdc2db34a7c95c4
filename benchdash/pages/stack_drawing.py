"""A storage stack as boxes on boxes: what a template needs to draw one, and to mark differences."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import Any

from django.utils.translation import gettext as _

from benchdash.vocabulary.storage import Kind, Value, kind_named
from benchdash.vocabulary.storage.shown import option_words
from benchdash.vocabulary.storage.stack import default_facets, facets


@dataclass(frozen=True, slots=True)
class Setting:
    """One option of a layer, in words."""

    words: str
    value: str
    help: str
    default: str
    differs: bool


@dataclass(frozen=True, slots=True)
class Box:
    """One layer, as wide as the legs below it; `across` where these stand on several nodes."""

    kind: Kind
    node: str
    count: int
    settings: list[Setting]
    differs: bool
    legs: list[Box]

    @property
    def across(self) -> bool:
        return len({leg.node for leg in self.legs}) > 1


def boxes(tree: dict[str, Any], differing: Collection[str] = ()) -> Box:
    """The drawing of a normalised tree; layers and options in `differing` are marked."""
    return _box(tree, "", differing)


def differing(trees: Iterable[dict[str, Any]]) -> set[str]:
    """What is not the same in all trees: `drbd.protocol` for an option, `drbd` for a layer.

    An option that is at its default in one and not named in another is the same.
    """
    options: list[set[tuple[str, str]]] = [
        {*((key, text) for key, text, _number in facets(tree)), *default_facets(tree)}
        for tree in trees
    ]
    if not options:
        return set()
    odd = options[0].union(*options) - options[0].intersection(*options)
    return {text if key == "layer" else key for key, text in odd}


def _box(tree: dict[str, Any], node: str, odd: Collection[str]) -> Box:
    kind = kind_named(tree["kind"])
    node = tree["node"] or node
    options: dict[str, Value] = dict(tree["options"])
    count = options.get("count", 1)
    if isinstance(count, int):
        options.pop("count", None)
    settings = [_setting(kind, name, value, odd) for name, value in options.items()]
    return Box(
        kind=kind,
        node=node,
        count=count if isinstance(count, int) else 1,
        settings=settings,
        differs=kind.name in odd or any(setting.differs for setting in settings),
        legs=[_box(leg, node, odd) for leg in tree["below"]],
    )


def _setting(kind: Kind, name: str, value: Value, odd: Collection[str]) -> Setting:
    option = kind.option_named(name)
    shown = (_("yes") if value else _("no")) if isinstance(value, bool) else option.shown(value)
    return Setting(
        option_words(option), shown, _(option.help), option.default, f"{kind.name}.{name}" in odd
    )
