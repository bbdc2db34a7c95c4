"""Filesystems, local, shared and remote, with what mkfs and mount can set.

Defaults are those of mke2fs(8), mkfs.xfs(8), mount(8) and of the kernel's documentation of each
filesystem; the kernel and the tools may have been built with others.
"""

from __future__ import annotations

from dataclasses import replace

from benchdash.vocabulary.options import option
from benchdash.vocabulary.storage.kinds import Kind

KIB = 1024

ATIME = option(
    "atime",
    "choice",
    "When reading updates a file's access time.",
    choices=("strictatime", "relatime", "noatime", "lazytime"),
    default="relatime",
    flags={word: word for word in ("strictatime", "relatime", "noatime", "lazytime")},
)
DIRATIME = option(
    "diratime", "switch", "Reading a directory updates its access time.", default="yes"
)
DISCARD = option("discard", "switch", "Tell the device of freed blocks at once.", default="no")
SYNC = option(
    "sync",
    "switch",
    "All writes are synchronous.",
    default="no",
    flags={"async": False},
)
READ_ONLY = option(
    "read_only", "switch", "Mounted read-only.", default="no", flags={"ro": True, "rw": False}
)
OTHER = option("other_mount_options", "text", "Mount options that have no word here, as mounted.")
MOUNT = (ATIME, DIRATIME, DISCARD, SYNC, READ_ONLY, OTHER)

BLOCK = option(
    "block_bytes",
    "bytes",
    "Block size of the filesystem.",
    minimum=512,
    maximum=64 * KIB,
    multiple_of=512,
    default="4K",
    also=("block_size", "bsize"),
)
BARRIER = option(
    "barrier",
    "switch",
    "Flush the device's write cache where the journal needs an order.",
    default="yes",
    also=("barriers",),
)
COMMIT = option("commit_s", "seconds", "Longest time between commits.", also=("commit",))

_EXT = (
    *MOUNT,
    BLOCK,
    option("inode_bytes", "bytes", "Size of an inode.", default="256", also=("inode_size",)),
    option("stride", "integer", "RAID chunk in blocks (mke2fs -E stride).", minimum=0),
    option(
        "stripe_width",
        "integer",
        "Data chunks of a stripe in blocks (mke2fs -E stripe-width).",
        minimum=0,
    ),
    option(
        "reserved_percent",
        "number",
        "Blocks kept for root, in percent (mke2fs -m).",
        minimum=0,
        maximum=50,
        default="5",
    ),
)
_JOURNALED = (
    option(
        "data",
        "choice",
        "What goes through the journal.",
        choices=("ordered", "writeback", "journal"),
        default="ordered",
    ),
    option("nobh", "switch", "No buffer heads for data.", default="no", flags={"bh": False}),
    COMMIT,
    option("journal_bytes", "bytes", "Size of the journal.", also=("journal_size",)),
)
# off by default until Linux 3.1
_EXT3_BARRIER = replace(BARRIER, default="")
_EXT4 = (
    BARRIER,
    option("delalloc", "switch", "Allocate blocks when written back.", default="yes"),
    option("journal_checksum", "switch", "Checksums in the journal."),
    option("journal_async_commit", "switch", "Commit blocks need no wait."),
    option("auto_da_alloc", "switch", "Write out on replace by rename.", default="yes"),
    option(
        "dioread_lock",
        "switch",
        "Direct reads take the inode lock.",
        flags={"dioread_nolock": False, "nodioread_nolock": True},
    ),
    option("stripe", "integer", "Stripe the allocator aligns to, in blocks.", minimum=0),
    option("inode_readahead_blks", "integer", "Inode table read ahead.", minimum=0, default="32"),
    option(
        "max_batch_time_us",
        "integer",
        "Wait to batch commits.",
        unit="µs",
        default="15000",
        also=("max_batch_time",),
    ),
    option("journal", "switch", "The filesystem has a journal.", default="yes"),
)

FILESYSTEMS = (
    Kind("ext2", "ext2", "filesystem", "ext2, no journal.", _EXT),
    Kind("ext3", "ext3", "filesystem", "ext2 with a journal.", (*_EXT, *_JOURNALED, _EXT3_BARRIER)),
    Kind("ext4", "ext4", "filesystem", "ext4.", (*_EXT, *_JOURNALED, *_EXT4)),
    Kind(
        "xfs",
        "XFS",
        "filesystem",
        "XFS.",
        (
            *MOUNT,
            BLOCK,
            BARRIER,
            option("stripe_unit_bytes", "bytes", "mkfs.xfs -d su.", also=("su",)),
            option("stripe_units", "integer", "mkfs.xfs -d sw: stripe units.", also=("sw",)),
            option("sunit", "integer", "Stripe unit as mounted, in 512-byte sectors.", minimum=0),
            option("swidth", "integer", "Stripe width as mounted, in sectors.", minimum=0),
            option("agcount", "integer", "Allocation groups.", minimum=1),
            option("log_bytes", "bytes", "Size of the log.", also=("log_size",)),
            option("logbufs", "integer", "Log buffers in memory.", minimum=2, maximum=8),
            option("logbsize_bytes", "bytes", "Size of a log buffer.", also=("logbsize",)),
            option("allocsize_bytes", "bytes", "Preallocation when writing.", also=("allocsize",)),
            option("inode64", "switch", "Inodes anywhere.", default="yes"),
            option("largeio", "switch", "Report the stripe width as the best I/O size."),
            option("reflink", "switch", "Shared extents.", default="yes"),
        ),
    ),
    Kind(
        "btrfs",
        "Btrfs",
        "filesystem",
        "Btrfs; its profiles stand for RAID.",
        (
            *MOUNT,
            BARRIER,
            COMMIT,
            option("data_profile", "text", "single, raid0, raid1, raid10, raid6 …"),
            option("metadata_profile", "text", "Profile of the metadata."),
            option("compress", "text", "zlib, lzo, zstd:3 …", default="no"),
            option("datacow", "switch", "Copy on write of data.", default="yes"),
            option("datasum", "switch", "Checksums of data.", default="yes"),
            option("space_cache", "text", "v1 or v2.", flags={"space_cache": "v1"}),
            option("ssd", "switch", "Allocate for an SSD."),
            option("autodefrag", "switch", "Defragment small random writes.", default="no"),
        ),
    ),
    Kind(
        "zfs",
        "ZFS",
        "filesystem",
        "A dataset and its pool.",
        (
            ATIME,
            option("record_bytes", "bytes", "recordsize.", default="128K", also=("recordsize",)),
            option("compression", "text", "off, lz4, zstd-3 …", default="lz4"),
            option(
                "sync",
                "choice",
                "When synchronous writes reach the log.",
                choices=("standard", "always", "disabled"),
                default="standard",
            ),
            option(
                "logbias",
                "choice",
                "What synchronous writes are tuned for.",
                choices=("latency", "throughput"),
                default="latency",
            ),
            option(
                "primarycache",
                "choice",
                "What the ARC holds.",
                choices=("all", "metadata", "none"),
                default="all",
            ),
            option("ashift", "integer", "Sector size as a power of two.", minimum=9, maximum=16),
            option("vdev", "text", "mirror, raidz1, raidz2, draid …"),
        ),
    ),
    Kind(
        "tmpfs",
        "tmpfs",
        "filesystem",
        "Memory.",
        (
            option("size_bytes", "bytes", "Largest size.", also=("size",)),
            option("huge", "text", "Huge pages: never, always, within_size, advise."),
            OTHER,
        ),
        leaf=True,
    ),
)
