"""Block devices as /sys shows them: which stands on which, and the layers of disks and partitions.

/sys has shown the same since CentOS 5, and to every user; lsblk has known it only since 2015.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from benchdash.capture.layer import Options, Tree, layer
from benchdash.capture.probe import Files, Probe, chosen
from benchdash.errors import N_

_OF_ALL = (
    *("dev", "size", "removable", "start", "queue/scheduler", "queue/rotational"),
    *("queue/nr_requests", "queue/read_ahead_kb", "queue/max_sectors_kb", "queue/rq_affinity"),
    *("queue/nomerges", "queue/write_cache", "device/model", "device/vendor", "device/rev"),
    *("device/firmware_rev", "device/queue_depth", "device/transport", "dm/name", "dm/uuid"),
    *("md/level", "md/raid_disks", "md/chunk_size", "md/metadata_version", "md/layout"),
    *("md/stripe_cache_size", "md/group_thread_cnt", "md/preread_bypass_threshold"),
    *("md/sync_action", "md/degraded", "md/bitmap/location", "md/dev-*/state"),
    *("bcache/cache_mode", "bcache/sequential_cutoff", "bcache/writeback_percent"),
    *("loop/backing_file", "loop/dio", "*/dev", "*/start", "*/size"),
)
_LINKS = (
    "ls -ld /sys/block/* /sys/block/*/device /sys/block/*/slaves/* "
    "/sys/class/net/*/device /sys/class/net/*/device/driver 2>/dev/null || :"
)
_UDEV = (
    "grep -sHE '^E:ID_(BUS|PART_TABLE_TYPE|MODEL|REVISION|ATA_ROTATION_RATE_RPM|MODEL_FROM_DATABASE)=' "
    "/run/udev/data/b* /run/udev/data/n* || :"
)
# The nodes behind names: mounted ones, what DRBD stands on, and what was asked about.
_NODES = r"""{ sed -n 's/^\(\/dev\/[^ ]*\) .*/\1/p' /proc/mounts
  { drbdsetup show 2>/dev/null || for drbd in /dev/drbd[0-9]*; do
    [ -b "$drbd" ] && drbdsetup "$drbd" show 2>/dev/null
  done; } | sed -n 's/^[[:space:]]*disk[[:space:]]*"\{0,1\}\(\/dev\/[^";]*\).*/\1/p'
  printf '%s\n' "$AT"
} | sort -u | while read -r node; do
  [ -b "$node" ] && stat -L -c '%t:%T %n' "$node"
done; :"""

KIB = 1024
_KINDS = ("disk", "partition", "md", "bcache", "loop", "multipath", "iscsi")
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


@dataclass(slots=True)
class Block:
    """One block device: `files` are those of /sys below it, `sysfs_path` its path in /sys/devices.

    `disk` is the whole device of a partition, `below` what it stands on.
    """

    name: str
    files: dict[str, str] = field(default_factory=dict)
    disk: str = ""
    below: list[str] = field(default_factory=list)
    sysfs_path: str = ""
    udev: dict[str, str] = field(default_factory=dict)

    @property
    def size_bytes(self) -> int | None:
        return 512 * sectors if (sectors := self.number("size")) else None

    def number(self, name: str) -> int | None:
        """The whole number in that file; None where it is none."""
        text = self.files.get(name, "")
        return int(text) if re.fullmatch(r"-?\d{1,15}", text) else None


def _sysfs(files: Files) -> dict[str, Block]:
    """Every device and partition by its name."""
    blocks: dict[str, Block] = {}
    for path, text in files.items():
        match = re.fullmatch(r"/sys/block/([^/]+)/(?:(\1[^/]*)/)?(.+)", path)
        if match:
            disk, partition, name = match.groups()
            block = blocks.setdefault(partition or disk, Block(partition or disk))
            block.disk = disk if partition else ""
            block.files[name] = text.strip()
    return blocks


def _slaves(links: str) -> dict[str, list[str]]:
    """`{device: what it stands on}`."""
    found: dict[str, list[str]] = {}
    for device, below in re.findall(r"/sys/block/([^/\s]+)/slaves/([^/\s]+)", links):
        found.setdefault(device, []).append(below)
    return found


def _sysfs_paths(links: str) -> dict[str, str]:
    """`{device: its path in /sys/devices}`, which names the bus."""
    found: dict[str, str] = {}
    for device, target in re.findall(r"/sys/block/([^/\s]+)(?:/device)? -> (\S+)", links):
        found[device] = f"{found.get(device, '')}/{target}"
    return found


def _udev(output: str) -> dict[str, dict[str, str]]:
    """`{"8:0": {"ID_BUS": "ata"}}`."""
    found: dict[str, dict[str, str]] = {}
    pattern = r"/b(\d+:\d+):E:(ID_\w+)=(.*)$"
    for number, name, text in re.findall(pattern, output, re.MULTILINE):
        found.setdefault(number, {})[name] = text
    return found


def _nodes(output: str) -> dict[str, str]:
    """`{"/dev/mapper/vg0-lv0": "253:0"}`."""
    found = re.findall(r"^([0-9a-f]{1,8}):([0-9a-f]{1,8}) (.+)$", output, re.MULTILINE)
    return {name: f"{int(major, 16)}:{int(minor, 16)}" for major, minor, name in found}


def blocks(answers: Mapping[str, Any]) -> dict[str, Block]:
    """The devices, joined from all probes of this module."""
    found: dict[str, Block] = answers.get("block", {})
    links = answers.get("links", "")
    slaves, paths, udev = _slaves(links), _sysfs_paths(links), _udev(answers.get("udev", ""))
    for name, block in found.items():
        block.below = sorted(slaves.get(name, []))
        block.sysfs_path = paths.get(block.disk or name, "")
        block.udev = udev.get(block.files.get("dev", ""), {})
    return found


def machine_disks(blocks: dict[str, Block]) -> list[Options]:
    """The `disks` of a machine's facts: what is hardware, or a guest's stand-in for it."""
    disks = [
        block
        for name, block in blocks.items()
        if not block.disk and block.size_bytes and not _NO_DISKS.match(name)
    ]
    return [described(disk) | {"device": disk.name} for disk in disks]


def described(block: Block) -> Options:
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
    if "/session" in block.sysfs_path:
        return layer("iscsi", {"paths": 1} | queue(block))
    options = described(block)
    options.pop("firmware", None)
    rpm = block.udev.get("ID_ATA_ROTATION_RATE_RPM", "")
    cache = block.files.get("queue/write_cache", "")
    options |= {
        "rpm": rpm if rpm != "0" else None,
        "write_cache": {"write back": True, "write through": False}.get(cache),
        "rotational": _rotational(block),
        "queue_depth": block.number("device/queue_depth"),
    }
    return layer("disk", options | queue(block))


def partition(block: Block, parent: Block | None, below: Tree) -> Tree:
    """A partition on its disk."""
    start = block.number("start")
    table = (parent.udev if parent else block.udev).get("ID_PART_TABLE_TYPE", "")
    options = {
        "table": _TABLES.get(table),
        "start_bytes": None if start is None else 512 * start,
        "size_bytes": block.size_bytes,
    }
    return layer("partition", options, [below])


def queue(block: Block) -> Options:
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
    # 0x1af4 and the like are PCI numbers, ATA and NVMe are buses
    is_name = bool(vendor) and vendor not in ("ATA", "NVMe") and not vendor.startswith("0x")
    return f"{vendor} {model}".strip() if is_name and model else model


def _interface(block: Block) -> str | None:
    if block.name.startswith("nvme"):
        return "NVMe"
    for mark, bus in _BUSES.items():
        if mark in block.sysfs_path:
            return bus
    if block.files.get("device/vendor") == "ATA" or block.udev.get("ID_BUS") == "ata":
        return "SATA"
    return "Xen" if block.name.startswith("xvd") else None


def _medium(block: Block, interface: str | None) -> str | None:
    """A guest's kernel takes its disk for a rotating or a solid one without knowing the host's."""
    if block.name.startswith(("ram", "zram", "pmem")):
        return "memory"
    if block.name.startswith("nvme"):
        return "nvme"
    if interface in ("virtio", "Xen", "iSCSI") or _rotational(block) is None:
        return None
    return "hdd" if _rotational(block) else "ssd"


def _rotational(block: Block) -> bool | None:
    return {"1": True, "0": False}.get(block.files.get("queue/rotational", ""))


PROBES = (
    Probe(
        "block",
        N_("The block devices"),
        _sysfs,
        paths=tuple(f"/sys/block/*/{name}" for name in _OF_ALL),
        layers=tuple(f"{kind}.*" for kind in _KINDS),
    ),
    Probe(
        "links",
        N_("Which device stands on which"),
        str,
        _LINKS,
        layers=("disk.interface", "disk.medium", "multipath.paths", "*.below"),
    ),
    Probe(
        "udev",
        "",
        str,
        _UDEV,
        layers=("disk.model", "disk.interface", "disk.medium", "disk.rpm", "partition.table"),
    ),
    # a peer of DRBD is asked about its devices without a path
    Probe(
        "nodes",
        "",
        _nodes,
        _NODES,
        seconds=15,  # without it nothing below the filesystem is known
        only_if='[ -n "$AT" ] || any /proc/drbd',
        layers=("*.below",),
    ),
)
