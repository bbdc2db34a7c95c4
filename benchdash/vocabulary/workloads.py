"""What a tool is set to do: the axes that two runs must share to be compared like with like."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from benchdash.errors import N_, Refused
from benchdash.vocabulary.units import bytes_from


@dataclass(frozen=True, slots=True)
class Axis:
    """One axis of a workload: its type, its unit ("" for none), its title."""

    name: str
    type: type
    unit: str
    title: str


AXES = {
    axis.name: axis
    for axis in (
        Axis("pattern", str, "", N_("Pattern")),
        Axis("block_bytes", int, "B", N_("Block size")),
        Axis("queue_depth", int, "", N_("Queue depth")),
        Axis("jobs", int, "", N_("Jobs")),
        Axis("clients", int, "", N_("Clients")),
        Axis("read_fraction", float, "", N_("Read share")),
        Axis("file_bytes", int, "B", N_("File size")),
        Axis("files", int, "", N_("Files")),
        Axis("duration_s", float, "s", N_("Duration")),
        Axis("ramp_s", float, "s", N_("Ramp time")),
        Axis("engine", str, "", N_("I/O engine")),
        Axis("direct", bool, "", N_("Direct I/O")),
        Axis("sync", bool, "", N_("Synchronous")),
        Axis("fsync_every", int, "", N_("fsync every")),
        Axis("concurrency", int, "", N_("Concurrency")),
        Axis("scale", int, "", N_("Scale")),
        Axis("script", str, "", N_("Script")),
    )
}

_BOOLEANS = {"true": True, "false": False}
_LARGEST = 2**63 - 1


def typed(values: dict[str, Any]) -> dict[str, Any]:
    """`values` in the order and type of the axes, None left out; KeyError for an unknown axis."""
    kept = {name: AXES[name].type(value) for name, value in values.items() if value is not None}
    return {name: kept[name] for name in AXES if name in kept}


def axis_from_text(name: str, text: str) -> Any:
    """A value of the axis from a query string: `4096` or `4k` of bytes, `0.7`, `true`; Refused for anything else."""
    kind = AXES[name].type
    if kind is str:
        return text
    try:
        size = bytes_from(text) if AXES[name].unit == "B" else None
        value = size or (_BOOLEANS[text] if kind is bool else kind(text))
    except (ValueError, KeyError):
        value = -1
    if not 0 <= value <= _LARGEST:
        title = AXES[name].title
        raise Refused(
            "“{text}” is not a value of the axis “{title}”.",
            f"workload.{name}",
            text=text,
            title=title,
        )
    return value


def axis_text(value: Any) -> str:
    """The inverse of `axis_from_text`."""
    if isinstance(value, bool):
        return "true" if value else "false"
    return f"{value:g}" if isinstance(value, float) else str(value)
