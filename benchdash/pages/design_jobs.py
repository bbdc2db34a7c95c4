"""Plans, jobs, steps and hosts on the page of components: an example of each."""

from __future__ import annotations

from datetime import timedelta
from math import sin
from typing import Any

from django.utils import timezone

from benchdash.accounts.models import User
from benchdash.jobs.confirming import Touched
from benchdash.jobs.costs import Cost, Disk
from benchdash.jobs.matrix import CellCounts, Offer, Progress
from benchdash.jobs.models import (
    AddedRounds,
    Job,
    JobStep,
    Plan,
    StoppingLook,
    Target,
    TunableChange,
)
from benchdash.jobs.models.target import WORKING_FOLDER
from benchdash.jobs.more_levels import AddedLevels
from benchdash.jobs.more_rounds import Room
from benchdash.pages.jobs import live_words
from benchdash.pages.matrix_cells import Cells, axes_of, scale_of, tables_of
from benchdash.pages.plan_additions import Additions
from benchdash.pages.plan_looks import Stopping, stopping_of
from benchdash.pages.plan_matrix import Best, Live, Matrix, title_of
from benchdash.vocabulary.measures import MeasureName

KEYS = "ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAI"
LOG = """\
fio-3.33
Starting 1 process
Jobs: 1 (f=1): [w(1)][50.0%][w=44.9MiB/s][w=11.5k IOPS][eta 00m:30s]
"""
TARGET_STATES: tuple[dict[str, Any], ...] = (
    *({"findings": {"state": state}} for state in ("ok", "trouble", "unreachable", "refused")),
    {"findings": {"state": "ok", "folder_made_on": "/ (/dev/vda1)"}},
    {"offered_key": KEYS},
    {"offered_key": KEYS, "host_key": KEYS},
    {"check_asked_at": timezone.now()},
    {},
)
COUNTS = {
    "pk": 1,
    "rounds_planned": 3,
    "last_round": 3,
    "launched_at": True,
    "job_count": 7,
    "running_count": 1,
    "waiting_count": 1,
    "done_count": 3,
    "failed_count": 1,
    "cancelled_count": 1,
    "ended_count": 5,
}
CONDITIONS: tuple[dict[str, Any], ...] = (
    {
        "host": "store-a",
        "sentence": "md0 is running a resync, 41.5 % is done.",
        "blocking": True,
        "when": "before",
    },
    {
        "host": "store-b",
        "sentence": "The one-minute load average is 0.2 on 4 CPUs.",
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
        "ok": None,
        "text": f"{WORKING_FOLDER} does not exist yet: it will be made on / (/dev/vda1), 41.0 GiB free",
        "warns": True,
    },
    {
        "name": "working folder",
        "ok": False,
        "text": f"{WORKING_FOLDER} cannot be written",
        "mend": f"Make {WORKING_FOLDER} on the host, and let bench write to it.",
    },
)


def job_examples() -> dict[str, Any]:
    """The context of what pages of plans, jobs and hosts are made of; no query."""
    steps = _steps()
    return {
        "states": [Job(state=state) for state in Job.State],
        "refused_job": Job(state=Job.State.FAILED, reason=CONDITIONS[0]["sentence"]),
        "running_job": Job(state=Job.State.RUNNING, expected_s=60.0),
        "elapsed_s": 24.0,
        "steps": steps,
        "changes": [step for step in steps if step.tunable],
        "conditions": CONDITIONS,
        "log": LOG,
        "live_words": live_words((), binary=False),
        "live_points": {"anew": True, "points": _points()},
        "targets": [Target(**columns) for columns in TARGET_STATES],
        "findings": FINDINGS,
        "touched": [Touched("device", "/dev/sdb", "store-a", confirmed=False)],
        "plan": COUNTS,
        "cost": Cost(
            cells=6,
            jobs=48,
            expected_s=5400.0,
            earlier=12,
            written_bytes=3.2e11,
            traced=12,
            disks=[Disk("store-a", "sdb", 3.2e11, 0.16)],
        ),
        "matrix": _matrix(),
        "plan_of_looks": Plan(
            pk=1,
            created_at=timezone.now(),
            launched_at=timezone.now(),
            paused_at=timezone.now(),
            paused_by=User(username="ann"),
            looks=3,
        ),
        "stopping": _stopping(),
        "zones": [
            ("local", [{"role": "node-a", "host": "store-1"}]),
            ("near", [{"role": f"node-{n}", "host": f"store-{n}"} for n in "ab"]),
        ],
        "batch": [Plan(pk=n, title=f"fio, store-{n}", launched_at=timezone.now()) for n in (1, 2)],
        "unmeasured": 2,
        "doubted": 1,
        "first_rounds": 8,
        "added": [AddedRounds(rounds=4, look=3, at=timezone.now())],
        "room": Room(rounds=100, jobs=6),
        "a_round_s": 360.0,
        "further_look": True,
        "next_look": 4,
        "additions": _additions(),
    }


def _steps() -> list[JobStep]:
    """A job's steps: one that is over, one that runs, one that failed, one that waits."""
    now = timezone.now()
    began, ended = now - timedelta(seconds=26), now - timedelta(seconds=25)
    tunable = {"name": "scheduler", "where": "sda", "value": "none"}
    over = {"state": "done", "exit_code": 0, "started_at": began, "ended_at": ended}
    before = JobStep(phase="before", name="scheduler", root=True, tunable=tunable, **over)
    before.command = "sh -c 'echo none > /sys/block/sda/queue/scheduler'"
    before.change = TunableChange(old="mq-deadline", new="none", changed_at=ended)
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


def _additions() -> Additions:
    """A level that came later, and what a further one would cost."""
    levels = AddedLevels("iodepth", [16], 2, 9, 16, timezone.now(), "ann")
    return Additions(
        added=[("Queue depth 16", levels)],
        factors=[("iodepth", "Queue depth")],
        factor="iodepth",
        levels="32",
        title="Queue depth",
        cells=Plan(rounds_planned=8),
        cost=Cost(2, 16, 960.0, 0, 1.2e10, 0),
        confirmations=[(Touched("device", "/dev/sdb", "store-a", confirmed=False), "")],
    )


def _stopping() -> Stopping | None:
    """Two looks at the intervals of a plan, which had no more rounds then."""
    now, depths = timezone.now(), ["depth", [1, 8, 32]]
    plan = Plan(until_percent=5.0, rounds_at_most=6, cell_count=3, axes=[depths])
    looks = [
        StoppingLook(rounds=5, at=now, widest_percent=12.3, wider=2, without=1, decision="further"),
        StoppingLook(rounds=6, at=now, widest_percent=9.1, wider=1, without=1, decision="most"),
    ]
    looks[1].measure, looks[1].cells = "write.throughput.mean", {"wider": [2], "without": [3]}
    return stopping_of(plan, looks)


def _matrix() -> Matrix:
    """Two factors in three rounds: measured, measured in part, running, failed, to come."""
    sizes, depths = ["4K", "64K", "1M"], [1, 8, 32]
    plan = Plan(pk=1, rounds_planned=3, cell_count=9, axes=[["size", sizes], ["depth", depths]])
    values = {1: 11e6, 2: 42e6, 3: 90e6, 4: 61e6, 5: 102e6, 7: 118e6}
    found = {cell: CellCounts(done=3) for cell in values} | {
        5: CellCounts(done=2, running=1),
        6: CellCounts(failed=3),
        8: CellCounts(running=1),
    }
    measure = MeasureName("write", "throughput", "mean")
    scale = scale_of(measure, values, binary=False)
    axes = axes_of(plan)
    return Matrix(
        offer=Offer([], [measure], None, measure),
        axes=axes,
        across=axes[1],
        down=axes[0],
        tables=list(tables_of(plan, axes, axes[1], axes[0], Cells("#c", 3, found, values, scale))),
        unit=scale.unit,
        live=Live(
            progress=Progress(3, 360.0, [], timezone.now()),
            active=False,
            query="",
            best=Best("Size 1M, Depth 1", "118 MB/s", "#c7", 3),
        ),
        dense=False,
        parts=[],
        measures=[(str(measure), title_of(measure))],
    )


def _points() -> list[list[Any]]:
    return [
        [0, "write", "throughput", second, 4.5e7 + 5e6 * sin(second / 5)] for second in range(60)
    ]
