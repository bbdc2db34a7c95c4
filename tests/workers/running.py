"""Jobs while they run: a worker that carries them on, and what a test waits for."""

from __future__ import annotations

import subprocess
import time
from contextlib import contextmanager
from pathlib import Path

from benchdash.jobs import logs
from benchdash.jobs.models import Job
from tests.another_process import another_process

PATIENCE_S = 180
COUNTING = "i=0; while [ $i -lt {lines} ]; do i=$((i + 1)); echo line $i; sleep 0.05; done"


def counted(lines):
    return "".join(f"line {number}\n" for number in range(1, lines + 1)).encode()


def until(condition):
    """Wait for something that is on its way; fail after a minute."""
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.05)


def in_state(made, *states):
    return lambda: Job.objects.get(pk=made.pk).state in states


def some_output(made):
    return lambda: logs.received(made.steps.get(name="measure"), "out") > 0


def nothing_of(made):
    """Whether no process on this machine bears the name of the job, or the mark of its steps."""
    environs = map(str, Path("/proc").glob("[0-9]*/environ"))
    commands = (
        ["pgrep", "-f", made.token],
        ["grep", "-ls", f"BENCHDASH_STEP={made.token}", *environs],
    )
    found = [subprocess.run(each, capture_output=True, check=False).stdout for each in commands]
    return found == [b"", b""]


@contextmanager
def worker(**environment):
    """A real worker of jobs, and the clock that sweeps; killed when the block is left."""
    celery = ("-m", "celery", "--quiet", "--app", "workers.celery")
    carries = ("worker", "--queues", "jobs,celery", "--pool", "threads", "--concurrency", "4")
    carries += ("--without-mingle", "--without-gossip")
    with (
        another_process(*celery, *carries, **environment) as process,
        another_process(*celery, "beat", "--pidfile=", **environment),
    ):
        yield process
