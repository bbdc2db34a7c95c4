"""Whether a stack that was read in part can be one that is known as a whole."""

from __future__ import annotations

from collections.abc import Collection
from fnmatch import fnmatchcase

from benchdash.vocabulary.storage.normal_form import Tree

BELOW = "below"
_MOST_LEGS = 64  # more of them are compared as they stand


def fits(seen: Tree, known: Tree, unread: Collection[str]) -> bool:
    """True where both agree in all that was read; both in their normal form.

    `unread` are patterns of what was not: `lvm.stripes`, `md.*`, and `drbd.below` or `*.below`
    where nobody knows what stands below.
    """
    if (seen["kind"], seen["node"]) != (known["kind"], known["node"]):
        return False
    one, other = _options(seen), _options(known)
    if any(
        one.get(name) != other.get(name) and not is_unread(seen["kind"], name, unread)
        for name in one.keys() | other.keys()
    ):
        return False
    return _legs_fit(seen, known, unread)


def is_unread(kind: str, name: str, unread: Collection[str]) -> bool:
    """Whether that option of a layer, or what is `below` it, was not read."""
    return any(fnmatchcase(f"{kind}.{name}", pattern) for pattern in unread)


def _legs_fit(seen: Tree, known: Tree, unread: Collection[str]) -> bool:
    """Each leg is another one of the known, and without a gap below there are as many of them."""
    legs, others = _legs(seen), _legs(known)
    is_open = is_unread(seen["kind"], BELOW, unread)
    if is_open:  # a disk without options stands for what nobody could look at
        legs = [leg for leg in legs if leg["kind"] != "disk" or leg["options"]]
    if len(legs) > len(others) or (len(legs) < len(others) and not is_open):
        return False
    if len(others) > _MOST_LEGS:
        return bool(seen["below"] == known["below"])
    may_be = [[n for n, each in enumerate(others) if fits(leg, each, unread)] for leg in legs]
    return _are_distinct(may_be)


def _are_distinct(may_be: list[list[int]]) -> bool:
    """Whether each can have one of its choices for itself: a matching by augmenting paths."""
    taken: dict[int, int] = {}

    def place(one: int, tried: set[int]) -> bool:
        for choice in may_be[one]:
            if choice not in tried:
                tried.add(choice)
                if choice not in taken or place(taken[choice], tried):
                    taken[choice] = one
                    return True
        return False

    return all(place(one, set()) for one in range(len(may_be)))


def _options(tree: Tree) -> dict[str, object]:
    return {name: value for name, value in tree["options"].items() if name != "count"}


def _legs(tree: Tree) -> list[Tree]:
    """The layers below, identical ones each for itself."""
    return [
        leg | {"options": _options(leg)}
        for leg in tree["below"]
        for _each in range(min(leg["options"].get("count", 1), _MOST_LEGS + 1))
    ]
