"""A working folder on a disk that is full."""

from __future__ import annotations

import os
import subprocess

import pytest

from benchdash.jobs import logs
from benchdash.jobs.models import Job
from tests.workers.jobs_by_hand import carried, job, sh, target

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
S = Job.State


@pytest.fixture
def tmpfs(tmp_path):
    """A small filesystem in memory. Needs root."""
    if os.geteuid() != 0:
        pytest.skip("root is missing: no tmpfs can be mounted")
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(tmp_path)], check=True)
    yield tmp_path
    subprocess.run(["umount", "-l", str(tmp_path)], check=True)


def test_a_full_disk_is_named_and_hides_no_exit_code(a_server, tmpfs):
    fill = "echo begun; dd if=/dev/zero of=fill bs=4k count=1000 || exit 1"
    made = carried(job(sh(fill), on=target(a_server, folder=str(tmpfs))))
    assert (made.state, made.steps.get().exit_code) == (S.FAILED, 1)
    assert made.reason.startswith("The disk is full")
    assert logs.whole(made.steps.get()) == b"begun\n"
    assert list(tmpfs.iterdir()) == []


def test_a_full_disk_is_named_where_the_tool_ends_well_and_has_written_nothing(a_server, tmpfs):
    fill = "dd if=/dev/zero of=fill bs=4k count=1000 2>/dev/null; : > result.out"
    on = target(a_server, folder=str(tmpfs))
    made = carried(job(sh(fill, tool="fio", result="result.out"), on=on))
    assert (made.state, made.steps.get().exit_code) == (S.FAILED, 0)
    assert made.reason == "The disk is full: measure printed no result."


def test_what_filled_the_disk_is_cleaned_up_all_the_same(a_server, tmpfs):
    scratch = tmpfs / "scratch"
    fill = sh(f"dd if=/dev/zero of={scratch} bs=4k; exit 1")
    made = carried(
        job(fill, sh(f"rm {scratch}", phase="cleanup"), on=target(a_server, folder=str(tmpfs)))
    )
    assert (made.state, scratch.exists()) == (S.FAILED, False)


@pytest.fixture
def home(own_server):
    """A home folder that is full. Needs root."""
    if os.geteuid() != 0:
        pytest.skip("root is missing: no tmpfs can be mounted")
    path = own_server.home
    mount = ["mount", "-t", "tmpfs", "-o", "size=64k,mode=700", "none", str(path)]
    subprocess.run(mount, check=True)
    (path / "all").write_bytes(bytes(2**16))
    yield path
    subprocess.run(["umount", "-l", str(path)], check=True)


def test_a_home_folder_that_is_full_before_the_start_is_named(own_server, home):
    made = carried(job(sh("echo never"), on=target(own_server)))
    assert made.state == S.FAILED
    assert "cannot write to the job's folders" in made.reason and "No space left" in made.reason
    assert sorted(each.name for each in home.rglob("*")) == [".benchdash", "all"]
