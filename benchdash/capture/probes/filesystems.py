"""Mounts and filesystems: where a path is, and how its filesystem was made and mounted."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from benchdash.capture.layer import Options, Tree, layer, spelled
from benchdash.capture.probe import Files, Probe, of_one
from benchdash.errors import N_
from benchdash.vocabulary.options import LONGEST_TEXT
from benchdash.vocabulary.storage import KINDS
from benchdash.vocabulary.units import bytes_from

# Into the folder that was asked about, or the nearest one above it that exists.
_CD_INTO = (
    'p=$AT; while [ ! -d "$p" ]; do up=${p%/*}; [ "$up" = "$p" ] && exit 0; p=${up:-/}; done; '
    'cd "$p" || exit 0; '
)
_LOCATE = (
    'if [ -b "$AT" ]; then echo device; exit; fi; '
    + _CD_INTO
    + '[ -e "$AT" ] && echo folder || echo nearest; '
    + "pwd -P; stat -f -c '%S' ."
)
_DEVICE = "\"$(df -P . | sed -n '2s/ .*//p')\""
_ON = "\"$(df -P . | sed -n '2s/.*% //p')\""

NAMES = {"nfs4": "nfs", "ceph": "cephfs", "fuse.ceph": "cephfs", "fuse.ceph-fuse": "cephfs"}
NAMES |= {
    name: name
    for name in ("ext2", "ext3", "ext4", "xfs", "btrfs", "zfs", "tmpfs", "gfs2", "ocfs2", "nfs")
}
_BLOCKS_SEEN = ("ext2", "ext3", "ext4", "xfs", "gfs2", "ocfs2")
# On every mount, or about where the other end is: neither changes what is compared.
_IGNORED = {
    *("rw", "addr", "clientaddr", "mountaddr", "mountport", "mountvers", "mountproto", "port"),
    *("subvol", "subvolid", "name", "secret", "mon_addr", "fsid", "local_lock"),
}


@dataclass(frozen=True, slots=True)
class Location:
    """A device, or a folder's real path and block size.

    Where the folder does not exist (`is_there`), path and size are of the nearest one above it.
    """

    is_device: bool
    path: str = ""
    is_there: bool = True
    block_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Mount:
    """One mount; `number` is major:minor where the kernel shows it."""

    target: str
    source: str
    kind: str
    options: tuple[str, ...]
    number: str = ""


def _location(output: str) -> Location | None:
    lines = output.split("\n")
    if lines[0] == "device":
        return Location(is_device=True)
    if lines[0] not in ("folder", "nearest"):
        return None
    size = lines[2] if len(lines) > 2 else ""
    block_bytes = int(size) if re.fullmatch(r"\d{1,6}", size) else None
    return Location(False, lines[1], lines[0] == "folder", block_bytes)


def _mountinfo(output: str) -> list[Mount]:
    """/proc/self/mountinfo, proc(5): fields, a hyphen, type, source, options of the superblock."""
    mounts = []
    for line in output.splitlines():
        own, hyphen, rest = line.partition(" - ")
        fields, of_filesystem = own.split(" "), rest.split(" ")
        if hyphen and len(fields) > 5 and len(of_filesystem) > 2:
            kind, source, options = of_filesystem[:3]
            both = dict.fromkeys([*fields[5].split(","), *options.split(",")])
            target, source = _unescaped(fields[4]), _unescaped(source)
            mounts.append(Mount(target, source, kind, tuple(both), fields[2]))
    return mounts


def _mounts(output: str) -> list[Mount]:
    """/proc/mounts, for kernels before 2.6.26."""
    mounts = []
    for line in output.splitlines():
        words = line.split(" ")
        if len(words) >= 4 and words[0] != "rootfs":
            options = tuple(words[3].split(","))
            mounts.append(Mount(_unescaped(words[1]), _unescaped(words[0]), words[2], options))
    return mounts


def mount_of(path: str, mounts: list[Mount]) -> Mount | None:
    """The mount a path lies on: the deepest, and of these the one mounted last."""
    found = None
    for mount in mounts:
        is_above = mount.target == "/" or f"{path}/".startswith(f"{mount.target}/")
        if is_above and (found is None or len(mount.target) >= len(found.target)):
            found = mount
    return found


def _unescaped(text: str) -> str:
    return re.sub(r"\\([0-3][0-7]{2})", lambda match: chr(int(match[1], 8)), text)


def _ext(output: str) -> dict[str, str]:
    """`Block size:   4096` of dumpe2fs."""
    return dict(re.findall(r"^([A-Z][\w ]+?):\s+(.+?)\s*$", output, re.MULTILINE))


def _xfs(output: str) -> dict[str, str]:
    """xfs_info: `{"data.bsize": "4096", "log.blocks": "2560"}`."""
    section = ""
    found: dict[str, str] = {}
    for line in output.splitlines():
        head, _, rest = line.partition("=")
        section = head.split()[0] if head.strip() else section
        for name, value in re.findall(r"([\w-]+)=(\S+?),?(?=\s|$)", rest or ""):
            found.setdefault(f"{section}.{name}", value)
    return found


def _ext4(files: Files) -> dict[str, tuple[str, ...]]:
    """`{device: the options in force}`."""
    return {path.split("/")[4]: tuple(text.splitlines()) for path, text in files.items()}


def _btrfs(output: str) -> dict[str, dict[str, set[str]]]:
    """`{uuid: {"devices": {…}, "data": {"raid1"}, "metadata": {…}}}`."""
    found: dict[str, dict[str, set[str]]] = {}
    for uuid, path in re.findall(r"^/sys/fs/btrfs/([0-9a-f-]{36})/(\S+)$", output, re.MULTILINE):
        match path.rstrip("/").split("/"):
            case ["devices", device]:
                found.setdefault(uuid, {}).setdefault("devices", set()).add(device)
            case ["allocation", ("data" | "metadata") as part, profile]:
                found.setdefault(uuid, {}).setdefault(part, set()).add(profile)
    return found


def _zfs(output: str) -> dict[str, str]:
    """`name<TAB>value` of `zfs get -Hp`."""
    return dict(line.split("\t", 1) for line in output.splitlines() if "\t" in line)


def _made(output: str) -> dict[str, str]:
    """What the filesystem's own tool shows, whichever it was."""
    kind, _, text = output.partition("\n")
    return {"ext": _ext, "xfs": _xfs, "zfs": _zfs}[kind](text) if kind else {}


def filesystem(
    mount: Mount, answers: Mapping[str, Any], device: str, below: Iterable[Tree]
) -> Tree:
    """The layer of `mount`, which lies on the kernel's `device`."""
    kind = NAMES[mount.kind]
    options = _made_with(kind, mount, answers) | _mounted(kind, mount)
    options |= _in_force(kind, answers.get("ext4", {}).get(device, ()))
    options |= _profiles(answers.get("btrfs", {}), device) if kind == "btrfs" else {}
    if kind == "cephfs":
        options["client"] = "fuse" if mount.kind.startswith("fuse") else "kernel"
    return layer(kind, options, below)


def members(device: str, answers: Mapping[str, Any]) -> list[str]:
    """The devices of a Btrfs that lies on `device` among others."""
    of = _btrfs_of(answers.get("btrfs", {}), device)
    return sorted(of.get("devices", set()) | {device})


def _mounted(kind: str, mount: Mount) -> Options:
    options: Options = {}
    others = []
    for part in mount.options:
        name, equals, value = part.partition("=")
        if found := spelled(kind, name, value if equals else None):
            options[found[0].name] = found[1]
        elif name not in _IGNORED:
            others.append(part)
    # what is too long for a text would be refused as a whole
    while len(",".join(others)) > LONGEST_TEXT:
        others.pop()
    if not options.get("read_only", True):
        del options["read_only"]
    if "other_mount_options" in KINDS[kind].options:
        options["other_mount_options"] = ",".join(others)
    return options


def _in_force(kind: str, shown: Iterable[str]) -> Options:
    """What ext4 shows in /proc/fs, defaults included."""
    found = [
        spelled(kind, name, value if equals else None)
        for name, equals, value in (part.partition("=") for part in shown)
    ]
    options: Options = {each[0].name: each[1] for each in found if each}
    options.pop("read_only", None)
    if options.get("stripe") == 0:
        del options["stripe"]
    return options


def _made_with(kind: str, mount: Mount, answers: Mapping[str, Any]) -> Options:
    shown = answers.get("made") or {}
    if kind.startswith("ext") and "Block size" in shown:
        return _ext_options(kind, shown)
    if kind == "xfs" and shown:
        return _xfs_options(shown)
    if kind == "zfs":
        return _zfs_options(shown)
    location = answers.get("place")
    return {"block_bytes": location.block_bytes} if location and kind in _BLOCKS_SEEN else {}


def _ext_options(kind: str, shown: Mapping[str, str]) -> Options:
    """dumpe2fs -h."""
    blocks, reserved = (_whole(shown.get(f"{word} count")) for word in ("Block", "Reserved block"))
    options: Options = {
        "block_bytes": shown["Block size"],
        "inode_bytes": shown.get("Inode size"),
        "stride": shown.get("RAID stride"),
        "stripe_width": shown.get("RAID stripe width"),
        "reserved_percent": round(100 * reserved / blocks, 1) if blocks and reserved else None,
    }
    has_journal = "has_journal" in shown.get("Filesystem features", "")
    size = shown.get("Total journal size") or shown.get("Journal size") or ""
    if has_journal and kind != "ext2":
        options["journal_bytes"] = bytes_from(size)
    if kind == "ext4":
        options["journal"] = has_journal
    return options


def _xfs_options(shown: Mapping[str, str]) -> Options:
    """xfs_info: sizes in blocks of the section they stand in."""
    block, log_block = _whole(shown.get("data.bsize")), _whole(shown.get("log.bsize"))
    unit, width = _whole(shown.get("data.sunit")), _whole(shown.get("data.swidth"))
    log_blocks = _whole(shown.get("log.blocks"))
    return {
        "block_bytes": block,
        "agcount": shown.get("meta-data.agcount"),
        "log_bytes": log_blocks * log_block if log_blocks and log_block else None,
        "stripe_unit_bytes": unit * block if unit and block else None,
        "stripe_units": width // unit if width and unit else None,
        "reflink": shown.get("meta-data.reflink"),
    }


def _zfs_options(shown: Mapping[str, str]) -> Options:
    options: Options = {
        name: shown.get(name) for name in ("compression", "sync", "logbias", "primarycache")
    }
    atime = {("off",): "noatime", ("on", "on"): "relatime", ("on", "off"): "strictatime"}
    switches = (shown.get("atime", ""), shown.get("relatime", ""))
    return options | {
        "record_bytes": shown.get("recordsize"),
        "atime": atime.get(switches[:1], atime.get(switches)),
    }


def _profiles(found: Mapping[str, dict[str, set[str]]], device: str) -> Options:
    of = _btrfs_of(found, device)
    return {
        f"{part}_profile": "+".join(sorted(of[part])) for part in ("data", "metadata") if part in of
    }


def _btrfs_of(found: Mapping[str, dict[str, set[str]]], device: str) -> dict[str, set[str]]:
    return next((of for of in found.values() if device in of.get("devices", ())), {})


def _whole(text: str | None) -> int | None:
    return int(text) if text and text.isdecimal() and len(text) <= 15 else None


_MADE = (
    _CD_INTO + "case $(stat -f -c %T .) in "
    f"ext*) echo ext; dumpe2fs -h {_DEVICE};; "
    f"xfs) echo xfs; xfs_info {_ON};; "
    "zfs) echo zfs; zfs get -Hp -o property,value "
    f"recordsize,compression,sync,logbias,primarycache,atime,relatime {_DEVICE};; esac"
)
# without its size of blocks, which stat(1) shows too
_OF_EXT = ("inode_bytes", "stride", "stripe_width", "reserved_percent", "journal_bytes", "journal")
_OF_XFS = ("agcount", "log_bytes", "stripe_unit_bytes", "stripe_units", "reflink")
_OF_ZFS = ("record_bytes", "compression", "sync", "logbias", "primarycache", "atime")
_OF_MADE = tuple(
    f"{kind}.{name}"
    for kind, names in (("ext[234]", _OF_EXT), ("xfs", _OF_XFS), ("zfs", _OF_ZFS))
    for name in names
)
_BTRFS = "ls -d /sys/fs/btrfs/*/devices/* /sys/fs/btrfs/*/allocation/*data/*/ 2>/dev/null || :"

PROBES = (
    Probe("place", N_("The path"), _location, _LOCATE, only_if='[ -n "$AT" ]'),
    Probe("mountinfo", "", of_one(_mountinfo), paths=("/proc/self/mountinfo",)),
    Probe("mounts", N_("The mounts"), of_one(_mounts), paths=("/proc/mounts",)),
    Probe(
        "made",
        N_("What the filesystem was made with"),
        _made,
        _MADE,
        only_if='[ -n "$AT" ]',
        layers=_OF_MADE,
    ),
    Probe("ext4", "", _ext4, paths=("/proc/fs/ext4/*/options",), layers=("ext4.*",)),
    Probe(
        "btrfs",
        "",
        _btrfs,
        _BTRFS,
        only_if="any /sys/fs/btrfs/*-*",
        layers=("btrfs.data_profile", "btrfs.metadata_profile", "btrfs.below"),
    ),
)
