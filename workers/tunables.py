"""Settings of hosts: noted before they are changed, put back and read back after the job.

The old value stands in the database and in the job's journal on the host before anything is set.
"""

from __future__ import annotations

import shlex

from django.utils import timezone

from benchdash.errors import N_, Sentence
from benchdash.jobs import job_states, leases
from benchdash.jobs.models import Job, JobStep, Target, TunableChange
from benchdash.recipes.tunables import Argv, Tunable, tunable
from workers import ssh
from workers.folders import SEARCH_PATH, root_shell
from workers.remote_job import Nodes, RemoteError


def note_all(job: Job, nodes: Nodes) -> None:
    """Read every setting that the job will change, on all nodes, before the first is set.

    Setting DRBD's protocol on one node sets it on its peer as well.
    """
    for step in job.steps.filter(tunable__isnull=False, change=None).order_by("position"):
        remote = nodes.of(step)
        wanted = _setting(step)["value"]
        old = _known(step).to_put_back(_read(step, remote.target), wanted)
        if not old:
            raise RemoteError(_sentence(N_("{tunable} of {where} cannot be read."), step))
        _known(step).checked(_setting(step)["where"], old)
        _known(step).check_restorable(_setting(step)["where"], old)
        remote.note(step.folder, f"{step.command}\n{old}\n")
        with leases.fenced(job):
            TunableChange.objects.create(step=step, old=old, new=wanted)


def set_tunable(step: JobStep, nodes: Nodes) -> None:
    """Set what a step sets, and read it back; RemoteError where it does not hold."""
    job, wanted = nodes.job, _setting(step)["value"]
    begun = step.started_at or timezone.now()
    with leases.fenced(job):
        leases.record(job, step, state=JobStep.State.STARTING, started_at=begun)
        TunableChange.objects.filter(step=step).update(changed_at=timezone.now())
    found = _set(step, nodes, wanted)
    if found != wanted:
        template = N_("{tunable} of {where}: set to {value}, but the host says {found}.")
        raise RemoteError(_sentence(template, step, value=wanted, found=found or "?"))
    leases.record(job, step, state=JobStep.State.DONE, ended_at=timezone.now(), exit_code=0)


def put_back(job: Job, nodes: Nodes) -> list[str]:
    """Restore every changed setting, the last one first, and read it back.

    Sentences of what could not be put back; HostError where a host cannot be reached.
    """
    changes = TunableChange.objects.filter(
        step__job=job, step__node__in=nodes.by_role, changed_at__isnull=False, restored_at=None
    ).select_related("step")
    return [
        trouble
        for change in changes.order_by("-step__position")
        if (trouble := _restore(change, nodes))
    ]


def _restore(change: TunableChange, nodes: Nodes) -> str:
    job, step = nodes.job, change.step
    try:
        found, trouble = _set(step, nodes, change.old), ""
    except RemoteError as error:
        found, trouble = "", str(error)
    if found == change.old:
        again = _sentence(N_("{tunable} of {where}: back to {value}."), step, value=found)
        with leases.fenced(job):
            leases.record(job, change, restored_at=timezone.now(), read_back=found, trouble="")
            job_states.add_event(job, again)
        return ""
    if not trouble:
        template = N_("{tunable} of {where} should be {value} again, but the host says {found}.")
        trouble = _sentence(template, step, value=change.old, found=found or "?")
    leases.record(job, change, read_back=found, trouble=trouble)
    return trouble


def _setting(step: JobStep) -> dict[str, str]:
    assert step.tunable is not None
    return dict(step.tunable)


def _known(step: JobStep) -> Tunable:
    return tunable(_setting(step)["name"])


def _set(step: JobStep, nodes: Nodes, value: str) -> str:
    """Set a value where another one is set: what the host reads back."""
    target = nodes.of(step).target
    found = _present(step, target, like=value)
    if found == value:
        return found
    leases.keep(nodes.job)  # whoever lost the job meanwhile sets nothing
    _write(step, target, value)
    return _present(step, target, like=value)


def _present(step: JobStep, target: Target, like: str = "") -> str:
    """The present value, spelled like `like` (else like the value that is to be set)."""
    return _known(step).value(_read(step, target), like or _setting(step)["value"])


def _read(step: JobStep, target: Target) -> str:
    answer = _run(target, _known(step).read(_setting(step)["where"]))
    if answer.code:
        template = N_("{tunable} of {where} cannot be read: {why}.")
        raise RemoteError(_sentence(template, step, why=answer.err or answer.code))
    return answer.out.decode("utf-8", "replace")


def _write(step: JobStep, target: Target, value: str) -> None:
    answer = _run(target, _known(step).write(_setting(step)["where"], value))
    if answer.code:
        why = answer.err or answer.code
        if offered := _known(step).offered(_read(step, target)):
            template = N_(
                "{tunable} of {where} cannot be set to {value}: {why}. The host has {offered}."
            )
            names = ", ".join(offered)
            raise RemoteError(_sentence(template, step, value=value, why=why, offered=names))
        template = N_("{tunable} of {where} cannot be set to {value}: {why}.")
        raise RemoteError(_sentence(template, step, value=value, why=why))


def _run(target: Target, argv: Argv) -> ssh.Answer:
    # what only root can read is read by root too: drbdsetup, some files of /sys
    command = [*root_shell(target), "-c", f'{SEARCH_PATH}; exec "$@"', "sh", *argv]
    return ssh.run(target, shlex.join(command), timeout_s=60)


def _sentence(template: str, step: JobStep, **values: object) -> Sentence:
    title = _known(step).title
    return Sentence(template, tunable=title, where=_setting(step)["where"], **values)
