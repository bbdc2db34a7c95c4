"""What a rendered recipe is made of: the exact commands, where they run, what they touch."""

from __future__ import annotations

import shlex
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

TOOLS = ("fio", "bonnie++", "dbench", "pgbench")
Phase = Literal["prepare", "before", "measure", "after", "cleanup"]


@dataclass(frozen=True, slots=True)
class Node:
    """What rendering needs to know of a machine: who logs in, and its tools' versions.

    `work` is the job's folder there, "" where it is the place's.
    """

    user: str = ""
    tools: Mapping[str, str] = field(default_factory=dict)
    work: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """`work` is the job's folder on the hosts (absolute); the first node is the measured one."""

    work: str
    nodes: Mapping[str, Node]


@dataclass(frozen=True, slots=True)
class Touch:
    """What a step writes to outside the job's folder: a block device, an RBD image, a path."""

    kind: Literal["device", "path"]
    name: str


@dataclass(frozen=True, slots=True)
class KnobSetting:
    """One setting of a host to be changed for the job, and put back after it.

    `knob` is a name of `knobs.KNOBS`.
    """

    knob: str
    where: str
    value: str


@dataclass(frozen=True, slots=True)
class Step:
    """One command on one node; `expected_s` is None where nobody can say.

    Neighbouring steps of one name that are `together` start at the same time, each on its node.
    `folder` is the step's folder below the job's. `files` (name → content) are put there before
    the start. `tool` is the parser's tool whose output becomes runs: standard output, or the file
    `result` of the step's folder.
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
    knob: KnobSetting | None

    def command(self) -> str:
        """The line that people read and that is run, character for character."""
        return shlex.join(self.argv)
