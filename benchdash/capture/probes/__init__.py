"""What a machine is asked, a module a subject, in the order in which it is asked.

A module has the probes of its subject, what reads their answers, and the layers of storage that
are made of them.
"""

from __future__ import annotations

from benchdash.capture.probe import Probe
from benchdash.capture.probes import (
    activity,
    block_devices,
    ceph,
    cpu_memory,
    drbd,
    filesystems,
    identity,
    kernel_log,
    network,
    versions,
    volumes,
)

CAPTURED: tuple[Probe, ...] = (
    *activity.PROBES,
    *identity.PROBES,
    *cpu_memory.PROBES,
    *network.PROBES,
    *versions.PROBES,
    *block_devices.PROBES,
    *filesystems.PROBES,
    *volumes.PROBES,
    *drbd.PROBES,
    *ceph.PROBES,
)
CONDITIONS: tuple[Probe, ...] = (
    *activity.DISTURBANCES,
    drbd.PROC,
    drbd.STATUS,
    ceph.HEALTH,
    kernel_log.KERNEL_LOG,
)
