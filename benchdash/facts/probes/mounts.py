"""Where a path lies: which mount, which device; and what its filesystem was made with."""

from __future__ import annotations

import re
from dataclasses import dataclass

from benchdash.facts.probe import Files, Probe, of_one

# Into the folder that was asked about, or the nearest one above it that is there.
INTO = (
    'p=$AT; while [ ! -d "$p" ]; do up=${p%/*}; [ "$up" = "$p" ] && exit 0; p=${up:-/}; done; '
    'cd "$p" || exit 0; '
)
_PLACE = (
    'if [ -b "$AT" ]; then echo device; exit; fi; '
    + INTO
    + '[ -e "$AT" ] && echo folder || echo nearest; '
    + "pwd -P; stat -f -c '%S' ."
)
_DEVICE = "\"$(df -P . | sed -n '2s/ .*//p')\""
_ON = "\"$(df -P . | sed -n '2s/.*% //p')\""


@dataclass(frozen=True, slots=True)
class Place:
    """A device, or a folder's real path and block size; `is_there` is no where it is one above."""

    is_device: bool
    path: str = ""
    is_there: bool = True
    block_bytes: int | None = None


@dataclass(frozen=True, slots=True)
class Mount:
    """One mount; `number` is major:minor where the kernel says it, `root` what of it is mounted."""

    target: str
    source: str
    kind: str
    options: tuple[str, ...]
    number: str = ""


def _place(output: str) -> Place | None:
    lines = output.split("\n")
    if lines[0] == "device":
        return Place(is_device=True)
    if lines[0] not in ("folder", "nearest"):
        return None
    size = lines[2] if len(lines) > 2 else ""
    block_bytes = int(size) if re.fullmatch(r"\d{1,6}", size) else None
    return Place(False, lines[1], lines[0] == "folder", block_bytes)


def _mountinfo(output: str) -> list[Mount]:
    """/proc/self/mountinfo of proc(5): fields, a hyphen, kind, source, options of the superblock."""
    mounts = []
    for line in output.splitlines():
        own, hyphen, rest = line.partition(" - ")
        fields, said = own.split(" "), rest.split(" ")
        if hyphen and len(fields) > 5 and len(said) > 2:
            options = dict.fromkeys([*fields[5].split(","), *said[2].split(",")])
            target, source = _unescaped(fields[4]), _unescaped(said[1])
            mounts.append(Mount(target, source, said[0], tuple(options), fields[2]))
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
    """The words of the filesystem's own tool, whichever it was."""
    kind, _, said = output.partition("\n")
    return {"ext": _ext, "xfs": _xfs, "zfs": _zfs}[kind](said) if kind else {}


_MADE = (
    INTO + "case $(stat -f -c %T .) in "
    f"ext*) echo ext; dumpe2fs -h {_DEVICE};; "
    f"xfs) echo xfs; xfs_info {_ON};; "
    "zfs) echo zfs; zfs get -Hp -o property,value "
    f"recordsize,compression,sync,logbias,primarycache,atime,relatime {_DEVICE};; esac"
)
_BTRFS = "ls -d /sys/fs/btrfs/*/devices/* /sys/fs/btrfs/*/allocation/*data/*/ 2>/dev/null || :"

PROBES = (
    Probe("place", "The path", _place, _PLACE, only_if='[ -n "$AT" ]'),
    Probe("mountinfo", "", of_one(_mountinfo), paths=("/proc/self/mountinfo",)),
    Probe("mounts", "The mounts", of_one(_mounts), paths=("/proc/mounts",)),
    Probe("made", "What the filesystem was made with", _made, _MADE, only_if='[ -n "$AT" ]'),
    Probe("ext4", "", _ext4, paths=("/proc/fs/ext4/*/options",)),
    Probe("btrfs", "", _btrfs, _BTRFS, only_if="any /sys/fs/btrfs/*-*"),
)
