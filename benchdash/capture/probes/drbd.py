"""DRBD's state (/proc/drbd of 8.3 and 8.4, `drbdsetup status --json` of 9), and its layer."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import chain, repeat, zip_longest
from string import ascii_lowercase
from typing import Any

from benchdash.capture.layer import Options, Tree, layer, spelled
from benchdash.capture.probe import Probe, of_one
from benchdash.capture.probes.drbd_setup import SHOW, Setup
from benchdash.errors import N_

# A volume in /proc/drbd of 8.x.
_LINE = re.compile(
    r"^ *(\d{1,7}): cs:(\w+)(?: (?:ro|st):(\w+)/(\w+) ds:(\w+)/(\w+))?(?: ([ABC]))?", re.M
)
_PROGRESS = re.compile(r"sync'ed: *([\d.]{1,8})%")
_LINKED = {
    *("Connected", "Established", "Off", "Ahead", "Behind", "VerifyS", "VerifyT"),
    *("SyncSource", "SyncTarget", "PausedSyncS", "PausedSyncT"),
}
_SUFFIX = {"s": 512, "k": 2**10, "K": 2**10, "m": 2**20, "M": 2**20, "g": 2**30, "G": 2**30}


@dataclass(frozen=True, slots=True)
class Peer:
    """What is known of another node of a resource; "" where nothing is."""

    role: str = ""
    disk: str = ""
    replication: str = ""
    connection: str = ""
    is_client: bool = False

    @property
    def is_connected(self) -> bool:
        return self.connection in _LINKED


@dataclass(frozen=True, slots=True)
class State:
    """A volume as it is at the moment; `done` is the share of a resync in percent."""

    role: str
    disk: str
    peers: tuple[Peer, ...]
    protocol: str = ""
    is_client: bool = False
    done: float | None = None


def _proc(output: str) -> dict[int, State]:
    """`{minor: state}`; empty with DRBD 9, where /proc/drbd only names the version."""
    found = {}
    volumes = list(_LINE.finditer(output))
    for volume, after in zip_longest(volumes, volumes[1:]):
        minor, connection, role, peer_role, disk, peer_disk, protocol = volume.groups()
        if connection == "Unconfigured":
            continue
        progress = _PROGRESS.search(output, volume.end(), after.start() if after else len(output))
        peer = Peer(peer_role or "", peer_disk or "", connection, connection)
        done = float(progress[1]) if progress else None
        found[int(minor)] = State(role or "", disk or "", (peer,), protocol or "", False, done)
    return found


def _status(output: str) -> dict[int, State]:
    """The same of DRBD 9's JSON."""
    found = {}
    for resource in json.loads(output or "[]"):
        for device in resource["devices"]:
            links = [_link(each, device["volume"]) for each in resource["connections"]]
            peers = tuple(peer for peer, _done in links)
            done = min((done for _peer, done in links if done is not None), default=None)
            state = State(
                str(resource["role"]),
                str(device["disk-state"]),
                peers,
                "",
                device.get("client") is True,
                done,
            )
            found[int(device["minor"])] = state
    return found


def _link(connection: Mapping[str, Any], volume: object) -> tuple[Peer, float | None]:
    """A peer as one of its volumes sees it, and how far a resync is."""
    here = [each for each in connection["peer_devices"] if each["volume"] == volume]
    device = here[0] if here else {}
    peer = Peer(
        str(connection.get("peer-role", "")),
        str(device.get("peer-disk-state", "")),
        str(device.get("replication-state", "")),
        str(connection.get("connection-state", "")),
        device.get("peer-client") is True,
    )
    done = device.get("percent-in-sync")
    return peer, float(done) if isinstance(done, int | float) and done < 100 else None


def with_client(state: State) -> State:
    """The same where a primary without a disk is a client, which DRBD 8 does not tell from a failure.

    A secondary without a disk serves nobody.
    """
    is_one = ("Primary", "Diskless")
    peers = tuple(
        replace(peer, is_client=peer.is_client or (peer.role, peer.disk) == is_one)
        for peer in state.peers
    )
    is_client = state.is_client or (state.role, state.disk) == is_one
    return replace(state, peers=peers, is_client=is_client)


def drbd(
    state: State | None, setup: Setup | None, below: list[Tree], legs: Sequence[Tree | None] = ()
) -> Tree:
    """The layer of a volume, with the leg of this node (`below`) and one for each peer with a disk.

    Peers are node-b, node-c … in DRBD's own order; `legs` are theirs in that order, None of one
    that was not asked.
    """
    options = _options(setup.options) if setup else {}
    options["meta_disk"] = setup.meta_disk if setup else None
    if setup:
        options.setdefault("protocol", "C")
    if state:
        options |= _state_options(state)
    return layer("drbd", options, [*below, *_peers(state, setup, legs)])


def _state_options(state: State) -> Options:
    roles = [state.role, *(peer.role or "Unknown" for peer in state.peers)]
    options: Options = {"roles": "/".join(filter(None, roles))}
    if state.peers:
        options["connected"] = all(peer.is_connected for peer in state.peers)
    if state.disk == "Diskless":
        options["diskless"] = True
    if state.protocol:
        options["protocol"] = state.protocol
    return options


def _options(settings: dict[str, str]) -> Options:
    """What drbdsetup shows: sizes with its suffixes, c-plan-ahead in tenths of a second."""
    options: Options = {}
    for name, text in settings.items():
        if name == "c-plan-ahead" and text.isdecimal() and len(text) < 9:
            options["c_plan_ahead_s"] = int(text) / 10
            continue
        size = _suffixed(text)
        if found := spelled("drbd", name, (text or None) if size is None else str(size)):
            option, value = found
            options[option.name] = value if size is None or option.type != "bytes" else size
    return options


def _peers(state: State | None, setup: Setup | None, legs: Sequence[Tree | None]) -> list[Tree]:
    """A leg per peer; without the peer's own answer it is a disk of which nothing is known."""
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


def _suffixed(text: str) -> int | None:
    """`51200k` in bytes, `20s` in sectors' bytes; None where it has no suffix or is no number."""
    match = re.fullmatch(r"(\d{1,15})([skKmMgG])", text)
    return int(match[1]) * _SUFFIX[match[2]] if match else None


_OF_STATE = tuple(
    f"drbd.{name}" for name in ("roles", "connected", "diskless", "protocol", "below")
)
PROC = Probe("drbd", "", of_one(_proc), paths=("/proc/drbd",), layers=_OF_STATE)
STATUS = Probe(
    "drbd_status",
    N_("The state of DRBD"),
    _status,
    "drbdsetup status --json",
    only_if="grep -qs '^version: 9' /proc/drbd",
    layers=_OF_STATE,
)
PROBES = (PROC, STATUS, SHOW)
