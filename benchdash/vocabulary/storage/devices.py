"""Where a stack ends on a machine: loop devices, partitions, disks, cloud volumes.

Names of queue options: the kernel's Documentation/block/queue-sysfs.rst.
"""

from __future__ import annotations

from benchdash.errors import N_
from benchdash.vocabulary.options import option
from benchdash.vocabulary.storage.kinds import Kind

KIB = 1024

DEVICE = option(
    "device", "text", N_("Device name; leave it out unless it matters which device it is.")
)
QUEUE = (
    option(
        "scheduler",
        "choice",
        N_("I/O scheduler of the queue."),
        choices=(
            "noop",
            "deadline",
            "cfq",
            "anticipatory",
            "none",
            "mq-deadline",
            "kyber",
            "bfq",
        ),
    ),
    option(
        "nr_requests", "integer", N_("Requests that the queue holds."), minimum=1, default="128"
    ),
    option(
        "read_ahead_bytes",
        "bytes",
        N_("Read ahead."),
        default="128K",
        aliases={"read_ahead_kb": KIB, "readahead": 512},
    ),
    option("max_request_bytes", "bytes", N_("Largest request."), aliases={"max_sectors_kb": KIB}),
    option("rq_affinity", "integer", N_("Where completions are processed."), minimum=0, maximum=2),
    option(
        "nomerges", "integer", N_("0: all merges, 1: simple only, 2: none."), minimum=0, maximum=2
    ),
)

DEVICES = (
    Kind(
        "loop",
        "loop",
        "device",
        N_("A file as a block device; the file's filesystem is below it."),
        (option("direct_io", "switch", N_("Direct I/O on the file."), default="no"), *QUEUE),
    ),
    Kind(
        "partition",
        "partition",
        "device",
        N_("A partition."),
        (
            DEVICE,
            option("table", "choice", N_("Partition table."), choices=("gpt", "msdos")),
            option("start_bytes", "bytes", N_("Start offset (alignment)."), also=("start",)),
            option("size_bytes", "bytes", N_("Size."), also=("size",)),
        ),
        quiet=True,
    ),
    Kind(
        "disk",
        "disk",
        "device",
        N_("A disk, or what the machine sees as one."),
        (
            DEVICE,
            option("model", "text", N_("Model.")),
            option(
                "medium",
                "choice",
                N_("What it is made of."),
                choices=("hdd", "ssd", "nvme", "memory"),
            ),
            option("interface", "text", N_("SATA, SAS, NVMe, virtio …")),
            option("size_bytes", "bytes", N_("Size."), also=("size",)),
            option("rpm", "integer", N_("Revolutions per minute."), minimum=0, maximum=30_000),
            option("write_cache", "switch", N_("The disk's own write cache."), flags={"wce": True}),
            option("rotational", "switch", N_("Whether the kernel treats it as rotational.")),
            option(
                "queue_depth",
                "integer",
                N_("Commands the disk can queue."),
                minimum=1,
                maximum=65_536,
            ),
            *QUEUE,
        ),
        quiet=True,
        leaf=True,
    ),
    Kind(
        "cloud_volume",
        "cloud volume",
        "device",
        N_("A cloud provider's volume: EBS, persistent disk, managed disk, instance store."),
        (
            DEVICE,
            option("provider", "text", N_("AWS, GCP, Azure …")),
            option("type", "text", N_("EBS, gp3, io2, pd-ssd, instance store …")),
            option("size_bytes", "bytes", N_("Size."), also=("size",)),
            option("iops", "integer", N_("Provisioned IOPS."), unit="1/s", minimum=0),
            option("throughput_bytes_s", "bytes", N_("Provisioned throughput."), unit="B/s"),
            *QUEUE,
        ),
        caption=("{type}",),
        aliases=("ebs",),
        leaf=True,
    ),
)
