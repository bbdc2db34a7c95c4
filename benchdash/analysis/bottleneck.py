"""Which device a run waited for, where its counters say so."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from benchdash.errors import N_

# Of the time: above it a device had something to do nearly always.
BUSY = 0.9
# Of the CPU time: a guest that is given less than it asked for measures its neighbours.
STOLEN = 0.05
_MOST_NAMED = 4


class Busy(NamedTuple):
    """A device, how deep in the tree of devices it is, and the share of the time that it was busy."""

    name: str
    depth: int
    share: float


def busiest(devices: Sequence[Busy]) -> str:
    """A sentence on what was busy nearly all the time; "" where nothing was.

    Disks first: a device above them is busy whenever one of them is. `devices` in the order of the
    tree, each before those below it.
    """
    followers = [*(device.depth for device in devices[1:]), 0]
    pairs = zip(devices, followers, strict=False)
    disks = [device for device, after in pairs if after <= device.depth]
    full = [device for device in disks if device.share >= BUSY]
    rest = [device for device in disks if device.share < BUSY]
    if full and rest:
        return N_(
            "{names}: busy {percent} % of the time. The other disks: at most {rest} %.",
            names=_names(full),
            percent=_percents(full),
            rest=_percent(max(device.share for device in rest)),
        )
    if full:
        return N_(
            "{names}: busy {percent} % of the time.", names=_names(full), percent=_percents(full)
        )
    above = next((device for device in reversed(devices) if device.share >= BUSY), None)
    if above is None:
        return ""
    return N_(
        "{name}: busy {percent} % of the time. The disks below it: at most {rest} %.",
        name=above.name,
        percent=_percent(above.share),
        rest=_percent(max(device.share for device in rest)),
    )


def cpu_was_short(busy: float, stolen: float) -> str:
    """A sentence where the CPUs had no time left, or a hypervisor took it; "" elsewhere."""
    if stolen >= STOLEN:
        return N_("The hypervisor took {percent} % of the CPU time.", percent=_percent(stolen))
    if busy >= BUSY:
        return N_("The CPUs were busy {percent} % of the time.", percent=_percent(busy))
    return ""


def _names(devices: Sequence[Busy]) -> str:
    named = ", ".join(device.name for device in devices[:_MOST_NAMED])
    return f"{named} + {len(devices) - _MOST_NAMED}" if len(devices) > _MOST_NAMED else named


def _percents(devices: Sequence[Busy]) -> str:
    texts = sorted({_percent(device.share) for device in devices}, key=int)
    return texts[0] if len(texts) == 1 else f"{texts[0]} – {texts[-1]}"


def _percent(share: float) -> str:
    return f"{100 * share:.0f}"
