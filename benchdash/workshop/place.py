"""Where things lie, and by which commands they are run."""

from __future__ import annotations

import hashlib
import os
import subprocess
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

ROOT = Path(__file__).resolve().parents[2]
VENV = ROOT / ".venv"
PYTHON = VENV / "bin" / "python"
BUNDLE = ROOT / "frontend" / "dist"
VAR = Path(os.environ.get("VAR_DIR", ROOT / "var"))


def run(*command: str | Path, environment: Mapping[str, str] | None = None) -> None:
    """Run a command in the project's folder; where it fails, the workshop ends with a sentence."""
    done = subprocess.run(command, cwd=ROOT, env=environment, check=False)
    if done.returncode:
        raise SystemExit(f"`{' '.join(map(str, command))}` failed (exit code {done.returncode}).")


def works(*command: str | Path) -> bool:
    """Whether a command can be run and ends well; nothing of it is shown."""
    try:
        return not subprocess.run(command, cwd=ROOT, capture_output=True, check=False).returncode
    except OSError:
        return False


def digest(paths: Iterable[Path]) -> str:
    """One digest of files and of all files in folders: their names and their bytes."""
    files = sorted(
        file
        for path in paths
        for file in ([path] if path.is_file() else path.rglob("*"))
        if file.is_file()
    )
    whole = hashlib.sha256()
    for file in files:
        whole.update(f"{file.relative_to(ROOT)}\0".encode())
        whole.update(hashlib.sha256(file.read_bytes()).digest())
    return whole.hexdigest()


def is_stamped(stamp: Path, content: str) -> bool:
    """Whether the work that `stamp` stands for was finished for this content."""
    return stamp.is_file() and stamp.read_text() == content
