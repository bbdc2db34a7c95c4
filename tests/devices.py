"""Block devices of one's own, where root may make them."""

from __future__ import annotations

import os
import subprocess
from pathlib import Path
from shutil import which

import pytest

from tests.workers.running import until
from tools.components import CI

SIZE = 64 * 2**20


def sh(*argv: str, given: str = "") -> subprocess.CompletedProcess[str]:
    """What a worker does with a command, on this machine."""
    return subprocess.run(argv, input=given, capture_output=True, text=True, check=False)


def unmount(folder: Path) -> None:
    """Unmount what a test mounted; what is left mounted fails the whole run when it ends."""
    # again while it is busy: an environment that another test captures asks each mount for its size
    mounted = ("mountpoint", "--quiet", str(folder))  # is_mount() sees no bind mounts
    until(lambda: sh(*mounted).returncode or sh("umount", str(folder)).returncode == 0)


@pytest.fixture
def loop_device(tmp_path: Path):
    """An empty loop device of 64 MiB."""
    if os.geteuid() != 0:
        pytest.skip("root is missing: a loop device cannot be made")
    if not (which("losetup") and Path("/dev/loop-control").exists()):
        (pytest.fail if CI else pytest.skip)("losetup is missing")
    image = tmp_path / "disk.img"
    with image.open("wb") as file:
        file.truncate(SIZE)
    made = sh("losetup", "--find", "--show", str(image))
    if made.returncode:
        pytest.skip(f"a loop device is missing: {made.stderr.strip()}")
    device = made.stdout.strip()
    yield device
    sh("losetup", "--detach", device)


@pytest.fixture
def mounted(loop_device: str, tmp_path: Path):
    """(device, folder) of an ext4 that is mounted, with inodes enough for bonnie++."""
    shared, folder = tmp_path / "shared", tmp_path / "shared" / "mnt"
    shared.mkdir()
    # as on any host: else a network namespace that another test makes meanwhile keeps the mount
    assert sh("mount", "--bind", "--make-shared", str(shared), str(shared)).returncode == 0
    folder.mkdir()
    assert sh("mkfs.ext4", "-q", "-N", "40000", loop_device).returncode == 0
    assert sh("mount", "-o", "relatime", loop_device, str(folder)).returncode == 0
    yield loop_device, str(folder)
    unmount(folder)
    unmount(shared)
