"""The layer of a DRBD volume, with its own leg and one for each peer that has a disk."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain, repeat
from string import ascii_lowercase

from benchdash.facts.layers.layer import Tree, layer, spelled
from benchdash.facts.probes.drbd import Setup, State, number

Words = dict[str, object]


def drbd(
    state: State | None, setup: Setup | None, below: list[Tree], legs: Sequence[Tree | None] = ()
) -> Tree:
    """`below` is the leg of this node; the peers are node-b, node-c … in the order DRBD has them.

    `legs` are theirs in that order, None of one that was not asked.
    """
    words = _options(setup.options) if setup else {}
    words["meta_disk"] = setup.meta_disk if setup else None
    if setup:
        words.setdefault("protocol", "C")
    if state:
        words |= _state(state)
    return layer("drbd", words, [*below, *_peers(state, setup, legs)])


def _state(state: State) -> Words:
    roles = [state.role, *(peer.role or "Unknown" for peer in state.peers)]
    words: Words = {"roles": "/".join(filter(None, roles))}
    if state.peers:
        words["connected"] = all(peer.is_connected for peer in state.peers)
    if state.disk == "Diskless":
        words["diskless"] = True
    if state.protocol:
        words["protocol"] = state.protocol
    return words


def _options(options: dict[str, str]) -> Words:
    """The options of drbdsetup's words, sizes with its suffixes, times in tenths of a second."""
    words: Words = {}
    for name, text in options.items():
        if name == "c-plan-ahead" and text.isdecimal() and len(text) < 9:
            words["c_plan_ahead_s"] = int(text) / 10
            continue
        size = number(text)
        if found := spelled("drbd", name, (text or None) if size is None else str(size)):
            option, value = found
            words[option.name] = value if size is None or option.type != "bytes" else size
    return words


def _peers(state: State | None, setup: Setup | None, legs: Sequence[Tree | None]) -> list[Tree]:
    """What stands below on a peer only the peer knows."""
    if state and not (setup and len(state.peers) == 1 and not setup.peers):
        has_disk = [not peer.is_client and peer.disk != "Diskless" for peer in state.peers]
    else:
        has_disk = [True] * min(setup.peers if setup else 0, len(ascii_lowercase) - 1)
    letters = ascii_lowercase[1:]
    return [
        (leg or layer("disk", {})) | {"node": f"node-{letter}"}
        for letter, has, leg in zip(letters, has_disk, chain(legs, repeat(None)), strict=False)
        if has
    ]
