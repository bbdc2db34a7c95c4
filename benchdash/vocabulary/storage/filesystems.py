"""Local filesystems, with the options of mkfs and mount.

Defaults are those of mke2fs(8), mkfs.xfs(8), mount(8) and of the kernel's documentation of each
filesystem; the kernel and the tools may have been built with others.
"""

from __future__ import annotations

from dataclasses import replace

from benchdash.errors import N_
from benchdash.vocabulary.options import option
from benchdash.vocabulary.storage.kinds import Kind

KIB = 1024

ATIME = option(
    "atime",
    "choice",
    N_("When reading updates a file's access time."),
    choices=("strictatime", "relatime", "noatime", "lazytime"),
    default="relatime",
    flags={word: word for word in ("strictatime", "relatime", "noatime", "lazytime")},
)
DIRATIME = option(
    "diratime", "switch", N_("Reading a directory updates its access time."), default="yes"
)
DISCARD = option(
    "discard", "switch", N_("Discard freed blocks at once (online TRIM)."), default="no"
)
SYNC = option(
    "sync",
    "switch",
    N_("All writes are synchronous."),
    default="no",
    flags={"async": False},
)
READ_ONLY = option(
    "read_only", "switch", N_("Mounted read-only."), default="no", flags={"ro": True, "rw": False}
)
OTHER = option(
    "other_mount_options", "text", N_("Mount options that have no field here, as mounted.")
)
MOUNT = (ATIME, DIRATIME, DISCARD, SYNC, READ_ONLY, OTHER)

BLOCK = option(
    "block_bytes",
    "bytes",
    N_("Block size of the filesystem."),
    minimum=512,
    maximum=64 * KIB,
    multiple_of=512,
    default="4K",
    also=("block_size", "bsize"),
)
BARRIER = option(
    "barrier",
    "switch",
    N_("Flush the device's write cache to keep the journal in order."),
    default="yes",
    also=("barriers",),
)
COMMIT = option("commit_s", "seconds", N_("Longest time between commits."), also=("commit",))

_EXT = (
    *MOUNT,
    BLOCK,
    option("inode_bytes", "bytes", N_("Size of an inode."), default="256", also=("inode_size",)),
    option(
        "stride",
        "integer",
        N_("RAID chunk in blocks (mke2fs -E stride)."),
        minimum=0,
        follows=True,
    ),
    option(
        "stripe_width",
        "integer",
        N_("Data chunks of a stripe in blocks (mke2fs -E stripe-width)."),
        minimum=0,
        follows=True,
    ),
    option(
        "reserved_percent",
        "number",
        N_("Blocks kept for root, in percent (mke2fs -m)."),
        minimum=0,
        maximum=50,
        default="5",
    ),
)
_JOURNALED = (
    option(
        "data",
        "choice",
        N_("What goes through the journal."),
        choices=("ordered", "writeback", "journal"),
        default="ordered",
    ),
    option("nobh", "switch", N_("No buffer heads for data."), default="no", flags={"bh": False}),
    COMMIT,
    option(
        "journal_bytes",
        "bytes",
        N_("Size of the journal."),
        also=("journal_size",),
        follows=True,  # the size of the filesystem
    ),
)
# off by default until Linux 3.1
_EXT3_BARRIER = replace(BARRIER, default="")
_EXT4 = (
    BARRIER,
    option(
        "delalloc",
        "switch",
        N_("Allocate blocks when written back."),
        default="yes",
        follows=True,  # data=journal switches it off
    ),
    option("journal_checksum", "switch", N_("Checksums in the journal.")),
    option("journal_async_commit", "switch", N_("Write commit blocks without waiting.")),
    option("auto_da_alloc", "switch", N_("Write out on replace by rename."), default="yes"),
    option(
        "dioread_lock",
        "switch",
        N_("Direct reads take the inode lock."),
        flags={"dioread_nolock": False, "nodioread_nolock": True},
        follows=True,  # data=journal, and the size of blocks
    ),
    option(
        "stripe",
        "integer",
        N_("Stripe the allocator aligns to, in blocks."),
        minimum=0,
        follows=True,
    ),
    option(
        "inode_readahead_blks", "integer", N_("Inode table read ahead."), minimum=0, default="32"
    ),
    option(
        "max_batch_time_us",
        "integer",
        N_("Wait to batch commits."),
        unit="µs",
        default="15000",
        also=("max_batch_time",),
    ),
    option("journal", "switch", N_("The filesystem has a journal."), default="yes"),
)

FILESYSTEMS = (
    Kind("ext2", "ext2", "filesystem", N_("ext2, no journal."), _EXT),
    Kind(
        "ext3",
        "ext3",
        "filesystem",
        N_("ext2 with a journal."),
        (*_EXT, *_JOURNALED, _EXT3_BARRIER),
    ),
    Kind("ext4", "ext4", "filesystem", N_("ext4."), (*_EXT, *_JOURNALED, *_EXT4)),
    Kind(
        "xfs",
        "XFS",
        "filesystem",
        N_("XFS."),
        (
            *MOUNT,
            BLOCK,
            BARRIER,
            option("stripe_unit_bytes", "bytes", N_("mkfs.xfs -d su."), also=("su",), follows=True),
            option(
                "stripe_units",
                "integer",
                N_("mkfs.xfs -d sw: stripe units."),
                also=("sw",),
                follows=True,
            ),
            option(
                "sunit",
                "integer",
                N_("Stripe unit as mounted, in 512-byte sectors."),
                minimum=0,
                follows=True,
            ),
            option(
                "swidth",
                "integer",
                N_("Stripe width as mounted, in sectors."),
                minimum=0,
                follows=True,
            ),
            option("agcount", "integer", N_("Allocation groups."), minimum=1),
            option("log_bytes", "bytes", N_("Size of the log."), also=("log_size",)),
            option("logbufs", "integer", N_("Log buffers in memory."), minimum=2, maximum=8),
            option("logbsize_bytes", "bytes", N_("Size of a log buffer."), also=("logbsize",)),
            option(
                "allocsize_bytes", "bytes", N_("Preallocation when writing."), also=("allocsize",)
            ),
            option("inode64", "switch", N_("Inodes anywhere on the volume."), default="yes"),
            option("largeio", "switch", N_("Report the stripe width as the optimal I/O size.")),
            option("reflink", "switch", N_("Shared extents."), default="yes"),
        ),
    ),
    Kind(
        "btrfs",
        "Btrfs",
        "filesystem",
        N_("Btrfs; its profiles act as RAID."),
        (
            *MOUNT,
            BARRIER,
            COMMIT,
            option("data_profile", "text", N_("single, raid0, raid1, raid10, raid6 …")),
            option("metadata_profile", "text", N_("Metadata profile.")),
            option("compress", "text", N_("zlib, lzo, zstd:3 …"), default="no"),
            option("datacow", "switch", N_("Copy on write of data."), default="yes"),
            option("datasum", "switch", N_("Checksums of data."), default="yes"),
            option("space_cache", "text", N_("v1 or v2."), flags={"space_cache": "v1"}),
            option("ssd", "switch", N_("Allocate for an SSD.")),
            option("autodefrag", "switch", N_("Defragment small random writes."), default="no"),
        ),
    ),
    Kind(
        "zfs",
        "ZFS",
        "filesystem",
        N_("A dataset and its pool."),
        (
            ATIME,
            option(
                "record_bytes", "bytes", N_("recordsize."), default="128K", also=("recordsize",)
            ),
            option("compression", "text", N_("off, lz4, zstd-3 …"), default="lz4"),
            option(
                "sync",
                "choice",
                N_("When synchronous writes reach the log."),
                choices=("standard", "always", "disabled"),
                default="standard",
            ),
            option(
                "logbias",
                "choice",
                N_("What synchronous writes are tuned for."),
                choices=("latency", "throughput"),
                default="latency",
            ),
            option(
                "primarycache",
                "choice",
                N_("What the ARC holds."),
                choices=("all", "metadata", "none"),
                default="all",
            ),
            option(
                "ashift", "integer", N_("Sector size as a power of two."), minimum=9, maximum=16
            ),
            option("vdev", "text", N_("mirror, raidz1, raidz2, draid …")),
        ),
    ),
    Kind(
        "tmpfs",
        "tmpfs",
        "filesystem",
        N_("Memory."),
        (
            option("size_bytes", "bytes", N_("Largest size."), also=("size",)),
            option("huge", "text", N_("Huge pages: never, always, within_size, advise.")),
            OTHER,
        ),
        leaf=True,
    ),
)
