"""Detached steps, from their start to the last byte of their output."""

from __future__ import annotations

import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from itertools import product

from django.utils import timezone

from benchdash.jobs import leases, logs
from benchdash.jobs.following import LOG
from benchdash.jobs.models import Job, JobStep, LogChunk
from workers import endings, ssh
from workers.nodes import Nodes, refuse_to_touch
from workers.remote_job import RemoteJob, Status

S = JobStep.State
GOING_ON = frozenset({S.WAITING, S.STARTING, S.RUNNING})
_TICK_S = 0.5
_STARTING_S = 20


class CancelAskedError(Exception):
    """A person asked for the job's end."""


@dataclass(frozen=True, slots=True)
class Following:
    """Steps that run at the same time, each on its node, and until when this turn looks at them."""

    job: Job
    nodes: Nodes
    steps: Sequence[JobStep]
    until: float

    def run(self) -> bool:
        """Start what waits and follow it: True once all have ended, False where the turn is over.

        Each step then says how it ended. HostError, LeaseLostError, CancelAskedError go through;
        what runs on the hosts goes on then, and so does the next turn.
        """
        for step in self.steps:
            if step.state in (S.WAITING, S.STARTING):
                self._start(step)
            elif step.state == S.RUNNING:  # of an earlier turn: it may have ended, or its host
                self._settle(step, self.nodes.of(step))
        while any(step.state == S.RUNNING for step in self.steps):
            if time.monotonic() > self.until:
                return False
            self._follow([step for step in self.steps if step.state == S.RUNNING])
        return True

    def _start(self, step: JobStep) -> None:
        remote = self.nodes.of(step)
        # a start whose answer was lost holds what it touches: the guard would take it for another's
        status = remote.status(step) if step.state == S.STARTING else Status("none")
        if status.state == "none":
            refuse_to_touch(step, remote.target)
            begun = step.started_at or timezone.now()
            # whoever lost the job meanwhile starts nothing
            leases.record(self.job, step, state=S.STARTING, started_at=begun)
            status = remote.start(step)
        leases.record(self.job, step, state=S.RUNNING, identity=status.identity)

    def _follow(self, steps: Sequence[JobStep]) -> None:
        inbox = ssh.Inbox()
        by_key = {(step.pk, name): step for step in steps for name in LogChunk.Stream.values}
        with ExitStack() as open_streams:
            for step, stream in product(steps, LOG):
                offset = logs.received(step, stream)
                follow = self.nodes.of(step).follow(step, stream, offset, inbox)
                open_streams.enter_context(follow)
            self._read(inbox, by_key)
        for step in steps:
            self._settle(step, self.nodes.of(step))

    def _read(self, inbox: ssh.Inbox, by_key: dict[tuple[int, str], JobStep]) -> None:
        """Store what comes, until one step's output has ended or the turn is over."""
        next_tick = time.monotonic() + _TICK_S
        while time.monotonic() < self.until:
            came = inbox.read(max(0.0, next_tick - time.monotonic()))
            if time.monotonic() >= next_tick:
                look_up(self.job)
                next_tick = time.monotonic() + _TICK_S
            if came is None:
                continue
            key, data = came
            if not data:
                return
            step = by_key[key]  # type: ignore[index]  # the keys are those of `follow`
            logs.store(self.job, step, str(key[1]), data)  # type: ignore[index]

    def _settle(self, step: JobStep, remote: RemoteJob) -> None:
        status = remote.status(step)
        if status.state == "running":
            return
        if status.state == "starting" and _younger_than(step, _STARTING_S):
            return
        if status.state in ("gone", "none"):  # its runner or its folder is; what it ran may go on
            status = remote.stop(step)
            if status.number("left"):
                return
        drain(self.job, step, remote, status)
        endings.settle(self.job, step, status)


def drain(job: Job, step: JobStep, remote: RemoteJob, status: Status) -> None:
    """Fetch what a step printed and did not come through yet.

    TooMuchOutputError where not all of it may be kept; of each stream what fits is.
    """
    too_much = None
    for stream in LOG:
        try:
            _drain(job, step, remote, status, stream)
        except logs.TooMuchOutputError as error:
            too_much = error
    if too_much:
        raise too_much


def _drain(job: Job, step: JobStep, remote: RemoteJob, status: Status, stream: str) -> None:
    while (missing := status.number(stream) - logs.received(step, stream)) > 0:
        count = min(missing, logs.PIECE_BYTES)
        piece = remote.piece(step, f"{stream}.log", logs.received(step, stream), count)
        if not piece:
            return
        logs.store(job, step, stream, piece)


def look_up(job: Job) -> None:
    """See whether a person asked for the end, or another worker has the job: LeaseLostError.

    CancelAskedError where it is not certain yet how the job ends.
    """
    row = Job.objects.only("cancel_asked_at", "state", "fence").get(pk=job.pk)
    if row.fence != job.fence:
        raise leases.LeaseLostError(job.pk)
    if row.cancel_asked_at and not job.cancel_asked_at:
        job.cancel_asked_at, job.state = row.cancel_asked_at, row.state
        if not job.verdict:
            raise CancelAskedError


def _younger_than(step: JobStep, seconds: float) -> bool:
    age = timezone.now() - (step.started_at or timezone.now())
    return age.total_seconds() < seconds
