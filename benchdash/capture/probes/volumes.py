"""Devices made of devices: LVM, md, dm-crypt, multipath, bcache, loop.

Only LVM is asked by its own tools; everything else is in /sys (block_devices.py).
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator, Mapping

from benchdash.capture.layer import Options, Tree, layer
from benchdash.capture.probe import Probe, chosen
from benchdash.capture.probes.block_devices import Block, queue

_LV = "vg_name,lv_name,lv_attr,vg_attr,segtype,stripes,stripesize,chunksize,vg_extent_size,lv_size"
_PV = "vg_name,pe_start"
_SEGMENTS = ("linear", "striped", "mirror", "thin", "snapshot", "cache")
# md.c and raid5.h of Linux
_LAYOUTS = ("left-asymmetric", "right-asymmetric", "left-symmetric", "right-symmetric")
_GROUP = len("LVM-") + 32


def _command(tool: str, fields: str) -> str:
    common = f"--units b --nosuffix -o {fields}"
    return (
        f"command -v {tool} >/dev/null || exit 127; "
        f"{tool} --reportformat json {common} 2>/dev/null || "
        f"{tool} --noheadings --separator '|' {common}"
    )


def _rows(output: str, fields: str) -> Iterator[dict[str, str]]:
    if output.lstrip().startswith("{"):
        for report in json.loads(output)["report"]:
            for rows in report.values():
                for row in rows:
                    yield {name: str(value) for name, value in row.items()}
    else:
        names = fields.split(",")
        for line in output.splitlines():
            values = [value.strip() for value in line.split("|")]
            if len(values) == len(names):
                yield dict(zip(names, values, strict=True))


def _volumes(output: str) -> dict[str, dict[str, str]]:
    """`{name in /dev/mapper: fields}`; of a volume of several segments the first."""
    found: dict[str, dict[str, str]] = {}
    for row in _rows(output, _LV):
        vg, lv = (row[name].strip("[]").replace("-", "--") for name in ("vg_name", "lv_name"))
        row["stripe_size"] = row.get("stripe_size") or row.get("stripesize", "")
        row["chunk_size"] = row.get("chunk_size") or row.get("chunksize", "")
        found.setdefault(f"{vg}-{lv}", row)
    return found


def _starts(output: str) -> dict[str, str]:
    """`{volume group: where its first extent begins, in bytes}`, the same on all of its disks."""
    starts: dict[str, set[str]] = {}
    for row in _rows(output, _PV):
        starts.setdefault(row["vg_name"], set()).add(row["pe_start"])
    return {group: next(iter(found)) for group, found in starts.items() if len(found) == 1}


def volume_group(block: Block) -> str:
    """What all devices of one volume group have in common; "" for other devices."""
    uuid = block.files.get("dm/uuid", "")
    return uuid[:_GROUP] if uuid.startswith("LVM-") else ""


def lvm(volume: Mapping[str, str] | None, starts: Mapping[str, str], below: Iterable[Tree]) -> Tree:
    """A logical volume by its row of lvs; without options where lvs has none."""
    if not volume:
        return layer("lvm", {}, below)
    attributes, group = volume.get("lv_attr", ""), volume.get("vg_attr", "")
    segment = volume.get("segtype", "")
    kind = "raid" if segment.startswith("raid") else segment
    kind = "snapshot" if attributes[:1] in ("s", "S") else kind
    is_striped = volume.get("stripe_size", "0") not in ("", "0")
    options: Options = {
        "type": kind if kind in (*_SEGMENTS, "raid") else None,
        # of a mirror lvs counts the copies as stripes, without a size
        "stripes": volume.get("stripes") if is_striped else None,
        "stripe_bytes": _unless_zero(volume.get("stripe_size")),
        "chunk_bytes": _unless_zero(volume.get("chunk_size")),
        "extent_bytes": volume.get("vg_extent_size"),
        "data_alignment_bytes": starts.get(volume.get("vg_name", "")),
        # the sixth letter of vg_attr: clustered (clvmd) or shared (lvmlockd), vgs(8)
        "cluster": True if group[5:6] in ("c", "s") else None,
        "size_bytes": volume.get("lv_size"),
    }
    return layer("lvm", options, below)


def md(block: Block, below: Iterable[Tree]) -> Tree:
    """A Linux array: /sys/block/mdX/md has all that mdadm shows."""
    sysfs = {name.removeprefix("md/"): text for name, text in block.files.items()}
    level = sysfs.get("level", "").removeprefix("raid")
    members = [text for name, text in sysfs.items() if re.fullmatch(r"dev-.+/state", name)]
    bitmap = sysfs.get("bitmap/location", "")
    options: Options = {
        "level": level,
        "devices": sysfs.get("raid_disks"),
        "spares": sum("spare" in text for text in members) or None,
        "chunk_bytes": _unless_zero(sysfs.get("chunk_size")),
        "metadata": sysfs.get("metadata_version", "").removeprefix("external:"),
        "layout": _layout(level, sysfs.get("layout", "")),
        "bitmap": {"none": "none", "file": "external"}.get(bitmap, "internal") if bitmap else None,
    }
    options |= {
        name: sysfs.get(name)
        for name in ("stripe_cache_size", "group_thread_cnt", "preread_bypass_threshold")
    }
    return layer("md", options, below)


def bcache(block: Block, below: Iterable[Tree]) -> Tree:
    """Cache and backing device; which of the two is which /sys does not show here."""
    sysfs = {name.removeprefix("bcache/"): text for name, text in block.files.items()}
    options: Options = {
        "mode": chosen(sysfs.get("cache_mode", "")),
        "sequential_cutoff_bytes": _kernel_size(sysfs.get("sequential_cutoff", "")),
        "writeback_percent": sysfs.get("writeback_percent"),
    }
    return layer("bcache", options, below)


def loop(block: Block, below: Iterable[Tree]) -> Tree:
    """A file as a device."""
    return layer("loop", {"direct_io": block.files.get("loop/dio")} | queue(block), below)


def mapped(block: Block, below: list[Tree]) -> Tree | None:
    """A device of the device mapper that is not LVM's; None where the vocabulary has no such layer."""
    uuid = block.files.get("dm/uuid", "")
    if uuid.startswith("CRYPT-"):
        return layer("dm_crypt", {}, below)
    if uuid.startswith("mpath-"):
        # all paths lead to the same LUN: the first stands for it
        return layer("multipath", {"paths": len(below)} | queue(block), below[:1])
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


_OF_LVS = (
    *("type", "stripes", "stripe_bytes", "chunk_bytes", "extent_bytes", "data_alignment_bytes"),
    *("cluster", "size_bytes"),
)
_HAS_DM = "any /sys/block/dm-*"

PROBES = (
    Probe(
        "lvs",
        "",
        _volumes,
        _command("lvs", _LV),
        seconds=15,
        only_if=_HAS_DM,
        layers=tuple(f"lvm.{name}" for name in _OF_LVS),
    ),
    Probe(
        "pvs",
        "",
        _starts,
        _command("pvs", _PV),
        seconds=15,
        only_if=_HAS_DM,
        layers=("lvm.data_alignment_bytes",),
    ),
)
