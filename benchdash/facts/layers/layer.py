"""A layer of vocabulary.storage, with the options that can be what was said of them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from benchdash.vocabulary.options import Option, Value
from benchdash.vocabulary.storage import KINDS

Tree = dict[str, Any]


def layer(
    kind: str, options: Mapping[str, object], below: Iterable[Tree] = (), *, node: str = ""
) -> Tree:
    """`options` by their own names; what is None, empty or not possible stays unsaid."""
    known = KINDS[kind].options
    read = {name: known[name].read(value) for name, value in options.items() if said(value)}
    kept = {name: value for name, value in read.items() if value is not None}
    return {"kind": kind, "node": node, "options": kept, "below": list(below)}


def spelled(kind: str, name: str, value: str | None) -> tuple[Option, Value] | None:
    """An option as a tool writes it (`commit=5`, `nobarrier`): ours and its value, if we know it."""
    words, flags = KINDS[kind].words, KINDS[kind].flags
    word = name.casefold().replace("-", "_")
    if value is None:
        return flags.get(word)
    if word not in words:
        return None
    option, factor = words[word]
    read = option.read(value, factor)
    return None if read is None else (option, read)


def said(value: object) -> bool:
    """Whether there is anything to read."""
    return value is not None and value != ""
