"""Real servers for tests and benchmarks: on a free port, in a temporary folder, always ended.

pytest-postgresql, pytest-redis and mirakuru cannot start PostgreSQL as root (they name no other
account), work as pytest fixtures only, and cannot stop a server during a test and start it again
with its data.
"""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from contextlib import AbstractContextManager, ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, TypedDict, Unpack

from tools.components import COMPONENTS
from tools.supervisor import end_with_parent

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping


class Account(TypedDict, total=False):
    """The account that runs a server; empty: the current one."""

    user: str
    group: str
    extra_groups: list[str]


UNPRIVILEGED = Account(user="nobody", group="nogroup", extra_groups=[])
NO_DURABILITY = {"fsync": "off", "synchronous_commit": "off", "full_page_writes": "off"}
PATIENCE_S = 30


@contextmanager
def postgres(**options: str) -> Iterator[str]:
    """A PostgreSQL server with these options; gives its address for DATABASE_URL."""
    with restartable_postgres(**options) as running:
        yield running.address


@dataclass
class Restartable:
    """A running server and how it was started."""

    address: str
    start: Callable[[], AbstractContextManager[object]]
    running: ExitStack = field(default_factory=ExitStack)

    def restart(self) -> None:
        """Stop it despite its clients, and start it again on the same data and port."""
        with self.away():
            pass

    @contextmanager
    def away(self) -> Iterator[None]:
        """Stop it despite its clients, and start it again at the end of the block."""
        self.running.close()
        try:
            yield
        finally:
            self.running.enter_context(self.start())


@contextmanager
def restartable_postgres(**options: str) -> Iterator[Restartable]:
    """A PostgreSQL server with these options that can be restarted."""
    account = UNPRIVILEGED if os.geteuid() == 0 else Account()  # PostgreSQL refuses root
    with folder(**account) as place:
        data, port = f"{place}/data", str(free_port())
        initdb = [program("PostgreSQL", "initdb"), "-D", data, "-U", "postgres", "-A", "trust"]
        initdb += ["--encoding=UTF8", "--locale=C.UTF-8", "--no-sync"]
        subprocess.run(initdb, check=True, capture_output=True, cwd=place, **account)
        options = {"unix_socket_directories": str(place)} | NO_DURABILITY | options
        settings = [part for name, value in options.items() for part in ("-c", f"{name}={value}")]
        command = [program("PostgreSQL"), "-D", data, "-h", "127.0.0.1", "-p", port, *settings]
        ready = [program("PostgreSQL", "pg_isready"), "-q", "-h", "127.0.0.1", "-p", port]
        address = f"postgres://postgres@127.0.0.1:{port}/postgres"
        one = Restartable(address, lambda: server(command, place, ready, **account))
        with one.running:
            one.running.enter_context(one.start())
            yield one


@contextmanager
def redis() -> Iterator[str]:
    """A Redis server that keeps nothing on disk; gives its address for REDIS_URL."""
    with restartable_redis() as running:
        yield running.address


@contextmanager
def restartable_redis() -> Iterator[Restartable]:
    """A Redis server that can be restarted; it is empty afterwards."""
    with folder() as place:
        port = str(free_port())
        command = [program("Redis"), "--bind", "127.0.0.1", "--port", port, "--save", ""]
        ready = [program("Redis", "redis-cli"), "-p", port, "ping"]
        one = Restartable(f"redis://127.0.0.1:{port}", lambda: server(command, place, ready))
        with one.running:
            one.running.enter_context(one.start())
            yield one


def program(component: str, sibling: str | None = None) -> str:
    """The path of a component's program, or of another one beside it."""
    path = COMPONENTS[component].path()
    if not path:
        raise RuntimeError(f"{component} is missing.")
    return str(Path(path).resolve().with_name(sibling)) if sibling else path


@contextmanager
def server(
    command: list[str],
    place: Path,
    ready: list[str],
    environment: Mapping[str, str] | None = None,
    **account: Unpack[Account],
) -> Iterator[subprocess.Popen[bytes]]:
    """Run a server for the block, which is entered once the command `ready` succeeds."""
    with (place / "log").open("wb") as log:
        process = subprocess.Popen(
            command,
            cwd=place,
            env=environment,
            stdout=log,
            stderr=log,
            preexec_fn=end_with_parent,  # noqa: PLW1509 - one system call, no lock
            **account,
        )
    try:
        until = time.monotonic() + PATIENCE_S
        while subprocess.run(ready, capture_output=True, check=False).returncode:
            if process.poll() is not None or time.monotonic() > until:
                raise RuntimeError(f"{command[0]} did not start:\n{(place / 'log').read_text()}")
            time.sleep(0.05)
        yield process
    finally:
        end(process)


def end(process: subprocess.Popen[bytes]) -> None:
    """Stop a server by SIGINT, which is a fast shutdown for PostgreSQL."""
    process.send_signal(signal.SIGINT)
    try:
        process.wait(10)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


@contextmanager
def folder(**account: Unpack[Account]) -> Iterator[Path]:
    """A temporary folder that belongs to this account."""
    place = tempfile.mkdtemp(prefix="benchdash-")
    if account:
        shutil.chown(place, account["user"], account["group"])
    try:
        yield Path(place)
    finally:
        shutil.rmtree(place)


def free_port() -> int:
    """A port of 127.0.0.1 that nobody listens on."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])
