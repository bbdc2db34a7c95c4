"""How a job leaves its hosts: tidy at its end, or at the next contact where that could not be."""

from __future__ import annotations

import shlex
from collections.abc import Iterable
from contextlib import suppress

from django.utils import timezone

from benchdash.errors import N_, Refused
from benchdash.jobs import job_states, leases, logs
from benchdash.jobs.giving_up import left_nodes, not_cleaned_up
from benchdash.jobs.models import Job, JobStep, LogChunk
from workers import collecting, ssh, tunables
from workers.connections import HostError
from workers.detached_steps import GOING_ON, Following, drain
from workers.folders import root_shell
from workers.remote_job import Nodes, RemoteError, boots_of, nodes_of


def end_step(job: Job, nodes: Nodes, step: JobStep, ended_as: str, reason: str) -> str:
    """End every process of a step and fetch the rest of its output; a sentence while some are left."""
    if not step.tunable:
        remote = nodes.of(step)
        status = remote.stop(step)
        if left := status.number("left"):
            return N_("{left} processes of {step} have not ended yet.", left=left, step=step.name)
        with suppress(logs.TooMuchOutputError):  # what fits is kept
            drain(job, step, remote, status)
    ended_at = step.ended_at or timezone.now()
    leases.record(job, step, state=ended_as, reason=reason, ended_at=ended_at)
    return ""


def clean_up(job: Job, nodes: Nodes, until: float, *, with_shared: bool = True) -> str:
    """The recipe's own cleaning up; a sentence while it goes on.

    What fails is an event of the job, once for each reason, and spoils no measurement.
    """
    steps = job.steps.filter(phase=JobStep.Phase.CLEANUP, state__in=GOING_ON)
    if not _has_begun(job):  # it left nothing; what is shared another job may have made
        with leases.fenced(job):
            steps.filter(shared=False).update(state=JobStep.State.SKIPPED)
    if not with_shared:
        steps = steps.filter(shared=False)
    for step in steps.filter(node__in=nodes.by_role).order_by("position"):
        failed_before = step.reason
        if missing := _missing_since_a_reboot(nodes, step):
            sentence = N_(
                "{host} was rebooted, and {path} is missing now: remove it once its "
                "filesystem is mounted again.",
                host=nodes.of(step).target.host.name,
                path=", ".join(missing),
            )
            job_states.add_event(job, sentence)
        try:
            if not Following(job, nodes, [step], until).run():
                return N_("{step} is still running.", step=step.name)
        except (RemoteError, logs.TooMuchOutputError) as error:
            if still_there := end_step(job, nodes, step, JobStep.State.FAILED, str(error)):
                return still_there
        if step.state != JobStep.State.DONE and step.reason != failed_before:
            job_states.add_event(job, step.reason)
    return ""


def _has_begun(job: Job) -> bool:
    unbegun = (JobStep.State.WAITING, JobStep.State.SKIPPED)
    steps = job.steps.exclude(phase=JobStep.Phase.CLEANUP).filter(tunable__isnull=True)
    return steps.exclude(state__in=unbegun).exists()


def _missing_since_a_reboot(nodes: Nodes, step: JobStep) -> list[str]:
    """The job's own folders that a step is to remove, and that are not there after a reboot.

    Nothing else removes them: what they lie on is not mounted again, or was a memory disk.
    """
    remote = nodes.of(step)
    names = tuple(f"/benchdash-{name}" for name in (nodes.job.token, nodes.job.block) if name)
    own = [word for word in step.argv if word.endswith(names)]
    begun = nodes.job.steps.filter(node=step.node, tunable__isnull=True, started_at__isnull=False)
    if not own or step.state != JobStep.State.WAITING:  # looked at once
        return []
    if not nodes.rebooted_since(boots_of(begun)):
        return []
    script = 'for each; do [ -e "$each" ] || printf "%s\\n" "$each"; done'
    shell = root_shell(remote.target) if step.root else ["sh"]
    answer = ssh.run(remote.target, shlex.join([*shell, "-c", script, "sh", *own]))
    return answer.out.decode().splitlines()


def remove_folders(job: Job, nodes: Nodes, *, with_shared: bool = True) -> None:
    """The last trace of a job; they stay where a setting is not as before: the journal holds it."""
    try:
        nodes.clean(with_shared=with_shared)
    except RemoteError as error:
        job_states.add_event(job, str(error))


def finish_left_jobs(hosts: Iterable[int], until: float, besides: Job | None = None) -> None:
    """End, collect and put back what jobs that are over left on these hosts, all but one.

    Of others of its block, whose folder it shares, nothing is cleaned up.

    HostError where that takes longer or cannot be. A setting that cannot be put back stays left, and
    what fails of cleaning up: both are tried again at the next contact, and are a condition of every
    measurement until then.
    """
    left = left_nodes().filter(target__host__in=hosts).exclude(job=besides)
    for pk in dict.fromkeys(left.order_by("-job").values_list("job", flat=True)):
        job = leases.claim(pk, job_states.ENDED)
        if job is None:
            raise by_another()
        try:
            with leases.held(job):
                every = nodes_of(job)
                for role in left.filter(job=pk).values_list("role", flat=True):
                    stands = besides is not None and besides.block == job.block != ""
                    _finish_left(job, Nodes(job, {role: every.by_role[role]}), until, stands)
        except leases.LeaseLostError:
            raise by_another() from None
        except (HostError, Refused) as error:
            sentence = N_(
                "What job {job} left there cannot be cleaned up: {why}", job=job, why=error
            )
            raise HostError(sentence) from None
        finally:
            leases.release(job)


def by_another() -> HostError:
    """Why a job waits while what was left on its hosts is seen to."""
    return HostError(N_("Another worker is cleaning up what an earlier job left there."))


def _finish_left(job: Job, nodes: Nodes, until: float, block_stands: bool) -> None:
    nodes.contact()
    for step in job.steps.filter(state=JobStep.State.LOST, node__in=nodes.by_role):
        if still_there := end_step(job, nodes, step, step.state, step.reason):
            raise HostError(still_there)
    collecting.keep_results(job, nodes)
    not_back = tunables.put_back(job, nodes)
    if not block_stands:
        if not not_back:  # the journal of what is not as before lies in the folders
            _clean_up_anew(job, nodes)
        if still_there := clean_up(job, nodes, until):
            raise HostError(still_there)
    if not_back:
        return
    remove_folders(job, nodes, with_shared=not block_stands)
    if block_stands:
        return
    untidy = not_cleaned_up().filter(job=job).values_list("node", flat=True)
    tidy = nodes.by_role.keys() - {*untidy}
    with leases.fenced(job):
        job.nodes.filter(role__in=tidy).update(left_at=None)
    if hosts := ", ".join(nodes.by_role[role].target.host.name for role in sorted(tidy)):
        job_states.add_event(job, N_("What it left on {host} was stopped and undone.", host=hosts))


def _clean_up_anew(job: Job, nodes: Nodes) -> None:
    """Have the steps of cleaning up that failed wait, to be run once more."""
    failed = not_cleaned_up().filter(job=job, node__in=nodes.by_role)
    if not failed.exists():
        return
    with suppress(RemoteError):  # a folder that is mounted yet: that of the logs goes first
        nodes.clean()  # a step runs once in its folder
    nodes.contact()
    with leases.fenced(job):
        LogChunk.objects.filter(step__in=failed).delete()
        failed.update(
            state=JobStep.State.WAITING, received={}, identity={}, started_at=None, ended_at=None
        )
