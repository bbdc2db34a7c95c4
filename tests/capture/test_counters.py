"""What a host did beside a step, as counters.sh wrote it down, and what it amounts to."""

from __future__ import annotations

import random
from pathlib import Path

import pytest

from benchdash.capture.counters import MOST_STRETCHES, host_series, read_counters

LOGS = Path(__file__).parent / "counters"
LOG = (LOGS / "loop-on-disk.log").read_bytes()
RAID = (LOGS / "lvm-on-md-raid6.log").read_bytes()


def series_of(log, since_s=None, until_s=None):
    counters = read_counters(log)
    span = (counters.first_s if since_s is None else since_s, until_s or counters.last_s)
    return {(each.kind, each.name): each for each in host_series(counters, *span)}


def log_of(*looks, before="+ 0 sda \n"):
    """A log of looks, each its seconds and its lines."""
    return (before + "".join(f"@ {at}\n{lines}\n" for at, lines in looks)).encode()


def test_a_log_of_fio_on_a_loop_device_has_both_devices_in_their_order():
    found = series_of(LOG)
    assert [key for key in found if key[0] == "device"] == [("device", "loop2"), ("device", "vda")]
    loop, disk = found["device", "loop2"], found["device", "vda"]
    assert (loop.depth, disk.depth) == (0, 1)
    lines = [line.split()[2:] for line in LOG.decode().splitlines() if "dev loop2" in line]
    first, last = ([int(word) for word in line] for line in (lines[0], lines[-1]))
    seconds = read_counters(LOG).last_s - read_counters(LOG).first_s
    assert loop.whole["written"].mean == pytest.approx((last[4] - first[4]) * 512 / seconds, 1e-3)
    assert loop.whole["read_latency"].mean == pytest.approx(
        (last[2] - first[2]) / 1000 / (last[0] - first[0]), 1e-3
    )
    assert 0.5 < loop.whole["busy"].mean <= 1
    for series in found.values():
        assert all(len(values) == len(series.seconds) for values in series.quantities.values())


def test_a_volume_on_an_array_has_all_layers_down_to_the_disks():
    """fio writes 64 KiB at random to ext4 on LVM on MD RAID 6 of six disks, Linux 6.1."""
    devices = [each for (kind, _name), each in series_of(RAID).items() if kind == "device"]
    assert [(each.depth, each.name, each.title) for each in devices] == [
        (0, "dm-0", "vg0-lv0"),
        (1, "md0", ""),
        *((2, f"vd{letter}", "") for letter in "cdefgh"),
    ]
    volume, array, *disks = devices
    assert array.whole["stripe_cache"].highest > 0 and "stripe_cache" not in volume.whole
    written = sum(disk.whole["written"].mean for disk in disks)
    assert written > 1.5 * volume.whole["written"].mean  # with parity
    assert volume.whole["read"].mean == 0 < sum(disk.whole["read"].mean for disk in disks)
    assert volume.whole["busy"].mean > 2 * max(disk.whole["busy"].mean for disk in disks)


def test_only_the_time_of_the_run_counts_and_its_clock_begins_with_it():
    counters = read_counters(LOG)
    found = series_of(LOG, counters.first_s + 3, counters.first_s + 6)
    seconds = found["cpu", ""].seconds
    assert len(seconds) == 3 and 0 <= seconds[0] < 1.1 and seconds[-1] <= 3


def test_shares_of_the_cpu_are_of_all_cpus():
    log = log_of((1.0, "cpu 0 0 0 0 0 0 0 0"), (2.0, "cpu 100 20 30 20 10 5 5 10 7 7"))
    whole = series_of(log)["cpu", ""].whole
    assert {name: spread.mean for name, spread in whole.items()} == {
        "user": 0.6,
        "system": 0.2,
        "iowait": 0.05,
        "steal": 0.05,
    }


def test_a_cpu_of_an_old_kernel_has_no_steal():
    log = log_of((1.0, "cpu 0 0 0 0"), (2.0, "cpu 50 0 0 50"))
    assert set(series_of(log)["cpu", ""].whole) == {"user", "system", "iowait"}


def test_a_latency_is_over_requests_and_none_where_there_were_none():
    looks = (
        (1.0, "dev sda 0 0 0 0 0 0 0 0"),
        (2.0, "dev sda 0 0 0 10 80 1000 1000 1000"),
        (3.0, "dev sda 0 0 0 40 320 1600 1500 1600"),
    )
    disk = series_of(log_of(*looks))["device", "sda"]
    assert [spread.mean for spread in disk.quantities["write_latency"]] == [0.1, 0.02]
    assert disk.whole["write_latency"] == (0.02, 0.04, 0.1)
    assert "read_latency" not in disk.whole
    assert disk.whole["busy"] == (0.5, 0.75, 1.0)


def test_a_device_whose_time_the_kernel_does_not_count_is_not_called_idle():
    """As MD before Linux 5.14."""
    looks = ((1.0, "dev md0 0 0 0 0 0 0 0 0"), (2.0, "dev md0 100 800 0 50 400 0 0 0"))
    whole = series_of(log_of(*looks))["device", "md0"].whole
    assert set(whole) == {"read", "written", "reads", "writes"}


def test_a_counter_that_began_anew_leaves_a_gap():
    looks = (
        (1.0, "dev sda 9 9 9 9 9 9 9 9"),
        (2.0, "dev sda 1 1 1 1 1 1 1 1"),
        (3.0, "dev sda 2 2 2 2 2 2 2 2"),
    )
    reads = series_of(log_of(*looks))["device", "sda"].quantities["reads"]
    assert reads == [None, (1.0, 1.0, 1.0)]


def test_a_device_that_comes_late_or_goes_is_known_while_it_was_there():
    looks = (
        (1.0, "dev sda 1 1 1 1 1 1 1 1"),
        (2.0, "dev sda 2 2 2 2 2 2 2 2\ndev sdb 1 1 1 1 1 1 1 1"),
        (3.0, "dev sdb 2 2 2 2 2 2 2 2"),
    )
    found = series_of(log_of(*looks))
    assert found["device", "sda"].seconds == [1.0] and found["device", "sdb"].seconds == [2.0]


def test_hours_are_thinned_and_keep_each_peak():
    looks = [
        (float(at), f"dev sda 0 0 0 {at} {8 * at} {at} {500 * at + (500 if at > 7000 else 0)} 0")
        for at in range(20_000)
    ]
    disk = series_of(log_of(*looks))["device", "sda"]
    assert len(disk.seconds) == MOST_STRETCHES and disk.seconds == sorted(disk.seconds)
    assert disk.whole["busy"] == (0.5, 0.5, 1.0)
    assert max(spread.highest for spread in disk.quantities["busy"]) == 1.0


def test_what_ends_with_the_run_is_of_the_last_stretch():
    looks = [(float(at), f"cpu {at} 0 0 {at}") for at in range(1, 602)]
    ends_at_a_look = series_of(log_of(*looks), 1, 600.5)["cpu", ""]
    assert len(ends_at_a_look.seconds) == MOST_STRETCHES


def test_the_clock_of_a_run_of_a_day_is_as_exact_as_that_of_a_short_one():
    looks = [(at + 0.25, f"cpu {at} 0 0 {at}") for at in range(1, 86_400, 401)]
    seconds = series_of(log_of(*looks))["cpu", ""].seconds
    assert seconds == [401.0 * n for n in range(1, 216)]


def test_latencies_of_ceph_are_thinned_to_as_many_as_all_else():
    for many, stored in ((300, 300), (301, 151), (1200, 300)):
        looks = [(float(at), f"osd 0 {at} 1\nosd 1 {at} 1") for at in range(1, many + 1)]
        found = series_of(log_of(*looks))["ceph", ""]
        assert len(found.seconds) == stored


def test_a_look_that_comes_less_often_counts_for_its_time():
    looks = (
        (0.5, "net eth0 0 0"),
        (1.5, "net eth0 100 0"),
        (11.5, "net eth0 100 0"),
    )
    whole = series_of(log_of(*looks))["network", "eth0"].whole
    assert whole["received"].mean == pytest.approx(100 / 11, 1e-3)


def test_stripes_in_the_cache_belong_to_their_array():
    looks = (
        (1.0, "dev md0 1 1 1 1 1 1 1 1\nmd md0 17"),
        (2.0, "dev md0 2 2 2 2 2 2 2 2\nmd md0 250"),
    )
    assert series_of(log_of(*looks))["device", "md0"].whole["stripe_cache"].mean == 250


def test_memory_of_an_old_kernel_is_what_is_free_and_cached():
    looks = [(at, "mem MemFree:=100 Cached:=50 Dirty:=5") for at in (1.0, 2.0)]
    assert series_of(log_of(*looks))["memory", ""].whole["available"].mean == 150 * 1024


@pytest.mark.parametrize("seed", range(20))
def test_damage_is_passed_over(seed):
    chance = random.Random(seed)
    damaged = bytearray(LOG)
    for _ in range(chance.randrange(1, 60)):
        place = chance.randrange(len(damaged))
        if chance.random() < 0.5:
            damaged[place] = chance.randrange(256)
        else:
            del damaged[place : place + chance.randrange(40)]
    for series in series_of(bytes(damaged)).values():
        for quantity, spread in series.whole.items():
            assert spread.lowest <= spread.mean * 1.001 and spread.mean <= spread.highest * 1.001
            assert quantity != "busy" or spread.highest <= 1


@pytest.mark.parametrize(
    "log", [b"", b"@ 5\n", b"\x00" * 100, b"+ 9 sda\ncpu 1 2 3 4\n", LOG[:180]]
)
def test_a_log_of_nothing_is_nothing(log):
    assert series_of(log) == {}
