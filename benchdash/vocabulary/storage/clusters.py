"""Layers beyond one machine (iSCSI, Ceph), virtual machines, and the host's own tunables."""

from __future__ import annotations

from benchdash.errors import N_
from benchdash.vocabulary.options import option
from benchdash.vocabulary.storage.devices import QUEUE
from benchdash.vocabulary.storage.kinds import Kind

CLUSTERS = (
    Kind(
        "iscsi",
        "iSCSI",
        "replication",
        N_("A LUN; the target's storage is below it."),
        (
            option("target", "text", N_("LIO, tgt, SCST, an appliance's name.")),
            option("header_digest", "switch", N_("CRC of headers."), default="no"),
            option("data_digest", "switch", N_("CRC of data."), default="no"),
            option("paths", "integer", N_("Sessions."), minimum=1),
            *QUEUE,
        ),
    ),
    Kind(
        "rbd",
        "RBD",
        "cluster",
        N_("A Ceph block image; its pool is below it."),
        (
            option(
                "client",
                "choice",
                N_("Client that maps it."),
                choices=("krbd", "librbd", "rbd-nbd"),
            ),
            option("size_bytes", "bytes", N_("Size of the image."), also=("size",)),
            option(
                "object_bytes",
                "bytes",
                N_("Size of an object."),
                default="4M",
                also=("object_size",),
            ),
            option("stripe_unit_bytes", "bytes", N_("Stripe unit."), also=("stripe_unit",)),
            option("stripe_count", "integer", N_("Objects of a stripe."), minimum=1),
            option("features", "text", N_("layering,exclusive-lock,object-map …")),
            option("cache", "switch", N_("librbd's cache."), also=("rbd_cache",)),
            *QUEUE,
        ),
    ),
    Kind(
        "ceph_pool",
        "Ceph pool",
        "cluster",
        N_("A pool; its OSDs are below it."),
        (
            option(
                "type",
                "choice",
                N_("Replication or erasure coding."),
                choices=("replicated", "erasure"),
                default="replicated",
            ),
            option(
                "size",
                "integer",
                N_("Replicas."),
                minimum=1,
                maximum=10,
                default="3",
                also=("replicas",),
            ),
            option(
                "min_size", "integer", N_("Replicas required for a write."), minimum=1, maximum=10
            ),
            option("pg_num", "integer", N_("Placement groups."), minimum=1),
            option("erasure_profile", "text", N_("k=4 m=2 …")),
            option(
                "compression",
                "choice",
                N_("Compression of BlueStore."),
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
        N_("An OSD; its devices are below it (use=journal, use=metadata)."),
        (
            option(
                "store",
                "choice",
                N_("Object store."),
                choices=("filestore", "bluestore", "memstore"),
            ),
            option("journal_bytes", "bytes", N_("Journal of FileStore."), also=("journal_size",)),
        ),
        caption=("{store}",),
        quiet=True,
    ),
    Kind(
        "vm",
        "VM",
        "host",
        N_("Guests that run the tool; the storage of their disk is below them."),
        (
            option("guests", "integer", N_("Concurrent guests."), minimum=1, maximum=10_000),
            option(
                "hypervisor",
                "choice",
                N_("Hypervisor."),
                choices=("kvm", "xen", "vmware", "hyper-v", "virtualbox"),
            ),
            option(
                "bus",
                "choice",
                N_("How the guest sees the disk."),
                choices=("virtio", "virtio-scsi", "scsi", "sata", "ide", "xen", "nvme"),
            ),
            option(
                "cache",
                "choice",
                N_("Cache mode of the disk."),
                choices=("none", "writethrough", "writeback", "directsync", "unsafe"),
            ),
            option(
                "io",
                "choice",
                N_("I/O mode on the host."),
                choices=("threads", "native", "io_uring"),
            ),
            option("iothread", "switch", N_("A dedicated I/O thread for the disk.")),
            option(
                "format", "choice", N_("Image format."), choices=("raw", "qcow2", "vmdk", "vhdx")
            ),
            option("vcpus", "integer", N_("Virtual CPUs of a guest."), minimum=1),
            option("memory_bytes", "bytes", N_("Memory of a guest."), also=("memory",)),
        ),
        caption=("× {guests}",),
        aliases=("guest",),
    ),
    Kind(
        "system",
        "system",
        "host",
        N_("Host-wide tunables of the machine that runs the tool."),
        (
            option(
                "drop_caches",
                "choice",
                N_("When the page cache is dropped."),
                choices=("never", "before each run"),
            ),
            option(
                "vm.dirty_ratio",
                "integer",
                N_("sysctl, in percent."),
                unit="%",
                minimum=0,
                maximum=100,
                default="20",
            ),
            option(
                "vm.dirty_background_ratio",
                "integer",
                N_("sysctl, in percent."),
                unit="%",
                minimum=0,
                maximum=100,
                default="10",
            ),
            option("vm.dirty_bytes", "bytes", N_("sysctl.")),
            option("vm.dirty_background_bytes", "bytes", N_("sysctl.")),
            option(
                "vm.dirty_expire_centisecs", "integer", N_("sysctl."), minimum=0, default="3000"
            ),
            option(
                "vm.dirty_writeback_centisecs", "integer", N_("sysctl."), minimum=0, default="500"
            ),
            option("vm.swappiness", "integer", N_("sysctl."), minimum=0, maximum=200, default="60"),
            option("vm.vfs_cache_pressure", "integer", N_("sysctl."), minimum=0, default="100"),
            option("cpu_governor", "text", N_("performance, powersave …")),
            option(
                "transparent_hugepage",
                "choice",
                N_("Huge pages."),
                choices=("always", "madvise", "never"),
            ),
        ),
        quiet=True,
    ),
)
