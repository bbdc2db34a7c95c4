"""What reaches over machines: iSCSI, Ceph; guests; and the machine as a recipe sets it."""

from __future__ import annotations

from benchdash.vocabulary.options import option
from benchdash.vocabulary.storage.devices import QUEUE
from benchdash.vocabulary.storage.kinds import Kind

CLUSTERS = (
    Kind(
        "iscsi",
        "iSCSI",
        "replication",
        "A LUN; what the target keeps it on stands below.",
        (
            option("target", "text", "LIO, tgt, SCST, an appliance's name."),
            option("header_digest", "switch", "CRC of headers.", default="no"),
            option("data_digest", "switch", "CRC of data.", default="no"),
            option("paths", "integer", "Sessions.", minimum=1),
            *QUEUE,
        ),
    ),
    Kind(
        "rbd",
        "RBD",
        "cluster",
        "A Ceph block image; its pool stands below.",
        (
            option("client", "choice", "Who maps it.", choices=("krbd", "librbd", "rbd-nbd")),
            option("size_bytes", "bytes", "Size of the image.", also=("size",)),
            option(
                "object_bytes", "bytes", "Size of an object.", default="4M", also=("object_size",)
            ),
            option("stripe_unit_bytes", "bytes", "Stripe unit.", also=("stripe_unit",)),
            option("stripe_count", "integer", "Objects of a stripe.", minimum=1),
            option("features", "text", "layering,exclusive-lock,object-map …"),
            option("cache", "switch", "librbd's cache.", also=("rbd_cache",)),
            *QUEUE,
        ),
    ),
    Kind(
        "ceph_pool",
        "Ceph pool",
        "cluster",
        "A pool; its OSDs stand below.",
        (
            option(
                "type",
                "choice",
                "How copies are made.",
                choices=("replicated", "erasure"),
                default="replicated",
            ),
            option(
                "size",
                "integer",
                "Replicas.",
                minimum=1,
                maximum=10,
                default="3",
                also=("replicas",),
            ),
            option("min_size", "integer", "Replicas a write needs.", minimum=1, maximum=10),
            option("pg_num", "integer", "Placement groups.", minimum=1),
            option("erasure_profile", "text", "k=4 m=2 …"),
            option(
                "compression",
                "choice",
                "Compression of BlueStore.",
                choices=("none", "passive", "aggressive", "force"),
                default="none",
            ),
        ),
        caption=("size {size}",),
    ),
    Kind(
        "ceph_osd",
        "Ceph OSD",
        "cluster",
        "An OSD; its devices stand below (use=journal, use=metadata).",
        (
            option(
                "store", "choice", "Object store.", choices=("filestore", "bluestore", "memstore")
            ),
            option("journal_bytes", "bytes", "Journal of FileStore.", also=("journal_size",)),
        ),
        caption=("{store}",),
        quiet=True,
    ),
    Kind(
        "vm",
        "VM",
        "host",
        "Guests that run the tool; what holds their disk stands below.",
        (
            option("guests", "integer", "Guests at the same time.", minimum=1, maximum=10_000),
            option(
                "hypervisor",
                "choice",
                "Hypervisor.",
                choices=("kvm", "xen", "vmware", "hyper-v", "virtualbox"),
            ),
            option(
                "bus",
                "choice",
                "How the guest sees the disk.",
                choices=("virtio", "virtio-scsi", "scsi", "sata", "ide", "xen", "nvme"),
            ),
            option(
                "cache",
                "choice",
                "Cache mode of the disk.",
                choices=("none", "writethrough", "writeback", "directsync", "unsafe"),
            ),
            option(
                "io",
                "choice",
                "How the host does the I/O.",
                choices=("threads", "native", "io_uring"),
            ),
            option("iothread", "switch", "The disk has a thread of its own."),
            option("format", "choice", "Image format.", choices=("raw", "qcow2", "vmdk", "vhdx")),
            option("vcpus", "integer", "Virtual CPUs of a guest.", minimum=1),
            option("memory_bytes", "bytes", "Memory of a guest.", also=("memory",)),
        ),
        caption=("× {guests}",),
        aliases=("guest",),
    ),
    Kind(
        "system",
        "system",
        "host",
        "What a recipe sets on the machine that runs the tool.",
        (
            option(
                "drop_caches",
                "choice",
                "When the page cache is dropped.",
                choices=("never", "before each run"),
            ),
            option(
                "vm.dirty_ratio",
                "integer",
                "sysctl, in percent.",
                unit="%",
                minimum=0,
                maximum=100,
                default="20",
            ),
            option(
                "vm.dirty_background_ratio",
                "integer",
                "sysctl, in percent.",
                unit="%",
                minimum=0,
                maximum=100,
                default="10",
            ),
            option("vm.dirty_bytes", "bytes", "sysctl."),
            option("vm.dirty_background_bytes", "bytes", "sysctl."),
            option("vm.dirty_expire_centisecs", "integer", "sysctl.", minimum=0, default="3000"),
            option("vm.dirty_writeback_centisecs", "integer", "sysctl.", minimum=0, default="500"),
            option("vm.swappiness", "integer", "sysctl.", minimum=0, maximum=200, default="60"),
            option("vm.vfs_cache_pressure", "integer", "sysctl.", minimum=0, default="100"),
            option("cpu_governor", "text", "performance, powersave …"),
            option(
                "transparent_hugepage",
                "choice",
                "Huge pages.",
                choices=("always", "madvise", "never"),
            ),
        ),
        quiet=True,
    ),
)
