"""Block devices built on block devices: LVM, RAID, encryption, caches, multipath.

Defaults and ranges: lvcreate(8), mdadm(8), md(4), cryptsetup(8), the kernel's documentation of
bcache and of md's sysfs.
"""

from __future__ import annotations

from benchdash.errors import N_
from benchdash.vocabulary.options import option
from benchdash.vocabulary.storage.devices import QUEUE
from benchdash.vocabulary.storage.kinds import Kind

KIB = 1024

VOLUMES = (
    Kind(
        "lvm",
        "LVM",
        "volume",
        N_("A logical volume; its physical volumes are below it."),
        (
            option(
                "type",
                "choice",
                N_("Segment type."),
                choices=("linear", "striped", "mirror", "raid", "thin", "snapshot", "cache"),
                default="linear",
            ),
            option("stripes", "integer", N_("Stripes (lvcreate -i)."), minimum=1, maximum=128),
            option(
                "stripe_bytes",
                "bytes",
                N_("Size of a stripe (lvcreate -I)."),
                multiple_of=512,
                default="64K",
                aliases={"stripesize": KIB, "stripe_size": KIB},
            ),
            option(
                "chunk_bytes", "bytes", N_("Chunk of a thin pool or snapshot."), multiple_of=512
            ),
            option("extent_bytes", "bytes", N_("Physical extent."), default="4M"),
            option(
                "data_alignment_bytes",
                "bytes",
                N_("pvcreate --dataalignment."),
                default="1M",
                follows=True,
            ),
            option(
                "cluster", "switch", N_("Clustered volume group (clvmd, lvmlockd)."), default="no"
            ),
            option("size_bytes", "bytes", N_("Size of the volume."), also=("size",)),
        ),
        aliases=("lv", "logical_volume"),
    ),
    Kind(
        "md",
        "md",
        "volume",
        N_("Linux software RAID; one leg per member, or count= on one leg."),
        (
            option(
                "level",
                "choice",
                N_("RAID level."),
                choices=("linear", "0", "1", "4", "5", "6", "10"),
                flags={f"raid{level}": str(level) for level in (0, 1, 4, 5, 6, 10)},
            ),
            option(
                "devices",
                "integer",
                N_("Active members."),
                minimum=1,
                maximum=384,
                also=("raid_devices",),
            ),
            option("spares", "integer", N_("Spare members."), minimum=0, also=("spare_devices",)),
            option(
                "chunk_bytes",
                "bytes",
                N_("Chunk size."),
                minimum=4 * KIB,
                multiple_of=4 * KIB,
                default="512K",
                aliases={"chunk": KIB},
            ),
            option(
                "metadata",
                "choice",
                N_("Superblock version."),
                choices=("0.90", "1.0", "1.1", "1.2", "ddf", "imsm"),
                default="1.2",
            ),
            option("layout", "text", N_("left-symmetric, n2, f2, o2 …")),
            option(
                "bitmap",
                "choice",
                N_("Write-intent bitmap."),
                choices=("none", "internal", "external"),
                flags={"nobitmap": "none"},
            ),
            option(
                "stripe_cache_size",
                "integer",
                N_("Stripe cache of RAID 4, 5 and 6, in pages per member."),
                minimum=17,
                maximum=32768,
                default="256",
            ),
            option(
                "group_thread_cnt",
                "integer",
                N_("Threads that handle stripes."),
                minimum=0,
                default="0",
            ),
            option("preread_bypass_threshold", "integer", N_("Full-stripe preference."), minimum=0),
        ),
        caption=("RAID{level}",),
        aliases=("mdraid", "software_raid"),
    ),
    Kind(
        "raid",
        "RAID",
        "volume",
        N_("Controller RAID, or RAID of an unknown kind."),
        (
            option(
                "level",
                "choice",
                N_("RAID level."),
                choices=("0", "1", "5", "6", "10", "50", "60"),
                flags={f"raid{level}": str(level) for level in (0, 1, 5, 6, 10, 50, 60)},
            ),
            option("controller", "text", N_("Model of the controller.")),
            option("devices", "integer", N_("Active members."), minimum=1, maximum=1000),
            option("chunk_bytes", "bytes", N_("Strip size on one member."), aliases={"chunk": KIB}),
            option(
                "write_policy",
                "choice",
                N_("When a write completes."),
                choices=("write-back", "write-through"),
            ),
            option("read_ahead", "switch", N_("The controller reads ahead.")),
            option("cache_bytes", "bytes", N_("Memory of the controller."), also=("cache",)),
            option("battery", "switch", N_("The cache survives a power failure."), also=("bbu",)),
            *QUEUE,
        ),
        caption=("{level}",),
        aliases=("hardware_raid", "raid_controller"),
    ),
    Kind(
        "dm_crypt",
        "dm-crypt",
        "volume",
        N_("Encryption (LUKS or plain)."),
        (
            option("cipher", "text", N_("aes-xts-plain64 …")),
            option("key_bits", "integer", N_("Key size."), unit="bit", minimum=64, maximum=1024),
            option("sector_bytes", "bytes", N_("Encryption sector."), default="512"),
            option("read_workqueue", "switch", N_("Reads go through a work queue."), default="yes"),
            option(
                "write_workqueue", "switch", N_("Writes go through a work queue."), default="yes"
            ),
        ),
        aliases=("luks",),
    ),
    Kind(
        "bcache",
        "bcache",
        "volume",
        N_("A cache device in front of a backing device (use=cache on the leg)."),
        (
            option(
                "mode",
                "choice",
                N_("Cache mode."),
                choices=("writethrough", "writeback", "writearound", "none"),
                default="writethrough",
                also=("cache_mode",),
            ),
            option(
                "sequential_cutoff_bytes",
                "bytes",
                N_("Longer sequential I/O bypasses the cache."),
                default="4M",
                also=("sequential_cutoff",),
            ),
            option(
                "writeback_percent",
                "integer",
                N_("Target share of dirty data."),
                minimum=0,
                maximum=40,
            ),
        ),
        caption=("{mode}",),
    ),
    Kind(
        "multipath",
        "multipath",
        "volume",
        N_("Several paths to one device."),
        (
            option("policy", "text", N_("failover, multibus, group_by_prio …")),
            option("selector", "text", N_("service-time 0, round-robin 0 …")),
            option("paths", "integer", N_("Active paths."), minimum=1),
            *QUEUE,
        ),
    ),
)
