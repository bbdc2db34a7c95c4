"""A benchdash instance for a benchmark: its settings, its commands, its web process."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tools import servers


def environment_of(address: str, place: Path) -> dict[str, str]:
    """The settings of an instance with its database at `address` and its files in `place`."""
    return os.environ | {
        "DATABASE_URL": address,
        "VAR_DIR": str(place / "var"),
        "SECRET_KEY": "benchmarks sign nothing that anyone will ever come to see",
        "FIELD_ENCRYPTION_KEY": "dGVzdHMgZW5jcnlwdCB3aXRoIHRoaXMga2V5IG9ubHk=",
        "HTTPS": "false",
        "PUBLIC_READ": "true",
        "PYTHONPATH": str(Path.cwd()),
    }


def manage(environment: dict[str, str], *arguments: str) -> str:
    """Run a command of manage.py; returns what it printed."""
    command = [sys.executable, "manage.py", *arguments]
    return subprocess.run(
        command, env=environment, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


class Web(NamedTuple):
    """A web process that is up."""

    port: int
    pid: int

    def cpu_s(self) -> float:
        """What it has taken of the processor since its start."""
        times = os.fsdecode(Path(f"/proc/{self.pid}/stat").read_bytes()).rsplit(")", 1)[1].split()
        return sum(map(int, times[11:13])) / os.sysconf("SC_CLK_TCK")


@contextmanager
def web(environment: dict[str, str], place: Path) -> Iterator[Web]:
    """A running web process."""
    port = servers.free_port()
    uvicorn = [sys.executable, "-m", "uvicorn", "benchdash.asgi:application", "--port", str(port)]
    command = [*uvicorn, "--lifespan", "off", "--log-level", "error", "--no-access-log"]
    up = [sys.executable, "-c", f"import socket; socket.create_connection(('127.0.0.1', {port}))"]
    with servers.server(command, place, up, environment) as process:
        yield Web(port, process.pid)
