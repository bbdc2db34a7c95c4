"""Block devices as the kernel shows them in /sys: what they are, and which stands on which.

/sys has said the same since CentOS 5, to everyone; lsblk says it only since 2015.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from benchdash.facts.probe import Files, Probe

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
  drbdsetup show 2>/dev/null | sed -n 's/^[[:space:]]*disk[[:space:]]*"\{0,1\}\(\/dev\/[^";]*\).*/\1/p'
  for drbd in /dev/drbd[0-9]*; do
    [ -b "$drbd" ] && drbdsetup "$drbd" show 2>/dev/null | sed -n 's/^[[:space:]]*disk[[:space:]]*"\(\/dev\/[^";]*\).*/\1/p'
  done
  printf '%s\n' "$AT"
} | sort -u | while read -r node; do
  [ -b "$node" ] && stat -L -c '%t:%T %n' "$node"
done; :"""


@dataclass(slots=True)
class Block:
    """One block device; `files` are those of /sys below it, `place` where it hangs in /sys/devices."""

    name: str
    files: dict[str, str] = field(default_factory=dict)
    disk: str = ""
    below: list[str] = field(default_factory=list)
    place: str = ""
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


def _places(links: str) -> dict[str, str]:
    """`{device: its place in /sys/devices}`: a path that tells the bus."""
    found: dict[str, str] = {}
    for device, target in re.findall(r"/sys/block/([^/\s]+)(?:/device)? -> (\S+)", links):
        found[device] = f"{found.get(device, '')}/{target}"
    return found


def _udev(said: str) -> dict[str, dict[str, str]]:
    """`{"8:0": {"ID_BUS": "ata"}}`."""
    found: dict[str, dict[str, str]] = {}
    pattern = r"/b(\d+:\d+):E:(ID_\w+)=(.*)$"
    for number, name, text in re.findall(pattern, said, re.MULTILINE):
        found.setdefault(number, {})[name] = text
    return found


def _nodes(output: str) -> dict[str, str]:
    """`{"/dev/mapper/vg0-lv0": "253:0"}`."""
    found = re.findall(r"^([0-9a-f]{1,8}):([0-9a-f]{1,8}) (.+)$", output, re.MULTILINE)
    return {name: f"{int(major, 16)}:{int(minor, 16)}" for major, minor, name in found}


def blocks(answers: Mapping[str, Any]) -> dict[str, Block]:
    """The devices, joined from all that was asked about them."""
    found: dict[str, Block] = answers.get("block", {})
    links = answers.get("links", "")
    slaves, places, udev = _slaves(links), _places(links), _udev(answers.get("udev", ""))
    for name, block in found.items():
        block.below = sorted(slaves.get(name, []))
        block.place = places.get(block.disk or name, "")
        block.udev = udev.get(block.files.get("dev", ""), {})
    return found


PROBES = (
    Probe(
        "block",
        "The block devices",
        _sysfs,
        paths=tuple(f"/sys/block/*/{name}" for name in _OF_ALL),
    ),
    Probe("links", "Which device stands on which", str, _LINKS),
    Probe("udev", "", str, _UDEV),
    # a peer of DRBD is asked about its devices without a path
    Probe("nodes", "", _nodes, _NODES, only_if='[ -n "$AT" ] || any /proc/drbd'),
)
