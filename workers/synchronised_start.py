"""Steps that begin at the same time on several hosts, whatever their clocks say.

Each host is asked for its uptime a few times: the quickest answer ties its clock to the worker's,
to half of the time that it took. Then every host is told at which of its own uptime to begin, so
that neither connections nor logins count. How far apart they began is read afterwards.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from datetime import UTC, datetime
from typing import NamedTuple

from benchdash.errors import N_, Refused
from benchdash.jobs import leases
from benchdash.jobs.models import Job, JobStep, Target
from workers import ssh
from workers.remote_job import Nodes, RemoteError, Status

MOST_APART_S = 0.1  # what is more is a doubt of the runs
TICK_S = 0.01  # of /proc/uptime
_READINGS = 5
_LEAD_S = 1.0  # until the last host has been told
_LEAD_A_HOST_S = 0.2
_UPTIME = "cat /proc/uptime"


class Clock(NamedTuple):
    """The worker's time when a host had been up for nothing, known to `error_s`."""

    zero: float
    error_s: float

    def ticks(self, moment: float) -> int:
        """What `ticks` of control.sh is at a moment of the worker's time."""
        return round((moment - self.zero) / TICK_S)

    def moment(self, ticks: int) -> float:
        """The worker's time at such a tick."""
        return self.zero + ticks * TICK_S


def clock_of(target: Target) -> Clock:
    """A host's clock beside the worker's; RemoteError where the host does not tell its uptime."""
    found = []
    for _time in range(_READINGS):
        before = time.time()
        answer = ssh.run(target, _UPTIME)
        took = time.time() - before
        try:
            uptime = float(answer.out.split()[0])
        except (IndexError, ValueError):
            raise RemoteError(
                N_("The uptime of {host} could not be read.", host=target.address)
            ) from None
        found.append(Clock(before + took / 2 - uptime, took / 2 + TICK_S))
    return min(found, key=lambda clock: clock.error_s)


def start_together(job: Job, nodes: Nodes, steps: Sequence[JobStep]) -> None:
    """Start steps that wait, each on its host, at one moment; their rows hold the clocks meanwhile."""
    clocks = [clock_of(nodes.of(step).target) for step in steps]
    leases.keep(job)
    begin = time.time() + _LEAD_S + _LEAD_A_HOST_S * len(steps)
    begun = datetime.fromtimestamp(begin, UTC)
    for step, clock in zip(steps, clocks, strict=True):
        known = {"clock": [clock.zero, clock.error_s]}
        # whoever lost the job meanwhile starts nothing
        state = JobStep.State.STARTING
        leases.record(job, step, state=state, started_at=begun, identity=known)
    commands = [
        nodes.of(step).to_start(step, clock.ticks(begin))
        for step, clock in zip(steps, clocks, strict=True)
    ]
    refused = None
    for step, answer in zip(steps, ssh.run_all(commands), strict=True):
        try:
            status = nodes.of(step).started(step, answer)
        except (RemoteError, Refused) as error:  # what has begun is to be known as running
            refused = refused or error
            continue
        identity = step.identity | status.identity
        leases.record(job, step, state=JobStep.State.RUNNING, identity=identity)
    if refused:
        raise refused


def note_beginning(job: Job, step: JobStep, status: Status) -> None:
    """Keep when a step that has ended began, by the worker's clock."""
    if "clock" in step.identity and status.number("began"):
        clock = Clock(*step.identity["clock"])
        began = {"began": clock.moment(status.number("began"))}
        leases.record(job, step, identity=step.identity | began)


def note_skew(job: Job, steps: Sequence[JobStep]) -> None:
    """How much later than the first of them each step began, once all have ended."""
    known = [step for step in steps if "began" in step.identity]
    if len(known) < 2 or all(step.began_after_s is not None for step in known):
        return
    first = min(known, key=lambda step: step.identity["began"])
    for step in known:
        # of two clocks: the first's own beginning is known to its own error alone
        error_s = step.identity["clock"][1] + (first.identity["clock"][1] if step != first else 0)
        later = step.identity["began"] - first.identity["began"]
        leases.record(job, step, began_after_s=round(later, 3), began_error_s=round(error_s, 3))
