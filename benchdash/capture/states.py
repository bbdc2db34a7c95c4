"""The states of arrays, DRBD and Ceph while a step ran, as workers/states.sh wrote them down.

What was so from the first look to the last is none: the look before the job tells it.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping
from itertools import zip_longest
from typing import NamedTuple

from benchdash.capture.answers import DAMAGED
from benchdash.capture.probes.activity import MDSTAT
from benchdash.capture.probes.drbd import PROC, Peer
from benchdash.capture.spans import Span

_STAMP = re.compile(r"^@ (\d{1,11}) (\d{1,10}(?:\.\d{1,9})?) (\w{1,20})$", re.M | re.A)
_MOST_NAMES = 1000
_SYNCING = {
    *("SyncSource", "SyncTarget", "PausedSyncS", "PausedSyncT", "VerifyS", "VerifyT"),
    *("WFBitMapS", "WFBitMapT", "WFSyncUUID", "StartingSyncS", "StartingSyncT"),
}
Troubles = Mapping[str, str]  # {name: trouble of a span, "" where there is none}


class _Begun(NamedTuple):
    trouble: str
    at: float
    up_s: float
    seen: bool  # the begin was; what stood at the first look may have begun before


def read_states(log: bytes) -> list[Span]:
    """What changed for the worse, or was bad and changed, in the log of one step; damage is passed over."""
    found: list[Span] = []
    now: dict[str, dict[str, _Begun]] = {}
    up_s = 0.0
    for at, up_s, source, text in _records(log):
        if source == "end":
            break
        if (troubles := _troubles(source, text)) is None:
            continue
        first, was = source not in now, now.setdefault(source, {})
        for name in [*dict.fromkeys([*was, *troubles])][:_MOST_NAMES]:
            trouble, before = troubles.get(name, ""), was.get(name)
            if before is None or before.trouble != trouble:
                found += _ended(name, before, up_s)
                was[name] = _Begun(trouble, at, up_s, not first)
    for some in now.values():
        for name, begun in some.items():
            if begun.trouble and begun.seen:
                seconds = max(0.0, up_s - begun.up_s)
                found.append(Span(name, begun.trouble, seconds, False, begun.at))
    return found


def _records(log: bytes) -> Iterator[tuple[float, float, str, str]]:
    """(Unix time, seconds since boot, source, text) of each new state."""
    whole = log.decode("utf-8", "replace")
    stamps = list(_STAMP.finditer(whole))
    for stamp, after in zip_longest(stamps, stamps[1:]):
        lines = whole[stamp.end() : after.start() if after else len(whole)].splitlines()
        text = "\n".join(line[1:] for line in lines if line.startswith("|"))
        yield float(stamp[1]), float(stamp[2]), stamp[3], text


def _ended(name: str, begun: _Begun | None, up_s: float) -> Iterator[Span]:
    if begun and begun.trouble:
        seconds, at = max(0.0, up_s - begun.up_s), begun.at if begun.seen else None
        yield Span(name, begun.trouble, seconds, begun.seen, at)


def _troubles(source: str, text: str) -> Troubles | None:
    try:
        return _READERS[source](text)
    except DAMAGED:
        return None


def _of_arrays(text: str) -> Troubles:
    found = {}
    for array in MDSTAT.read({"/proc/mdstat": text}):
        lacks = array.members and array.present is not None and array.present < array.members
        found[array.name] = "degraded" if lacks else "resync" if array.action else ""
    return found


def _of_volumes(text: str) -> Troubles:
    """/proc/drbd of 8.x names volumes by their minor."""
    return {
        f"drbd{minor}": _of_peer(state.peers[0], state.disk)
        for minor, state in PROC.read({"/proc/drbd": text}).items()
    }


def _of_peer(peer: Peer, *own_disk: str) -> str:
    if peer.replication in _SYNCING:
        return "resync"
    if not peer.is_connected:
        return "connection"
    return "disk" if any(disk not in ("UpToDate", "") for disk in (*own_disk, peer.disk)) else ""


def _of_resources(text: str) -> Troubles:
    """`drbdsetup status`: a line a resource (`r0 role:Primary`), indented below it its peers.

    What is the same for all, such as an established connection, is not printed. The worst of a
    peer's volumes counts; this node's own disks are told where no peer explains them.
    """
    peers: dict[str, dict[str, list[Peer]]] = {}
    disks: dict[str, set[str]] = {}
    resource = peer = ""
    for line in text.splitlines():
        words = line.split()
        if not words or line.startswith("#"):
            continue
        if ":" not in words[0]:
            if line[0] != " ":
                resource, peer = words[0], ""
            else:
                peer = words[0]
        fields = dict(word.split(":", 1) for word in words if ":" in word)
        if peer:
            volumes = peers.setdefault(resource, {}).setdefault(peer, [])
            if {"connection", "replication", "peer-disk"} & fields.keys():
                volumes.append(_as_peer(fields))
        elif resource:
            disks.setdefault(resource, set()).update({fields["disk"]} if "disk" in fields else ())
    found: dict[str, str] = {}
    for name, own in disks.items():
        of_peers = {
            f"drbd {name} {each}": _worst(some) for each, some in peers.get(name, {}).items()
        }
        is_explained = any(trouble in ("connection", "resync") for trouble in of_peers.values())
        found[f"drbd {name}"] = "disk" if own - {"UpToDate"} and not is_explained else ""
        found |= of_peers
    return found


def _as_peer(fields: Mapping[str, str]) -> Peer:
    connection = fields.get("connection", "Connected")
    return Peer(
        disk=fields.get("peer-disk", ""),
        replication=fields.get("replication", ""),
        connection=connection,
    )


def _worst(volumes: list[Peer]) -> str:
    troubles = {_of_peer(each) for each in volumes}
    return next((each for each in ("connection", "resync", "disk") if each in troubles), "")


def _of_ceph(text: str) -> Troubles:
    return {"Ceph": "" if text.strip() == "HEALTH_OK" else "ceph"}


_READERS: dict[str, Callable[[str], Troubles]] = {
    "mdstat": _of_arrays,
    "drbd": _of_volumes,
    "drbd_status": _of_resources,
    "ceph": _of_ceph,
}
