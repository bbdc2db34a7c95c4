"""What a machine is asked, a module a subject, in the order in which it is asked."""

from __future__ import annotations

from benchdash.facts.probe import Probe
from benchdash.facts.probes import (
    activity,
    block,
    ceph,
    drbd,
    identity,
    moment,
    mounts,
    network,
    processors,
    settings,
    versions,
    volumes,
)

CAPTURED: tuple[Probe, ...] = (
    *moment.PROBES,
    *identity.PROBES,
    *processors.PROBES,
    *network.PROBES,
    *versions.PROBES,
    *settings.PROBES,
    *block.PROBES,
    *mounts.PROBES,
    *volumes.PROBES,
    *drbd.PROBES,
    *ceph.PROBES,
)
CONDITIONS: tuple[Probe, ...] = (
    moment.LOAD,
    moment.TEMPERATURES,
    *activity.PROBES,
    drbd.PROC,
    drbd.STATUS,
    ceph.HEALTH,
)
