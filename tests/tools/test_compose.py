"""docker-compose.yml says what the rest of the project says."""

from __future__ import annotations

import os
import re
import subprocess

import pytest
import yaml

from tests.conftest import need
from tools import servers
from tools.project import ROOT

COMPOSE = yaml.safe_load((ROOT / "docker-compose.yml").read_text())
SERVICES = COMPOSE["services"]
OURS = ["prepare", "web", "worker", "jobs", "schedule"]
PROCFILE = dict(line.split(": ", 1) for line in (ROOT / "Procfile").read_text().splitlines())
DOCUMENTED = re.findall(
    r"^\| `([A-Z_]+)` \|", (ROOT / "docs" / "settings.md").read_text(), re.MULTILINE
)
OF_THE_IMAGE = {"HOST", "VAR_DIR"}  # which listens to all, and where its static files lie
OF_THE_MACHINE = {"PORT"}
FOR_DEVELOPERS = {"DEBUG"}


@pytest.mark.parametrize("name", OURS)
def test_each_documented_setting_reaches_each_container(name):
    elsewhere = OF_THE_IMAGE | OF_THE_MACHINE | FOR_DEVELOPERS
    assert set(SERVICES[name]["environment"]) == set(DOCUMENTED) - elsewhere


@pytest.mark.parametrize("name", OURS)
def test_what_is_requested_from_outside_has_the_name_that_is_documented(name):
    for inside, value in SERVICES[name]["environment"].items():
        for outside in re.findall(r"\$\{(\w+)", value or ""):
            assert outside in (inside, "POSTGRES_PASSWORD")


def test_a_password_is_no_part_of_an_address():
    assert "://" not in "".join(
        value
        for name in OURS
        for value in SERVICES[name]["environment"].values()
        if value and "PASSWORD" in value
    )


def test_the_workers_are_those_of_make_run():
    assert SERVICES["worker"]["command"] == PROCFILE["worker"].replace(" --beat", "")
    assert SERVICES["jobs"]["command"] == PROCFILE["jobs"]


def test_postgres_is_healthy_only_once_others_reach_it():
    """The image's first start makes the database behind a server without TCP."""
    need("PostgreSQL")
    kind, command, *arguments = SERVICES["postgres"]["healthcheck"]["test"]
    assert (kind, command) == ("CMD", "pg_isready")
    with servers.postgres() as address:
        port = re.search(r":(\d+)/", address)[1]
        pg_isready = [servers.program("PostgreSQL", command), *arguments, "--port"]
        assert subprocess.run([*pg_isready, port], check=False).returncode == 0
    account = servers.UNPRIVILEGED if os.geteuid() == 0 else servers.Account()
    with servers.folder(**account) as place:
        assert answers_without_tcp(place, pg_isready, str(servers.free_port()), account) == [
            True,
            False,
        ]


def answers_without_tcp(place, pg_isready, port, account):
    """Whether a server that only has its socket answers there, and to what compose asks."""
    data = f"{place}/data"
    initdb = [servers.program("PostgreSQL", "initdb"), "-D", data, "-A", "trust", "--no-sync"]
    subprocess.run(initdb, check=True, capture_output=True, cwd=place, **account)
    command = [servers.program("PostgreSQL"), "-D", data, "-p", port]
    command += ["-c", "listen_addresses=", "-k", str(place)]
    by_socket = [pg_isready[0], "-h", str(place), "-p", port]
    with servers.server(command, place, by_socket, **account):
        probes = (by_socket, [*pg_isready, port])
        return [subprocess.run(probe, check=False).returncode == 0 for probe in probes]
