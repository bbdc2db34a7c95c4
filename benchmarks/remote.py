"""Remote runs, from the request to the host: what a launch takes, and when a line is on its way back.

A real web process, Redis, a worker of jobs and sshd; the rival is `ssh host true`, each time anew.
"""

from __future__ import annotations

import json
import statistics
import subprocess
import sys
import time
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass

from benchmarks.instance import environment_of, manage
from benchmarks.report import Row, timed
from tests.workers.sshd import Sshd, sshd
from tools import servers

TURNS, LINES = 15, 40
ALLOWANCE_S, LINE_S = 0.2, 0.5
PLANS = """
import json, sys
from django.contrib.auth.models import Group
from benchdash.accounts.models import Token, User
from benchdash.inventory.models import Host
from benchdash.jobs.models import Job, JobNode, JobStep, Plan, Target
from benchdash.jobs.credentials import sealed
given = json.loads(sys.stdin.read())
person = User.objects.create(username="operator")
person.groups.add(Group.objects.get_or_create(name="operator")[0])
host = Host.objects.create(name="store")
key = given.pop("key")
target = Target.objects.create(host=host, secret=sealed({"key": key}), **given["target"])
made = []
for command in given["commands"]:
    plan = Plan.objects.create(
        title="bench", recipe_name="custom", created_by=person, whatever_conditions=True
    )
    job = Job.objects.create(plan=plan, position=1)
    JobNode.objects.create(job=job, role="node-a", target=target)
    JobStep.objects.create(
        job=job, position=1, folder="1-tool", phase="measure", node="node-a", name="tool",
        argv=["sh", "-c", command], command="sh -c '%s'" % command, timeout_s=60,
    )
    made.append([plan.pk, job.pk])
print("made", json.dumps({"token": Token.objects.create(person, name="bench")[1], "plans": made}))
"""
LOG = """
import json, sys
from benchdash.jobs.models import LogChunk
rows = LogChunk.objects.filter(step__job=int(sys.argv[-1]), stream="out").order_by("pk")
print("log", json.dumps([[c.received_at.timestamp(), bytes(c.data).decode()] for c in rows]))
"""


@dataclass(frozen=True, slots=True)
class Instance:
    """A running benchdash with plans that wait for their launch."""

    environment: dict[str, str]
    address: str
    token: str
    plans: list[tuple[int, int]]

    def call(self, method: str, path: str) -> dict:
        """A call of the API."""
        headers = {"Authorization": f"Token {self.token}", "Content-Type": "application/json"}
        data = b"{}" if method == "POST" else None
        request = urllib.request.Request(self.address + path, data, headers, method=method)
        with urllib.request.urlopen(request, timeout=30) as answer:
            return json.load(answer)

    def ended(self, job: int) -> dict:
        """The job, once it has ended."""
        until = time.monotonic() + 60
        while (found := self.call("GET", f"/api/v1/jobs/{job}/"))["state"] != "done":
            assert found["state"] not in ("failed", "lost", "cancelled"), found
            assert time.monotonic() < until, found
            time.sleep(0.05)
        return found


def run() -> list[Row]:
    """Launches against fresh connections, then the lines of one log."""
    with sshd() as host, _instance(host) as instance:
        launches = instance.plans[:-1]
        pairs = [(_launch(instance, *plan), timed(lambda: _ssh_true(host))) for plan in launches]
        ratio = statistics.median((mine - ALLOWANCE_S) / theirs for mine, theirs in pairs[1:])
        mine, theirs = (statistics.median(each) for each in zip(*pairs[1:], strict=True))
        note = (
            f"{mine * 1000:.0f} ms to the process, less 200; ssh host true {theirs * 1000:.0f} ms"
        )
        rows = [Row("launch to running, to ssh", ratio, at_most=1.5, note=note)]
        late = _lateness(instance, *instance.plans[-1])
        note = (
            f"median {late * 1000:.0f} ms from printed to stored; 500 ms to the screen are allowed"
        )
        return [*rows, Row("a log line, of half a second", late / LINE_S, at_most=1, note=note)]


def _launch(instance: Instance, plan: int, job: int) -> float:
    """Seconds from the request until the command runs on the host, by the machine's one clock."""
    began = time.time()
    instance.call("POST", f"/api/v1/plans/{plan}/launch/")
    instance.ended(job)
    ((_at, text),) = _log(instance, job)
    return float(text.split()[0]) - began


def _lateness(instance: Instance, plan: int, job: int) -> float:
    """Median seconds from printing a line to its being stored where every watcher reads it."""
    instance.call("POST", f"/api/v1/plans/{plan}/launch/")
    instance.ended(job)
    return statistics.median(
        at - float(line) for at, text in _log(instance, job) for line in text.split()
    )


def _log(instance: Instance, job: int) -> list[tuple[float, str]]:
    code = LOG.replace("sys.argv[-1]", str(job))
    return json.loads(manage(instance.environment, "shell", "-c", code).split("log ", 1)[1])


def _ssh_true(host: Sshd) -> None:
    options = ["-o", f"UserKnownHostsFile={host.place}/known", "-o", "IdentitiesOnly=yes"]
    login = ["-i", str(host.place / "user"), "-p", str(host.port), f"{host.user}@{host.address}"]
    subprocess.run(["ssh", "-F", "none", *options, *login, "true"], check=True, capture_output=True)


@contextmanager
def _instance(host: Sshd) -> Iterator[Instance]:
    with ExitStack() as running:
        place = running.enter_context(servers.folder())
        environment = environment_of(running.enter_context(servers.postgres()), place)
        environment["REDIS_URL"] = running.enter_context(servers.redis())
        manage(environment, "migrate")
        made = _plans(environment, host)
        port = str(servers.free_port())
        up = [
            sys.executable,
            "-c",
            f"import socket; socket.create_connection(('127.0.0.1', {port}))",
        ]
        web = ["-m", "uvicorn", "benchdash.asgi:application", "--port", port, "--lifespan", "off"]
        jobs = ["-m", "celery", "--quiet", "--app", "workers.celery", "worker", "--queues", "jobs"]
        jobs += ["--pool", "threads", "--concurrency", "4", "--without-mingle", "--without-gossip"]
        log = ["--log-level", "error", "--no-access-log"]
        for command, ready in (([*web, *log], up), (jobs, ["true"])):
            at = running.enter_context(servers.folder())
            serve = servers.server([sys.executable, *command], at, ready, environment)
            running.enter_context(serve)
        yield Instance(environment, f"http://127.0.0.1:{port}", made["token"], made["plans"])


def _plans(environment: dict[str, str], host: Sshd) -> dict:
    (host.place / "known").write_text(f"[{host.address}]:{host.port} {host.host_key}\n")
    one = f"for i in $(seq {LINES}); do date +%s.%N; sleep 0.1; done"
    given = {
        "key": host.user_key,
        "commands": [*["date +%s.%N"] * TURNS, one],
        "target": {
            "address": host.address,
            "port": host.port,
            "user": host.user,
            "host_key": host.host_key,
            "folder": str(host.folder),
        },
    }
    command = [sys.executable, "manage.py", "shell", "-c", PLANS]
    done = subprocess.run(
        command,
        env=environment,
        input=json.dumps(given),
        check=True,
        capture_output=True,
        text=True,
    )
    return json.loads(done.stdout.split("made ", 1)[1])
