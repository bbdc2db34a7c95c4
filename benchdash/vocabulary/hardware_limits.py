"""What machine and storage can do at most, as far as they are recorded: upper bounds, no guesses.

Where one of several disks or cards has no known speed there is no limit. Serial ATA carries 8 bits
in 10 (Serial ATA 3.0, 7.2); PCI Express lanes: PCI-SIG's rates less the encoding of each generation.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

from benchdash.errors import N_
from benchdash.vocabulary.machines import Facts, measured_role
from benchdash.vocabulary.storage.normal_form import Tree
from benchdash.vocabulary.storage.stack import Layer, walk

_GIGABITS = re.compile(r"(\d{1,3}(?:\.\d)?) ?G(?:b(?:it)?)?(?:/s|ps)?\b", re.IGNORECASE)
_LANES = re.compile(r"PCIe? ?(?:Gen ?)?([1-6])(?:\.0)?,? ?x ?(\d{1,2})\b", re.IGNORECASE)
_BYTES_S_A_LANE = {1: 250e6, 2: 500e6, 3: 985e6, 4: 1969e6, 5: 3938e6, 6: 7877e6}
_FASTEST_SATA_GBITS = 6.0
_MODULES = re.compile(
    r"(\d{1,3}) ?[×x] ?[\d.]+ ?[KMGT]i?B (?:LP)?DDR\d?[A-Z]?[- ](\d{3,5})(?: ?(MT/s|MHz))?"
)
_PLAIN = ("no", "off", "none", "false", "never")
# filesystems and devices that are somewhere else, and whether reads cross the network for certain
_REMOTE = {"iscsi": True, "nfs": True, "cephfs": False, "rbd": False}


class Limit(NamedTuple):
    """Bytes a second, and what carries no more."""

    bytes_s: float
    of: str


@dataclass(frozen=True, slots=True)
class Limits:
    """Of reads, of writes, and the memory that may hold what is read; None is not recorded."""

    reads: tuple[Limit, ...] = ()
    writes: tuple[Limit, ...] = ()
    memory_bytes: int | None = None


def limits(
    tree: Tree | None, machines: Mapping[str, Facts], network: Mapping[str, Any] | None = None
) -> Limits:
    """Of a normalised stack on the machines of an environment; each may be unknown."""
    machine = machines[measured_role(machines)] if machines else {}
    layers = [] if tree is None else list(walk(tree))
    bits = (network or {}).get("speed_bps") or (_cards(machine) if len(machines) > 1 else None)
    memory = [machine.get("memory_bytes"), *(_guest_memory(layer) for layer in layers)]
    bus = _memory_bus(machine.get("memory_modules", ""))
    # compressed, more bytes are read and written than storage or network sees
    plain = [] if any(map(_compresses, layers)) else layers
    both = [*filter(None, [bus]), *_of_storage(plain)]
    link = [*_of_network(plain, bits)] if bits else []
    return Limits(
        reads=(*both, *(limit for limit, reads in link if reads)),
        writes=(*both, *(limit for limit, _reads in link)),
        memory_bytes=min((int(each) for each in memory if each), default=None),
    )


def _guest_memory(layer: Layer) -> int | None:
    size = layer.options.get("memory_bytes") if layer.kind.name == "vm" else None
    return int(size) if size else None


def _memory_bus(text: str) -> Limit | None:
    """Modules × transfers a second × 8 bytes; MHz may be the clock, at two transfers each."""
    parts = [_MODULES.search(part) for part in text.split(";")]
    known = [part for part in parts if part]
    if not known or len(known) < len(parts):
        return None
    megatransfers = sum(int(n[1]) * int(n[2]) * (2 if n[3] == "MHz" else 1) for n in known)
    return Limit(megatransfers * 8e6, N_("the memory bus"))


def _compresses(layer: Layer) -> bool:
    for name in ("compress", "compression"):
        if any(option == name for option in layer.kind.options):
            default = layer.kind.options[name].default
            if str(layer.options.get(name, default or "off")).casefold() not in _PLAIN:
                return True
    return False


def _of_storage(layers: list[Layer]) -> Iterator[Limit]:
    """Of the disks together, those of peers among them: any of them may serve a read."""
    inner = {layer.above for layer in layers}
    ends = [layer for layer in layers if layer.position not in inner]
    speeds = [_speed(layer) for layer in ends]
    if ends and all(speeds):
        times = [_times(layer, layers) for layer in ends]
        total = sum((speed or 0) * n for speed, n in zip(speeds, times, strict=True))
        provisioned = any(layer.kind.name == "cloud_volume" for layer in ends)
        of = N_("the provisioned volume") if provisioned else N_("the interface of the disks")
        yield Limit(total, of)


def _times(layer: Layer, layers: list[Layer]) -> int:
    """How often an end of the stack is there: alike legs are one layer with their count.

    An array may name more devices than it has legs.
    """
    n = int(layer.options.get("count", 1))
    if layer.above is None:
        return n
    array = layers[layer.above]
    legs = sum(int(each.options.get("count", 1)) for each in layers if each.above == layer.above)
    more = max(int(array.options.get(name, 1)) for name in ("devices", "stripes"))
    return n * max(1, math.ceil(more / legs)) * _times(array, layers)


def _speed(layer: Layer) -> float | None:
    """Bytes a second of a disk or volume, as it is recorded."""
    if layer.kind.name == "cloud_volume":
        provisioned = layer.options.get("throughput_bytes_s")
        return float(provisioned) if provisioned else None
    interface = str(layer.options.get("interface", ""))
    if lanes := _LANES.search(interface):
        return _BYTES_S_A_LANE[int(lanes[1])] * int(lanes[2])
    gigabits = _GIGABITS.search(interface)
    if "SATA" in interface.upper():
        return (float(gigabits[1]) if gigabits else _FASTEST_SATA_GBITS) * 1e8
    return float(gigabits[1]) * 1e9 / 8 if gigabits else None


def _of_network(layers: list[Layer], bits: int) -> Iterator[tuple[Limit, bool]]:
    """(limit, whether reads cross the network too)."""
    for layer in layers:
        options = layer.options
        if layer.kind.name == "drbd":
            legs = {each.node for each in layers if each.above == layer.position}
            mirrors = len(legs) > 1 and options.get("connected") is not False
            if (mirrors or options.get("diskless")) and "pull-ahead" not in options.values():
                limit = Limit(bits / 8, N_("the replication link"))
                yield limit, bool(options.get("diskless"))
        elif layer.kind.name in _REMOTE and not layer.node:
            yield Limit(bits / 8, N_("the network")), _REMOTE[layer.kind.name]


def _cards(machine: Facts) -> int | None:
    """Of all network cards together, in bit/s; they may be bonded."""
    speeds = [(card.get("speed_bps"), card.get("count", 1)) for card in machine.get("nics", [])]
    if not speeds or not all(speed for speed, _n in speeds):
        return None
    return sum(int(speed) * int(n) for speed, n in speeds)
