"""LVM's own words; what other block devices are, /sys tells."""

from __future__ import annotations

import json
from collections.abc import Iterator

from benchdash.facts.probe import Probe

_LV = "vg_name,lv_name,lv_attr,vg_attr,segtype,stripes,stripesize,chunksize,vg_extent_size,lv_size"
_PV = "vg_name,pe_start"


def _asked(tool: str, fields: str) -> str:
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


_HAS_DM = "any /sys/block/dm-*"

PROBES = (
    Probe("lvs", "", _volumes, _asked("lvs", _LV), seconds=15, only_if=_HAS_DM),
    Probe("pvs", "", _starts, _asked("pvs", _PV), seconds=15, only_if=_HAS_DM),
)
