"""Where a stack ends on a machine: loop devices, partitions, disks, a cloud's volumes.

The words for the queue: the kernel's Documentation/block/queue-sysfs.rst.
"""

from __future__ import annotations

from benchdash.errors import N_
from benchdash.vocabulary.options import option
from benchdash.vocabulary.storage.kinds import Kind

KIB = 1024

DEVICE = option("device", "text", N_("Name on its machine, only where it matters which one it is."))
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
    option("nr_requests", "integer", N_("Requests the queue holds."), minimum=1, default="128"),
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
        "nomerges", "integer", N_("0 merges, 1 simple merges only, 2 none."), minimum=0, maximum=2
    ),
)

DEVICES = (
    Kind(
        "loop",
        "loop",
        "device",
        N_("A file as a block device; the filesystem of the file stands below."),
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
            option("start_bytes", "bytes", N_("Where it begins (alignment)."), also=("start",)),
            option("size_bytes", "bytes", N_("Size."), also=("size",)),
        ),
        quiet=True,
    ),
    Kind(
        "disk",
        "disk",
        "device",
        N_("A disk, or what the machine takes for one."),
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
            option("rpm", "integer", N_("Turns a minute."), minimum=0, maximum=30_000),
            option("write_cache", "switch", N_("The disk's own write cache."), flags={"wce": True}),
            option("rotational", "switch", N_("What the kernel takes it for.")),
            option(
                "queue_depth", "integer", N_("Commands the disk takes."), minimum=1, maximum=65_536
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
        N_(
            "A volume that a cloud lends: EBS, persistent disk, managed disk, an instance's own disk."
        ),
        (
            DEVICE,
            option("provider", "text", N_("AWS, GCP, Azure …")),
            option("type", "text", N_("EBS, gp3, io2, pd-ssd, instance store …")),
            option("size_bytes", "bytes", N_("Size."), also=("size",)),
            option("iops", "integer", N_("IOPS that were bought."), unit="1/s", minimum=0),
            option("throughput_bytes_s", "bytes", N_("Throughput that was bought."), unit="B/s"),
            *QUEUE,
        ),
        caption=("{type}",),
        aliases=("ebs",),
        leaf=True,
    ),
)
