"""Filesystems that several machines mount: of a cluster (GFS2, OCFS2) or over a network (NFS, CephFS).

Defaults: gfs2(5), mkfs.gfs2(8), mount.ocfs2(8), nfs(5), mount.ceph(8).
"""

from __future__ import annotations

from benchdash.errors import N_
from benchdash.vocabulary.options import option
from benchdash.vocabulary.storage.filesystems import BARRIER, BLOCK, COMMIT, MOUNT
from benchdash.vocabulary.storage.kinds import Kind

MOUNTED_ON = option(
    "mounted_on",
    "integer",
    N_("Number of nodes that mount it while the tool runs."),
    minimum=1,
    maximum=1000,
    unit="nodes",
)

SHARED_FILESYSTEMS = (
    Kind(
        "gfs2",
        "GFS2",
        "filesystem",
        N_("Shared by the nodes of a cluster, with DLM locks."),
        (
            *MOUNT,
            BLOCK,
            BARRIER,
            MOUNTED_ON,
            COMMIT,
            option(
                "data",
                "choice",
                N_("Order of data and journal."),
                choices=("ordered", "writeback"),
                default="ordered",
            ),
            option("lockproto", "choice", N_("Locking."), choices=("lock_dlm", "lock_nolock")),
            option("journals", "integer", N_("Journals made by mkfs.gfs2 -j."), minimum=1),
            option("journal_bytes", "bytes", N_("Size of a journal."), default="128M"),
            option(
                "quota",
                "choice",
                N_("Quota accounting."),
                choices=("off", "account", "on"),
                default="off",
                flags={"noquota": "off"},
            ),
            option("statfs_quantum_s", "seconds", N_("Time between statfs syncs."), default="30"),
        ),
        caption=("(mounted: {mounted_on})",),
    ),
    Kind(
        "ocfs2",
        "OCFS2",
        "filesystem",
        N_("Shared by the nodes of a cluster."),
        (
            *MOUNT,
            BLOCK,
            BARRIER,
            MOUNTED_ON,
            COMMIT,
            option(
                "data",
                "choice",
                N_("Order of data and journal."),
                choices=("ordered", "writeback"),
                default="ordered",
            ),
            option("cluster_bytes", "bytes", N_("Unit of allocation."), also=("cluster_size",)),
            option("node_slots", "integer", N_("Nodes that may mount it."), minimum=1, maximum=255),
        ),
        caption=("(mounted: {mounted_on})",),
    ),
    Kind(
        "nfs",
        "NFS",
        "filesystem",
        N_("A mount of an NFS export; the server's storage is below it, on the server's node."),
        (
            *MOUNT,
            option("version", "text", N_("3, 4.0, 4.1, 4.2."), also=("vers", "nfsvers")),
            option("proto", "choice", N_("Transport."), choices=("tcp", "udp", "rdma")),
            option("rsize_bytes", "bytes", N_("Largest read."), also=("rsize",)),
            option("wsize_bytes", "bytes", N_("Largest write."), also=("wsize",)),
            option("hard", "switch", N_("Retry indefinitely."), flags={"soft": False}),
            option("ac", "switch", N_("Attributes are cached."), default="yes"),
            option("nconnect", "integer", N_("TCP connections."), minimum=1, maximum=16),
            option("export_sync", "switch", N_("The server replies once the data is on disk.")),
        ),
        caption=("v{version}",),
    ),
    Kind(
        "cephfs",
        "CephFS",
        "filesystem",
        N_("CephFS; its pools are below it."),
        (
            *MOUNT,
            option("client", "choice", N_("Client that mounts it."), choices=("kernel", "fuse")),
            option("active_mds", "integer", N_("Active metadata servers."), minimum=1),
            option("rsize_bytes", "bytes", N_("Largest read."), also=("rsize",)),
            option("wsize_bytes", "bytes", N_("Largest write."), also=("wsize",)),
        ),
    ),
)
