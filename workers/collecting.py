"""What a job measured, into the results: through the one door, each output once."""

from __future__ import annotations

from django.conf import settings
from django.db.models import QuerySet

from benchdash.errors import N_, side_by_side
from benchdash.jobs import leases, logs
from benchdash.jobs.models import Job, JobStep
from benchdash.results.assignment import Assignment
from benchdash.results.ingest import ingest
from benchdash.results.models import Run
from benchdash.results.outcomes import Outcome
from benchdash.results.readings import File
from benchdash.results.run_actions import set_aside
from benchdash.results.storable import storable_sentence
from workers.following import no_result
from workers.remote_job import Nodes, RemoteError

_PIECE_BYTES = 2**20


def keep_results(job: Job, nodes: Nodes) -> str:
    """Runs out of what was measured; the sentence why one has none, else nothing.

    What a step that failed or was cancelled printed is kept as well, and set aside.
    """
    measured = _measured(job).filter(node__in=nodes.by_role)
    troubles = [_keep(job, nodes, step) for step in measured]
    return next(filter(None, troubles), "")


def _measured(job: Job) -> QuerySet[JobStep]:
    return job.steps.exclude(tool="").filter(artifact=None, started_at__isnull=False)


def _keep(job: Job, nodes: Nodes, step: JobStep) -> str:
    data = _result_file(job, nodes, step) if step.result else logs.whole(step)
    if not data.strip():
        if step.state != JobStep.State.DONE:
            return step.reason
        return no_result(step, nodes.of(step).status(step))
    with leases.fenced(job):
        outcome = _ingested(job, step, data)
        _set_aside(step, outcome.runs)
        conditions = list(
            dict.fromkeys(_with_host(each, len(nodes.by_role)) for each in job.conditions)
        )
        own = [run.pk for run in outcome.own_runs]
        Run.objects.filter(pk__in=own).update(conditions=conditions)
        JobStep.objects.filter(pk=step.pk).update(artifact=outcome.upload.artifact_id)
        leases.keep(job)  # nobody could renew it beside this transaction
    return outcome.sentence or _reported(outcome)


def _with_host(condition: dict[str, str], hosts: int) -> str:
    sentence = condition["sentence"]
    return side_by_side([condition["host"], sentence], ": ") if hosts > 1 else sentence


def _ingested(job: Job, step: JobStep, data: bytes) -> Outcome:
    assignment = Assignment(
        configuration=job.configuration,
        environment=job.environment,
        study=job.plan.study,
        started_at=step.started_at,
    )
    name = f"{job.plan.title} {job.position}.{job.attempt} {step.name}.txt"
    return ingest([File(name, data)], assignment, job.plan.launched_by)[0]


def _result_file(job: Job, nodes: Nodes, step: JobStep) -> bytes:
    """The file that the tool wrote its result to; empty where there is none."""
    data = b""
    try:
        while piece := nodes.of(step).result(step, len(data), _PIECE_BYTES):
            data += piece
            leases.keep(job)
            if len(data) > settings.MAX_UPLOAD_BYTES:
                return data[: settings.MAX_UPLOAD_BYTES]
    except RemoteError:
        return data
    return data


def _set_aside(step: JobStep, runs: list[Run]) -> None:
    """What a failed tool printed may look plausible: out of statistics until a person decides."""
    if step.state != JobStep.State.DONE:
        reason = step.reason or N_("The run was cancelled.")
        counted = [run.pk for run in runs if not run.set_aside_reason]
        set_aside(counted, storable_sentence(reason, 300))


def _reported(outcome: Outcome) -> str:
    return next((run.set_aside_reason for run in outcome.runs if run.error), "")
