"""DRBD 8.3, 8.4 and 9 as one kind of layer; the version is a fact of the machine.

Ranges and defaults: include/linux/drbd_limits.h of Linux and drbd.conf(5) of 8.3, 8.4 and 9.0
(the widest where they differ). A bare number under a name of drbd.conf has the unit that it has
there: KiB/s for `resync-rate`, sectors for `c-fill-target`.
"""

from __future__ import annotations

from benchdash.errors import N_
from benchdash.vocabulary.options import option
from benchdash.vocabulary.storage.kinds import Kind

KIB = 1024
SECTOR = 512

_DRBD = (
    option(
        "protocol",
        "choice",
        N_("When a write completes: sent (A), received (B), written (C)."),
        choices=("A", "B", "C"),
        default="C",
    ),
    option(
        "roles",
        "text",
        N_("Role of each node, the measured one first: Primary/Secondary."),
        flags={
            f"{one}/{other}".casefold(): f"{one}/{other}"
            for one in ("Primary", "Secondary")
            for other in ("Primary", "Secondary")
        },
    ),
    option("diskless", "switch", N_("The node that uses it has no local disk."), default="no"),
    option("connected", "switch", N_("The peers are connected."), default="yes"),
    option(
        "meta_disk",
        "choice",
        N_("Location of the metadata."),
        choices=("internal", "external", "flexible"),
    ),
    option("transport", "choice", N_("Transport of DRBD 9."), choices=("tcp", "rdma", "lb-tcp")),
    option(
        "on_io_error",
        "choice",
        N_("Reaction to a disk I/O error."),
        choices=("pass_on", "call-local-io-error", "detach"),
        default="detach",
    ),
    option(
        "fencing",
        "choice",
        N_("Fencing policy."),
        choices=("dont-care", "resource-only", "resource-and-stonith"),
        default="dont-care",
    ),
    option(
        "disk_barrier", "switch", N_("Write order by barriers."), flags={"no_disk_barrier": False}
    ),
    option(
        "disk_flushes",
        "switch",
        N_("Write order by flushes."),
        default="yes",
        flags={"no_disk_flushes": False},
    ),
    option(
        "disk_drain",
        "switch",
        N_("Write order by draining."),
        default="yes",
        flags={"no_disk_drain": False},
    ),
    option(
        "md_flushes",
        "switch",
        N_("Flush the metadata."),
        default="yes",
        flags={"no_md_flushes": False},
    ),
    option(
        "al_extents",
        "integer",
        N_("Active extents of 4 MiB in the activity log."),
        minimum=7,
        maximum=65_534,
        default="1237",
    ),
    option("al_updates", "switch", N_("Keep the activity log."), default="yes"),
    option(
        "resync_rate_bytes_s",
        "bytes",
        N_("Fixed resync rate."),
        unit="B/s",
        default="250K",
        aliases={"resync_rate": KIB, "rate": KIB},
    ),
    option(
        "c_plan_ahead_s",
        "number",
        N_("Planning time of the dynamic resync rate; 0 turns it off."),
        unit="s",
        minimum=0,
        maximum=30,
        default="2",
    ),
    option(
        "c_fill_target_bytes",
        "bytes",
        N_("Resync data in flight."),
        default="50K",
        aliases={"c_fill_target": SECTOR},
    ),
    option(
        "c_min_rate_bytes_s",
        "bytes",
        N_("Minimum resync rate."),
        unit="B/s",
        default="250K",
        aliases={"c_min_rate": KIB},
    ),
    option(
        "c_max_rate_bytes_s",
        "bytes",
        N_("Maximum resync rate."),
        unit="B/s",
        default="100M",
        aliases={"c_max_rate": KIB},
    ),
    option(
        "max_buffers",
        "integer",
        N_("Pages for writes in flight."),
        minimum=32,
        maximum=131_072,
        default="2048",
    ),
    option(
        "max_epoch_size",
        "integer",
        N_("Writes between two barriers."),
        minimum=1,
        maximum=20_000,
        default="2048",
    ),
    option(
        "sndbuf_bytes",
        "bytes",
        N_("TCP send buffer; 0 lets the kernel choose."),
        maximum=10 * 2**20,
        default="0",
        also=("sndbuf_size",),
    ),
    option(
        "rcvbuf_bytes",
        "bytes",
        N_("TCP receive buffer; 0 lets the kernel choose."),
        maximum=10 * 2**20,
        default="0",
        also=("rcvbuf_size",),
    ),
    option(
        "unplug_watermark",
        "integer",
        N_("Pending requests before the disk queue is unplugged."),
        minimum=1,
        maximum=131_072,
        default="128",
    ),
    option(
        "ko_count",
        "integer",
        N_("Timeouts before a peer is dropped."),
        minimum=0,
        maximum=200,
        default="7",
    ),
    option("allow_two_primaries", "switch", N_("Both nodes may be primary."), default="no"),
    option(
        "read_balancing",
        "choice",
        N_("Which node serves a read."),
        choices=(
            "prefer-local",
            "prefer-remote",
            "round-robin",
            "least-pending",
            "when-congested-remote",
            "32K-striping",
            "64K-striping",
            "128K-striping",
            "256K-striping",
            "512K-striping",
            "1M-striping",
        ),
        default="prefer-local",
    ),
    option(
        "on_congestion",
        "choice",
        N_("Reaction to a congested link."),
        choices=("block", "pull-ahead", "disconnect"),
        default="block",
    ),
    option(
        "congestion_fill_bytes",
        "bytes",
        N_("Data in flight that counts as congestion."),
        aliases={"congestion_fill": SECTOR},
    ),
    option(
        "tcp_cork", "switch", N_("Fill TCP segments."), default="yes", flags={"no_tcp_cork": False}
    ),
    option("data_integrity_alg", "text", N_("Checksum of replicated data.")),
    option("csums_alg", "text", N_("Checksum for checksum-based resync.")),
    option("verify_alg", "text", N_("Checksum for online verify.")),
)

DRBD = Kind(
    "drbd",
    "DRBD",
    "replication",
    N_("A replicated volume; one leg on each node is below it."),
    _DRBD,
    caption=("{protocol}", "{roles}"),
)
