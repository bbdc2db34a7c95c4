"""Ceph: the images this machine has mapped or was asked about, their pools, and the cluster's health."""

from __future__ import annotations

import json
import re
from dataclasses import dataclass
from typing import Any

from benchdash.facts.probe import Files, Probe

_IMAGES = (
    "command -v rbd >/dev/null || exit 127; { "
    'case $AT in rbd:*) echo "${AT#rbd:}";; esac; '
    "for image in /sys/bus/rbd/devices/[0-9]*; do "
    '[ -r "$image/pool" ] && echo "$(cat "$image/pool")/$(cat "$image/name")"; done; } | sort -u | '
    'while read -r image; do echo "# $image"; rbd --format json info -- "$image"; echo; done'
)


@dataclass(frozen=True, slots=True)
class Health:
    """HEALTH_OK and the like, and the sentences of its checks."""

    status: str
    checks: tuple[str, ...]


def _mapped(said: Files) -> dict[str, str]:
    """`{"rbd0": "pool/image"}`."""
    numbers = {path.split("/")[5] for path in said}
    base = "/sys/bus/rbd/devices"
    return {
        f"rbd{number}": f"{said[f'{base}/{number}/pool'].strip()}/{said[f'{base}/{number}/name'].strip()}"
        for number in numbers
        if f"{base}/{number}/pool" in said and f"{base}/{number}/name" in said
    }


def _images(output: str) -> dict[str, dict[str, Any]]:
    """`{"pool/image": what rbd info says}`."""
    found = {}
    for said in re.split(r"^# ", output, flags=re.MULTILINE)[1:]:
        name, _, text = said.partition("\n")
        if text.strip():
            found[name] = dict(json.loads(text))
    return found


def _pools(output: str) -> dict[str, dict[str, Any]]:
    """`{name: what `ceph osd pool ls detail` says}`."""
    found = json.loads(output) if output.strip() else []
    return {str(pool["pool_name"]): dict(pool) for pool in found}


def _stores(output: str) -> dict[str, int]:
    """`{"bluestore": 3}`: how many OSDs keep their objects in which way."""
    found = json.loads(output) if output.strip() else {}
    return {str(store): int(count) for store, count in found.items()}


def _health(output: str) -> Health:
    """The health inside `ceph -s -f json`."""
    found = json.loads(output)["health"]
    checks = [str(check["summary"]["message"]) for check in found.get("checks", {}).values()]
    return Health(str(found["status"]), tuple(checks))


def _ceph(words: str, seconds: int) -> str:
    return f"ceph --connect-timeout {seconds} {words} -f json"


_BUS = "/sys/bus/rbd/devices/*/"
_HERE = "ceph_here"

HEALTH = Probe("ceph_health", "Ceph's health", _health, _ceph("-s", 3), seconds=4, only_if=_HERE)
PROBES = (
    Probe("rbd_mapped", "", _mapped, paths=(_BUS + "pool", _BUS + "name")),
    Probe("rbd_info", "The RBD image", _images, _IMAGES, seconds=10, only_if=_HERE),
    Probe(
        "ceph_pools",
        "Ceph's pools",
        _pools,
        _ceph("osd pool ls detail", 8),
        seconds=10,
        only_if=_HERE,
    ),
    Probe(
        "ceph_stores",
        "How Ceph's OSDs keep objects",
        _stores,
        _ceph("osd count-metadata osd_objectstore", 8),
        seconds=10,
        only_if=_HERE,
    ),
)
