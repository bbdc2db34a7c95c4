"""Where a stack that somebody names is not what was found: layers and options that both state otherwise.

What one of them leaves unsaid contradicts nothing: a name may say less than a capture, and a capture
may not have read all. Partitions need not be named, and what is around a machine (`vm`, `system`) is
not seen from within it.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from typing import NamedTuple

from benchdash.vocabulary.storage.matching import BELOW, is_unread
from benchdash.vocabulary.storage.normal_form import Tree

_PASSED_OVER = ("partition", "system", "vm")
_UNCOUNTED = "count"


class Contradiction(NamedTuple):
    """What both state otherwise: `disk scheduler`, `layer`; their values as text."""

    what: str
    named: str
    found: str


def contradictions(
    named: Tree, found: Tree, unread: Collection[str] = ()
) -> tuple[Contradiction, ...]:
    """All of them, from the top down; both trees in their normal form, `unread` as in `matching`."""
    return tuple(dict.fromkeys(_differing(named, found, unread)))


def _differing(named: Tree, found: Tree, unread: Collection[str]) -> Iterator[Contradiction]:
    named, found = _shown_by_both(named, found)
    kind = named["kind"]
    if kind != found["kind"]:
        yield Contradiction("layer", kind, found["kind"])
        return
    own, other = named["options"], found["options"]
    for name in own.keys() & other.keys() - {_UNCOUNTED}:
        if own[name] != other[name] and not is_unread(kind, name, unread):
            yield Contradiction(f"{kind} {name}", _text(own[name]), _text(other[name]))
    legs, others = named["below"], found["below"]
    if not legs or is_unread(kind, BELOW, unread):
        return
    counts = [
        sum(int(leg["options"].get(_UNCOUNTED, 1)) for leg in some) for some in (legs, others)
    ]
    if counts[0] != counts[1]:
        yield Contradiction(f"layers below {kind}", str(counts[0]), str(counts[1]))
        return
    left = list(others)
    for leg in legs:  # each is held against the one that is the most like it
        by_leg = [(list(_differing(leg, one, unread)), place) for place, one in enumerate(left)]
        least, place = min(by_leg, key=lambda each: (len(each[0]), each[1]), default=([], None))
        yield from least
        if place is not None and len(left) > 1:
            left.pop(place)


def _shown_by_both(named: Tree, found: Tree) -> tuple[Tree, Tree]:
    """Both from their first layers that the other one could state too."""
    while named["kind"] != found["kind"]:
        if found["kind"] in _PASSED_OVER and len(found["below"]) == 1:
            found = found["below"][0]
        elif named["kind"] in _PASSED_OVER and len(named["below"]) == 1:
            named = named["below"][0]
        else:
            break
    return named, found


def _text(value: object) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value)
