"""A rendered recipe: the exact commands, where they run, and what they touch."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from ipaddress import ip_address, ip_network
from typing import Literal

Phase = Literal["prepare", "before", "measure", "after", "cleanup"]


@dataclass(frozen=True, slots=True)
class Node:
    """What rendering needs to know of a machine: the login user, and the versions of its tools.

    `work` is the job's folder there, "" for that of the place; `known_as` are its name and
    addresses as its last check found them.
    """

    user: str = ""
    tools: Mapping[str, str] = field(default_factory=dict)
    work: str = ""
    known_as: tuple[str, ...] = ()

    def address_in(self, network: str) -> str:
        """The first of its addresses that is in a network, "" where none is."""
        return next((one for one in self.known_as if _is_in(one, network)), "")


def _is_in(name: str, network: str) -> bool:
    try:
        return ip_address(name) in ip_network(network, strict=False)
    except ValueError:
        return False


@dataclass(frozen=True, slots=True)
class Place:
    """`work` is the job's folder on the hosts (absolute); the first node is the measured one.

    `block` is the name that the block's folder has beside it, "" where a job is alone.
    """

    work: str
    nodes: Mapping[str, Node]
    block: str = ""


WRITTEN = ("device", "path")


@dataclass(frozen=True, slots=True)
class Touch:
    """Something outside the job's folder that a step accesses.

    It writes to a `device` (a block device, an RBD image) and to a `path`, only reads a `file`, and
    connects to a `server`.
    """

    kind: Literal["device", "path", "file", "server"]
    name: str

    @property
    def is_written(self) -> bool:
        """Whether what is there is destroyed."""
        return self.kind in WRITTEN


@dataclass(frozen=True, slots=True)
class TunableValue:
    """The value that a tunable of a host has during the job, until it is restored.

    `name` is one of `tunables.TUNABLES`; jobs are stored with these keys, and the API shows them.
    """

    name: str
    where: str
    value: str


@dataclass(frozen=True, slots=True)
class Step:
    """One command on one node; `expected_s` is None where it is unknown.

    Consecutive steps of one name that are `together` start at the same time, each on its node.
    `folder` is the step's folder below the job's. `files` (name → content) are written there before
    the start. `tool` is the tool whose output becomes runs: standard output, or the file `result`
    in the step's folder. What is `shared` is done once for all jobs of a block.
    """

    name: str
    phase: Phase
    node: str
    folder: str
    argv: tuple[str, ...]
    files: Mapping[str, str]
    root: bool
    timeout_s: int
    expected_s: float | None
    estimated: bool
    together: bool
    tool: str | None
    result: str | None
    touches: tuple[Touch, ...]
    tunable: TunableValue | None
    shared: bool = False

    def command(self) -> str:
        """The command line exactly as it is shown and run."""
        return shlex.join(self.argv)
