"""Disks and partitions: the ends of a stack, and the disks among a machine's facts."""

from __future__ import annotations

import re

from benchdash.facts.layers.layer import Tree, layer
from benchdash.facts.probes.block import Block
from benchdash.facts.probes.settings import chosen

Facts = dict[str, object]

KIB = 1024
_NO_DISKS = re.compile(r"(loop|ram|zram|dm-|md|drbd|rbd|nbd|sr|fd|bcache|mtdblock)\d*")
_BUSES = {
    "/ata": "SATA",
    "/usb": "USB",
    "/end_device-": "SAS",
    "/rport-": "Fibre Channel",
    "/session": "iSCSI",
    "/virtio": "virtio",
    "/mmc": "MMC",
    "/vbd-": "Xen",
}
_TABLES = {"dos": "msdos", "gpt": "gpt"}


def machine_disks(blocks: dict[str, Block]) -> list[Facts]:
    """The `disks` of a machine's facts: what is hardware, or a guest's stand-in for it."""
    disks = [
        block
        for name, block in blocks.items()
        if not block.disk and block.size_bytes and not _NO_DISKS.match(name)
    ]
    return [described(disk) | {"device": disk.name} for disk in disks]


def described(block: Block) -> Facts:
    """Model, size, medium, interface and firmware of a disk, as far as they are known."""
    interface = _interface(block)
    facts = {
        "model": _model(block),
        "size_bytes": block.size_bytes,
        "medium": _medium(block, interface),
        "interface": interface,
        "firmware": block.files.get("device/firmware_rev")
        or block.udev.get("ID_REVISION")
        or block.files.get("device/rev"),
    }
    return {name: value for name, value in facts.items() if value}


def disk(block: Block) -> Tree:
    """A disk's layer; a LUN of iSCSI is one of its own kind."""
    if "/session" in block.place:
        return layer("iscsi", {"paths": 1} | queue(block))
    words = described(block)
    words.pop("firmware", None)
    rpm = block.udev.get("ID_ATA_ROTATION_RATE_RPM", "")
    cache = block.files.get("queue/write_cache", "")
    words |= {
        "rpm": rpm if rpm != "0" else None,
        "write_cache": {"write back": True, "write through": False}.get(cache),
        "rotational": _rotational(block),
        "queue_depth": block.number("device/queue_depth"),
    }
    return layer("disk", words | queue(block))


def partition(block: Block, parent: Block | None, below: Tree) -> Tree:
    """A partition on its disk."""
    start = block.number("start")
    table = (parent.udev if parent else block.udev).get("ID_PART_TABLE_TYPE", "")
    words = {
        "table": _TABLES.get(table),
        "start_bytes": None if start is None else 512 * start,
        "size_bytes": block.size_bytes,
    }
    return layer("partition", words, [below])


def queue(block: Block) -> Facts:
    """The options of a request queue."""
    ahead, largest = block.number("queue/read_ahead_kb"), block.number("queue/max_sectors_kb")
    return {
        "scheduler": chosen(block.files.get("queue/scheduler", "")),
        "nr_requests": block.number("queue/nr_requests"),
        "read_ahead_bytes": None if ahead is None else ahead * KIB,
        "max_request_bytes": None if largest is None else largest * KIB,
        "rq_affinity": block.number("queue/rq_affinity"),
        "nomerges": block.number("queue/nomerges"),
    }


def _model(block: Block) -> str:
    vendor = block.files.get("device/vendor", "")
    model = block.files.get("device/model") or block.udev.get("ID_MODEL", "").replace("_", " ")
    is_word = bool(vendor) and vendor not in ("ATA", "NVMe") and not vendor.startswith("0x")
    return f"{vendor} {model}".strip() if is_word and model else model


def _interface(block: Block) -> str | None:
    if block.name.startswith("nvme"):
        return "NVMe"
    for mark, bus in _BUSES.items():
        if mark in block.place:
            return bus
    if block.files.get("device/vendor") == "ATA" or block.udev.get("ID_BUS") == "ata":
        return "SATA"
    return "Xen" if block.name.startswith("xvd") else None


def _medium(block: Block, interface: str | None) -> str | None:
    """A guest's disk says nothing of what it is made of, whatever its kernel takes it for."""
    if block.name.startswith(("ram", "zram", "pmem")):
        return "memory"
    if block.name.startswith("nvme"):
        return "nvme"
    if interface in ("virtio", "Xen", "iSCSI") or _rotational(block) is None:
        return None
    return "hdd" if _rotational(block) else "ssd"


def _rotational(block: Block) -> bool | None:
    return {"1": True, "0": False}.get(block.files.get("queue/rotational", ""))
