"""What a run waited for, in words, where the counters say so."""

from __future__ import annotations

import pytest

from benchdash.analysis.bottleneck import Busy, busiest, cpu_was_short

RAID = [Busy("data (dm-0)", 0, 0.99), Busy("md0", 1, 0.97)]


def disks(*shares):
    return [Busy(f"sd{letter}", 2, share) for letter, share in zip("bcdefg", shares, strict=False)]


@pytest.mark.parametrize(
    ("devices", "sentence"),
    [
        ([Busy("sda", 0, 0.98)], "sda: busy 98 % of the time."),
        ([Busy("sda", 0, 0.6)], ""),
        ([], ""),
        (
            RAID + disks(0.98, 0.31, 0.29),
            "sdb: busy 98 % of the time. The other disks: at most 31 %.",
        ),
        (RAID + disks(0.94, 0.98, 0.91), "sdb, sdc, sdd: busy 91 – 98 % of the time."),
        (RAID + disks(*[0.95] * 6), "sdb, sdc, sdd, sde + 2: busy 95 % of the time."),
        (
            RAID + disks(0.3, 0.2),
            "md0: busy 97 % of the time. The disks below it: at most 30 %.",
        ),
        ([Busy("md0", 0, 0.5), *disks(0.5, 0.6)], ""),
        ([Busy("sda1", 0, 0.99), Busy("sda", 1, 0.99)], "sda: busy 99 % of the time."),
    ],
)
def test_the_disks_come_first_then_what_stands_on_them(devices, sentence):
    assert busiest(devices) == sentence


def test_a_hypervisor_that_takes_time_is_reported_before_cpus_that_are_busy():
    assert cpu_was_short(0.99, 0.12) == "The hypervisor took 12 % of the CPU time."
    assert cpu_was_short(0.96, 0.01) == "The CPUs were busy 96 % of the time."
    assert cpu_was_short(0.5, 0.0) == ""
