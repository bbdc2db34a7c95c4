"""Stacks that no sample shows, from what the kernel and the tools print of them."""

from __future__ import annotations

import pytest

from benchdash.capture import read_capture
from benchdash.vocabulary.storage.notation import print_stack
from tests.capture.answers_of import answer, device, mounted, output
from tests.capture.golden import SAMPLES


def stack(path: str, files: dict[str, str], **probes: str) -> list[str]:
    """The layers below `system` as text."""
    probes = {"place": f"folder\n{path}\n4096"} | probes
    capture = answer(path, files, **probes)
    assert capture.stack is not None, capture.unread
    return print_stack(capture.stack).splitlines()[1:]


def links(**below: str) -> str:
    """`ls -ld` of the slaves: `dm_0="sda sdb"` stands on two."""
    return "\n".join(
        f"lrwxrwxrwx 1 root root 0 Jan 1 00:00 /sys/block/{name.replace('_', '-')}/slaves/{each} -> x"
        for name, names in below.items()
        for each in names.split()
    )


def test_nfs_ends_at_the_mount_and_names_no_address():
    options = "rw,relatime,vers=4.2,rsize=1048576,wsize=1048576,hard,proto=tcp,nconnect=8"
    options += ",sec=sys,clientaddr=10.0.0.5,addr=10.0.0.1"
    assert stack("/mnt", mounted("/mnt", "10.0.0.1:/export", "nfs4", options)) == [
        (
            'nfs atime=relatime other_mount_options="sec=sys" version=4.2 proto=tcp rsize_bytes=1M '
            "wsize_bytes=1M hard=yes nconnect=8"
        )
    ]


def test_cephfs_is_recognised_by_who_mounts_it_and_its_secret_is_not():
    files = mounted("/mnt", "10.0.0.1:6789:/", "ceph", "rw,noatime,name=admin,secret=<hidden>,acl")
    assert stack("/mnt", files) == ["cephfs atime=noatime other_mount_options=acl client=kernel"]
    files = mounted("/mnt", "ceph-fuse", "fuse.ceph-fuse", "rw,relatime")
    assert stack("/mnt", files) == ["cephfs atime=relatime client=fuse"]


def test_a_pool_that_a_tool_opens_by_itself_is_the_stack():
    pools = '[{"pool_name": "bench", "type": 1, "size": 3, "min_size": 2, "pg_num": 64}]'
    assert stack("rados:bench", {}, ceph_pools=pools, ceph_stores='{"bluestore": 9}') == [
        "ceph_pool type=replicated size=3 min_size=2 pg_num=64",
        "ceph_osd store=bluestore count=9",
    ]


def test_tmpfs_is_memory():
    files = mounted("/run", "tmpfs", "tmpfs", "rw,nosuid,size=1G,huge=never")
    assert stack("/run", files) == ["tmpfs size_bytes=1G huge=never other_mount_options=nosuid"]


def test_zfs_says_its_properties():
    zfs = "zfs\nrecordsize\t131072\ncompression\tlz4\nsync\tdisabled\nlogbias\tlatency"
    zfs += "\nprimarycache\tall\natime\ton\nrelatime\toff"
    files = mounted("/tank", "tank/data", "zfs", "rw,xattr,noacl")
    assert stack("/tank", files, made=zfs) == [
        (
            "zfs atime=strictatime record_bytes=128K compression=lz4 sync=disabled logbias=latency "
            "primarycache=all"
        )
    ]


def test_encryption_and_multipath_are_layers_of_their_own():
    files = mounted("/mnt", "/dev/mapper/safe", "ext4", "rw,nobarrier", "253:1")
    files |= device("dm-1", "253:1", dm__name="safe", dm__uuid="CRYPT-LUKS2-0123-safe")
    files |= device("dm-0", "253:0", dm__name="lun", dm__uuid="mpath-3600508b4")
    files |= device("sda", "8:0", device__vendor="IBM", device__model="2145")
    files |= device("sdb", "8:16", device__vendor="IBM", device__model="2145")
    assert stack("/mnt", files, links=links(dm_1="dm-0", dm_0="sda sdb")) == [
        "ext4 block_bytes=4K barrier=no",
        "dm_crypt",
        "multipath paths=2",
        'disk model="IBM 2145" size_bytes=1000M',
    ]


def test_a_device_mapper_target_without_a_word_is_left_out_and_named():
    files = mounted("/mnt", "/dev/mapper/x", "xfs", "rw", "253:0")
    files |= device("dm-0", "253:0", dm__name="x", dm__uuid="VDO-1") | device("sda", "8:0")
    capture = answer("/mnt", files, place="folder\n/mnt\n4096", links=links(dm_0="sda"))
    assert [line.split()[0] for line in print_stack(capture.stack).splitlines()] == [
        "system",
        "xfs",
        "disk",
    ]
    assert "“dm-0” is of an unknown kind; it is left out." in capture.unread


def test_bcache_says_its_mode():
    files = mounted("/mnt", "/dev/bcache0", "ext4", "rw", "252:0")
    files |= device(
        "bcache0",
        "252:0",
        bcache__cache_mode="writethrough [writeback] writearound none",
        bcache__sequential_cutoff="4.0M",
        bcache__writeback_percent="10",
    )
    files |= device("sda", "8:0", queue__rotational="1") | device("sdb", "8:16")
    assert stack("/mnt", files, links=links(bcache0="sda sdb")) == [
        "ext4 block_bytes=4K",
        "bcache mode=writeback sequential_cutoff_bytes=4M writeback_percent=10",
        "- disk medium=hdd size_bytes=1000M rotational=yes",
        "- disk size_bytes=1000M",
    ]


def test_a_lun_of_iscsi_is_no_disk():
    files = mounted("/mnt", "/dev/sdc", "xfs", "rw", "8:32") | device("sdc", "8:32")
    place = "l 1 r r 0 Jan 1 00:00 /sys/block/sdc -> ../devices/platform/host3/session1/target3:0:0"
    assert stack("/mnt", files, links=place)[1:] == ["iscsi paths=1"]


@pytest.mark.parametrize(
    ("layout", "word"),
    [("258", "n2"), ("513", "f2"), ("66049", "o2"), ("3", "n3")],
)
def test_layouts_of_raid10_are_read_as_md4_has_them(layout, word):
    files = mounted("/mnt", "/dev/md0", "ext4", "rw", "9:0") | device("sda", "8:0")
    files |= device("md0", "9:0", md__level="raid10", md__raid_disks="4", md__layout=layout)
    assert stack("/mnt", files, links=links(md0="sda"))[1] == f"md level=10 devices=4 layout={word}"


def test_spares_of_an_array_are_counted():
    files = mounted("/mnt", "/dev/md0", "ext4", "rw", "9:0") | device("sda", "8:0")
    files |= device("md0", "9:0", md__level="raid1", md__raid_disks="1")
    files["/sys/block/md0/md/dev-sda/state"] = "in_sync"
    files["/sys/block/md0/md/dev-sdb/state"] = "spare"
    assert "spares=1" in stack("/mnt", files, links=links(md0="sda"))[1]


def test_the_deepest_mount_above_a_path_counts_and_of_two_the_last():
    files = {
        "/proc/self/mountinfo": "1 0 8:0 / / rw - ext4 /dev/sda rw\n"
        "2 1 8:16 / /srv rw - xfs /dev/sdb rw\n"
        "3 1 8:32 / /srv rw - ext3 /dev/sdc rw\n"
        "4 1 8:48 / /srv/database rw - btrfs /dev/sdd rw",
        "/proc/mounts": "/dev/sda / ext4 rw 0 0",
    }
    for number, name in enumerate("abcd"):
        files |= device(f"sd{name}", f"8:{16 * number}")
    assert stack("/srv/data", files, place="folder\n/srv/data\n4096")[0].startswith("ext3")


def test_an_overlay_has_no_word_and_is_stated():
    files = mounted("/", "overlay", "overlay", "rw,lowerdir=/a")
    capture = answer("/data", files, place="nearest\n/\n4096")
    assert capture.stack is None
    assert capture.unread[-2:] == (
        "“/data” does not exist; “/” was looked at instead.",
        "“/data” is on overlay, which is not a known filesystem: its storage could not be determined.",
    )


def test_a_folder_without_a_mount_is_stated():
    capture = answer(
        "/data", mounted("/srv", "/dev/sda1", "ext4", "rw"), place="folder\n/data\n4096"
    )
    sentence = "“/data” is on no known mount: its storage could not be determined."
    assert (capture.stack, capture.unread[-1]) == (None, sentence)


def test_a_drbd_without_a_disk_of_its_own_has_legs_on_its_peers_only():
    files = mounted("/mnt", "/dev/drbd5", "ext4", "rw", "147:5") | device("drbd5", "147:5")
    files["/proc/drbd"] = (
        "version: 8.4.11 (api:1/proto:86-101)\n"
        " 5: cs:Connected ro:Primary/Secondary ds:Diskless/UpToDate C r-----"
    )
    show = "resource r { _remote_host { address ipv4 1.2.3.4:7; } _this_host { volume 0 { device minor 5; } } }"
    assert stack("/mnt", files, drbd_show=show)[1:] == [
        "drbd protocol=C roles=Primary/Secondary diskless=yes connected=yes",
        "disk @node-b",
    ]


SHOW_8 = """resource r {{
    _remote_host {{ address ipv4 10.0.0.{far}:7788; }}
    _this_host {{ address ipv4 10.0.0.{own}:7788; volume 0 {{ device minor {minor}; disk "/dev/sdb"; }} }}
}}"""


def gfs2_on_drbd(role, *peers, kind="gfs2"):
    """The options of a shared filesystem on a DRBD whose peer has this role."""
    files = mounted("/mnt", "/dev/drbd5", kind, "rw", "147:5") | device("drbd5", "147:5")
    files["/proc/drbd"] = f" 5: cs:Connected ro:Primary/{role} ds:UpToDate/UpToDate C r-----"
    show = SHOW_8.format(own=1, far=2, minor=5)
    here = output("/mnt", files, place="folder\n/mnt\n4096", drbd_show=show)
    return read_capture(here, peers=peers).stack["below"][0]["options"]


def gfs2_peer(*mount):
    files = mounted("/there", *mount) | device("drbd7", "147:7")
    return output("", files, drbd_show=SHOW_8.format(own=2, far=1, minor=7))


def test_a_shared_filesystem_is_counted_on_the_nodes_of_its_drbd():
    """A Secondary opens for nobody; of a Primary its own mounts tell, by the device of its end."""
    both = gfs2_peer("/dev/drbd7", "gfs2", "rw", "147:7")
    another = gfs2_peer("/dev/drbd5", "gfs2", "rw", "147:5")
    assert gfs2_on_drbd("Secondary")["mounted_on"] == 1
    assert gfs2_on_drbd("Primary", both)["mounted_on"] == 2
    assert gfs2_on_drbd("Primary", another)["mounted_on"] == 1
    assert gfs2_on_drbd("Primary", both, kind="ocfs2")["mounted_on"] == 1
    assert "mounted_on" not in gfs2_on_drbd("Primary")
    assert "mounted_on" not in gfs2_on_drbd("Unknown")
    assert "mounted_on" not in gfs2_on_drbd("Secondary", kind="ext4")


def layers(capture):
    return print_stack(capture.stack).splitlines()


def test_the_leg_of_a_real_peer_is_known_once_the_peer_was_asked_too():
    measured, peer = (
        (SAMPLES / f"drbd-8.4-{name}.capture").read_bytes()
        for name in ("protocol-c", "secondary-device")
    )
    alone = read_capture(measured)
    assert (layers(alone)[-1], alone.peers) == ("- disk @node-b", ("10.99.0.2",))
    joined = read_capture(measured, peers=[peer])
    assert joined.peers == ()
    assert layers(joined)[-1] == (
        "- disk @node-b interface=virtio size_bytes=256M write_cache=yes rotational=yes "
        "scheduler=mq-deadline nr_requests=256 read_ahead_bytes=128K max_request_bytes=1280K "
        "rq_affinity=1 nomerges=0"
    )
    assert layers(joined)[:-1] == layers(alone)[:-1]


SHOW_9 = """resource "r0" {{
    _this_host {{
        node-id {node};
        volume 0 {{ device minor 1000; disk "/dev/{one}"; meta-disk internal; }}
        volume 1 {{ device minor 1001; disk "/dev/{two}"; meta-disk internal; }}
    }}
    connection {{
        _peer_node_id {peer};
        path {{ _this_host ipv4 10.1.0.{node}:7000; _remote_host ipv4 10.1.0.{peer}:7000; }}
        net {{ _name "other"; }}
    }}
}}"""


def a_pair(peer_files, **peer_probes):
    """Volume 1 of a DRBD 9 on sda and sdb here, and whatever there is at the peer."""
    files = mounted("/mnt", "/dev/drbd1001", "xfs", "rw", "147:1001")
    files |= device("drbd1001", "147:1001") | device("sdb", "8:16")
    nodes = "8:10 /dev/sdb"
    show = SHOW_9.format(node=1, peer=2, one="sda", two="sdb")
    here = output("/mnt", files, place="folder\n/mnt\n4096", nodes=nodes, drbd_show=show)
    return here, output("", peer_files, **peer_probes)


def test_the_leg_of_a_peer_is_that_of_the_same_volume_with_all_its_layers():
    there = device("md0", "9:0", md__level="raid1", md__raid_disks="2")
    there |= device("sdc", "8:32") | device("sdd", "8:48", queue__rotational="1")
    here, peer = a_pair(
        there,
        links=links(md0="sdc sdd"),
        nodes="9:0 /dev/md0",
        drbd_show=SHOW_9.format(node=2, peer=1, one="sdz", two="md0"),
    )
    assert layers(read_capture(here, peers=[b"", peer]))[2:] == [
        "drbd protocol=C meta_disk=internal",
        "- disk size_bytes=1000M",
        "- md @node-b level=1 devices=2",
        "  - disk medium=hdd size_bytes=1000M rotational=yes",
        "  - disk size_bytes=1000M",
    ]


def test_a_stranger_with_a_drbd_of_its_own_is_no_peer():
    stranger = SHOW_9.format(node=2, peer=3, one="sdy", two="sdz")
    here, other = a_pair(device("sdz", "8:99"), drbd_show=stranger)
    capture = read_capture(here, peers=[other])
    assert (layers(capture)[-1], capture.peers) == ("- disk @node-b", ("10.1.0.2", "other"))


def named(name):
    """What `uname` and the clock say on a machine of that name."""
    return f"{name} 6.1.0 x86_64\n1700000000"


def test_a_machine_of_another_name_than_the_peers_is_not_the_peer():
    """Pairs on their own cables: all of them have the same addresses."""
    show = SHOW_9.format(node=2, peer=1, one="sdz", two="sdy")
    here, stranger = a_pair(device("sdy", "8:9"), drbd_show=show, system=named("stranger"))
    _here, other = a_pair(device("sdy", "8:9"), drbd_show=show, system=named("other"))
    alone = read_capture(here, peers=[stranger])
    assert (layers(alone)[-1], alone.peers) == ("- disk @node-b", ("10.1.0.2", "other"))
    joined = read_capture(here, peers=[stranger, other])
    assert joined.peers == ()
    assert layers(joined)[-1] != "- disk @node-b"


def test_of_several_machines_that_could_be_the_peer_none_is_taken():
    show = SHOW_9.format(node=2, peer=1, one="sdz", two="sdy")
    here, one = a_pair(device("sdy", "8:9"), drbd_show=show)
    _here, another = a_pair(device("sdy", "8:19"), drbd_show=show)
    assert layers(read_capture(here, peers=[one, another]))[-1] == "- disk @node-b"


def test_damage_in_the_output_of_a_peer_costs_its_leg_only():
    here, peer = a_pair(
        device("md0", "9:0", md__level="raid1") | device("md1", "9:1", md__level="raid1"),
        links=links(md0="md1", md1="md0"),
        nodes="9:0 /dev/md0",
        drbd_show=SHOW_9.format(node=2, peer=1, one="sdz", two="md0"),
    )
    for damaged in (peer, peer[: len(peer) // 2], b"\xff"):
        found = layers(read_capture(here, peers=[damaged]))
        assert found[-2:] == ["- disk size_bytes=1000M", "- disk @node-b"]
