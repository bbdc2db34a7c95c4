"""Paths of the project, and how commands are run in it."""

from __future__ import annotations

import os
import subprocess
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
BUNDLE = ROOT / "frontend" / "dist"
VAR = Path(os.environ.get("VAR_DIR", ROOT / "var"))


def run(*command: str | Path, environment: Mapping[str, str] | None = None) -> None:
    """Run a command in the project's folder; SystemExit with a sentence where it fails."""
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False)
    if done.returncode:
        raise SystemExit(f"`{' '.join(map(str, command))}` failed (exit code {done.returncode}).")


def works(*command: str | Path) -> bool:
    """Whether a command exists and succeeds; its output is discarded."""
    try:
        return not subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode
    except OSError:
        return False
