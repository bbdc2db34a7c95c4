"""What Docker would do with the Dockerfile, without Docker: its context, its copies, its commands."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from pathlib import Path

from tools.project import BUNDLE, ROOT


def build_context(folder: Path) -> set[str]:
    """The files of a folder that `docker build` is given: the last pattern that matches decides.

    https://docs.docker.com/build/concepts/context/#dockerignore-files
    """
    lines = (folder / ".dockerignore").read_text().splitlines()
    patterns = [line for line in lines if line and not line.startswith("#")]
    files = (str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file())
    return {file for file in files if not _is_ignored(file, patterns)}


def _is_ignored(file: str, patterns: list[str]) -> bool:
    ignored = False
    for pattern in patterns:
        if _matches(pattern.removeprefix("!"), file):
            ignored = not pattern.startswith("!")
    return ignored


def _matches(pattern: str, file: str) -> bool:
    """Whether a pattern is that of the file or of a folder above it; only `**` crosses a slash."""
    parts = (re.escape(part).replace(r"\*", "[^/]*") for part in pattern.split("/"))
    expression = "/".join(parts).replace("[^/]*[^/]*/", "(?:.*/)?")
    return re.match(rf"(?s:{expression})(?:/|\Z)", file) is not None


def instructions(stage: str = "") -> list[tuple[str, str]]:
    """`(RUN, command)` … of the last stage of the Dockerfile, or of the one of this name."""
    text = (ROOT / "Dockerfile").read_text().replace("\\\n", " ")
    found: list[tuple[str, str]] = []
    named = ""
    for line in text.splitlines():
        word, _, rest = line.partition(" ")
        if word == "FROM":
            named = rest.partition(" AS ")[2]
        elif word.isupper() and named == stage:
            found.append((word, rest.strip()))
    return found


def command_of_image() -> list[str]:
    """What the image starts."""
    return json.loads(dict(instructions())["CMD"])


def build_image(checkout: Path, folder: Path, environment: dict[str, str]) -> None:
    """Carry out the last stage in a folder, but for what it installs from elsewhere."""
    context = build_context(checkout)
    for word, rest in instructions():
        if word == "COPY":
            *sources, target = rest.split()
            if sources[0].startswith("--from="):
                shutil.copytree(BUNDLE, folder / target)
                continue
            for source in sources:
                _copy(checkout, context, source, folder / target)
        elif word == "RUN" and not rest.startswith(("useradd", "pip ")):
            subprocess.run(["sh", "-c", rest], cwd=folder, env=environment, check=True)


def _copy(checkout: Path, context: set[str], source: str, target: Path) -> None:
    """Modes stay as they are; a folder's files come to the target, a file into the folder."""
    if source in context:
        shutil.copy2(checkout / source, target)
        return
    for file in sorted(name for name in context if name.startswith(f"{source}/")):
        to = target / Path(file).relative_to(source)
        to.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy2(checkout / file, to)
    for folder in (path for path in [target, *target.rglob("*")] if path.is_dir()):
        shutil.copymode(checkout / source / folder.relative_to(target), folder)
