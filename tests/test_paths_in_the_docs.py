"""Every file that README, CONTRIBUTING and docs/ name by its path is there."""

from __future__ import annotations

import re

import pytest

from tools.project import ROOT

TEXTS = (ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").glob("*.md")))
# CONTRIBUTING says that paths of its glossary are below benchdash/
BASES = (ROOT, ROOT / "benchdash")
FOLDERS = {path.name for base in BASES for path in base.iterdir() if path.is_dir()}
MADE = {"var"}  # at the first start


def paths(text):
    """Of `code` and of links, those that begin with a folder of the project."""
    for name in re.findall(r"`([^`\s]+)`", text) + re.findall(r"\]\(([^)#\s]+)", text):
        if "/" in name and name.split("/")[0] in FOLDERS - MADE and not re.search("[A-Z*…{]", name):
            yield name


@pytest.mark.parametrize("file", TEXTS, ids=lambda file: file.name)
def test_each_path_exists(file):
    gone = [name for name in paths(file.read_text()) if not any((b / name).exists() for b in BASES)]
    assert gone == []


def test_paths_are_found_in_tables_and_links():
    text = "| look | `jobs/stopping.py`, `PARSERS` | [remote](docs/remote.md#blocks), `var/x`"
    assert list(paths(text)) == ["jobs/stopping.py", "docs/remote.md"]
