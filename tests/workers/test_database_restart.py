"""PostgreSQL that restarts under a job: no byte is lost, and nothing runs twice."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
import time
from contextlib import ExitStack

import psycopg
import pytest

from tests.conftest import need
from tools import servers
from tools.project import ROOT

PATIENCE_S = 120
LINES = 150
COUNTING = f"i=0; while [ $i -lt {LINES} ]; do i=$((i + 1)); echo line $i; sleep 0.05; done"
LAUNCH = """
import json, sys
from benchdash.accounts.models import User
from benchdash.inventory.models import Host
from benchdash.jobs import launching
from benchdash.jobs.models import Job, JobNode, JobStep, Plan, Target
from benchdash.jobs.credentials import sealed
told = json.loads(sys.stdin.read())
person = User.objects.create_user("ann")
host = Host.objects.create(name="store")
on = Target.objects.create(host=host, secret=sealed({"key": told.pop("key")}), **told["target"])
plan = Plan.objects.create(title="Counting", recipe_name="custom", whatever_conditions=True)
job = Job.objects.create(plan=plan, position=1)
JobNode.objects.create(job=job, role="node-a", target=on, folder=on.folder)
JobStep.objects.create(job=job, position=1, folder="1-count", phase="measure", node="node-a",
    name="count", argv=told["argv"], command=told["command"], timeout_s=60)
launching.launch(plan, person)
"""


@pytest.fixture
def database():
    """A PostgreSQL server that may be restarted, on one port and one folder."""
    need("PostgreSQL")
    with servers.restartable_postgres() as server:
        yield server


def test_a_job_is_carried_on_across_a_restart(database, a_server, tmp_path):
    environment = os.environ | {"DATABASE_URL": database.address}
    manage(environment, "migrate")
    argv = ["sh", "-c", COUNTING]
    told = {"argv": argv, "command": shlex.join(argv), "key": a_server.user_key}
    told["target"] = {
        "address": a_server.address,
        "port": a_server.port,
        "user": a_server.user,
        "host_key": a_server.host_key,
        "folder": str(a_server.folder),
    }
    celery = [sys.executable, "-m", "celery", "--quiet", "--app", "workers.celery"]
    log = tmp_path / "log"
    with ExitStack() as running, psycopg_of(database) as before, log.open("ab") as said:
        for words in (
            ["worker", "--queues", "jobs,celery", "--pool", "threads"],
            ["beat", "--pidfile="],
        ):
            process = subprocess.Popen([*celery, *words], env=environment, cwd=ROOT, stderr=said)
            running.callback(process.wait)
            running.callback(process.kill)
        manage(environment, "shell", "-c", LAUNCH, given=json.dumps(told))
        until(lambda: len(printed(before)) > 100)
        before.close()
        database.restart()
        # as if the time of the lease were over that the broken turn left behind
        until(lambda: freed(database))
        with psycopg_of(database) as after:
            until(lambda: state(after) in ("done", "failed", "lost"))
            assert state(after) == "done"
            assert printed(after).split() == [
                word for number in range(1, LINES + 1) for word in ("line", str(number))
            ]
    # what broke off is told as that of this job, at its time
    line = r"^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\+0000 ERROR request=- job=1 workers\.tasks: "
    assert re.search(line, log.read_text(), re.MULTILINE)


def psycopg_of(database):
    return psycopg.connect(database.address, autocommit=True)


def freed(database):
    with psycopg_of(database) as connection:
        connection.execute("UPDATE jobs_job SET lease_until = NULL, look_at = NULL")
        return True


def printed(connection):
    rows = connection.execute(
        "SELECT data FROM jobs_logchunk WHERE stream = 'out' ORDER BY \"offset\""
    ).fetchall()
    return b"".join(bytes(row[0]) for row in rows).decode()


def state(connection):
    return connection.execute("SELECT state FROM jobs_job").fetchone()[0]


def until(condition):
    end = time.monotonic() + PATIENCE_S
    while not condition():
        assert time.monotonic() < end, "it did not come"
        time.sleep(0.1)


def manage(environment, *arguments, given=""):
    command = [sys.executable, "manage.py", *arguments]
    subprocess.run(command, env=environment, cwd=ROOT, check=True, input=given, text=True)
