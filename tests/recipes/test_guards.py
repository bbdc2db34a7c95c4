"""A host is asked, for real, what lies on a device right before it is written to."""

from __future__ import annotations

import os
import re
import struct
import subprocess
import time
from pathlib import Path
from shutil import which

import pytest

from benchdash.recipes import Touch
from benchdash.recipes.guards import REASONS, guard_script, reasons
from tests.devices import sh, unmount

SHELLS = [["sh", "-s"], ["bash", "--posix", "-s"]]


def reasons_against(name: str, kind: str = "device", shell=("sh", "-s")) -> tuple[str, ...]:
    """The reasons against touching, as this machine gives them.

    Asked again while a losetup elsewhere looks at all loop devices for a free one.
    """
    for _ in range(50):
        answer = sh(*shell, given=guard_script(Touch(kind, name)))
        found = reasons(answer.stdout)
        if not any("held open by losetup" in reason for reason in found):
            break
    assert answer.stderr == ""
    return found


@pytest.mark.parametrize("shell", SHELLS, ids=["sh", "bash"])
def test_nothing_speaks_against_an_empty_device(loop_device, shell):
    assert reasons_against(loop_device, shell=shell) == ()


def test_a_link_to_a_device_is_followed(loop_device, tmp_path):
    link = tmp_path / "disk"
    link.symlink_to(loop_device)
    sh("mkfs.ext4", "-q", loop_device)
    assert reasons_against(str(link)) == (f"{loop_device} has the ext4 signature",)


def test_a_mounted_device_is_named_with_its_folder(mounted):
    device, folder = mounted
    assert f"{device} is mounted on {folder}" in reasons_against(device)
    assert f"{device} has the ext4 signature" in reasons_against(device)


def test_swap_that_is_in_use_is_swap(loop_device):
    assert sh("mkswap", loop_device).returncode == 0
    assert reasons_against(loop_device) == (f"{loop_device} has a swap signature",)
    if sh("swapon", loop_device).returncode:
        pytest.skip("swap is missing in this kernel")
    try:
        assert f"{loop_device} is swap" in reasons_against(loop_device)
    finally:
        sh("swapoff", loop_device)


def test_a_device_that_a_process_holds_open_is_reported_with_the_process(loop_device):
    holder = subprocess.Popen(
        ["sh", "-c", 'exec 3<"$1"; echo open; exec sleep 60', "sh", loop_device],
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert holder.stdout.readline() == "open\n"
        (reason,) = reasons_against(loop_device)
        assert reason.startswith(f"{loop_device} is held open by s")
        assert f"(process {holder.pid})" in reason
    finally:
        holder.kill()
        holder.wait()
        holder.stdout.close()


def _at(device: str, offset: int, content: bytes) -> None:
    with Path(device).open("r+b") as file:
        file.seek(offset)
        file.write(content)


def _md(device: str) -> None:
    """A version 1.2 superblock, 4 KiB from the beginning, with its checksum (md_p.h)."""
    block = bytearray(256)
    block[0:8] = (0xA92B4EFC).to_bytes(4, "little") + (1).to_bytes(4, "little")
    block[16:32] = b"benchdash-of-md!"
    block[72:76] = (1).to_bytes(4, "little")
    block[128:136] = (2048).to_bytes(8, "little")
    block[144:152] = (8).to_bytes(8, "little")
    words = [int.from_bytes(block[n : n + 4], "little") for n in range(0, 256, 4)]
    total = sum(words)
    block[216:220] = ((total & 0xFFFFFFFF) + (total >> 32) & 0xFFFFFFFF).to_bytes(4, "little")
    _at(device, 4096, bytes(block))


def _lvm(device: str) -> None:
    """An LVM2 label in the second sector (lib/format_text/layout.h), with its checksum."""
    label = bytearray(512)
    label[0:8], label[8:16], label[24:32] = b"LABELONE", (1).to_bytes(8, "little"), b"LVM2 001"
    label[20:24] = (32).to_bytes(4, "little")
    label[32:64] = b"0123456789abcdef0123456789abcdef"
    crc = 0xF597A6CF
    for byte in label[20:]:
        crc ^= byte
        for _ in range(8):
            crc = (crc >> 1) ^ (0xEDB88320 if crc & 1 else 0)
    label[16:20] = crc.to_bytes(4, "little")
    _at(device, 512, bytes(label))


def _ceph(device: str) -> None:
    _at(device, 0, b"bluestore block device\n6ba7b810-9dad-11d1-80b4-00c04fd430c8\n")


def _drbd(device: str) -> None:
    """Internal metadata of DRBD 8.4 in the last 4 KiB: its magic at byte 60 (drbd_int.h)."""
    size = 64 * 2**20
    block = bytearray(4096)
    block[60:64] = (0x8374026D).to_bytes(4, "big")
    _at(device, size - 4096, bytes(block))


def _zfs(device: str) -> None:
    """Uberblocks of the four labels, little endian (vdev_impl.h)."""
    magic = (0x00BAB10C).to_bytes(8, "little")
    for label in (0, 256 * 1024):
        for number in range(128):
            _at(device, label + 128 * 1024 + number * 1024, magic)


@pytest.mark.parametrize(
    ("write", "member"),
    [(_md, "an md"), (_lvm, "an LVM"), (_ceph, "a Ceph"), (_drbd, "a DRBD"), (_zfs, "a ZFS")],
    ids=["md", "lvm", "ceph", "drbd", "zfs"],
)
def test_a_member_is_known_by_its_signature(loop_device, write, member):
    write(loop_device)
    (reason, *_) = reasons_against(loop_device)
    assert reason.startswith(f"{loop_device} has {member} signature")


def test_a_partition_table_and_what_lies_in_the_partitions_speak_against_a_disk(loop_device):
    one = bytes([0, 0, 2, 0, 0x83, 0, 0, 0]) + struct.pack("<II", 2048, 65536)
    _at(loop_device, 446, one + bytes(48) + b"\x55\xaa")
    assert reasons_against(loop_device) == (f"{loop_device} has the dos signature",)


@pytest.mark.parametrize("offset", [0, 4096, 64 * 2**20 - 4096])
def test_without_blkid_what_is_not_empty_is_refused(loop_device, tmp_path, offset):
    without = _without_blkid(loop_device, tmp_path)
    assert without() == ()
    _at(loop_device, offset, b"bluestore block device\n")
    assert without() == (f"{loop_device} is not empty, and blkid here cannot tell what it is",)


def test_the_blkid_of_busybox_is_not_taken_for_one_that_looks(loop_device, tmp_path):
    busybox = which("busybox") or pytest.skip("busybox is missing")
    sh(busybox, "--install", "-s", str(tmp_path))
    script = guard_script(Touch("device", loop_device)).replace(
        "PATH=$PATH:/sbin:/usr/sbin:/usr/local/sbin", ""
    )
    command = ("env", "-i", f"PATH={tmp_path}", f"{tmp_path}/sh", "-s")
    assert reasons(sh(*command, given=script).stdout) == ()
    sh("mkfs.ext4", "-q", loop_device)
    assert reasons(sh(*command, given=script).stdout) == (
        f"{loop_device} is not empty, and blkid here cannot tell what it is",
    )


def test_a_disk_is_held_by_what_is_mounted_from_its_partitions(loop_device, tmp_path):
    folder, part = tmp_path / "mnt", f"{loop_device}p1"
    folder.mkdir()
    one = bytes([0, 0, 2, 0, 0x83, 0, 0, 0]) + struct.pack("<II", 2048, 65536)
    _at(loop_device, 446, one + bytes(48) + b"\x55\xaa")
    sh("partx", "--add", loop_device)
    if not Path(part).exists():
        pytest.skip("partitions of loop devices are missing in this kernel")
    sh("mkfs.ext4", "-q", part)
    assert sh("mount", part, str(folder)).returncode == 0
    try:
        assert f"{part} is mounted on {folder}" in reasons_against(loop_device)
    finally:
        unmount(folder)
        sh("partx", "--delete", loop_device)


def _without_blkid(device: str, folder: Path):
    for tool in [
        "awk",
        "basename",
        "cat",
        "dd",
        "grep",
        "head",
        "id",
        "ls",
        "printf",
        "readlink",
        "sed",
        "tail",
        "tr",
        "wc",
        "sh",
    ]:
        (folder / tool).symlink_to(which(tool))
    script = guard_script(Touch("device", device)).replace(
        "PATH=$PATH:/sbin:/usr/sbin:/usr/local/sbin", f"PATH={folder}"
    )
    return lambda: reasons(sh("sh", "-s", given=script).stdout)


SHOWN = """resource r0 {
    on a {
        device minor 0;
        disk "%s";
        meta-disk internal;
    }
}
"""


def test_the_disk_of_a_drbd_resource_is_known_by_what_drbdsetup_shows(loop_device, tmp_path):
    link = tmp_path / "by-id"
    link.symlink_to(loop_device)
    shown = tmp_path / "drbdsetup"
    shown.write_text(f"#!/bin/sh\ncat <<'end'\n{SHOWN % link}end\n")
    shown.chmod(0o755)
    script = guard_script(Touch("device", loop_device))
    answer = sh("env", f"PATH={tmp_path}:{os.environ['PATH']}", "sh", "-s", given=script)
    assert f"{loop_device} is used by DRBD (as {link})" in reasons(answer.stdout)


@pytest.mark.parametrize(
    ("prints", "against"),
    [
        ("echo other; echo bench", ()),
        ("echo bench-2; echo another", ("there is no such pool here",)),
        ("echo out of order >&2; exit 1", ("Ceph does not answer as it should: out of order",)),
    ],
)
def test_a_pool_of_ceph_is_one_that_the_cluster_has(tmp_path, prints, against):
    assert _of_ceph(tmp_path, "rados", prints, "rados:bench") == against


def _of_ceph(folder: Path, tool: str, prints: str, name: str) -> tuple[str, ...]:
    program = folder / tool
    program.write_text(f"#!/bin/sh\n{prints}\n")
    program.chmod(0o755)
    script = guard_script(Touch("device", name))
    answer = sh("env", f"PATH={folder}:{os.environ['PATH']}", "sh", "-s", given=script)
    return reasons(answer.stdout)


# what rbd of Ceph 16.2.15 printed
OF_RBD = {
    "no key": """\
2026-11-25T19:11:11.929+0000 7f63919aa380 -1 auth: unable to find a keyring on /etc/ceph/ceph.client.admin.keyring,/etc/ceph/ceph.keyring,/etc/ceph/keyring,/etc/ceph/keyring.bin,: (2) No such file or directory
2026-11-25T19:11:11.945+0000 7f638bfff6c0 -1 monclient(hunting): handle_auth_bad_method server allowed_methods [2] but i only support [1]
2026-11-25T19:11:11.945+0000 7f63919aa380 -1 monclient: authenticate NOTE: no keyring found; disabled cephx authentication
rbd: couldn't connect to the cluster!""",
    "another key": """\
2026-11-25T19:11:14.549+0000 7f24a88b76c0 -1 monclient(hunting): handle_auth_bad_method server allowed_methods [2] but i only support [2,1]
rbd: couldn't connect to the cluster!""",
    "not its pool": """\
2026-11-25T19:19:25.650+0000 7f176a7fc6c0 -1 librbd::image::OpenRequest: failed to stat v2 image header: (1) Operation not permitted
rbd: error opening image one: (1) Operation not permitted""",
    "no file": """\
did not load config file, using default settings.
2026-11-25T19:11:13.753+0000 7faea203d380 -1 can't open ceph.conf: (2) No such file or directory
unable to get monitor info from DNS SRV with service name: ceph-mon
rbd: couldn't connect to the cluster!""",
    "no image": "rbd: error opening image one: (2) No such file or directory",
    "no pool": "rbd: error opening pool 'bench': (2) No such file or directory",
}


@pytest.mark.parametrize(
    ("printed", "against"),
    [
        ("no key", " cannot read a Ceph key here: "),
        ("another key", "Ceph rejects the key "),
        ("not its pool", "Ceph rejects the key "),
        ("no file", " cannot read /etc/ceph/ceph.conf here"),
        ("no image", "there is no such image here: create it with rbd create"),
        ("no pool", "its pool is not here"),
    ],
)
def test_why_an_image_cannot_be_had_is_told_in_a_sentence(tmp_path, printed, against):
    (reason,) = _of_ceph(
        tmp_path, "rbd", f"cat >&2 <<'end'\n{OF_RBD[printed]}\nend\nexit 2", "rbd:bench/one"
    )
    assert against in reason and "couldn't connect" not in reason


@pytest.mark.parametrize(
    ("watchers", "against"),
    [
        ("Watchers: none", ()),
        (
            "Watchers:\n\twatcher=127.0.2.1:0/1234 client.4242 cookie=140244",
            ("a client is using it",),
        ),
    ],
)
def test_an_image_that_a_client_has_open_is_not_written(tmp_path, watchers, against):
    assert _of_ceph(tmp_path, "rbd", f"printf '%s\\n' '{watchers}'", "rbd:bench/one") == against


def test_ceph_that_does_not_answer_is_waited_for_for_seconds(tmp_path):
    began = time.monotonic()
    (reason,) = _of_ceph(tmp_path, "rbd", "exec sleep 60", "rbd:bench/one")
    assert reason.startswith("Ceph does not answer: its monitors are down")
    assert time.monotonic() - began < 25


def test_what_is_no_device_is_stated_to_be_none():
    assert reasons_against("/dev/benchdash-is-not-here") == (
        "/dev/benchdash-is-not-here is not a block device here",
    )
    assert reasons_against("/dev/null") == ("/dev/null is not a block device here",)


def test_a_folder_of_the_system_or_behind_a_link_is_refused(tmp_path):
    link = tmp_path / "link"
    link.symlink_to("/etc")
    assert reasons_against(str(tmp_path), "path") == ()
    assert reasons_against("/etc", "path") == ("it is a system folder (/etc)",)
    assert "it is a system folder (/etc)" in reasons_against(str(link), "path")
    assert reasons_against(f"{tmp_path}/none", "path") == (
        "there is no such folder here: create it, or choose another",
    )


def test_an_answer_that_was_cut_is_none():
    assert reasons("") == ("the host's answer about what is there is cut off",)
    assert len(reasons("/dev/sdb is mounted on /srv\n")) == 2


def test_a_reason_keeps_its_template_and_values(mounted):
    device, folder = mounted
    (reason,) = (each for each in reasons_against(device) if "is mounted on" in each)
    assert reason.template == "{device} is mounted on {path}"
    assert reason.values == {"device": device, "path": str(folder)}


def test_an_empty_value_is_one_and_what_is_no_reason_stays_as_it_stands():
    output = "held_by_lvm\x1f/dev/sdb\x1f\nheld_by_lvm\x1f/dev/sdb\nsh: no blkid\nasked\n"
    assert reasons(output) == (
        "/dev/sdb is used by LVM ()",
        "held_by_lvm /dev/sdb",
        "sh: no blkid",
    )


def test_each_reason_of_the_scripts_has_its_sentence():
    """What the scripts say, and nothing else, stands in REASONS with as many values."""
    devices = [Touch("device", name) for name in ("/dev/sda", "rbd:a/b", "rados:a")]
    program = "".join(map(guard_script, [*devices, Touch("path", "/mnt")]))
    assert {*re.findall(r"\bsay ([a-z_]+)", program)} == {*REASONS}
    for name, values in re.findall(r"\bsay ([a-z_]+)((?: \"(?:\$\([^)]*\)|[^\"])*\")*)", program):
        assert len(re.findall(r"\$\(|\$\w+\"", values)) >= REASONS[name].count("{"), name


def test_a_name_cannot_break_out_of_the_script(tmp_path):
    name = f"/dev/x'; touch {tmp_path}/broken; '$(touch {tmp_path}/broken)`touch {tmp_path}/broken`"
    assert reasons_against(name) == (f"{name} is not a block device here",)
    assert list(tmp_path.iterdir()) == []
