"""Storage that recipes make of disks: aligned as configurations are asked to be, undone where it is the job's.

The tools are recorders here, since few kernels that run tests have md or DRBD.
"""

from __future__ import annotations

import os
import subprocess
from pathlib import Path

import pytest

from benchdash.errors import Refused
from benchdash.recipes import Node, Place, builtin, render
from benchdash.vocabulary.storage.alignment import alignments
from benchdash.vocabulary.storage.notation import parse
from tests.recipes.rendered import MADE_DRBD

RECIPES = {recipe.name: recipe for recipe in builtin()}
TOKEN = "0123456789abcdef0123456789abcdef"
NODES = {
    f"node-{name}": Node("root", known_as=(name, f"10.0.0.{n}")) for n, name in enumerate("ab", 1)
}
PLACE = Place(f"/var/tmp/bench/{TOKEN}", NODES)
ALONE = Place(f"/var/tmp/bench/{TOKEN}", {"node-a": NODES["node-a"]})
DISKS = [f"/dev/sd{letter}" for letter in "bcdefghi"]


def steps(**values):
    given = {"mount_point": "/srv", "make_array": True, "disks": DISKS[:6]} | values
    return {step.name: step for step in render(RECIPES["ext4-lvm-raid6"], given, PLACE)}


@pytest.fixture
def ran(tmp_path, monkeypatch):
    """Runs a step with recorders for tools; what they were called with, a line each."""
    tools, log = tmp_path / "tools", tmp_path / "log"
    tools.mkdir()
    monkeypatch.setenv("PATH", f"{tools}:{os.environ['PATH']}")

    def run(step, printing, **answers):
        for tool in printing:
            script = f'#!/bin/sh\necho "${{0##*/}} $*" >> {log}\n{answers.get(tool, "")}\n'
            (tools / tool).write_text(script)
            (tools / tool).chmod(0o755)
        done = subprocess.run(step.argv, capture_output=True, text=True, check=False)
        return done.returncode, log.read_text().splitlines() if log.exists() else []

    return run


@pytest.mark.parametrize(("count", "chunk"), [(4, "64K"), (6, "128K"), (7, "512K")])
def test_the_filesystem_is_made_as_the_stripes_ask_for(ran, count, chunk):
    # any device of this machine: what is asked about it is which array holds it
    disk = f"/dev/{next(Path('/sys/block').iterdir()).name}"
    step = steps(disks=DISKS[:count], chunk=chunk, volume_size="1G")["make-filesystem"]
    argv = [disk if word in DISKS else word for word in step.argv]
    printing = ("pvcreate", "vgcreate", "lvcreate", "mkfs.ext4")
    code, log = ran(type("Step", (), {"argv": argv}), printing)
    assert code == 0
    of_ext4, of_lvm = alignments(
        parse(f"ext4\nlvm\nmd level=6 devices={count} chunk_bytes={chunk}")
    )
    mkfs = next(line for line in log if line.startswith("mkfs"))
    assert of_ext4.mend.partition("-E ")[2] in mkfs and " -b 4096 " in mkfs
    (alignment,) = (word for word in log[0].split() if word.endswith("k"))
    assert of_lvm.options["data_alignment_bytes"] % (int(alignment[:-1]) * 1024) == 0
    assert f"-L {2**30}b benchdash-{TOKEN}" in log[2]


def test_what_another_made_of_the_disks_is_left_alone(ran, tmp_path):
    disk = tmp_path / "disk"
    disk.write_bytes(b"theirs" * 1000)
    step = steps()["remove-array"]
    argv = [str(disk) if word in DISKS else word for word in step.argv]
    printing = ("mdadm", "umount", "vgs", "vgremove", "pvs", "pvremove", "dd")
    theirs = {"mdadm": "echo MD_NAME=m:benchdash-fedcba9876543210", "vgs": "exit 5"}
    code, log = ran(type("Step", (), {"argv": argv}), printing, **theirs)
    assert code == 0 and disk.read_bytes() == b"theirs" * 1000
    assert log == [f"vgs benchdash-{TOKEN}", *["mdadm --examine --export " + str(disk)] * 6]


def test_every_disk_is_confirmed_and_asked_about_before_it_is_written_to():
    made = steps()
    for name in ("make-array", "make-filesystem", "stripe-cache-of-made", "remove-array"):
        assert [one.name for one in made[name].touches if one.kind == "device"] == DISKS[:6]
        assert made[name].root
    shared = [name for name, step in made.items() if step.shared]
    assert shared == ["empty-folder", "make-array", "make-filesystem", "remove-array"]
    assert [*made][-3:] == ["remove-folder", "unmount", "remove-array"]


def of_block(name, folder, **values):
    """A step of a job that finds its block made, with folders of the test."""
    given = {"mount_point": "/srv", "make_array": True, "disks": DISKS[:6]} | values
    place = Place(PLACE.work, ALONE.nodes, "b10c")
    made = render(RECIPES["ext4-lvm-raid6"], given, place)
    argv = next(step for step in made if step.name == name).argv
    folders = {"/srv": str(folder), PLACE.work: str(folder.parent)}
    return type("Step", (), {"argv": [folders.get(word, word) for word in argv]})


def test_each_job_mounts_the_volume_of_its_block_as_its_cell_asks(ran, tmp_path):
    folder = tmp_path / "srv"
    folder.mkdir()
    step = of_block("mount", folder, mount_options="barrier=0")
    code, log = ran(step, ("mount", "chown"))
    assert (code, log) == (
        0,
        [
            f"mount -t ext4 -o barrier=0 /dev/benchdash-b10c/data {folder}",
            f"chown {os.getuid()} {folder}",
        ],
    )
    (folder / "theirs").touch()
    assert ran(step, ("mount", "chown"))[0] == 1
    code, log = ran(of_block("unmount", folder), ("umount",))
    assert code == 0 and not any(
        line.startswith("umount") for line in log
    )  # nothing of it is there


def test_an_array_that_is_there_is_measured_without_a_step_that_destroys():
    there = steps(make_array=False, array="/dev/md0", mount_options="barrier=0")
    assert [*there] == [
        "scheduler", "stripe-cache", "mount-options", "folder", "bonnie", "dbench", "remove-folder",
    ]  # fmt: skip
    assert all(touch.kind == "path" for step in there.values() for touch in step.touches)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"disks": DISKS[:3]}, "four disks or more"),
        ({"disks": ""}, "four disks or more"),
        ({"array": "/dev/md0"}, "has no name yet"),
    ],
)
def test_what_cannot_become_an_array_is_refused(values, sentence):
    with pytest.raises(Refused, match=sentence):
        steps(**values)


MADE = {"local_directory": "/srv", "drbd_directory": "/srv", "gfs2_directory": "/srv"} | MADE_DRBD


def of_drbd(**values):
    return render(RECIPES["drbd-on-two-pcs"], MADE | values, PLACE)


def test_a_disk_without_the_jobs_name_or_uuid_is_left_alone(ran, tmp_path):
    disk = tmp_path / "disk"
    disk.write_bytes(b"theirs" * 1000)
    step = next(one for one in of_drbd(condition="drbd-c") if one.name == "remove-resource")
    argv = [str(disk) if word == MADE["disk"] else word for word in step.argv]
    theirs = {"blkid": "echo 5a5a5a5a-89ab-cdef-0123-456789abcdef"}
    code, log = ran(type("Step", (), {"argv": argv}), ("drbdadm", "blkid", "dd"), **theirs)
    assert (code, log) == (0, [f"blkid -p -s UUID -o value {disk}"])
    assert disk.read_bytes() == b"theirs" * 1000


@pytest.mark.parametrize(
    ("condition", "wiped"), [("local", ["node-a"]), ("drbd-a", ["node-a", "node-b"])]
)
def test_what_is_made_on_a_host_is_removed_there(condition, wiped):
    made = of_drbd(condition=condition)
    touching = {
        one.node for one in made for touch in one.touches if touch.kind == "device" and one.root
    }
    assert sorted(touching) == wiped
    assert [one.node for one in made if one.name == "remove-resource"] == wiped
    assert not any(one.tunable for one in made)
    there = of_drbd(condition=condition, disk="")
    assert not any(touch.kind == "device" for one in there for touch in one.touches)


@pytest.mark.parametrize(
    ("values", "sentence"),
    [
        ({"condition": "gfs2-two-mounts"}, "need a cluster"),
        ({"condition": "gfs2-one-mount", "filesystem": "ext4"}, "neither ext3 nor ext4"),
        ({"condition": "drbd-a", "network": ""}, "connects two addresses"),
        ({"condition": "drbd-a", "network": "10.1.0.0/16"}, "a had no address in 10.1.0.0/16"),
    ],
)
def test_what_cannot_become_a_resource_is_refused(values, sentence):
    with pytest.raises(Refused, match=sentence):
        of_drbd(**values)
    assert of_drbd(condition="local", network="")


@pytest.mark.parametrize(
    ("name", "condition", "lacking", "printing"),
    [
        ("drbd-is-there", "drbd-c", "modprobe", "has no DRBD: its module drbd cannot be loaded"),
        ("drbd-is-there", "gfs2-one-mount", "drbdadm", "has no drbdadm: install drbd-utils"),
        ("filesystem-is-there", "gfs2-one-mount", "modprobe", "has no gfs2: its module gfs2"),
        ("filesystem-is-there", "gfs2-one-mount", "mkfs.gfs2", "mkfs.gfs2: install gfs2-utils"),
        ("filesystem-is-there", "local", "mkfs.ext3", "has no mkfs.ext3: install e2fsprogs"),
    ],
)
def test_what_a_host_lacks_is_named_before_anything_is_destroyed(
    tmp_path, name, condition, lacking, printing
):
    made = of_drbd(condition=condition)
    step = next(one for one in made if one.name == name)
    writes = next(one for one in made if any(touch.kind == "device" for touch in one.touches))
    assert made.index(step) < made.index(writes)
    programs = {"modprobe": "", "uname": "echo lab", "grep": "exit 1"}
    programs |= {one: "" for one in ("drbdadm", "mkfs.gfs2", "mkfs.ext3") if one != lacking}
    if lacking == "modprobe":
        programs["modprobe"] = "exit 1"
    for program, does in programs.items():
        (tmp_path / program).write_text(f"#!/bin/sh\n{does}\n")
        (tmp_path / program).chmod(0o755)
    argv = ["/bin/sh", *step.argv[1:]]
    done = subprocess.run(
        argv, capture_output=True, text=True, check=False, env={"PATH": str(tmp_path)}
    )
    assert done.returncode == 1 and printing in done.stderr


def test_a_host_that_has_all_goes_on(ran):
    for name in ("drbd-is-there", "filesystem-is-there"):
        step = next(one for one in of_drbd(condition="gfs2-one-mount") if one.name == name)
        assert ran(step, ("modprobe", "drbdadm", "mkfs.gfs2"))[0] == 0


def between_zones(place=PLACE, **values):
    folders = {"local_directory": "/srv/local", "mirror_directory": "/srv/mirror"}
    given = folders | MADE_DRBD | values
    return {
        (step.name, step.node): step for step in render(RECIPES["drbd-between-zones"], given, place)
    }


def test_a_pair_of_a_zone_makes_its_mirror_and_a_single_host_its_volume():
    pair = between_zones(zone="near")
    assert pair["make-resource", "node-b"].argv[-3:] == ("10.0.0.1", "10.0.0.2", "C")
    assert pair["make-filesystem", "node-a"].argv[-3:] == ("ext4", "/srv/mirror", "drbd")
    assert {node for name, node in pair if name == "remove-made"} == {"node-a", "node-b"}
    alone = between_zones(ALONE, zone="local", network="")
    assert alone["make-filesystem", "node-a"].argv[-2:] == ("ext4", "/srv/local")
    assert not {name for name, _node in alone} & {"drbd-is-there", "make-resource", "is-mirror"}
    local = between_zones(condition="local", network="")
    assert {node for _name, node in local} == {"node-a"}


def test_the_mirror_of_a_pair_connects_by_the_address_of_the_other_host():
    touched = {
        node: [one.name for one in step.touches if one.kind == "server"]
        for (name, node), step in between_zones().items()
        if name == "make-resource"
    }
    assert touched == {"node-a": ["10.0.0.2"], "node-b": ["10.0.0.1"]}


@pytest.mark.parametrize(
    ("place", "values", "sentence"),
    [
        (ALONE, {}, "on each of two hosts: choose a second"),
        (PLACE, {"network": ""}, "name the network that has both"),
        (PLACE, {"resource": "r0"}, "Name either the resource or the disk"),
        (PLACE, {"mirror_directory": ""}, "The mirror needs a folder"),
        (PLACE, {"condition": "local", "local_directory": ""}, "needs a folder without"),
        (ALONE, {"zone": "local", "local_directory": ""}, "its local volume, which needs a folder"),
    ],
)
def test_what_cannot_become_a_mirror_of_a_zone_is_refused(place, values, sentence):
    with pytest.raises(Refused, match=sentence):
        between_zones(place, **values)


def test_a_plan_names_the_folders_of_its_own_conditions_only():
    assert between_zones(local_directory="")
    assert between_zones(condition="local", network="", mirror_directory="")
    none = dict.fromkeys(["local_directory", "drbd_directory", "gfs2_directory"], "")
    for condition, folder in [
        ("local", "local_directory"), ("drbd-a", "drbd_directory"), ("drbd-c", "drbd_directory"),
        ("drbd-c-two-primaries", "drbd_directory"), ("gfs2-one-mount", "gfs2_directory"),
    ]:  # fmt: skip
        assert of_drbd(condition=condition, **none | {folder: "/srv"})
        with pytest.raises(Refused, match="a folder"):
            of_drbd(condition=condition, **dict.fromkeys(none, "/srv") | {folder: ""})


def of_drbd_in(folder, name):
    """A step of a mirror, with the resources of DRBD in a folder of the test."""
    step = next(one for one in of_drbd(condition="drbd-c") if one.name == name)
    argv = [word.replace("/etc/drbd.d", str(folder)) for word in step.argv]
    return type("Step", (), {"argv": argv})


def test_a_power_failure_leaves_no_metadata_of_drbd_without_the_file_that_tells_whose_it_is(
    ran, tmp_path
):
    tools = ("modprobe", "cat", "sync", "drbdadm")
    code, log = ran(of_drbd_in(tmp_path, "make-resource"), tools, cat="echo 8.4.11")
    assert code == 0
    done = [line.partition(" benchdash-")[0] for line in log if not line.startswith("cat")]
    assert done == [
        "modprobe drbd", "drbdadm dump", "sync ", "drbdadm create-md --force", "drbdadm up",
    ]  # fmt: skip


def test_a_file_of_drbd_that_a_power_failure_emptied_does_not_keep_the_job_from_its_end(
    ran, tmp_path
):
    file = tmp_path / f"benchdash-{TOKEN}.res"
    file.touch()
    step = of_drbd_in(tmp_path, "remove-resource")
    assert ran(step, ("drbdadm", "blkid"), drbdadm="exit 10") == (
        0,
        [f"blkid -p -s UUID -o value {MADE['disk']}"],
    )
    assert not file.exists()
