"""Filesystems that several machines mount: of a cluster (GFS2, OCFS2) or from afar (NFS, CephFS).

Defaults: gfs2(5), mkfs.gfs2(8), mount.ocfs2(8), nfs(5), mount.ceph(8).
"""

from __future__ import annotations

from benchdash.vocabulary.options import option
from benchdash.vocabulary.storage.filesystems import BARRIER, BLOCK, COMMIT, MOUNT
from benchdash.vocabulary.storage.kinds import Kind

MOUNTED_ON = option(
    "mounted_on",
    "integer",
    "On how many nodes it is mounted while the tool runs.",
    minimum=1,
    maximum=1000,
    unit="nodes",
)

SHARED_FILESYSTEMS = (
    Kind(
        "gfs2",
        "GFS2",
        "filesystem",
        "Shared by the nodes of a cluster, with DLM locks.",
        (
            *MOUNT,
            BLOCK,
            BARRIER,
            MOUNTED_ON,
            COMMIT,
            option(
                "data",
                "choice",
                "Order of data and journal.",
                choices=("ordered", "writeback"),
                default="ordered",
            ),
            option("lockproto", "choice", "Locking.", choices=("lock_dlm", "lock_nolock")),
            option("journals", "integer", "Journals made by mkfs.gfs2 -j.", minimum=1),
            option("journal_bytes", "bytes", "Size of a journal.", default="128M"),
            option(
                "quota",
                "choice",
                "Quota accounting.",
                choices=("off", "account", "on"),
                default="off",
                flags={"noquota": "off"},
            ),
            option("statfs_quantum_s", "seconds", "Time between statfs syncs.", default="30"),
        ),
        caption=("(mounted: {mounted_on})",),
    ),
    Kind(
        "ocfs2",
        "OCFS2",
        "filesystem",
        "Shared by the nodes of a cluster.",
        (
            *MOUNT,
            BLOCK,
            BARRIER,
            MOUNTED_ON,
            COMMIT,
            option(
                "data",
                "choice",
                "Order of data and journal.",
                choices=("ordered", "writeback"),
                default="ordered",
            ),
            option("cluster_bytes", "bytes", "Unit of allocation.", also=("cluster_size",)),
            option("node_slots", "integer", "Nodes that may mount it.", minimum=1, maximum=255),
        ),
        caption=("(mounted: {mounted_on})",),
    ),
    Kind(
        "nfs",
        "NFS",
        "filesystem",
        "A mount of an NFS export; what the server keeps it on stands below, on its node.",
        (
            *MOUNT,
            option("version", "text", "3, 4.0, 4.1, 4.2.", also=("vers", "nfsvers")),
            option("proto", "choice", "Transport.", choices=("tcp", "udp", "rdma")),
            option("rsize_bytes", "bytes", "Largest read.", also=("rsize",)),
            option("wsize_bytes", "bytes", "Largest write.", also=("wsize",)),
            option("hard", "switch", "Retry for ever.", flags={"soft": False}),
            option("ac", "switch", "Attributes are cached.", default="yes"),
            option("nconnect", "integer", "TCP connections.", minimum=1, maximum=16),
            option("export_sync", "switch", "The server answers after the data is on disk."),
        ),
        caption=("v{version}",),
    ),
    Kind(
        "cephfs",
        "CephFS",
        "filesystem",
        "CephFS; its pools stand below.",
        (
            *MOUNT,
            option("client", "choice", "Who mounts it.", choices=("kernel", "fuse")),
            option("active_mds", "integer", "Active metadata servers.", minimum=1),
            option("rsize_bytes", "bytes", "Largest read.", also=("rsize",)),
            option("wsize_bytes", "bytes", "Largest write.", also=("wsize",)),
        ),
    ),
)
