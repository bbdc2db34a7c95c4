"""A setting to be put back: the mount options of a real filesystem."""

from __future__ import annotations

from pathlib import Path

from benchdash.jobs.models import TunableChange
from tests.workers.jobs_by_hand import step


def options(folder):
    line = next(each for each in Path("/proc/mounts").read_text().splitlines() if folder in each)
    return set(line.split()[3].split(","))


def journaled(folder):
    """The step that switches the filesystem to data=writeback … and back again."""
    tunable = {"name": "mount_options", "where": folder, "value": "noatime"}
    return step("mount", name="remount", phase="before", root=True, tunable=tunable)


def restored():
    change = TunableChange.objects.get()
    assert change.restored_at and change.read_back == change.old and not change.trouble
    return True
