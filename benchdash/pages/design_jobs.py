"""Examples of what remote runs are shown by, never stored: each state, step, finding and number."""

from __future__ import annotations

from datetime import timedelta
from math import sin
from typing import Any

from django.utils import timezone

from benchdash.jobs.matrix import Matrix
from benchdash.jobs.models import Job, JobStep, KnobChange, Target
from benchdash.jobs.models.target import WORKING_FOLDER
from benchdash.jobs.touching import Touched
from benchdash.pages.live_words import live_words

KEYS = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI"
LOG = """\
fio-3.33
Starting 1 process
Jobs: 1 (f=1): [w(1)][50.0%][w=44.9MiB/s][w=11.5k IOPS][eta 00m:30s]
"""
STANDINGS: tuple[dict[str, Any], ...] = (
    *({"findings": {"state": state}} for state in ("ok", "trouble", "unreachable", "refused")),
    {"offered_key": KEYS},
    {"offered_key": KEYS, "host_key": KEYS},
    {"check_asked_at": timezone.now()},
    {},
)
COUNTS = {
    "launched_at": True,
    "job_count": 6,
    "running_count": 1,
    "waiting_count": 1,
    "done_count": 3,
    "ended_count": 4,
}
CONDITIONS: tuple[dict[str, Any], ...] = (
    {
        "host": "store-a",
        "sentence": "md0 is in the middle of resync, 41.5 % is done.",
        "blocking": True,
        "when": "before",
    },
    {
        "host": "store-b",
        "sentence": "The load over a minute is 0.2 on 4 CPUs.",
        "blocking": False,
        "when": "after",
    },
)
FINDINGS = (
    {"name": "sudo", "ok": True, "text": "works"},
    {
        "name": "clock",
        "ok": None,
        "text": "+7 s from ours",
        "mend": "Set the clock; durations are measured without it.",
    },
    {
        "name": "working folder",
        "ok": False,
        "text": f"{WORKING_FOLDER} cannot be written",
        "mend": f"Make {WORKING_FOLDER} on the host, and let bench write to it.",
    },
)


def job_examples() -> dict[str, Any]:
    """The context of `design/jobs.html`; no query."""
    steps = _steps()
    return {
        "states": [Job(state=state) for state in Job.State],
        "refused_job": Job(state=Job.State.FAILED, reason=CONDITIONS[0]["sentence"]),
        "running_job": Job(state=Job.State.RUNNING, expected_s=60.0),
        "elapsed_s": 24.0,
        "steps": steps,
        "changes": [step for step in steps if step.knob],
        "conditions": CONDITIONS,
        "log": LOG,
        "live_words": live_words((), binary=False),
        "told": {"anew": True, "points": _points()},
        "targets": [Target(**columns) for columns in STANDINGS],
        "findings": FINDINGS,
        "touched": [Touched("device", "/dev/sdb", "store-a", confirmed=False)],
        "plan": COUNTS,
        "matrix": _matrix(),
    }


def _steps() -> list[JobStep]:
    """A job's steps: one that is over, one that runs, one that failed, one that waits."""
    now = timezone.now()
    began, ended = now - timedelta(seconds=26), now - timedelta(seconds=25)
    knob = {"knob": "scheduler", "where": "sda", "value": "none"}
    over = {"state": "done", "exit_code": 0, "started_at": began, "ended_at": ended}
    before = JobStep(phase="before", name="scheduler", root=True, knob=knob, **over)
    before.command = "sh -c 'echo none > /sys/block/sda/queue/scheduler'"
    before.change = KnobChange(old="mq-deadline", new="none", changed_at=ended)
    runs = JobStep(phase="measure", name="fio", tool="fio", state="running", expected_s=60.0)
    runs.command = "fio --name=fio --filename=/dev/sdb --rw=randwrite --bs=4k --output=out.json"
    runs.touches = [{"kind": "device", "name": "/dev/sdb"}]
    failed = JobStep(phase="after", name="drop caches", state="failed", exit_code=1)
    failed.command, failed.started_at, failed.ended_at = "sync", began, ended
    waits = JobStep(
        phase="cleanup", name="scheduler", command="", files={"job.fio": "[fio]\nbs=4k"}
    )
    steps = [before, runs, failed, waits]
    for step in steps:
        step.node = "node-a"
    return steps


def _matrix() -> Matrix:
    rows = {"bs=4K": ("done", "done", "running"), "bs=1M": ("done", "failed", "queued")}
    jobs: list[tuple[str, list[Job | None]]] = [
        (title, [Job(state=state) for state in states]) for title, states in rows.items()
    ]
    return Matrix([1, 2, 3], jobs, 360.0, active=False)


def _points() -> list[list[Any]]:
    return [
        [0, "write", "throughput", second, 4.5e7 + 5e6 * sin(second / 5)] for second in range(60)
    ]
