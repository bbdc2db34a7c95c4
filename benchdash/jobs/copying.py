"""The same job once more, for another attempt or another round: its very commands, in folders of its own."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django.forms import model_to_dict

from benchdash.jobs.models import Job, JobNode, JobStep

_BATCH = 1000
_SAME = ("plan_id", "position", "cell", "round", "block", "title", "values", "expected_s")
_SAME_OF_STEP = (
    *("position", "phase", "node", "name", "folder", "argv", "command", "files", "root"),
    *("timeout_s", "expected_s", "estimated", "together", "shared", "tool", "result", "touches"),
    "tunable",
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
    """The same command in the new job's folder and its block's, which bear their names."""
    fields = model_to_dict(step, fields=_SAME_OF_STEP)

    def moved_to(text: str) -> str:
        text = text.replace(job.token, again.token)
        return text.replace(job.block, again.block) if job.block else text

    moved = {
        "argv": [moved_to(part) for part in step.argv],
        "command": moved_to(step.command),
        "files": {name: moved_to(text) for name, text in step.files.items()},
        "touches": [
            {key: moved_to(str(value)) for key, value in touch.items()} for touch in step.touches
        ],
    }
    return JobStep(job=again, **(fields | moved))
