"""What machine and storage can do at most, where the record says it."""

from __future__ import annotations

import pytest

from benchdash.vocabulary.hardware_limits import limits
from benchdash.vocabulary.storage.notation import parse

GIB = 2**30
TWO = {"node-a": {"memory_bytes": 16 * GIB}, "node-b": {"memory_bytes": 8 * GIB}}
DRBD = """drbd protocol=C
- disk model=A
- disk @node-b model=A"""


def mb(found):
    return [(round(each.bytes_s / 1e6), each.of) for each in found]


def test_where_nothing_is_recorded_there_is_no_limit():
    none = limits(None, {})
    assert (none.reads, none.writes, none.memory_bytes) == ((), (), None)
    assert limits(parse("ext4\ndisk model=A"), {"node-a": {}}).writes == ()


def test_memory_is_that_of_the_machine_that_runs_the_tool():
    assert limits(None, TWO).memory_bytes == 16 * GIB
    assert limits(parse("ext4\nvm memory=2G\ndisk"), TWO).memory_bytes == 2 * GIB


@pytest.mark.parametrize(
    ("interface", "expected"),
    [
        ("SATA 6 Gbit/s", 600),
        ("SATA 3Gb/s", 300),
        ("SATA", 600),
        ("SAS 12 Gbps", 1500),
        ("PCIe 3.0 x4", 3940),
        ("PCIe Gen4 x4", 7876),
        ("NVMe", None),
        ("virtio", None),
    ],
)
def test_disks_are_as_fast_as_their_interface(interface, expected):
    found = limits(parse(f'ext4\ndisk interface="{interface}"'), {})
    assert mb(found.reads) == mb(found.writes)
    assert mb(found.reads) == ([(expected, "the interface of the disks")] if expected else [])


def test_disks_of_an_array_add_up_however_they_are_written_down():
    four = "md level=0\ndisk interface=SATA count=4"
    assert mb(limits(parse(four), {}).reads)[0][0] == 2400
    # an array of four of which one leg was written down
    assert mb(limits(parse("md level=0 devices=4\ndisk interface=SATA"), {}).reads)[0][0] == 2400
    mixed = "md level=0\n- disk interface=SATA\n- disk model=unknown"
    assert limits(parse(mixed), {}).reads == ()


def test_what_is_compressed_has_no_limit():
    assert limits(parse("zfs\ndisk interface=SATA"), {}).writes == ()
    assert limits(parse("zfs compression=off\ndisk interface=SATA"), {}).writes != ()
    assert limits(parse("btrfs compress=zstd\ndisk interface=SATA"), {}).writes == ()


def test_a_mirror_over_the_network_writes_no_faster_than_its_link():
    found = limits(parse(DRBD), TWO, {"speed_bps": 10**9})
    assert mb(found.writes) == [(125, "the replication link")]
    assert found.reads == ()
    cards = {"nics": [{"speed_bps": 10**9, "count": 2}]}
    assert mb(limits(parse(DRBD), {"node-a": cards, "node-b": {}}).writes)[0][0] == 250
    unknown = {"nics": [{"speed_bps": 10**9}, {"model": "virtio"}]}
    assert limits(parse(DRBD), {"node-a": unknown, "node-b": {}}).writes == ()


def test_a_mirror_that_is_not_connected_or_may_pull_ahead_is_not_bound_to_its_link():
    network = {"speed_bps": 10**9}
    for option in ("connected=no", "on_congestion=pull-ahead"):
        assert limits(parse(DRBD.replace("protocol=C", option)), TWO, network).writes == ()
    diskless = DRBD.replace("protocol=C", "diskless=yes")
    assert mb(limits(parse(diskless), TWO, network).reads)[0][0] == 125


def test_what_is_mounted_from_elsewhere_comes_over_the_network():
    found = limits(parse("nfs"), {"node-a": {}}, {"speed_bps": 10**9})
    assert mb(found.reads) == mb(found.writes) == [(125, "the network")]


def test_a_cloud_volume_is_as_fast_as_provisioned():
    found = limits(parse("xfs\ncloud_volume throughput_bytes_s=250MB"), {})
    assert mb(found.reads) == [(250, "the provisioned volume")]


@pytest.mark.parametrize(
    ("modules", "expected"),
    [
        ("4 × 16 GiB DDR4 3200 MT/s", 102_400),
        ("2 x 8 GiB DDR4-2400", 38_400),
        ("2 × 4 GiB DDR3 1600 MHz", 51_200),  # which may be a clock of two transfers
        ("1 × 8 GiB DDR4 2400 MT/s; 1 × 4 GiB DDR4 2400 MT/s", 38_400),
        ("4 × 16 GiB", None),
        ("", None),
    ],
)
def test_memory_carries_eight_bytes_a_transfer_and_module(modules, expected):
    found = limits(None, {"node-a": {"memory_modules": modules}})
    assert mb(found.reads) == ([(expected, "the memory bus")] if expected else [])
