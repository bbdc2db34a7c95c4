"""Layers of devices made of devices: LVM, md, dm-crypt, multipath, bcache."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from benchdash.facts.layers.disks import queue
from benchdash.facts.layers.layer import Tree, layer
from benchdash.facts.probes.block import Block
from benchdash.facts.probes.settings import chosen

Words = dict[str, object]

_SEGMENTS = ("linear", "striped", "mirror", "thin", "snapshot", "cache")
# md.c and raid5.h of Linux
_LAYOUTS = ("left-asymmetric", "right-asymmetric", "left-symmetric", "right-symmetric")
_GROUP = len("LVM-") + 32


def volume_group(block: Block) -> str:
    """What all devices of one volume group have in common; "" for other devices."""
    uuid = block.files.get("dm/uuid", "")
    return uuid[:_GROUP] if uuid.startswith("LVM-") else ""


def lvm(said: Mapping[str, str] | None, starts: Mapping[str, str], below: Iterable[Tree]) -> Tree:
    """A logical volume with what lvs said of it; without options where it said nothing."""
    if not said:
        return layer("lvm", {}, below)
    attributes, group = said.get("lv_attr", ""), said.get("vg_attr", "")
    segment = said.get("segtype", "")
    kind = "raid" if segment.startswith("raid") else segment
    kind = "snapshot" if attributes[:1] in ("s", "S") else kind
    is_striped = said.get("stripe_size", "0") not in ("", "0")
    words: Words = {
        "type": kind if kind in (*_SEGMENTS, "raid") else None,
        # of a mirror lvs counts the copies as stripes, without a size
        "stripes": said.get("stripes") if is_striped else None,
        "stripe_bytes": _unless_zero(said.get("stripe_size")),
        "chunk_bytes": _unless_zero(said.get("chunk_size")),
        "extent_bytes": said.get("vg_extent_size"),
        "data_alignment_bytes": starts.get(said.get("vg_name", "")),
        "cluster": True if group[5:6] in ("c", "s") else None,
        "size_bytes": said.get("lv_size"),
    }
    return layer("lvm", words, below)


def md(block: Block, below: Iterable[Tree]) -> Tree:
    """A Linux array: /sys/block/mdX/md says all that mdadm does."""
    said = {name.removeprefix("md/"): text for name, text in block.files.items()}
    level = said.get("level", "").removeprefix("raid")
    members = [text for name, text in said.items() if re.fullmatch(r"dev-.+/state", name)]
    bitmap = said.get("bitmap/location", "")
    words: Words = {
        "level": level,
        "devices": said.get("raid_disks"),
        "spares": sum("spare" in text for text in members) or None,
        "chunk_bytes": _unless_zero(said.get("chunk_size")),
        "metadata": said.get("metadata_version", "").removeprefix("external:"),
        "layout": _layout(level, said.get("layout", "")),
        "bitmap": {"none": "none", "file": "external"}.get(bitmap, "internal") if bitmap else None,
    }
    words |= {
        name: said.get(name)
        for name in ("stripe_cache_size", "group_thread_cnt", "preread_bypass_threshold")
    }
    return layer("md", words, below)


def bcache(block: Block, below: Iterable[Tree]) -> Tree:
    """Cache and backing device; which leg is which is not told apart."""
    said = {name.removeprefix("bcache/"): text for name, text in block.files.items()}
    words: Words = {
        "mode": chosen(said.get("cache_mode", "")),
        "sequential_cutoff_bytes": _kernel_size(said.get("sequential_cutoff", "")),
        "writeback_percent": said.get("writeback_percent"),
    }
    return layer("bcache", words, below)


def loop(block: Block, below: Iterable[Tree]) -> Tree:
    """A file as a device."""
    return layer("loop", {"direct_io": block.files.get("loop/dio")} | queue(block), below)


def mapped(block: Block, below: list[Tree]) -> Tree | None:
    """A device of the device mapper that is not LVM's; None where we have no word for it."""
    uuid = block.files.get("dm/uuid", "")
    if uuid.startswith("CRYPT-"):
        return layer("dm_crypt", {}, below)
    if uuid.startswith("mpath-"):
        paths: list[Any] = below[:1]
        return layer("multipath", {"paths": len(below)} | queue(block), paths)
    return None


def _layout(level: str, text: str) -> str | None:
    """raid5 and raid6 by number; raid10 as near, far and offset copies (md.4)."""
    if not text.isdecimal() or len(text) > 9:
        return None
    number = int(text)
    if level in ("5", "6"):
        return _LAYOUTS[number] if number < len(_LAYOUTS) else None
    if level == "10":
        near, far = number & 0xFF, number >> 8 & 0xFF
        if far > 1:
            return f"{'o' if number & 0x10000 else 'f'}{far}"
        return f"n{near}"
    return None


def _kernel_size(text: str) -> str:
    """`4.0M` as `4M`."""
    return re.sub(r"\.0(?=[kMG]?$)", "", text)


def _unless_zero(text: str | None) -> str | None:
    return None if text == "0" else text
