"""What a job measured, into the results: through the one door, each output once."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress

from django.conf import settings
from django.db.models import Max

from benchdash.analysis.doubts import ran_longer_than_passed
from benchdash.capture import Counters, read_counters
from benchdash.errors import N_, side_by_side
from benchdash.jobs import leases, logs
from benchdash.jobs.measuring import command_to, parameters_of, roles_measured, started_together
from benchdash.jobs.models import Job, JobStep
from benchdash.jobs.printed_traces import keep_printed
from benchdash.jobs.queries import measured_beside
from benchdash.jobs.study_plans import series_of
from benchdash.results.assignment import Assignment
from benchdash.results.doubts import note_doubts
from benchdash.results.host_traces import store_host_traces
from benchdash.results.ingest import ingest
from benchdash.results.joined import join_over_hosts
from benchdash.results.models import Measurement, Run, Upload
from benchdash.results.outcomes import Outcome
from benchdash.results.readings import File
from benchdash.results.run_actions import set_aside
from benchdash.results.storable import storable_sentence
from benchdash.vocabulary.doubts import Doubt
from benchdash.vocabulary.settings import settings_from
from benchdash.vocabulary.units import human
from workers import synchronised_start
from workers.detached_steps import no_result
from workers.remote_job import Nodes, RemoteError

_PIECE_BYTES = 2**20


def keep_results(job: Job, nodes: Nodes) -> str:
    """Runs out of what was measured; the sentence why one has none, else nothing.

    What a step that failed or was cancelled printed is kept as well, and set aside.
    """
    for steps in started_together(job.steps.all()):
        synchronised_start.note_skew(job, steps)
    # what an earlier turn kept, before a host was away again, has its trouble as its reason
    troubles = {
        step.pk: step.reason if step.artifact_id else _keep(job, nodes, step)
        for step in job.steps.exclude(tool="").filter(started_at__isnull=False)
        if step.artifact_id or step.node in nodes.by_role
    }
    for steps in started_together(job.steps.all()):
        _set_aside_beside(job, steps, troubles)
        artifacts = [step.artifact_id for step in steps if step.artifact_id]
        if len(artifacts) > 1:
            join_over_hosts(artifacts)
    return next(filter(None, troubles.values()), "")


def _keep(job: Job, nodes: Nodes, step: JobStep) -> str:
    data = _result_file(job, nodes, step) if step.result else logs.whole(step)
    if not data.strip():
        if step.state != JobStep.State.DONE:
            return step.reason
        return no_result(step, nodes.of(step).status(step))
    counters = _counters(nodes, step)
    with leases.fenced(job):
        hosts = job.nodes.count()  # of a job that was given up, they are seen to one by one
        shared = step.together and hosts > 1
        host = nodes.of(step).target.host.name if shared else ""
        outcome = _ingested(job, step, data, host)
        _set_aside(step, outcome.runs)
        conditions = list(dict.fromkeys(_with_host(each, hosts) for each in job.conditions))
        conditions += filter(None, [_skew(job, step)])
        own = [run.pk for run in outcome.own_runs]
        Run.objects.filter(pk__in=own).update(conditions=conditions)
        note_doubts(own, _doubts(job, step, own, hosts))
        if outcome.upload.outcome == Upload.Outcome.STORED:
            role = roles_measured(job)[step.node]
            store_host_traces(outcome.upload.artifact_id, role, counters)
            keep_printed(step, outcome.upload.artifact_id)
        trouble = outcome.sentence or _reported(outcome)
        JobStep.objects.filter(pk=step.pk).update(
            artifact=outcome.upload.artifact_id, reason=step.reason or trouble
        )
        leases.keep(job)  # nobody could renew it beside this transaction
    return trouble


def _doubts(job: Job, step: JobStep, runs: list[int], hosts: int) -> Iterator[Doubt]:
    """What the hosts said against measuring, what else measured there, and whether time adds up."""
    for condition in job.conditions:
        if condition["blocking"]:
            yield Doubt(condition["name"], _with_host(condition, hosts))
    for host, beside_s in measured_beside(step):
        sentence = N_(
            "Another job measured this machine as {host} during {time} of the run.",
            host=host,
            time=human(beside_s, "s"),
        )
        yield Doubt("benchmark", sentence)
    if step.began_after_s is not None and _apart_s(job, step) > synchronised_start.MOST_APART_S:
        yield Doubt("skew", _skew(job, step))
    printed = Measurement.objects.filter(run__in=runs, measure__metric="duration")
    longest = printed.aggregate(longest=Max("value"))["longest"]
    if longest and step.started_at and step.ended_at:
        passed = (step.ended_at - step.started_at).total_seconds()
        if found := ran_longer_than_passed(longest, passed):
            yield found


def _beside(job: Job, step: JobStep) -> list[JobStep]:
    """The steps that started together with this one, itself among them, as far as it is known when."""
    alike = job.steps.filter(name=step.name, phase=step.phase, together=True)
    return list(alike.filter(began_after_s__isnull=False))


def _apart_s(job: Job, step: JobStep) -> float:
    return max(each.began_after_s or 0.0 for each in _beside(job, step))


def _skew(job: Job, step: JobStep) -> str:
    """How far apart the hosts began; empty for a step that started alone."""
    if step.began_after_s is None:
        return ""
    beside = _beside(job, step)
    return N_(
        "It began {later} after the first of {n} hosts; the last did {apart} after it "
        "(clocks known to {error}).",
        later=human(step.began_after_s, "s"),
        n=len(beside),
        apart=human(_apart_s(job, step), "s"),
        error=human(max(each.began_error_s or 0.0 for each in beside), "s"),
    )


def _with_host(condition: dict[str, str], hosts: int) -> str:
    sentence = condition["sentence"]
    return side_by_side([condition["host"], sentence], ": ") if hosts > 1 else sentence


def _ingested(job: Job, step: JobStep, data: bytes, host: str) -> Outcome:
    """Labelled with the host's name where each of several has a share."""
    parameters = parameters_of(step)
    assignment = Assignment(
        label=host,
        configuration=job.configuration,
        environment=job.environment,
        study=job.plan.study,
        started_at=step.started_at,
        settings=settings_from(
            {name: one.shown for name, one in parameters.settings.items()} | series_of(job.plan)
        ),
        round=job.round,
        workload=parameters.workload,
        command=command_to(step),
    )
    name = f"{job.plan.title} {job.position}.{job.attempt} {step.name}.txt"
    return ingest([File(name, data)], assignment, job.plan.launched_by)[0]


def _result_file(job: Job, nodes: Nodes, step: JobStep) -> bytes:
    """The file that the tool wrote its result to; empty where none can be read.

    RemoteError where it breaks off: half a result would count as a whole one.
    """
    data = b""
    try:
        while piece := nodes.of(step).result(step, len(data), _PIECE_BYTES):
            data += piece
            leases.keep(job)
            if len(data) > settings.MAX_UPLOAD_BYTES:
                return data[: settings.MAX_UPLOAD_BYTES]
    except RemoteError:
        if data:
            raise
    return data


def _counters(nodes: Nodes, step: JobStep) -> Counters:
    """What its host did meanwhile, as far as the host kept it."""
    log = b""
    with suppress(RemoteError):
        log = nodes.of(step).counters(step)
    return read_counters(log)


def _set_aside(step: JobStep, runs: list[Run]) -> None:
    """What a failed tool printed may look plausible: out of statistics until a person decides."""
    if step.state != JobStep.State.DONE:
        reason = step.reason or N_("The run was cancelled.")
        if "output" in getattr(reason, "values", ()):
            # what the tool said stays with the job: runs are seen by more people, and it names paths
            reason = N_("{step} ended with exit code {code}.", step=step.name, code=step.exit_code)
        counted = [run.pk for run in runs if not run.set_aside_reason]
        set_aside(counted, storable_sentence(reason, 300))


def _set_aside_beside(job: Job, steps: Sequence[JobStep], troubles: Mapping[int, str]) -> None:
    """And so may what started with a step that failed, or of which nothing could be read.

    It is a part of a sum, or ran under a load that the others made.
    """
    failed = next((s for s in steps if s.state != JobStep.State.DONE or troubles.get(s.pk)), None)
    if failed is None or len(steps) < 2:
        return
    host = job.nodes.select_related("target__host").get(role=failed.node).target.host
    reason = N_(
        "{step} did not end well on {host}, where it ran at the same time.",
        step=failed.name,
        host=host.name,
    )
    artifacts = [step.artifact_id for step in steps if step != failed and step.artifact_id]
    with leases.fenced(job):
        counted = Run.objects.filter(artifact__in=artifacts, counted=True)
        set_aside(counted.values_list("pk", flat=True), storable_sentence(reason, 300))


def _reported(outcome: Outcome) -> str:
    return next((run.set_aside_reason for run in outcome.runs if run.error), "")
