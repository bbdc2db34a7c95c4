"""What the kernel wrote between two looks, as it wrote it (shortened)."""

from __future__ import annotations

import pytest

from benchdash.capture import conditions_during, conditions_script, read_conditions, read_kernel_log
from tests.capture.test_script import SHELLS, folder_of, run
from tests.conftest import need

# two outages of a link of DRBD 9, in the words of its state changes
DRBD_9 = """\
[  100.000001] EXT4-fs (drbd0): mounted filesystem with ordered data mode
[  160.500000] drbd r0 node-b: PingAck did not arrive in time.
[  160.500100] drbd r0 node-b: conn( Connected -> NetworkFailure ) peer( Secondary -> Unknown )
[  160.500200] drbd r0/0 drbd0 node-b: pdsk( UpToDate -> DUnknown ) repl( Established -> Off )
[  160.600000] drbd r0 node-b: conn( NetworkFailure -> Unconnected )
[  160.700000] drbd r0 node-b: conn( Unconnected -> Connecting )
[  172.400000] drbd r0 node-b: conn( Connecting -> Connected ) peer( Unknown -> Secondary )
[  172.500000] drbd r0/0 drbd0 node-b: repl( WFBitMapS -> SyncSource )
[  300.000000] drbd r0 node-b: conn( Connected -> Timeout ) peer( Secondary -> Unknown )
[  325.100000] drbd r0 node-b: conn( Connecting -> Connected ) peer( Unknown -> Secondary )
[  400.000000] usb 1-1: new high-speed USB device
"""
DRBD_84 = """\
[  160.500000] drbd r0: PingAck did not arrive in time.
[  160.500100] drbd r0: peer( Secondary -> Unknown ) conn( Connected -> NetworkFailure ) pdsk( UpToDate -> DUnknown )
[  160.600000] drbd r0: conn( NetworkFailure -> Unconnected )
[  160.700000] drbd r0: conn( Unconnected -> WFConnection )
[  172.400000] drbd r0: conn( WFConnection -> WFReportParams )
[  172.410000] block drbd0: peer( Unknown -> Secondary ) conn( WFReportParams -> WFBitMapS ) pdsk( DUnknown -> UpToDate )
[  172.600000] block drbd0: conn( SyncSource -> Connected ) pdsk( Inconsistent -> UpToDate )
"""
DRBD_83 = """\
[  160.500100] block drbd0: peer( Secondary -> Unknown ) conn( Connected -> NetworkFailure ) pdsk( UpToDate -> DUnknown )
[  160.700000] block drbd0: conn( Unconnected -> WFConnection )
[  172.400000] block drbd0: conn( WFConnection -> WFReportParams )
"""
OTHERS = """\
[    1.000000] I/O error, dev sdz, sector 1
[   10.000000] Linux version 6.1.0
[   20.000000] md/raid1:md0: Disk failure on sdb1, disabling device.
[   21.000000] md: recovery of RAID array md0
[   22.000000][  T123] blk_update_request: I/O error, dev sdb, sector 2048 op 0x1:(WRITE)
[   22.100000] Buffer I/O error on device sdb, logical block 7
[   23.000000] igb 0000:01:00.0 eth1: igb: eth1 NIC Link is Down
[   25.000000] ata3.00: exception Emask 0x0
[   25.100000] ata3: hard resetting link
[   26.000000] CPU3: Core temperature above threshold, cpu clock throttled (total events = 7)
[   26.500000] mce: CPU3: Package temperature is above threshold, cpu clock is throttled
[   27.000000] nvme nvme0: I/O 12 QID 3 timeout, aborting
[   28.000000] libceph: osd3 (1)10.0.0.3:6801 socket closed (con state OPEN)
[   29.000000] e1000e: eth0 NIC Link is Up 1000 Mbps
"""


def sentences_of(dmesg, since, tmp_path, shell=("sh",)):
    """The sentences of what came after `since`, asked by the script itself."""
    (tmp_path / "printed").write_text(dmesg)
    programs = folder_of(tmp_path, dmesg=f"cat {tmp_path / 'printed'}")
    output = run(conditions_script(), [*shell], f"{programs}:/usr/bin:/bin")
    assert "unread" not in {each.name for each in read_conditions(output)}
    return [each.sentence for each in conditions_during(read_kernel_log(output), since)]


@pytest.mark.parametrize("shell", SHELLS, ids=" ".join)
def test_a_link_that_was_lost_twice_and_healed_is_reported_with_its_seconds(shell, tmp_path):
    if shell[0] == "busybox":
        need("busybox")
    expected = ["drbd r0 node-b lost its connection for 12, 25 s while the job ran."]
    assert sentences_of(DRBD_9, 150.0, tmp_path, shell) == expected


def test_only_what_is_newer_than_the_job_counts(tmp_path):
    assert sentences_of(DRBD_9, 200.0, tmp_path) == [
        "drbd r0 node-b lost its connection for 25 s while the job ran."
    ]
    assert sentences_of(DRBD_9, 400.0, tmp_path) == []


@pytest.mark.parametrize(("log", "name"), [(DRBD_84, "drbd r0"), (DRBD_83, "drbd0")])
def test_older_drbd_is_read_too(log, name, tmp_path):
    assert sentences_of(log, 150.0, tmp_path) == [
        f"{name} lost its connection for 12 s while the job ran."
    ]


def test_a_link_that_stays_away_is_reported_as_far_as_is_known(tmp_path):
    cut = "".join(line for line in DRBD_9.splitlines(keepends=True) if "325." not in line)
    assert sentences_of(cut, 200.0, tmp_path) == [
        "drbd r0 node-b lost its connection for at least 100 s while the job ran."
    ]


def test_disks_links_and_heat_are_counted(tmp_path):
    assert sentences_of(OTHERS, 10.0, tmp_path) == [
        "An array lost the disk sdb1 while the job ran (1 ×).",
        "md0 started a resync or a check while the job ran (1 ×).",
        "The kernel reported I/O errors on sdb while the job ran (2 ×).",
        "The network link of eth1 went down while the job ran (1 ×).",
        "The kernel reset ata3 while the job ran (1 ×).",
        "CPU3 was throttled while the job ran (2 ×): it was too hot.",
        "nvme0 did not answer in time while the job ran (1 ×).",
        "The connection to Ceph’s osd3 was lost while the job ran (1 ×).",
    ]


@pytest.mark.parametrize("printed", ["", "drbd r0: conn( Connected -> Timeout )\n", "[ x ] y\n"])
def test_a_log_without_times_says_nothing(printed, tmp_path):
    assert sentences_of(printed, 0.0, tmp_path) == []


def test_a_host_that_does_not_show_its_log_is_no_trouble(tmp_path):
    programs = folder_of(tmp_path, dmesg="echo 'Operation not permitted' >&2; exit 1")
    output = run(conditions_script(), ["sh"], f"{programs}:/usr/bin:/bin")
    assert read_kernel_log(output) is None
    assert "unread" not in {each.name for each in read_conditions(output)}
    assert conditions_during(None, 5.0) == ()


def test_a_resync_that_begins_is_no_lost_connection(tmp_path):
    begins = """\
[ 2593.046018] block drbd97: conn( Connected -> WFBitMapT )
[ 2593.139277] block drbd97: conn( WFBitMapT -> WFSyncUUID )
[ 2593.381923] block drbd97: conn( WFSyncUUID -> SyncTarget )
[ 2633.928883] block drbd97: conn( SyncTarget -> Connected ) disk( Inconsistent -> UpToDate )
"""
    assert sentences_of(begins, 2500, tmp_path) == []
