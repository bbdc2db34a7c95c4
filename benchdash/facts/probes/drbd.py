"""DRBD 8.3, 8.4 (/proc/drbd) and 9 (`drbdsetup status --json`), set up as `drbdsetup show` says."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from benchdash.facts.probe import Probe, of_one
from benchdash.facts.probes import drbd_syntax
from benchdash.facts.probes.drbd_syntax import Section

# What /proc/drbd of 8.x prints for a volume.
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


class Link(NamedTuple):
    """The addresses of both ends, "" where none is told; `name` is what `uname -n` says at the peer.

    DRBD 9 alone tells the name, and has none for peers that are known by address alone.
    """

    own: str
    other: str
    name: str = ""


@dataclass(frozen=True, slots=True)
class Setup:
    """A volume as it was set up: the device below, the options that were set, the peers in order."""

    disk: str | None
    meta_disk: str | None
    peers: int
    options: dict[str, str] = field(default_factory=dict)
    volume: str = "0"
    links: tuple[Link, ...] = ()


def _proc(output: str) -> dict[int, State]:
    """`{minor: state}`; empty with DRBD 9, where /proc/drbd only names the version."""
    found = {}
    volumes = list(_LINE.finditer(output))
    for volume, after in zip(volumes, [*volumes[1:], None], strict=True):
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


def _show(output: str) -> dict[int, Setup]:
    """`{minor: set-up}` of all resources, in the words of 8.3, 8.4 and 9."""
    found = {}
    for resource in drbd_syntax.parse(output).sections:
        for volume in resource.walk():
            device = volume.said("device", "minor") or ""
            if re.fullmatch(r"\d{1,7}", device):
                found[int(device)] = _setup(resource, volume)
    return found


def _setup(resource: Section, volume: Section) -> Setup:
    peers = resource.named("connection") or [
        section
        for section in resource.walk()
        if section.words[:1] == ["_remote_host"] or section.said("_remote_host")
    ]
    options: dict[str, str] = {}
    for section in (resource, *_options_of(resource), volume, *_options_of(volume)):
        for words in section.statements:
            if len(words) <= 2:
                options.setdefault(words[0], "".join(words[1:]))
    disk, meta = options.pop("disk", None), volume.said("meta-disk")
    kind = None if disk in (None, "none") else "internal" if meta == "internal" else "external"
    number = volume.words[1] if volume.words[:1] == ["volume"] and volume.words[1:] else "0"
    links = tuple(_link_of(resource, peer) for peer in peers)
    return Setup(None if disk == "none" else disk, kind, len(peers), options, number, links)


def _link_of(resource: Section, peer: Section) -> Link:
    """By the path of a connection (9), else by what 8.x says of this host and the remote one."""
    own, other = (_address(peer, resource, whose) for whose in ("_this_host", "_remote_host"))
    said = (section.said("_name") for section in peer.walk())
    name = next(filter(None, said), "")
    return Link(own, other, "" if ":" in name else name)


def _address(peer: Section, resource: Section, whose: str) -> str:
    for statement in (each for path in peer.named("path") for each in path.statements):
        if statement[0] == whose:
            return statement[-1]
    for statement in (each for host in resource.named(whose) for each in host.statements):
        if statement[0] == "address":
            return statement[-1]
    return ""


def _options_of(section: Section) -> list[Section]:
    names = ("options", "net", "disk", "syncer", "connection")
    found = [inner for inner in section.sections if inner.words[:1] and inner.words[0] in names]
    return [each for inner in found for each in (inner, *_options_of(inner))]


def number(text: str) -> int | None:
    """`51200k` in bytes, `20s` in sectors' bytes; None where it has no suffix or is no number."""
    match = re.fullmatch(r"(\d{1,15})([skKmMgG])", text)
    return int(match[1]) * _SUFFIX[match[2]] if match else None


_SHOW = (
    "command -v drbdsetup >/dev/null || exit 127; "
    "{ drbdsetup show 2>/dev/null || for drbd in /dev/drbd[0-9]*; do "
    'echo "resource ${drbd##*/} {"; drbdsetup "$drbd" show; echo "}"; done; }'
    # a shared secret stays on its machine
    " | sed '/shared-secret/d'"
)
PROC = Probe("drbd", "", of_one(_proc), paths=("/proc/drbd",))
STATUS = Probe(
    "drbd_status",
    "The state of DRBD",
    _status,
    "drbdsetup status --json",
    only_if="grep -qs '^version: 9' /proc/drbd",
)
PROBES = (
    PROC,
    STATUS,
    Probe("drbd_show", "How DRBD was set up", _show, _SHOW, only_if="any /proc/drbd"),
)
