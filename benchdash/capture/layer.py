"""A layer of vocabulary.storage, with those of its options that could be read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from benchdash.vocabulary.options import Option, Value
from benchdash.vocabulary.storage import KINDS

Tree = dict[str, Any]
Options = dict[str, object]


def layer(kind: str, options: Mapping[str, object], below: Iterable[Tree] = ()) -> Tree:
    """`options` by their names in the vocabulary; None, "" and what is not possible are left out."""
    known = KINDS[kind].options
    typed = {
        name: known[name].read(value) for name, value in options.items() if value not in (None, "")
    }
    kept = {name: value for name, value in typed.items() if value is not None}
    return {"kind": kind, "node": "", "options": kept, "below": list(below)}


def spelled(kind: str, name: str, value: str | None) -> tuple[Option, Value] | None:
    """An option as a tool writes it (`commit=5`, `nobarrier`): ours and its value, if we know it."""
    words, flags = KINDS[kind].words, KINDS[kind].flags
    word = name.casefold().replace("-", "_")
    if value is None:
        return flags.get(word)
    if word not in words:
        return None
    option, factor = words[word]
    typed = option.read(value, factor)
    return None if typed is None else (option, typed)
