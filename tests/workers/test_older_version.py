"""Jobs that an older version began: scripts and logs beside the data, run from a file of the host."""

from __future__ import annotations

import importlib
import shlex
import subprocess
from pathlib import Path

import pytest
from django.apps import apps
from django.utils import timezone

from benchdash.jobs import launching, logs
from benchdash.jobs.models import Job, JobStep
from benchdash.results.models import Run
from tests.conftest import need
from tests.workers.accounts import shared_host
from tests.workers.jobs_by_hand import carried, job, sh, target
from tests.workers.running import nothing_of, until

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
S = Job.State
OLDER = (Path(__file__).parent / "older_control.sh").read_text()
migration = importlib.import_module("benchdash.jobs.migrations.0007_trust_of_hosts")


def begun_by_the_older_version(made, server, user="root", root=False):
    """Its first step runs on the host as that version started it; the rows are migrated."""
    folder = Path(made.nodes.get().folder) / made.token
    first = made.steps.order_by("position")[0]
    sudo = 'sudo -n env BENCHDASH_STEP="$BENCHDASH_STEP" ' if root else ""
    script = f"cd {folder}/{first.folder} || exit 1\nexec {sudo}{first.command}\n"
    control = shlex.quote(f"{folder}/control.sh")
    install = f"umask 022; mkdir -p {folder}; cat > {control}; printf %65536s '' > {folder}/spare"
    start = f"sh {control} start {first.folder} {len(script)} {first.timeout_s}"
    for command, text in ((install, OLDER), (start, script)):
        ssh = [
            "ssh",
            "-i",
            str(server.place / "user"),
            "-p",
            str(server.port),
            "-o",
            "LogLevel=ERROR",
        ]
        ssh += ["-o", "StrictHostKeyChecking=no", "-o", "UserKnownHostsFile=/dev/null"]
        asked = [*ssh, f"{user}@{server.address}", command]
        said = subprocess.run(asked, input=text, text=True, capture_output=True, check=True).stdout
    words = dict(word.split("=", 1) for word in said.split())
    identity = {word: words[word] for word in ("pid", "born", "boot")}
    now, state = timezone.now(), JobStep.State.RUNNING
    made.steps.filter(pk=first.pk).update(state=state, identity=identity, started_at=now)
    Job.objects.filter(pk=made.pk).update(state=S.RUNNING, started_at=now)
    migration.begun_before(apps, None)
    assert made.steps.get(pk=first.pk).beside_data
    return folder


def test_they_are_followed_and_collected_and_go_on_with_their_next_step(own_server):
    need("fio")
    fio = "fio --name=x --rw=write --size=1m --output-format=json --output=result.out"
    said = f"seq 1 2000; sleep 2; echo end; {fio}"
    first = sh(said, name="first", tool="fio", result="result.out")
    made = job(first, sh("pwd; ls ..", name="next"), on=target(own_server))
    folder = begun_by_the_older_version(made, own_server)
    made = carried(made)
    numbers = "".join(f"{number}\n" for number in range(1, 2001))
    assert logs.whole(made.steps.get(name="first")).decode() == f"{numbers}end\n"
    assert Run.objects.get(artifact__steps__job=made).tool == "fio"
    where, *beside = logs.whole(made.steps.get(name="next")).decode().split()
    assert where == f"{folder}/2-next"
    assert "control.sh" in beside
    assert not made.steps.get(name="next").beside_data
    assert own_server.left() == []


def test_they_are_stopped_and_leave_nothing(own_server):
    made = job(sh("echo begun; sleep 300 & sleep 300"), on=target(own_server))
    begun_by_the_older_version(made, own_server)
    launching.cancel(made, made.plan.launched_by)
    made = carried(made)
    assert (made.state, logs.whole(made.steps.get())) == (S.CANCELLED, b"begun\n")
    assert nothing_of(made)
    assert own_server.left() == []


def test_their_script_on_the_host_is_not_run_any_more(own_server):
    made = job(sh("echo begun; sleep 1"), on=target(own_server))
    folder = begun_by_the_older_version(made, own_server)
    (folder / "control.sh").write_text(f"touch {own_server.place}/ran\n")
    made = carried(made)
    assert (made.state, made.reason) == (S.DONE, "")
    assert not (own_server.place / "ran").exists()
    assert own_server.left() == []


def test_a_start_that_never_came_to_the_host_is_made_as_this_version_does(own_server):
    made = job(sh("echo once"), on=target(own_server))
    made.steps.update(state=JobStep.State.STARTING, started_at=timezone.now())
    Job.objects.filter(pk=made.pk).update(state=S.RUNNING)
    migration.begun_before(apps, None)
    made = carried(made)
    assert (made.state, made.reason, logs.whole(made.steps.get())) == (S.DONE, "", b"once\n")
    assert not made.steps.get().beside_data


def test_what_root_runs_of_them_is_stopped():
    with shared_host() as host:
        on = target(host.server, sudo=True, folder=str(host.everybodys / "benchdash"))
        made = job(sh("echo begun; sleep 300", root=True), on=on)
        begun_by_the_older_version(made, host.server, user="bench", root=True)
        begun = host.everybodys / "benchdash" / made.token / made.steps.get().folder / "out.log"
        until(lambda: begun.is_file() and begun.read_bytes() == b"begun\n")
        launching.cancel(made, made.plan.launched_by)
        made = carried(made)
        assert (made.state, logs.whole(made.steps.get())) == (S.CANCELLED, b"begun\n")
        assert nothing_of(made)
        assert [*(host.everybodys / "benchdash").iterdir()] == []
