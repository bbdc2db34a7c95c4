"""Where a stack ends on a machine: loop devices, partitions, disks, a cloud's volumes.

The words for the queue: the kernel's Documentation/block/queue-sysfs.rst.
"""

from __future__ import annotations

from benchdash.vocabulary.options import option
from benchdash.vocabulary.storage.kinds import Kind

KIB = 1024

DEVICE = option("device", "text", "Name on its machine, only where it matters which one it is.")
QUEUE = (
    option(
        "scheduler",
        "choice",
        "I/O scheduler of the queue.",
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
    option("nr_requests", "integer", "Requests the queue holds.", minimum=1, default="128"),
    option(
        "read_ahead_bytes",
        "bytes",
        "Read ahead.",
        default="128K",
        aliases={"read_ahead_kb": KIB, "readahead": 512},
    ),
    option("max_request_bytes", "bytes", "Largest request.", aliases={"max_sectors_kb": KIB}),
    option("rq_affinity", "integer", "Where completions are processed.", minimum=0, maximum=2),
    option("nomerges", "integer", "0 merges, 1 simple merges only, 2 none.", minimum=0, maximum=2),
)

DEVICES = (
    Kind(
        "loop",
        "loop",
        "device",
        "A file as a block device; the filesystem of the file stands below.",
        (option("direct_io", "switch", "Direct I/O on the file.", default="no"), *QUEUE),
    ),
    Kind(
        "partition",
        "partition",
        "device",
        "A partition.",
        (
            DEVICE,
            option("table", "choice", "Partition table.", choices=("gpt", "msdos")),
            option("start_bytes", "bytes", "Where it begins (alignment).", also=("start",)),
            option("size_bytes", "bytes", "Size.", also=("size",)),
        ),
        quiet=True,
    ),
    Kind(
        "disk",
        "disk",
        "device",
        "A disk, or what the machine takes for one.",
        (
            DEVICE,
            option("model", "text", "Model."),
            option(
                "medium", "choice", "What it is made of.", choices=("hdd", "ssd", "nvme", "memory")
            ),
            option("interface", "text", "SATA, SAS, NVMe, virtio …"),
            option("size_bytes", "bytes", "Size.", also=("size",)),
            option("rpm", "integer", "Turns a minute.", minimum=0, maximum=30_000),
            option("write_cache", "switch", "The disk's own write cache.", flags={"wce": True}),
            option("rotational", "switch", "What the kernel takes it for."),
            option("queue_depth", "integer", "Commands the disk takes.", minimum=1, maximum=65_536),
            *QUEUE,
        ),
        quiet=True,
        leaf=True,
    ),
    Kind(
        "cloud_volume",
        "cloud volume",
        "device",
        "A volume that a cloud lends: EBS, persistent disk, managed disk, an instance's own disk.",
        (
            DEVICE,
            option("provider", "text", "AWS, GCP, Azure …"),
            option("type", "text", "EBS, gp3, io2, pd-ssd, instance store …"),
            option("size_bytes", "bytes", "Size.", also=("size",)),
            option("iops", "integer", "IOPS that were bought.", unit="1/s", minimum=0),
            option("throughput_bytes_s", "bytes", "Throughput that was bought.", unit="B/s"),
            *QUEUE,
        ),
        caption=("{type}",),
        aliases=("ebs",),
        leaf=True,
    ),
)
