"""Hosts as they are found: with nothing but a shell and coreutils, with a clock that is wrong."""

from __future__ import annotations

import shutil
from pathlib import Path

import pytest

from benchdash.jobs import logs
from benchdash.jobs.models import Job
from benchdash.results.models import Run
from tests.conftest import need
from tests.workers.jobs_by_hand import carried, job, sh, step, target
from tests.workers.sshd import sshd
from workers import target_check

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
S = Job.State
PLAIN = "sh awk cat chmod cut date df env fio grep head id kill ls mkdir mv printf ps readlink"
PLAIN += " rm rmdir sed setsid sleep tail timeout tr uname wc"


@pytest.fixture
def bare_host(tmp_path):
    """An sshd whose sessions find no python3, no ping, no perl: only what is named above."""
    need("fio")
    for program in PLAIN.split():
        if path := shutil.which(program):
            (tmp_path / program).symlink_to(path)
    found = f'ForceCommand PATH={tmp_path} /bin/sh -c "$SSH_ORIGINAL_COMMAND"\n'
    with sshd(more=found) as server:
        yield server


def test_a_host_needs_nothing_but_a_shell_and_coreutils(bare_host):
    asked = sh("command -v python3 ping perl; echo $?", name="look")
    fio = ["fio", "--name=x", "--rw=randwrite", "--size=1m", "--output-format=json"]
    made = carried(job(asked, step(*fio, tool="fio"), on=target(bare_host)))
    assert (made.state, made.reason) == (S.DONE, "")
    assert logs.whole(made.steps.get(name="look")) in (b"1\n", b"127\n")
    assert Run.objects.get(artifact__steps__job=made).tool == "fio"


def test_tools_are_found_where_only_a_login_shell_looks():
    need("bonnie++")
    with sshd(more="SetEnv PATH=/usr/local/bin:/usr/bin:/bin\n") as server:
        seen = sh("command -v bonnie++; echo $BENCHDASH_STEP", name="look")
        made = carried(job(seen, on=target(server)))
    path, mark = logs.whole(made.steps.get()).decode().split()
    assert path.endswith("sbin/bonnie++") and mark.startswith(made.token)


@pytest.fixture(params=["2030-01-01 00:00:00", "-400d", "+2d x30"], ids=["still", "behind", "fast"])
def host_with_a_wrong_clock(request):
    """An sshd whose sessions see a clock that stands still, is behind, or runs away."""
    need("faketime")
    (library,) = list(Path("/usr/lib").glob("*/faketime/libfaketime.so.1"))[:1] or [None]
    fake = f'LD_PRELOAD={library} "FAKETIME={request.param}" DONT_FAKE_MONOTONIC=1'
    with sshd(more=f"SetEnv {fake}\n") as server:
        yield server


def test_a_wrong_clock_costs_nothing(host_with_a_wrong_clock):
    on = target(host_with_a_wrong_clock)
    made = carried(job(sh("date +%Y; seq 1 1000; sleep 1; echo end"), on=on))
    assert (made.state, made.reason) == (S.DONE, "")
    _year, *lines = logs.whole(made.steps.get()).decode().split()
    assert lines == [*map(str, range(1, 1001)), "end"]
    ran = made.steps.get()
    assert 0 < (ran.ended_at - ran.started_at).total_seconds() < 60  # by our clock


def test_a_wrong_clock_is_stated(host_with_a_wrong_clock):
    on = target(host_with_a_wrong_clock)
    target_check.check(on)
    on.refresh_from_db()
    clock = next(line for line in on.findings["lines"] if line["name"] == "clock")
    assert clock["ok"] is None
    assert "Set the clock" in clock["mend"]
