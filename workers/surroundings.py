"""How the hosts of a job are: what could spoil a measurement, and what it was measured on."""

from __future__ import annotations

import shlex
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass

from django.utils import timezone
from django.utils.translation import gettext as _

from benchdash.errors import Refused
from benchdash.facts import (
    Capture,
    capture_script,
    conditions_script,
    read_capture,
    read_conditions,
)
from benchdash.inventory.models import Configuration, Environment
from benchdash.jobs import leases, progress
from benchdash.jobs.capturing import record_captures
from benchdash.jobs.giving_up import conditions_left
from benchdash.jobs.models import Job, JobStep, Target
from benchdash.jobs.queries import known_as
from workers import ssh
from workers.connections import HostError
from workers.nodes import Nodes, as_root
from workers.remote_job import RemoteError, RemoteJob

_CONDITIONS_S, _CAPTURE_S, _PEER_S = 30, 90, 20
_MOST_PEERS = 4


def note_conditions(job: Job, nodes: Nodes, when: str) -> None:
    """Write down how each host is, once before the job and once after it.

    RemoteError before it, where something speaks against measuring and nobody insists.
    """
    if not any(condition["when"] == when for condition in job.conditions):
        conditions = [*job.conditions, *_conditions(job, nodes, when)]
        leases.record(job, job, conditions=conditions)
    against = [
        f"{each['host']}: {each['sentence']}"
        for each in job.conditions
        if each["when"] == when and each["blocking"]
    ]
    if when == "before" and against and not job.plan.whatever_conditions:
        sentence = _("Nothing was measured. {conditions} Wait, or measure whatever the conditions.")
        raise RemoteError(sentence.format(conditions="\n".join(against)))


def _conditions(job: Job, nodes: Nodes, when: str) -> list[dict[str, object]]:
    told = _told_by(job, nodes, conditions_script, _CONDITIONS_S)
    return [
        {
            "when": when,
            "at": timezone.now().isoformat(),
            "node": role,
            "host": remote.target.host.name,
            "name": condition.name,
            "sentence": condition.sentence,
            "blocking": condition.blocking,
        }
        for role, remote in nodes.by_role.items()
        for condition in (
            *conditions_left(remote.target.host),
            *read_conditions(told[role].output),
        )
    ]


def look_back(job: Job, nodes: Nodes) -> None:
    """How the hosts are after the job, and what was measured on, before settings are put back.

    A host that was rebooted meanwhile need not be what was measured on, and is slow to say: it is
    asked only what a finished measurement needs.
    """
    tools = _tools(job)
    rebooted = nodes.rebooted_since(tools)
    if not rebooted:
        note_conditions(job, nodes, "after")
    if job.environment_id or not tools:
        return
    environment, configuration = None, None
    if not rebooted or any(step.state == JobStep.State.DONE for step in tools):
        environment, configuration = _captured(job, nodes, tools)
    configuration = job.plan.configuration or configuration
    leases.record(job, job, environment=environment, configuration=configuration)


def _tools(job: Job) -> list[JobStep]:
    return list(job.steps.filter(tool__gt="", started_at__isnull=False))


def _captured(
    job: Job, nodes: Nodes, tools: Sequence[JobStep]
) -> tuple[Environment | None, Configuration | None]:
    """The hosts as they are, and the storage as the recipe set it, unless a reboot took it away."""
    told = _told_by(job, nodes, capture_script, _CAPTURE_S)
    parts = {role: (one.target.host, _read(one, [*told.values()])) for role, one in told.items()}
    try:
        environment, configuration = record_captures(parts, job.plan.launched_by)
    except Refused as refused:
        progress.say(job, refused.sentence)
        return None, None
    return environment, None if nodes.rebooted_since(tools) else configuration


def captured(target: Target, path: str | None) -> Capture:
    """What a host says of itself, and of the storage under a path."""
    (told,) = _told([(target, capture_script(path))], _CAPTURE_S)
    return _read(told, [told])


@dataclass(frozen=True, slots=True)
class _Told:
    """What a host said to the capture, and when it was asked (Unix time)."""

    target: Target
    at: float
    output: bytes


def _told_by(
    job: Job, nodes: Nodes, script: Callable[[str | None], str], timeout_s: float
) -> dict[str, _Told]:
    """What the hosts of a job say to a script about themselves and what is measured there."""
    step = _measuring(job)
    asked = [
        (remote.target, script(_path(job, step, role, remote)))
        for role, remote in nodes.by_role.items()
    ]
    return dict(zip(nodes.by_role, _told(asked, timeout_s), strict=True))


def _told(asked: Sequence[tuple[Target, str]], timeout_s: float) -> list[_Told]:
    """What each says to its script, all asked at the same time."""
    at = time.time()
    answers = ssh.run_all(_question(target, script, timeout_s) for target, script in asked)
    return [
        _Told(target, at, answer.out)
        for (target, _script), answer in zip(asked, answers, strict=True)
    ]


def _read(one: _Told, everybody: Sequence[_Told]) -> Capture:
    """A host's capture with the legs of DRBD's peers, which only the peers know."""
    peers = [each.output for each in everybody if each is not one]
    found = read_capture(one.output, at=one.at, peers=peers)
    if found.stack is None or not found.peers:
        return found
    asked = {each.target.host_id for each in everybody}
    peers += asked_at(found.peers, asked)
    return read_capture(one.output, at=one.at, peers=peers)


def asked_at(names: Sequence[str], besides: set[int]) -> list[bytes]:
    """What other hosts of these addresses or names say, where nothing is measured and they answer."""
    targets = known_as(names).filter(host__lock=None)
    others = targets.exclude(host__in=besides).select_related("host", "jump__jump__jump")
    by_host = {target.host_id: target for target in others.order_by("-pk")}
    outputs = []
    for target in list(by_host.values())[:_MOST_PEERS]:
        with suppress(HostError, Refused):
            (told,) = _told([(target, capture_script())], _PEER_S)
            outputs.append(told.output)
    return outputs


def _question(target: Target, script: str, timeout_s: float) -> ssh.Question:
    # root reads more: DMI, DRBD, arrays
    shell = as_root(target, "sh", "-s") if target.sudo else ["sh", "-s"]
    return ssh.Question(target, shlex.join(shell), script.encode(), timeout_s)


def _measuring(job: Job) -> JobStep | None:
    return job.steps.filter(phase=JobStep.Phase.MEASURE).order_by("position").first()


def _path(job: Job, step: JobStep | None, role: str, remote: RemoteJob) -> str | None:
    """The storage that was measured: what the step writes to, else the job's own folder."""
    if step is None or step.node != role:
        return None
    named = [str(touch["name"]) for touch in step.touches]
    pool, image = (str(job.values.get(name) or "") for name in ("pool", "image"))
    named += [f"rbd:{pool}/{image}"] if pool and image else []
    named += [str(job.values.get(name) or "") for name in ("device", "directory")]
    return next(filter(None, named), remote.folder)
