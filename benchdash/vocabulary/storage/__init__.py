"""Storage stacks: the kinds of layer, their typed options, and the canonical form of a stack.

A stack is a tree `{"kind", "node", "options", "below": […]}` from the filesystem down to the
disks. `normal_form` checks it and puts it into canonical form; `notation` reads and prints it as
text that people can type.
"""

from __future__ import annotations

from benchdash.vocabulary.options import Option, Value
from benchdash.vocabulary.storage.clusters import CLUSTERS
from benchdash.vocabulary.storage.devices import DEVICES
from benchdash.vocabulary.storage.drbd import DRBD
from benchdash.vocabulary.storage.filesystems import FILESYSTEMS
from benchdash.vocabulary.storage.kinds import Kind
from benchdash.vocabulary.storage.shared_filesystems import SHARED_FILESYSTEMS
from benchdash.vocabulary.storage.volumes import VOLUMES

_ALL = (*FILESYSTEMS, *SHARED_FILESYSTEMS, *VOLUMES, *DEVICES, DRBD, *CLUSTERS)
KINDS = {kind.name: kind for kind in _ALL}
KIND_WORDS = KINDS | {alias: kind for kind in KINDS.values() for alias in kind.aliases}


def kind_named(name: str) -> Kind:
    """The kind of a stored layer; one that is no longer known has nothing but its name."""
    return KINDS.get(name) or Kind(name, name, "unknown", "")


__all__ = ["KINDS", "KIND_WORDS", "Kind", "Option", "Value", "kind_named"]
