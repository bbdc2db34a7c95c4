"""Which machine is the other end of a DRBD link: by what both ends say, never by one alone."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from benchdash.facts.probes.drbd import Link, Setup


def at_the_peer(
    link: Link, volume: str, peers: Sequence[Mapping[str, Any]]
) -> tuple[Mapping[str, Any], Setup | None]:
    """(its answers, its set-up) of the other end of a link; None where it is not among the `peers`.

    Nor where several of them could be it: many a pair has the same addresses on its own cable.
    """
    found = [
        (answers, setup)
        for answers in peers
        for setup in answers.get("drbd_show", {}).values()
        if setup.volume == volume and link.own and _is_named(answers, link.name)
        if (link.other, link.own) in (far[:2] for far in setup.links)
    ]
    return found[0] if len(found) == 1 else ({}, None)


def _is_named(answers: Mapping[str, Any], name: str) -> bool:
    """Whether a machine can be the one of that name, as far as both are told."""
    own = answers.get("system", {}).get("facts", {}).get("hostname", name)
    return not name or bool(own == name)


def unasked(answers: Mapping[str, Any], peers: Sequence[Mapping[str, Any]]) -> tuple[str, ...]:
    """The addresses, without ports, and names of DRBD's peers that are not among the `peers`."""
    setups: list[Setup] = [*answers.get("drbd_show", {}).values()]
    far = (
        word
        for setup in setups
        for link in setup.links
        if not at_the_peer(link, setup.volume, peers)[1]
        for word in (link.other.rpartition(":")[0].strip("[]"), link.name)
    )
    return tuple(dict.fromkeys(filter(None, far)))
