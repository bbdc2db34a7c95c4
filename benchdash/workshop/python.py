"""The virtual environment: by uv where it is present (many times faster), else by pip."""

from __future__ import annotations

import importlib.util
import sys

from benchdash.workshop.place import PYTHON, ROOT, VENV, digest, is_stamped, run, works

NO_VENV = (
    "This Python has no venv module. On Debian or Ubuntu: apt-get install "
    f"python{sys.version_info.major}.{sys.version_info.minor}-venv"
)


def install_python(requirements: str) -> None:
    """Make sure that .venv holds what the lock file `requirements` names."""
    content = digest([ROOT / requirements])
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
