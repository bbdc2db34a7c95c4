"""The same job once more, for another attempt or another round: its very commands, in folders of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.forms import model_to_dict

from benchdash.jobs.models import Job, JobNode, JobStep

_BATCH = 1000
_SAME = ("plan_id", "position", "cell", "round", "title", "values", "expected_s")
_SAME_OF_STEP = (
    *("position", "phase", "node", "name", "folder", "argv", "command", "files", "root"),
    *("timeout_s", "expected_s", "estimated", "together", "tool", "result", "touches", "tunable"),
)


def copied(job: Job, **changes: Any) -> Job:
    """An unsaved job with its own token; asks for the job's plan."""
    same = {name: getattr(job, name) for name in _SAME}
    return Job(**({**same, "configuration_id": job.plan.configuration_id} | changes))


def save_copies(copies: Sequence[tuple[Job, Job]]) -> None:
    """Store copies, each behind its original, with nodes and steps as those of the original."""
    Job.objects.bulk_create([again for _job, again in copies], _BATCH)
    nodes = [
        JobNode(job=again, role=node.role, target_id=node.target_id, folder=node.folder)
        for job, again in copies
        for node in job.nodes.all()
    ]
    JobNode.objects.bulk_create(nodes, _BATCH)
    steps = (step for job, again in copies for step in steps_again(job, again))
    JobStep.objects.bulk_create(steps, _BATCH)


def steps_again(job: Job, again: Job) -> list[JobStep]:
    """Unsaved: the steps of a job, in the folders of another."""
    return [_step_again(step, job, again) for step in job.steps.all()]


def _step_again(step: JobStep, job: Job, again: Job) -> JobStep:
    """The same command in the new job's folder, which bears its name."""
    fields = model_to_dict(step, fields=_SAME_OF_STEP)
    moved = {
        "argv": [part.replace(job.token, again.token) for part in step.argv],
        "command": step.command.replace(job.token, again.token),
        "files": {name: text.replace(job.token, again.token) for name, text in step.files.items()},
        "touches": [
            {key: str(value).replace(job.token, again.token) for key, value in touch.items()}
            for touch in step.touches
        ],
    }
    return JobStep(job=again, **(fields | moved))
