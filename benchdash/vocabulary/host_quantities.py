"""What is known of a host while a step measures: quantities over time, and what they are of.

They are no results: nothing is compared by them, and nothing of theirs is better or worse.
"""

from __future__ import annotations

from benchdash.errors import N_
from benchdash.vocabulary.measures import Metric

QUANTITIES = {
    metric.name: metric
    for metric in (
        Metric("user", "1", N_("user"), "cpu", None),
        Metric("system", "1", N_("system"), "cpu", None),
        Metric("iowait", "1", N_("waiting for I/O"), "cpu", None),
        Metric("steal", "1", N_("taken by the hypervisor"), "cpu", None),
        Metric("available", "B", N_("available"), "amount", None),
        Metric("cached", "B", N_("page cache"), "amount", None),
        Metric("dirty", "B", N_("not written yet"), "amount", None),
        Metric("received", "B/s", N_("received"), "throughput", None),
        Metric("sent", "B/s", N_("sent"), "throughput", None),
        Metric("busy", "1", N_("busy"), "cpu", None),
        Metric("queue", "1", N_("requests at a time"), "amount", None),
        Metric("read", "B/s", N_("read"), "throughput", None),
        Metric("written", "B/s", N_("written"), "throughput", None),
        Metric("reads", "1/s", N_("reads"), "iops", None),
        Metric("writes", "1/s", N_("writes"), "iops", None),
        Metric("read_latency", "s", N_("a read takes"), "latency", None),
        Metric("write_latency", "s", N_("a write takes"), "latency", None),
        Metric("stripe_cache", "1", N_("stripes in the cache"), "amount", None),
        Metric("commit_latency", "s", N_("OSD commit"), "latency", None),
        Metric("apply_latency", "s", N_("OSD apply"), "latency", None),
    )
}

CPU, MEMORY, NETWORK, DEVICE, CEPH = "cpu", "memory", "network", "device", "ceph"
PARTS = {
    CPU: N_("CPU of the host"),
    DEVICE: N_("Device"),
    NETWORK: N_("Network"),
    MEMORY: N_("Memory"),
    CEPH: N_("Ceph"),
}
