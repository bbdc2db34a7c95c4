"""Stacks that people build often, to begin with."""

from __future__ import annotations

from dataclasses import dataclass

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _


@dataclass(frozen=True, slots=True)
class CommonStack:
    """A name for the link, and the layers in the notation."""

    title: str | Promise
    layers: str


COMMON_STACKS = {
    "local": CommonStack(_("ext4 on one disk"), "ext4\ndisk"),
    "lvm": CommonStack(_("XFS on LVM"), "xfs\nlvm\ndisk"),
    "raid6": CommonStack(
        _("ext4 on LVM on RAID 6"),
        "ext4 barrier=1,data=ordered\nlvm\nmd level=6 chunk=512K\ndisk count=8",
    ),
    "drbd": CommonStack(
        _("ext4 on a DRBD pair"),
        "ext4\ndrbd protocol=C roles=Primary/Secondary\n- lvm\n  disk\n- lvm @node-b\n  disk",
    ),
    "gfs2": CommonStack(
        _("GFS2 on both nodes of a DRBD pair"),
        "gfs2 mounted_on=2\ndrbd protocol=C roles=Primary/Primary allow_two_primaries=yes\n"
        "- lvm\n  disk\n- lvm @node-b\n  disk",
    ),
    "ceph": CommonStack(
        _("Ceph RBD in a guest"),
        "vm guests=1 hypervisor=kvm bus=virtio cache=none\nrbd client=librbd\n"
        "ceph_pool size=3\nceph_osd store=bluestore count=9\ndisk",
    ),
}
