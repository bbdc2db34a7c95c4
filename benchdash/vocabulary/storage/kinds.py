"""A kind of layer: its words, its options, how its caption reads."""

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

    `caption` are the option values that belong into a title, as format strings ("RAID{level}");
    a quiet kind is left out of titles while another layer is there; a leaf has nothing below.
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
        options = {word.name: word for word in (*self.own, *COMMON)}
        object.__setattr__(self, "options", options)

    @cached_property
    def words(self) -> Mapping[str, tuple[Option, int]]:
        """Every name and alias of an option, with what a bare number counts under it."""
        words = {name: (word, 1) for name, word in self.options.items()}
        for word in self.own:
            words |= {alias: (word, factor) for alias, factor in word.aliases.items()}
        return words

    @cached_property
    def flags(self) -> Mapping[str, tuple[Option, Value]]:
        """Words that stand alone (`nobarrier`), with the option and the value they mean."""
        flags: dict[str, tuple[Option, Value]] = {}
        for word in self.own:
            if word.type == "switch":
                flags |= {word.name: (word, True), f"no{word.name}": (word, False)}
            flags |= {flag: (word, value) for flag, value in word.flags.items()}
        return flags

    def ordered(self, options: Mapping[str, Value]) -> dict[str, Value]:
        """`options` in the order of the kind: a database may have kept another one, and more."""
        return {name: options[name] for name in (*self.options, *options) if name in options}

    def option_named(self, name: str) -> Option:
        """The option of a stored layer; one that is not known any more is text."""
        return self.options.get(name) or Option(name, "text", "")


MOST_ALIKE = 10_000
COMMON = (
    option(
        "count", "integer", N_("How many alike stand side by side."), minimum=1, maximum=MOST_ALIKE
    ),
    option(
        "use",
        "choice",
        N_("What the layer above keeps here, where it keeps more than data."),
        choices=("data", "journal", "metadata", "cache"),
    ),
)
