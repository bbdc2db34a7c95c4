from __future__ import annotations

import re

import pytest

from tools.project import ROOT

SETTINGS = (ROOT / "benchdash" / "settings.py").read_text()
OF_THE_WEB = {"HOST", "PORT", "WEB_CONCURRENCY"}  # the Procfile's, and uvicorn's own
NAMES = sorted(
    set(re.findall(r'(?:env\.\w+|environ\.get|secret|networks)\(\s*"([A-Z_]+)"', SETTINGS))
    | OF_THE_WEB
)
TABLE = (ROOT / "docs" / "settings.md").read_text()


@pytest.mark.parametrize("name", NAMES)
def test_each_setting_has_its_row(name):
    assert f"| `{name}` |" in TABLE


def test_no_row_is_about_a_setting_that_is_gone():
    assert sorted(re.findall(r"^\| `([A-Z_]+)` \|", TABLE, re.MULTILINE)) == NAMES
