"""How the hosts of a job are: what could spoil a measurement, and what it was measured on."""

from __future__ import annotations

from benchdash.jobs.models import Job
from workers.nodes import Nodes


def note_conditions(job: Job, nodes: Nodes, when: str) -> None: ...


def capture(job: Job, nodes: Nodes) -> None: ...
