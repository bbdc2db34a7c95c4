"""Ceph: RBD images that are mapped or were asked about, their pools and OSDs, and the health."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from benchdash.capture.layer import Options, Tree, layer
from benchdash.capture.probe import Files, Probe
from benchdash.capture.probes.block_devices import Block, queue
from benchdash.errors import N_

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


def _mapped(files: Files) -> dict[str, str]:
    """`{"rbd0": "pool/image"}`."""
    mapped = {}
    for folder in {path.rpartition("/")[0] for path in files}:
        pool, name = files.get(f"{folder}/pool"), files.get(f"{folder}/name")
        if pool is not None and name is not None:
            mapped[f"rbd{folder.rpartition('/')[2]}"] = f"{pool.strip()}/{name.strip()}"
    return mapped


def _images(output: str) -> dict[str, dict[str, Any]]:
    """`{"pool/image": rbd info}`."""
    found = {}
    for block in re.split(r"^# ", output, flags=re.MULTILINE)[1:]:
        name, _, text = block.partition("\n")
        if text.strip():
            found[name] = dict(json.loads(text))
    return found


def _pools(output: str) -> dict[str, dict[str, Any]]:
    """`{name: its entry in ceph osd pool ls detail}`."""
    found = json.loads(output) if output.strip() else []
    return {str(pool["pool_name"]): dict(pool) for pool in found}


def _stores(output: str) -> dict[str, int]:
    """`{"bluestore": 3}`: OSDs by the store they keep objects in."""
    found = json.loads(output) if output.strip() else {}
    return {str(store): int(count) for store, count in found.items()}


def _health(output: str) -> Health:
    """The health inside `ceph -s -f json`."""
    found = json.loads(output)["health"]
    checks = [str(check["summary"]["message"]) for check in found.get("checks", {}).values()]
    return Health(str(found["status"]), tuple(checks))


def rbd(image: str, answers: Mapping[str, Any], block: Block | None = None) -> Tree:
    """The layers of `pool/image`; with a `block` the kernel has mapped it, else a tool opens it."""
    info = answers.get("rbd_info", {}).get(image, {})
    features = info.get("features")
    options: Options = {
        "client": "krbd" if block else "librbd",
        "size_bytes": info.get("size") or (block.size_bytes if block else None),
        "object_bytes": info.get("object_size"),
        "stripe_unit_bytes": info.get("stripe_unit"),
        "stripe_count": info.get("stripe_count"),
        "features": ",".join(map(str, features)) if isinstance(features, list) else None,
    }
    own, data = image.partition("/")[0], info.get("data_pool")
    # an erasure-coded pool cannot hold an image's metadata, so such an image has two pools
    pools = [pool(own, answers)]
    if isinstance(data, str):
        pools = [pool(data, answers, use="data"), pool(own, answers, use="metadata")]
    return layer("rbd", options | (queue(block) if block else {}), pools)


def pool(name: str, answers: Mapping[str, Any], use: str = "") -> Tree:
    """The layers of a pool; `use` is what an image keeps in it."""
    found = answers.get("ceph_pools", {}).get(name, {})
    kinds = {1: "replicated", 3: "erasure"}
    kind = kinds.get(found["type"]) if isinstance(found.get("type"), int) else None
    pool_options = found.get("options")
    compression = pool_options.get("compression_mode") if isinstance(pool_options, dict) else None
    options: Options = {
        "type": kind,
        "size": found.get("size"),
        "min_size": found.get("min_size"),
        "pg_num": found.get("pg_num"),
        "erasure_profile": found.get("erasure_code_profile") if kind == "erasure" else None,
        "compression": compression,
        "use": use,
    }
    stores = answers.get("ceph_stores", {})
    osds = [layer("ceph_osd", {"store": store, "count": count}) for store, count in stores.items()]
    return layer("ceph_pool", options, osds)


def _ceph(command: str, seconds: int) -> str:
    return f"ceph --connect-timeout {seconds} {command} -f json"


_BUS = "/sys/bus/rbd/devices/*/"
_HERE = "ceph_here"
_OF_POOLS = ("type", "size", "min_size", "pg_num", "erasure_profile", "compression")

HEALTH = Probe(
    "ceph_health", N_("Ceph's health"), _health, _ceph("-s", 3), seconds=4, only_if=_HERE
)
PROBES = (
    Probe("rbd_mapped", "", _mapped, paths=(_BUS + "pool", _BUS + "name")),
    Probe(
        "rbd_info",
        N_("The RBD image"),
        _images,
        _IMAGES,
        seconds=10,
        only_if=_HERE,
        layers=("rbd.*", "ceph_pool.use"),
    ),
    Probe(
        "ceph_pools",
        N_("Ceph's pools"),
        _pools,
        _ceph("osd pool ls detail", 8),
        seconds=10,
        only_if=_HERE,
        layers=tuple(f"ceph_pool.{name}" for name in _OF_POOLS),
    ),
    Probe(
        "ceph_stores",
        N_("How Ceph's OSDs keep objects"),
        _stores,
        _ceph("osd count-metadata osd_objectstore", 8),
        seconds=10,
        only_if=_HERE,
        layers=("ceph_osd.*", "ceph_pool.below"),
    ),
)
