from __future__ import annotations

import re
import tomllib

import pytest

from tools.project import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text())
GROUPS = PROJECT["dependency-groups"]


def locked(file: str) -> set[str]:
    """Names of the packages that a lock file pins."""
    return set(re.findall(r"^([a-z0-9-]+)==", (ROOT / file).read_text(), re.MULTILINE))


def required(requirements: list[str]) -> set[str]:
    """Normalised names of what pyproject.toml asks for."""
    names = (re.match(r"[\w.-]+", one).group() for one in requirements)
    return {re.sub(r"[-_.]+", "-", name).lower() for name in names}


@pytest.mark.parametrize(
    ("file", "requirements"),
    [
        ("requirements.txt", PROJECT["project"]["dependencies"]),
        ("requirements-dev.txt", PROJECT["project"]["dependencies"] + GROUPS["dev"]),
        ("requirements-node.txt", GROUPS["node"]),
    ],
)
def test_what_the_project_asks_for_is_locked(file, requirements):
    assert required(requirements) - locked(file) == set()


@pytest.mark.parametrize("file", ["requirements.txt", "requirements-dev.txt"])
def test_a_lock_names_no_place_to_fetch_from(file):
    assert re.findall(r"https?://|file:|--\w*index|--find-links", (ROOT / file).read_text()) == []


def test_development_runs_on_the_very_versions_of_production():
    pins = re.compile(r"^\S+==\S+", re.MULTILINE)
    production, development = (
        set(pins.findall((ROOT / file).read_text()))
        for file in ("requirements.txt", "requirements-dev.txt")
    )
    assert len(production) >= len(PROJECT["project"]["dependencies"])
    assert production < development
