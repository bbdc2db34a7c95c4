"""The published studies that a fresh installation shows: files of studies beside their raw outputs.

A study is `demo/NUMBER-ADDRESS/study.yaml`. Where its address is taken already, what its file says
since then is added, and what people have changed stays as they left it.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path

from benchdash.results.demo_updates import bring_up_to_date
from benchdash.results.models import Study
from benchdash.results.study_files import import_study

DEMO = Path(__file__).parent / "demo"


def demo_folders() -> list[Path]:
    """The last one first: so the first study is the newest, and on top of the list."""
    return sorted((path.parent for path in DEMO.glob("*/study.yaml")), reverse=True)


@cache
def demo_slugs() -> frozenset[str]:
    """The addresses of the studies that come with the installation."""
    return frozenset(_slug(folder) for folder in demo_folders())


def load(folder: Path) -> Study | None:
    """The study of a folder with all its records and runs; None where it is there already."""
    if Study.objects.filter(slug=_slug(folder)).exists():
        return None
    return import_study((folder / "study.yaml").read_text(encoding="utf-8"), folder=folder)


def refresh(folder: Path) -> bool:
    """Whether the study of a folder, loaded by an older version, lacked something and has it now."""
    return bring_up_to_date(_slug(folder), folder)


def _slug(folder: Path) -> str:
    return folder.name.partition("-")[2]
