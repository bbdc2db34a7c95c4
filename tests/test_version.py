from __future__ import annotations

import pytest

from benchdash.version import VERSION, newest_version
from tools.project import ROOT


def test_the_version_is_that_of_the_changelogs_first_heading():
    assert newest_version("# What changed\n\n## 2.0.1 (soon)\n\n## 1.9.0\n") == "2.0.1"


def test_a_changelog_without_a_version_is_a_loud_bug():
    with pytest.raises(ValueError, match="CHANGELOG"):
        newest_version("# What changed\n")


@pytest.mark.parametrize(
    "file", ["pyproject.toml", "package.json", "README.md", "benchdash/settings.py"]
)
def test_the_version_stands_nowhere_else(file):
    assert VERSION not in (ROOT / file).read_text()
