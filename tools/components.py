"""Programs that tests start, and the packages that install them."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import NamedTuple

CI = os.environ.get("CI") == "true"


class Component(NamedTuple):
    """A program by its possible names, and the Debian or Ubuntu package that contains it."""

    programs: tuple[str, ...]
    package: str

    def path(self) -> str | None:
        """The path of the program; None where it is missing."""
        folders = program_folders()
        return next(
            filter(None, (shutil.which(name, path=folders) for name in self.programs)), None
        )


def program_folders() -> str:
    """PATH, and the folders of Debian's servers, which are not on it."""
    postgres = sorted(Path("/usr/lib/postgresql").glob("*/bin"), reverse=True)
    path = os.environ.get("PATH", os.defpath)
    return os.pathsep.join([path, "/usr/sbin", *map(str, postgres)])


COMPONENTS = {
    "PostgreSQL": Component(("postgres",), "postgresql"),
    "Redis": Component(("redis-server",), "redis-server"),
    "Chromium": Component(("chromium", "google-chrome"), "chromium"),
    "sshd": Component(("sshd",), "openssh-server"),
    "fio": Component(("fio",), "fio"),
    "bonnie++": Component(("bonnie++",), "bonnie++"),
    "dbench": Component(("dbench",), "dbench"),
    "sysbench": Component(("sysbench",), "sysbench"),
    "faketime": Component(("faketime",), "faketime"),
    "busybox": Component(("busybox",), "busybox"),
    "sudo": Component(("sudo",), "sudo"),
}


def install_components() -> None:
    """Install what is missing where that is allowed (as root); print what stays missing.

    In CI (CI=true) a missing component ends the run.
    """
    if missing() and os.geteuid() == 0 and shutil.which("apt-get"):
        packages = [COMPONENTS[name].package for name in missing()]
        print(f"Installing with apt-get: {' '.join(packages)}", flush=True)
        quiet = os.environ | {"DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run(["apt-get", "update", "-qq"], check=False)
        for package in packages:  # one by one: a distribution may lack one of them
            install = ["apt-get", "install", "-qq", "--no-install-recommends", package]
            subprocess.run(install, env=quiet, stdout=subprocess.DEVNULL, check=False)
    for name in missing():
        print(
            f"SKIPPED: {name} is missing (apt-get install {COMPONENTS[name].package}).", flush=True
        )
    if missing() and CI:
        raise SystemExit("In CI nothing may be skipped.")


def missing() -> list[str]:
    """Names of the components that this machine does not have."""
    return [name for name, component in COMPONENTS.items() if not component.path()]
