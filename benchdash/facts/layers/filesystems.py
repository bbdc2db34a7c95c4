"""The layer of a mounted filesystem: how it was made and how it is mounted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from benchdash.facts.layers.layer import Tree, layer, spelled
from benchdash.facts.probes.mounts import Mount
from benchdash.vocabulary.options import LONGEST_TEXT
from benchdash.vocabulary.sizes import bytes_from
from benchdash.vocabulary.storage import KINDS

Words = dict[str, object]

NAMES = {"nfs4": "nfs", "ceph": "cephfs", "fuse.ceph": "cephfs", "fuse.ceph-fuse": "cephfs"}
NAMES |= {
    name: name
    for name in ("ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "tmpfs", "gfs2", "ocfs2", "nfs")
}
_BLOCKS_SEEN = ("ext2", "ext3", "ext4", "xfs", "gfs2", "ocfs2")
# Said of every mount, or of where the other end is: neither changes what is compared.
_UNSAID = {
    *("rw", "addr", "clientaddr", "mountaddr", "mountport", "mountvers", "mountproto", "port"),
    *("subvol", "subvolid", "name", "secret", "mon_addr", "fsid", "local_lock"),
}


def filesystem(
    mount: Mount, answers: Mapping[str, Any], device: str, below: Iterable[Tree]
) -> Tree:
    """The layer of `mount`, which lies on the kernel's `device`."""
    kind = NAMES[mount.kind]
    words = _made(kind, mount, answers) | _mounted(kind, mount)
    words |= _in_force(kind, answers.get("ext4", {}).get(device, ()))
    words |= _profiles(answers.get("btrfs", {}), device) if kind == "btrfs" else {}
    if kind == "cephfs":
        words["client"] = "fuse" if mount.kind.startswith("fuse") else "kernel"
    return layer(kind, words, below)


def members(device: str, answers: Mapping[str, Any]) -> list[str]:
    """The devices of a Btrfs that lies on `device` among others."""
    of = _btrfs_of(answers.get("btrfs", {}), device)
    return sorted(of.get("devices", set()) | {device})


def _mounted(kind: str, mount: Mount) -> Words:
    words: Words = {}
    others = []
    for part in mount.options:
        name, equals, value = part.partition("=")
        if found := spelled(kind, name, value if equals else None):
            words[found[0].name] = found[1]
        elif name not in _UNSAID:
            others.append(part)
    while len(",".join(others)) > LONGEST_TEXT:
        others.pop()
    if not words.get("read_only", True):
        del words["read_only"]
    if "other_mount_options" in KINDS[kind].options:
        words["other_mount_options"] = ",".join(others)
    return words


def _in_force(kind: str, options: Iterable[str]) -> Words:
    """What ext4 shows in /proc/fs: the defaults as well."""
    found = [
        spelled(kind, name, value if equals else None)
        for name, equals, value in (part.partition("=") for part in options)
    ]
    words: Words = {each[0].name: each[1] for each in found if each}
    words.pop("read_only", None)
    if words.get("stripe") == 0:
        del words["stripe"]
    return words


def _made(kind: str, mount: Mount, answers: Mapping[str, Any]) -> Words:
    said = answers.get("made") or {}
    if kind.startswith("ext") and "Block size" in said:
        return _ext(kind, said)
    if kind == "xfs" and said:
        return _xfs(said)
    if kind == "zfs":
        return _zfs(said)
    place = answers.get("place")
    return {"block_bytes": place.block_bytes} if place and kind in _BLOCKS_SEEN else {}


def _ext(kind: str, said: Mapping[str, str]) -> Words:
    """dumpe2fs -h."""
    blocks, reserved = (_whole(said.get(f"{word} count")) for word in ("Block", "Reserved block"))
    words: Words = {
        "block_bytes": said["Block size"],
        "inode_bytes": said.get("Inode size"),
        "stride": said.get("RAID stride"),
        "stripe_width": said.get("RAID stripe width"),
        "reserved_percent": round(100 * reserved / blocks, 1) if blocks and reserved else None,
    }
    has_journal = "has_journal" in said.get("Filesystem features", "")
    size = said.get("Total journal size") or said.get("Journal size") or ""
    if has_journal and kind != "ext2":
        words["journal_bytes"] = bytes_from(size)
    if kind == "ext4":
        words["journal"] = has_journal
    return words


def _xfs(said: Mapping[str, str]) -> Words:
    """xfs_info: sizes in blocks of the section they stand in."""
    block, log_block = _whole(said.get("data.bsize")), _whole(said.get("log.bsize"))
    unit, width = _whole(said.get("data.sunit")), _whole(said.get("data.swidth"))
    log_blocks = _whole(said.get("log.blocks"))
    return {
        "block_bytes": block,
        "agcount": said.get("meta-data.agcount"),
        "log_bytes": log_blocks * log_block if log_blocks and log_block else None,
        "stripe_unit_bytes": unit * block if unit and block else None,
        "stripe_units": width // unit if width and unit else None,
        "reflink": said.get("meta-data.reflink"),
    }


def _zfs(said: Mapping[str, str]) -> Words:
    words: Words = {
        name: said.get(name) for name in ("compression", "sync", "logbias", "primarycache")
    }
    atime = {("off",): "noatime", ("on", "on"): "relatime", ("on", "off"): "strictatime"}
    switches = (said.get("atime", ""), said.get("relatime", ""))
    return words | {
        "record_bytes": said.get("recordsize"),
        "atime": atime.get(switches[:1], atime.get(switches)),
    }


def _profiles(found: Mapping[str, dict[str, set[str]]], device: str) -> Words:
    of = _btrfs_of(found, device)
    return {
        f"{part}_profile": "+".join(sorted(of[part])) for part in ("data", "metadata") if part in of
    }


def _btrfs_of(found: Mapping[str, dict[str, set[str]]], device: str) -> dict[str, set[str]]:
    return next((of for of in found.values() if device in of.get("devices", ())), {})


def _whole(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() and len(text) <= 15 else None
