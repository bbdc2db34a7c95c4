"""A kind of layer: its names, its options, its caption."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from typing import Literal

from benchdash.errors import N_
from benchdash.vocabulary.options import Option, Value, option

Family = Literal["host", "filesystem", "volume", "replication", "cluster", "device", "unknown"]


@dataclass(frozen=True)
class Kind:
    """One kind of layer.

    `caption` lists the option values that belong in a title, as format strings ("RAID{level}");
    a quiet kind is left out of titles that name another layer; a leaf has nothing below it.
    """

    name: str
    title: str
    family: Family
    help: str
    own: tuple[Option, ...] = ()
    caption: tuple[str, ...] = ()
    aliases: tuple[str, ...] = ()
    quiet: bool = False
    leaf: bool = False
    options: Mapping[str, Option] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        options = {own.name: own for own in (*self.own, *COMMON)}
        object.__setattr__(self, "options", options)

    @cached_property
    def words(self) -> Mapping[str, tuple[Option, int]]:
        """Every name and alias of an option, with the factor of a bare number under it."""
        words = {name: (option, 1) for name, option in self.options.items()}
        for own in self.own:
            words |= {alias: (own, factor) for alias, factor in own.aliases.items()}
        return words

    @cached_property
    def flags(self) -> Mapping[str, tuple[Option, Value]]:
        """Words without a value (`nobarrier`), with the option and the value that they set."""
        flags: dict[str, tuple[Option, Value]] = {}
        for own in self.own:
            if own.type == "switch":
                flags |= {own.name: (own, True), f"no{own.name}": (own, False)}
            flags |= {flag: (own, value) for flag, value in own.flags.items()}
        return flags

    def ordered(self, options: Mapping[str, Value]) -> dict[str, Value]:
        """`options` in the order of the kind: a database may return another order, and further options."""
        return {name: options[name] for name in (*self.options, *options) if name in options}

    def option_named(self, name: str) -> Option:
        """The option of a stored layer; one that is no longer known is text."""
        return self.options.get(name) or Option(name, "text", "")


MOST_ALIKE = 10_000
COMMON = (
    option(
        "count",
        "integer",
        N_("Number of identical layers side by side."),
        minimum=1,
        maximum=MOST_ALIKE,
    ),
    option(
        "use",
        "choice",
        N_("What the layer above stores here, if not only data."),
        choices=("data", "journal", "metadata", "cache"),
    ),
)
