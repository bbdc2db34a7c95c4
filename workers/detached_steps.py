"""Detached steps, from their start to the last byte of their output, and how each ended.

Right before a step writes to something, its host is asked what speaks against it.
"""

from __future__ import annotations

import re
import shlex
import time
from collections.abc import Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import datetime, timedelta
from itertools import product

from django.db.models import Q
from django.utils import timezone

from benchdash.errors import N_, Sentence, side_by_side
from benchdash.jobs import leases, logs
from benchdash.jobs.allow_lists import not_allowed
from benchdash.jobs.models import Job, JobStep, LogChunk, Target
from benchdash.recipes.guards import guard_script, reasons
from benchdash.recipes.steps import Touch
from benchdash.vocabulary.tools import TOOLS, Tool
from workers import ssh, synchronised_start
from workers.folders import root_shell
from workers.remote_job import Nodes, RemoteError, RemoteJob, Status

S = JobStep.State
GOING_ON = frozenset({S.WAITING, S.STARTING, S.RUNNING})
_TICK_S = 0.5
_STARTING_S = 20
_NOT_FOUND, _NOT_ALLOWED = 127, 126  # exit codes of a shell (POSIX, 2.8.2)
_KILLED, _TERMINATED = 128 + 9, 128 + 15
_MISSING = re.compile(r"([\w+.-]+): not found")  # as sh says it
_FULL_KIB = 64


class CancelRequestedError(Exception):
    """A person cancels the job."""


@dataclass(frozen=True, slots=True)
class Following:
    """Steps that run at the same time, each on its node, and until when this turn looks at them."""

    job: Job
    nodes: Nodes
    steps: Sequence[JobStep]
    until: float

    def run(self) -> bool:
        """Start what waits and follow it: True once all have ended, False where the turn is over.

        Each step then holds how it ended. HostError, LeaseLostError, CancelRequestedError go through;
        what runs on the hosts goes on then, and so does the next turn.
        """
        waiting = [step for step in self.steps if step.state == S.WAITING]
        if len(self.steps) > 1 and waiting:
            for step in waiting:
                refuse_to_touch(step, self.nodes.of(step).target)
            synchronised_start.start_together(self.job, self.nodes, waiting)
        for step in self.steps:
            if step.state in (S.WAITING, S.STARTING):
                self._start(step)
            elif step.state == S.RUNNING:  # of an earlier turn: it may have ended, or its host
                self._check_end(step, self.nodes.of(step))
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
        identity = step.identity | status.identity
        leases.record(self.job, step, state=S.RUNNING, identity=identity)

    def _follow(self, steps: Sequence[JobStep]) -> None:
        inbox = ssh.Inbox()
        by_key = {(step.pk, name): step for step in steps for name in LogChunk.Stream.values}
        with ExitStack() as open_streams:
            for step, stream in product(steps, logs.LOG):
                offset = logs.received(step, stream)
                follow = self.nodes.of(step).follow(step, stream, offset, inbox)
                open_streams.enter_context(follow)
            self._read(inbox, by_key)
        for step in steps:
            self._check_end(step, self.nodes.of(step))

    def _read(self, inbox: ssh.Inbox, by_key: dict[tuple[int, str], JobStep]) -> None:
        """Store what comes, until one step's output has ended or the turn is over."""
        next_tick = time.monotonic() + _TICK_S
        while time.monotonic() < self.until:
            came = inbox.read(max(0.0, next_tick - time.monotonic()))
            if time.monotonic() >= next_tick:
                check_for_cancel(self.job)
                next_tick = time.monotonic() + _TICK_S
            if came is None:
                continue
            key, data = came
            if not data:
                return
            step = by_key[key]  # type: ignore[index]  # the keys are those of `follow`
            logs.store(self.job, step, str(key[1]), data)  # type: ignore[index]

    def _check_end(self, step: JobStep, remote: RemoteJob) -> None:
        # asked, not concluded: a stream also ends where the connection does
        status = remote.status(step)
        if status.state == "running":
            return
        if status.state == "starting" and _younger_than(step, _STARTING_S):
            return
        # its runner or its folder is gone, or never came: what it ran may go on, or begin late
        if status.state in ("starting", "gone", "none"):
            status = remote.stop(step)
            if status.number("left"):
                return
        ended_at = _ended_at(step, status)  # before its output is fetched, which may take long
        drain(self.job, step, remote, status)
        synchronised_start.note_beginning(self.job, step, status)
        record_end(self.job, step, status, ended_at)


def drain(job: Job, step: JobStep, remote: RemoteJob, status: Status) -> None:
    """Fetch what a step printed and did not come through yet.

    TooMuchOutputError where not all of it may be kept; of each stream what fits is.
    """
    too_much = None
    for stream in logs.LOG:
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


def check_for_cancel(job: Job) -> None:
    """CancelRequestedError where a person cancels the job and its outcome is still open.

    LeaseLostError where another worker has the job.
    """
    row = Job.objects.only("cancel_asked_at", "state", "fence").get(pk=job.pk)
    if row.fence != job.fence:
        raise leases.LeaseLostError(job.pk)
    if row.cancel_asked_at and not job.cancel_asked_at:
        job.cancel_asked_at, job.state = row.cancel_asked_at, row.state
        if not job.outcome:
            raise CancelRequestedError


def _younger_than(step: JobStep, seconds: float) -> bool:
    age = timezone.now() - (step.started_at or timezone.now())
    return age.total_seconds() < seconds


def record_end(job: Job, step: JobStep, status: Status, ended_at: datetime) -> None:
    """Write down how a step ended: `done`, or `failed` and `lost` with the reason."""
    state, reason = _end_of(step, status)
    code = status.number("code") if status.state == "ended" else None
    leases.record(job, step, state=state, reason=reason, exit_code=code, ended_at=ended_at)


def _ended_at(step: JobStep, status: Status) -> datetime:
    """By our clock, however much later we learned of it: the link may have been down meanwhile."""
    now, fields = timezone.now(), status.fields
    age_s = (status.number("up") - status.number("ended")) / 100
    if not fields.get("ended") or fields.get("boot") != fields.get("now") or age_s < 0:
        return now
    # what a host prints is bounded: nothing ended before it began
    return now - timedelta(seconds=min(age_s, (now - (step.started_at or now)).total_seconds()))


def no_result(step: JobStep, status: Status) -> str:
    """Why a step has no result: fio is silent where the file of its result finds no room."""
    if _disk_is_full(status, ""):
        return N_("The disk is full: {step} printed no result.", step=step.name)
    return N_("{step} printed no result.", step=step.name)


def _end_of(step: JobStep, status: Status) -> tuple[str, str]:
    if status.state == "rebooted":
        return S.FAILED, N_("The host was rebooted while {step} ran.", step=step.name)
    if status.state != "ended":
        return S.LOST, N_(
            "The host answers, but neither {step} nor its exit code is there.", step=step.name
        )
    if status.number("code") == 0:
        return S.DONE, ""
    return S.FAILED, _failure(step, status)


def _failure(step: JobStep, status: Status) -> str:
    code = status.number("code")
    output = logs.last_lines(step, LogChunk.Stream.ERR) or logs.last_lines(step, "out") or "–"
    # what a tool prints about a file may quote the file, and more people read a reason than the file
    reads = any(touch["kind"] == "file" for touch in step.touches)
    shown = N_("see the log") if reads else output
    program = step.argv[0] if step.argv else step.name
    if program == "sh":  # a recipe's script, which is not what was missing
        program = TOOLS[step.tool].process if step.tool in TOOLS else ""
    if status.fields.get("over") == "1":
        return N_(
            "{step} did not end within its time limit of {seconds} s and was stopped.",
            step=step.name,
            seconds=step.timeout_s,
        )
    if code == _TERMINATED:
        return N_("{step} was terminated on the host (signal 15).", step=step.name)
    if code == _KILLED:
        return N_(
            "{step} was killed on the host (signal 9): by a person, or because memory ran out.",
            step=step.name,
        )
    if code == _NOT_FOUND and (tool := _missing_tool(step, output)):
        return N_(
            "{program} is not on the host: install it (package {package}). It said: {output}",
            program=program or tool.process,
            package=tool.package,
            output=shown,
        )
    if code == _NOT_FOUND and program:
        return N_(
            "{program} is not on the host: install it, or correct its name. It said: {output}",
            program=program,
            output=shown,
        )
    if code == _NOT_ALLOWED or "ermission denied" in output:
        template = N_("{step} was not allowed on the host (exit code {code}). It said: {output}")
    elif _disk_is_full(status, output):
        template = N_("The disk is full: {step} ended with exit code {code}. It said: {output}")
    elif "sudo:" in output:
        template = N_("{step} needs root, and sudo asks for a password. It said: {output}")
    else:
        template = N_("{step} ended with exit code {code}. It said: {output}")
    return Sentence(template, step=step.name, code=code, output=shown)


def _missing_tool(step: JobStep, output: str) -> Tool | None:
    """What a step that was not found ran: the tool that it measures with, else the one that sh names."""
    if step.tool:
        return TOOLS.get(step.tool)
    named = _MISSING.search(output)
    return next((one for one in TOOLS.values() if named and one.process == named[1]), None)


def _disk_is_full(status: Status, output: str) -> bool:
    free = status.fields.get("free", "")
    return "No space left" in output or (free.isdecimal() and int(free) < _FULL_KIB)


def refuse_to_touch(step: JobStep, target: Target) -> None:
    """Ask the host right before something is written to; RemoteError with what speaks against it.

    What the job wrote to before is its own: the filesystem there now is the one that it made. What
    is read or connected to has to be on the target's lists still.
    """
    own = _touched_before(step)
    for each in step.touches:
        touch = Touch(each["kind"], each["name"])
        if touch in own and touch.is_written:
            continue
        if sentence := not_allowed(touch, target):
            raise RemoteError(sentence)
        if touch.is_written and (against := _reasons_against(touch, step, target)):
            sentence = N_(
                "Nothing is written to {name}: {reasons}.",
                name=f"{touch.name} ({target.host.name})",
                reasons=side_by_side(against),
            )
            raise RemoteError(sentence)


def _reasons_against(touch: Touch, step: JobStep, target: Target) -> tuple[str, ...]:
    shell = root_shell(target) if step.root else ["sh"]
    answer = ssh.run(target, shlex.join([*shell, "-s"]), guard_script(touch).encode())
    return reasons(answer.out.decode("utf-8", "replace"))


def _touched_before(step: JobStep) -> set[Touch]:
    """What an earlier step of the job, on the same node, was let write to.

    Or of the job that had made what this one shares with it.
    """
    own = Q(job=step.job_id, position__lt=step.position)
    found = Q(job__found_made=step.job_id, shared=True, phase=JobStep.Phase.PREPARE)
    earlier = JobStep.objects.filter(own | found, node=step.node, started_at__isnull=False)
    touches = earlier.exclude(touches=[]).values_list("touches", flat=True)
    return {Touch(each["kind"], each["name"]) for some in touches for each in some}
