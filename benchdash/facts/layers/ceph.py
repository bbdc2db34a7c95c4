"""The layers of an RBD image: the image, its pool, the OSDs."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from benchdash.facts.layers.disks import queue
from benchdash.facts.layers.layer import Tree, layer
from benchdash.facts.probes.block import Block

Words = dict[str, object]


def rbd(image: str, answers: Mapping[str, Any], block: Block | None = None) -> Tree:
    """`image` is `pool/image`; with a `block` the kernel maps it, else a tool opens it itself."""
    info = answers.get("rbd_info", {}).get(image, {})
    features = info.get("features")
    words: Words = {
        "client": "krbd" if block else "librbd",
        "size_bytes": info.get("size") or (block.size_bytes if block else None),
        "object_bytes": info.get("object_size"),
        "stripe_unit_bytes": info.get("stripe_unit"),
        "stripe_count": info.get("stripe_count"),
        "features": ",".join(map(str, features)) if isinstance(features, list) else None,
    }
    own, data = image.partition("/")[0], info.get("data_pool")
    pools = [_pool(own, answers)]
    if isinstance(data, str):
        pools = [_pool(data, answers, use="data"), _pool(own, answers, use="metadata")]
    return layer("rbd", words | (queue(block) if block else {}), pools)


def _pool(name: str, answers: Mapping[str, Any], use: str = "") -> Tree:
    said = answers.get("ceph_pools", {}).get(name, {})
    kinds = {1: "replicated", 3: "erasure"}
    kind = kinds.get(said["type"]) if isinstance(said.get("type"), int) else None
    options = said.get("options")
    compression = options.get("compression_mode") if isinstance(options, dict) else None
    words: Words = {
        "type": kind,
        "size": said.get("size"),
        "min_size": said.get("min_size"),
        "pg_num": said.get("pg_num"),
        "erasure_profile": said.get("erasure_code_profile") if kind == "erasure" else None,
        "compression": compression,
        "use": use,
    }
    stores = answers.get("ceph_stores", {})
    osds = [layer("ceph_osd", {"store": store, "count": count}) for store, count in stores.items()]
    return layer("ceph_pool", words, osds)
