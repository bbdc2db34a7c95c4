"""Tunables are read, set and put back: on a loop device here, and from what other hosts printed."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from benchdash.errors import Refused
from benchdash.recipes import builtin, load
from benchdash.recipes.tunables import TUNABLES, tunable
from tests.devices import sh


def read(name: str, where: str, wanted: str = "") -> str:
    """The present value, as this machine has it."""
    answer = sh(*tunable(name).read(where))
    assert answer.returncode == 0, answer.stderr
    return tunable(name).value(answer.stdout, wanted)


def write(name: str, where: str, value: str) -> None:
    """Set, as a worker does."""
    answer = sh(*tunable(name).write(where, value))
    assert answer.returncode == 0, answer.stderr


def test_the_scheduler_of_a_device_goes_there_and_back(loop_device):
    offered = Path(f"/sys/block/{loop_device[5:]}/queue/scheduler").read_text()
    before = read("scheduler", loop_device)
    others = [word for word in re.findall(r"[\w-]+", offered) if word != before]
    if not others:
        pytest.skip("a second scheduler is missing in this kernel")
    write("scheduler", loop_device, others[0])
    assert read("scheduler", loop_device) == others[0]
    assert read("scheduler", loop_device[5:]) == others[0]
    write("scheduler", loop_device, before)
    assert read("scheduler", loop_device) == before


def test_a_scheduler_that_the_kernel_does_not_have_fails(loop_device):
    answer = sh(*tunable("scheduler").write(loop_device, "no-such-scheduler"))
    assert answer.returncode != 0


@pytest.mark.parametrize(
    ("wanted", "before"),
    [
        ("noatime", "relatime"),
        ("barrier=0,commit=30", "barrier=1,commit=5"),
        ("data=writeback", "data=ordered"),
        ("barrier=0,data=writeback,noatime", "barrier=1,data=ordered,relatime"),
        ("data=journal,nodelalloc", "data=ordered,delalloc"),
    ],
)
def test_mount_options_of_ext4_go_there_and_back(mounted, wanted, before):
    _, folder = mounted
    Path(folder, "kept").write_text("still here")
    assert read("mount_options", folder, wanted) == before
    write("mount_options", folder, wanted)
    assert read("mount_options", folder, wanted) == wanted
    assert Path(folder, "kept").read_text() == "still here"
    write("mount_options", folder, before)
    assert read("mount_options", folder, wanted) == before


def test_what_the_kernel_turns_off_with_a_journal_of_data_is_put_back_too(mounted):
    _, folder = mounted
    one = tunable("mount_options")
    options = one.read(folder)
    before = one.to_put_back(sh(*options).stdout, "barrier=1,data=journal")
    assert before == "barrier=1,data=ordered,delalloc,dioread_nolock"
    write("mount_options", folder, "barrier=1,data=journal")
    in_force = "data=journal,nodelalloc,dioread_lock"
    assert read("mount_options", folder, in_force) == in_force
    write("mount_options", folder, before)
    assert read("mount_options", folder, before) == before
    # of what is named, or is no option of the filesystem, nothing is added
    assert one.to_put_back("rw,data=ordered", "data=journal") == "data=ordered"
    named = "data=journal,delalloc,dioread_nolock"
    assert one.to_put_back(sh(*options).stdout, named) == named.replace("journal", "ordered")


def test_a_busy_filesystem_that_would_need_a_fresh_mount_stays_as_it_is(mounted):
    _, folder = mounted
    with Path(folder, "open").open("w"):
        answer = sh(*tunable("mount_options").write(folder, "data=writeback"))
        assert answer.returncode != 0 and "busy" in answer.stderr
        assert read("mount_options", folder, "data=writeback") == "data=ordered"


def test_where_nothing_is_mounted_there_is_no_value(tmp_path):
    answer = sh(*tunable("mount_options").read(str(tmp_path)))
    assert answer.returncode == 1 and answer.stderr == f"nothing is mounted on {tmp_path}\n"


def test_sysctl_is_read():
    assert read("sysctl", "vm.dirty_ratio").isdecimal()


# drbd-utils 9.22 with DRBD 8.4.11
SHOWN = """resource r0 {
    options {
    }
    net {
        max-epoch-size  \t8000;
        max-buffers     \t8000;
    }
    _remote_host {
        address\t\t\tipv4 10.99.0.2:7788;
    }
    _this_host {
        address\t\t\tipv4 10.99.0.1:7788;
        volume 0 {
            device\t\t\tminor 0;
            disk\t\t\t"/dev/disk/by-id/virtio-data1";
            meta-disk\t\t\tinternal;
        }
    }
}
"""


@pytest.mark.parametrize(
    ("name", "output", "wanted", "value"),
    [
        ("scheduler", "noop anticipatory deadline [cfq] \n", "", "cfq"),
        ("scheduler", "none\n", "", "none"),
        ("scheduler", "[none] mq-deadline kyber bfq\n", "", "none"),
        ("scheduler", "none [bfq]\nnr_requests:64\niosched/slice_idle:8\n", "none", "bfq"),
        (
            *("scheduler", "[bfq]\nnr_requests:64\niosched/slice_idle:8\n"),
            *("none iosched/slice_idle=0", "bfq iosched/slice_idle=8"),
        ),
        ("stripe_cache_size", "256\n", "", "256"),
        ("drbd_protocol", "resource r0 {\n    net {\n        protocol        A;\n    }\n}\n", "", "A"),
        ("drbd_protocol", SHOWN, "", "C"),
        ("drbd_two_primaries", SHOWN, "", "no"),
        ("drbd_role", "Secondary/Primary\n", "", "secondary"),
        ("drbd_protocol", "", "", ""),
        ("mount_options", "rw,nobarrier,data=writeback\n", "barrier=1,data=ordered",
         "barrier=0,data=writeback"),
        ("mount_options", "rw\nrw,bsddf,barrier,data=ordered,nobh,\n", "nobh", "nobh"),
        ("sysctl", "4096\t131072\t6291456\n", "", "4096 131072 6291456"),
    ],
)  # fmt: skip
def test_what_hosts_print_is_understood(name, output, wanted, value):
    assert tunable(name).value(output, wanted) == value


@pytest.mark.parametrize(
    ("name", "where", "value"),
    [
        ("scheduler", "/dev/../etc/passwd", "none"),
        ("scheduler", "sda", "none; reboot"),
        ("scheduler", "sda", "none ../../x=1"),
        ("scheduler", "-x", "none\n"),
        ("stripe_cache_size", "md0", "-1"),
        ("mount_options", "/mnt", "suid,dev"),
        ("mount_options", "/mnt", "data=ordered,exec"),
        ("mount_options", "/mnt/$(id)", "noatime"),
        ("drbd_protocol", "--all", "A"),
        ("drbd_protocol", "r0", "D"),
        ("sysctl", "kernel.core_pattern", "|/bin/sh"),
    ],
)
def test_what_is_no_place_or_no_value_is_refused(name, where, value):
    with pytest.raises(Refused):
        tunable(name).checked(where, value)


def test_an_unknown_tunable_is_refused_with_the_nearest():
    with pytest.raises(Refused, match="Did you mean “scheduler”"):
        tunable("schedular")
    assert all(name == one.name for name, one in TUNABLES.items())


def test_a_recipe_that_says_knob_as_it_was_called_before_is_the_same_recipe():
    recipe = next(one for one in builtin() if one.name == "ext4-lvm-raid6")
    older = recipe.text.replace("    tunable: ", "    knob: ")
    assert older != recipe.text
    assert load(older).steps == recipe.steps


def test_a_step_sets_one_tunable_under_one_key():
    recipe = next(one for one in builtin() if one.name == "ext4-lvm-raid6")
    both = recipe.text.replace("    tunable: ", "    knob: sysctl\n    tunable: ", 1)
    with pytest.raises(Refused, match="a step needs either “argv” or “tunable”"):
        load(both)
