"""What the tool was told: the axes that two runs must share to be compared like with like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of a workload: its type, its unit ("" for none), its words."""

    name: str
    type: type
    unit: str
    title: str


AXES = {
    axis.name: axis
    for axis in (
        Axis("pattern", str, "", "Pattern"),
        Axis("block_bytes", int, "B", "Block size"),
        Axis("queue_depth", int, "", "Queue depth"),
        Axis("jobs", int, "", "Jobs"),
        Axis("clients", int, "", "Clients"),
        Axis("read_fraction", float, "", "Read share"),
        Axis("file_bytes", int, "B", "File size"),
        Axis("files", int, "", "Files"),
        Axis("duration_s", float, "s", "Duration"),
        Axis("ramp_s", float, "s", "Ramp time"),
        Axis("engine", str, "", "I/O engine"),
        Axis("direct", bool, "", "Direct I/O"),
        Axis("sync", bool, "", "Synchronous"),
        Axis("fsync_every", int, "", "fsync every"),
        Axis("concurrency", int, "", "Concurrency"),
        Axis("scale", int, "", "Scale"),
        Axis("script", str, "", "Script"),
    )
}


def typed(values: dict[str, Any]) -> dict[str, Any]:
    """`values` in the order and type of the axes, None left out; KeyError for an unknown axis."""
    kept = {name: AXES[name].type(value) for name, value in values.items() if value is not None}
    return {name: kept[name] for name in AXES if name in kept}
