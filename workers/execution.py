"""A job on its way, one bounded turn at a time: everything it needs to go on stands in its rows."""

from __future__ import annotations

import time
from collections.abc import Iterator

from django.db.models import Q

from benchdash.errors import N_, Refused, side_by_side
from benchdash.jobs import blocks as shared
from benchdash.jobs import giving_up, job_states, leases, logs, plan_changes, queueing
from benchdash.jobs.measuring import started_together
from benchdash.jobs.models import Job, JobStep
from workers import blocks, cleanup, collecting, environment_capture, tunables
from workers.connections import DeniedError, HostError
from workers.detached_steps import GOING_ON, CancelRequestedError, Following, check_for_cancel
from workers.remote_job import Nodes, RemoteError, boots_of, nodes_of
from workers.target_check import note_reached, note_refusal

TURN_S = 45
S = Job.State
Phase = JobStep.Phase
_FOR_HOSTS_S, _FOR_AN_ANSWER_S, _FOR_AN_END_S, _FOR_A_MEND_S = 10.0, 1.0, 1.0, 30.0
_FOR_QUIET_S = 15.0
_FOR_A_LOGIN_S = queueing.REFUSED_FOR.total_seconds()


def advance(job: Job) -> float | None:
    """Carry a job on as far as one turn goes.

    Seconds until the next look at it; None where it has ended.
    """
    until = time.monotonic() + TURN_S
    nodes = nodes_of(job)
    try:
        if job.state in (S.QUEUED, S.WAITING) and not _begin(job, nodes, until):
            return None if job.state in job_states.ENDED else _FOR_HOSTS_S
        if job.state == S.UNREACHABLE and not _answers_again(job, nodes):
            return _FOR_AN_END_S
        if not job.outcome and not _carry_out(job, nodes, until):
            return {S.CANCELLING: _FOR_AN_END_S, S.PREPARING: _FOR_QUIET_S}.get(S(job.state), 0)
        return _finish(job, nodes, until)
    except RemoteError as error:  # nothing ends while the host cannot be left as it was
        job_states.move(job, job.state, str(error))
        return _FOR_A_MEND_S
    except (HostError, Refused) as error:
        _unreachable(job, error)
        return _FOR_A_LOGIN_S if isinstance(error, DeniedError) else _FOR_AN_ANSWER_S


def _begin(job: Job, nodes: Nodes, until: float) -> bool:
    """Take the hosts and reach them; False where it is not the job's turn or a host does not answer."""
    if not queueing.take_hosts(job):
        return False
    try:
        with nodes.entered():
            blocks.begin(job, nodes, until)
    except RemoteError as error:
        _leave_hosts(job, S.FAILED, str(error))
        return False
    except (HostError, Refused) as error:  # who mends it has not lost a whole plan to it
        note_refusal(error)
        _leave_hosts(job, S.WAITING, str(error))
        return False
    note_reached([part.target.pk for part in nodes.by_role.values()])
    return True


def _answers_again(job: Job, nodes: Nodes) -> bool:
    """Go on, or end where a reboot took what was prepared: False while a process of it is left."""
    nodes.contact()
    note_reached([part.target.pk for part in nodes.by_role.values()])
    if job.outcome:
        state = S.COLLECTING
    elif job.steps.exclude(state__in=(JobStep.State.WAITING, JobStep.State.SKIPPED)).exists():
        state = S.RUNNING
    else:
        state = S.PREPARING
    job_states.move(job, state, N_("The host answers again."))
    if job.outcome or job.cancel_asked_at or job.steps.filter(state=JobStep.State.RUNNING).exists():
        return True  # what ran says by itself that a reboot ended it
    reason = _lost_to_a_reboot(job, nodes)
    return _stop(job, nodes, S.FAILED, reason) if reason else True


def _lost_to_a_reboot(job: Job, nodes: Nodes) -> str:
    """Why no further step may run, where a host was rebooted since one that was done; else nothing.

    A mount or a mirror that it made is gone then: what follows would measure something else.
    """
    made_before = Q(job=job.made_by_id, shared=True)
    steps = JobStep.objects.filter(Q(job=job) | made_before).exclude(phase=Phase.CLEANUP)
    following = steps.filter(job=job, state__in=GOING_ON).first()
    boots = boots_of(steps.filter(state=JobStep.State.DONE))
    if following is None or (not boots and len(nodes.by_role) < 2):
        return ""  # nothing was prepared, and no host is but a peer
    boots += job.nodes.values_list("role", "boot_id")
    if not (hosts := nodes.rebooted_since(boots)):
        return ""
    return N_(
        "Rebooted before {step}: {hosts}. What had been prepared there may be gone.",
        step=following.name,
        hosts=", ".join(hosts),
    )


def _fail_with_a_peer(job: Job, nodes: Nodes) -> None:
    """Fail what measured last, where a host that had no step in it was rebooted since it began.

    Every step of it ended well, and says nothing of the mirror or the server that was away.
    """
    measuring = [
        group
        for group in _groups(job)
        if any(step.tool for step in group) and any(step.started_at for step in group)
    ]
    if not measuring:
        return
    last = measuring[-1]
    if any(step.state != JobStep.State.DONE or step.artifact_id for step in last):
        return  # it has failed already, or what it measured has been kept
    peers = job.nodes.exclude(role__in={step.node for step in last})
    if not (hosts := nodes.rebooted_since(peers.values_list("role", "boot_id"))):
        return
    reason = N_(
        "Rebooted after {step} began: {hosts}. What {step} measured is set aside.",
        step=last[0].name,
        hosts=", ".join(hosts),
    )
    with leases.fenced(job):
        for step in last:
            leases.record(job, step, state=JobStep.State.FAILED, reason=reason)
        if job.outcome == S.DONE:
            leases.record(job, job, outcome=S.FAILED, outcome_reason=reason)


def _unreachable(job: Job, error: HostError | Refused) -> None:
    """No end: what runs there goes on. A job that is being cancelled stays so."""
    note_refusal(error)
    state = S.CANCELLING if job.cancel_asked_at and not job.outcome else S.UNREACHABLE
    job_states.move(job, state, str(error))


def _carry_out(job: Job, nodes: Nodes, until: float) -> bool:
    """Run the steps, to an outcome: False where the turn is over before."""
    try:
        if job.cancel_asked_at:
            return _stop(job, nodes)
        if not _prepare(job, nodes):
            return False
        for group in _groups(job):
            check_for_cancel(job)
            if not _run_group(job, nodes, group, until):
                return False
            trouble = next((step for step in group if step.state != JobStep.State.DONE), None)
            if trouble is not None:
                reason = trouble.reason
                if len(nodes.by_role) > 1:
                    reason = side_by_side([nodes.of(trouble).target.host.name, reason], ": ")
                _set_outcome(job, S.LOST if trouble.state == "lost" else S.FAILED, reason)
                break
        else:
            _set_outcome(job, S.DONE, "")
    except CancelRequestedError:
        return _stop(job, nodes)
    except (RemoteError, Refused, logs.TooMuchOutputError) as error:
        return _stop(job, nodes, S.FAILED, str(error))
    return True


def _prepare(job: Job, nodes: Nodes) -> bool:
    """Ask the hosts how they are before anything is changed; False while they are not quiet.

    The job keeps them meanwhile: what comes after it would find them as they are.
    """
    if job.state == S.PREPARING:
        if not environment_capture.is_quiet(job, nodes):
            return False
        if reason := _lost_to_a_reboot(job, nodes):  # what its block shares, while it waited
            raise RemoteError(reason)
        boots = nodes.boots([*nodes.by_role])
        with leases.fenced(job):
            for role, boot_id in boots.items():
                job.nodes.filter(role=role).update(boot_id=boot_id)
        tunables.note_all(job, nodes)
        job_states.move(job, S.RUNNING)
    return True


def _groups(job: Job) -> Iterator[list[JobStep]]:
    """Steps in order, those that start together as one; cleaning up comes later, whatever happens.

    What was found made is skipped.
    """
    steps = job.steps.exclude(phase=Phase.CLEANUP)
    return started_together(steps.exclude(state=JobStep.State.SKIPPED))


def _run_group(job: Job, nodes: Nodes, group: list[JobStep], until: float) -> bool:
    if all(step.state not in GOING_ON for step in group):
        return True
    if group[0].tunable:
        for step in group:
            tunables.set_tunable(step, nodes)
        return True
    waiting = all(step.state == JobStep.State.WAITING for step in group)
    begins = waiting and any(step.tool for step in group)
    # no step talks to a peer that only prepared: it may have failed since
    if begins and len(nodes.by_role) > 1 and (reason := _lost_to_a_reboot(job, nodes)):
        raise RemoteError(reason)
    return Following(job, nodes, group, until).run()


def _stop(job: Job, nodes: Nodes, outcome: str = S.CANCELLED, reason: str = "") -> bool:
    """End what runs on the hosts; False while a process of it is left."""
    if outcome == S.CANCELLED and job.state != S.CANCELLING:
        job_states.move(job, S.CANCELLING)
    begun = job.steps.filter(state__in=(JobStep.State.STARTING, JobStep.State.RUNNING))
    ended_as = JobStep.State.CANCELLED if outcome == S.CANCELLED else JobStep.State.FAILED
    for step in begun:
        if still_there := cleanup.end_step(job, nodes, step, ended_as, reason):
            job_states.move(job, job.state, still_there)
            return False
    _set_outcome(job, outcome, reason)
    return True


def _set_outcome(job: Job, outcome: str, reason: str) -> None:
    """What the job ends as, once everything is put back."""
    open_steps = job.steps.filter(state=JobStep.State.WAITING).exclude(phase=Phase.CLEANUP)
    with leases.fenced(job):
        leases.record(job, job, outcome=outcome, outcome_reason=reason)
        open_steps.update(state=JobStep.State.SKIPPED)


def _finish(job: Job, nodes: Nodes, until: float) -> float | None:
    """Keep what was measured, put everything back, leave nothing on the hosts, end."""
    if job.state != S.COLLECTING:
        job_states.move(job, S.COLLECTING)
    _fail_with_a_peer(job, nodes)
    environment_capture.capture_after(job, nodes)
    if (trouble := collecting.keep_results(job, nodes)) and job.outcome == S.DONE:
        _set_outcome(job, S.FAILED, trouble)
    not_back = tunables.put_back(job, nodes)
    still_there = cleanup.clean_up(job, nodes, until, with_shared=False)
    stands = not still_there and not not_back and shared.can_be_left(job)
    if not still_there and not stands:
        still_there = cleanup.clean_up(job, nodes, until)
    if still_there:
        job_states.move(job, job.state, still_there)
        return _FOR_AN_END_S
    giving_up.leave(job)
    if not not_back:
        cleanup.remove_folders(job, nodes, with_shared=not stands)
    reason = side_by_side(filter(None, [job.outcome_reason, *not_back]), " ")
    state = S.FAILED if not_back and job.outcome == S.DONE else job.outcome
    _leave_hosts(job, state, reason, stands=stands)
    return None


def _leave_hosts(job: Job, state: str, reason: str, *, stands: bool = False) -> None:
    with leases.fenced(job):  # who takes the job over takes its hosts too: these are not freed
        if stands:
            shared.leave(job)
        job_states.move(job, state, reason)
        next_ones = queueing.free_hosts(job)
    if state == S.FAILED:  # apart: who changes a plan locks it first, then its jobs
        plan_changes.pause_where_all_fail(job.plan)
    queueing.notify(next_ones)
