"""What storage does beside a measured step: looked at on the host itself, by its own shell."""

from __future__ import annotations

import os
import resource
import subprocess
import time
from contextlib import ExitStack
from itertools import count
from pathlib import Path

import pytest

from benchdash.capture.states import read_states
from benchdash.jobs import launching
from benchdash.jobs.models import Job
from benchdash.results.models import Run
from tests.capture.test_script import SHELLS, folder_of
from tests.capture.test_states import FAILED, MIRROR, ONE_AWAY, THREE
from tests.conftest import need
from tests.workers.jobs_by_hand import carried, job, sh, step, target
from tests.workers.running import in_state, nothing_of, some_output, until
from tests.workers.sshd import sshd
from tools.components import CI

pytestmark = pytest.mark.once
SCRIPT = Path("workers/states.sh").read_text()
S = Job.State
RECOVERY = """\
Personalities : [raid6] [raid5] [raid4]
md0 : active raid6 vdi[6] vdh[5] vdg[4] vdf[3] vde[2] vdc[0]
      1044480 blocks super 1.2 level 6, 64k chunk, algorithm 2 [6/5] [U_UUUU]
      [=>...................]  recovery = {percent}% (16384/261120) finish=0.7min speed=5461K/sec
      bitmap: {percent}/28 pages [0KB], 65536KB chunk

unused devices: <none>
"""
RESYNC_84 = """\
version: 8.4.11 (api:1/proto:86-101)
srcversion: B536C32A3EADA868561EFD9
 0: cs:SyncSource ro:Primary/Secondary ds:UpToDate/Inconsistent C r---{flag}
    ns:4111{count} nr:0 dw:143857 dr:54206 al:36 bm:0 lo:0 pe:12 ua:40 ap:0 ep:1 wo:f oos:86488
	[=====>..............] sync'ed: {count}.3% (86488/122996)K
	finish: 0:00:09 speed: 9,124 (9,124) K/sec
"""
CONNECTED_84 = """\
version: 8.4.11 (api:1/proto:86-101)
 0: cs:Connected ro:Primary/Secondary ds:UpToDate/UpToDate C r-----
    ns:1 nr:0 dw:1 dr:1 al:1 bm:0 lo:0 pe:0 ua:0 ap:0 ep:1 wo:f oos:0
 1: cs:StandAlone ro:Primary/Unknown ds:UpToDate/DUnknown   r-----
    ns:1 nr:0 dw:1 dr:1 al:1 bm:0 lo:0 pe:0 ua:0 ap:0 ep:1 wo:f oos:0
 2: cs:Unconfigured
"""


@pytest.fixture(params=SHELLS, ids=" ".join)
def shell(request):
    if request.param[0] == "busybox":
        need("busybox")
    return request.param


class Looked:
    """states.sh at work beside a runner, on files that a test writes."""

    def __init__(self, place, shell):
        self.log, self.mdstat, self.drbd = (place / name for name in ("log", "mdstat", "drbd"))
        self.log.touch()
        self._shell = shell
        self.measures = ""

    def __enter__(self):
        names = " ".join(map(str, (self.log, self.mdstat, self.drbd)))
        runner = f"measures='{self.measures}'\n{SCRIPT}\nnote_states {names} &\necho $!; read -r _; kill $! 2>/dev/null; wait $!"
        pipe = subprocess.PIPE
        self.runner = subprocess.Popen([*self._shell, "-c", runner], stdin=pipe, stdout=pipe)
        self.pid = int(self.runner.stdout.readline())
        return self

    def __exit__(self, *_error):
        self.runner.communicate(b"\n")

    def states(self):
        """The lines of each state, by source."""
        found = []
        for line in self.log.read_text().splitlines():
            if line.startswith("@ "):
                found.append((line.split()[3], []))
            else:
                found[-1][1].append(line)
        return found

    def until(self, count):
        """That state, once its lines are there too: the stamp before them is written by itself."""
        until(lambda: any(lines for _source, lines in self.states()[count - 1 :]))
        return self.states()[count - 1]


@pytest.fixture
def looked(tmp_path, shell):
    return Looked(tmp_path, shell)


def replaced(path, text):
    """As a whole: who reads /proc never finds half of it either."""
    new = path.with_suffix(".new")
    new.write_text(text)
    new.rename(path)


@pytest.fixture
def in_every_shell(tmp_path):
    """One for each shell, at work at once: looks that are ten seconds apart are waited for together."""
    need("busybox")
    places = [tmp_path / shell[0] for shell in SHELLS]
    for place in places:
        place.mkdir()
    return [Looked(place, shell) for place, shell in zip(places, SHELLS, strict=True)]


def test_ceph_is_asked_for_its_health_and_what_is_not_answered_is_none(
    in_every_shell, tmp_path, monkeypatch
):
    health, silent = tmp_path / "health", tmp_path / "silent"
    health.write_text("HEALTH_OK\n\n")
    answers = f"while read -r _; do [ -e {silent} ] || cat {health}; done"
    folder = folder_of(tmp_path, ceph=f'[ "$*" = "--connect-timeout 3" ] || exit 9; {answers}')
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    with ExitStack() as at_work:
        for looked in in_every_shell:
            looked.measures = "rados rados:bench"
            at_work.enter_context(looked)
        for looked in in_every_shell:
            assert looked.until(1) == ("ceph", ["|HEALTH_OK"])
        replaced(health, "HEALTH_WARN 1 osds down; Degraded data redundancy\n\n")
        for looked in in_every_shell:
            assert looked.until(2) == ("ceph", ["|HEALTH_WARN"])
        silent.write_text("")
        for looked in in_every_shell:
            assert looked.until(3) == ("ceph", ["|"])
        silent.unlink()
    for looked in in_every_shell:
        assert len(looked.states()) == 3
        troubles = {(each.name, each.trouble) for each in read_states(looked.log.read_bytes())}
        assert troubles == {("Ceph", "ceph")}


def test_a_ceph_that_is_slow_to_begin_is_no_trouble(in_every_shell, tmp_path, monkeypatch):
    begins = "sleep 11; while read -r _; do echo HEALTH_OK; done"
    monkeypatch.setenv("PATH", f"{folder_of(tmp_path, ceph=begins)}:{os.environ['PATH']}")
    with ExitStack() as at_work:
        for looked in in_every_shell:
            looked.measures = "rbd"
            at_work.enter_context(looked)
        for looked in in_every_shell:
            assert looked.until(1) == ("ceph", ["|HEALTH_OK"])


def test_only_what_is_new_is_written_and_what_counts_is_left_out(looked):
    looked.mdstat.write_text(RECOVERY.format(percent="6.2"))
    looked.drbd.write_text(RESYNC_84.format(flag="--", count=1))
    with looked:
        assert looked.until(2) == (
            "drbd",
            ["| 0: cs:SyncSource ro:Primary/Secondary ds:UpToDate/Inconsistent"],
        )
        replaced(looked.mdstat, RECOVERY.format(percent="7.3"))
        replaced(looked.drbd, RESYNC_84.format(flag="n-", count=2))
        later = time.monotonic() + 2.5  # two looks at the least
        until(lambda: time.monotonic() > later)
        assert len(looked.states()) == 2
        replaced(looked.drbd, CONNECTED_84)
        assert looked.until(3) == (
            "drbd",
            [
                "| 0: cs:Connected ro:Primary/Secondary ds:UpToDate/UpToDate",
                "| 1: cs:StandAlone ro:Primary/Unknown ds:UpToDate/DUnknown",
                "| 2: cs:Unconfigured",
            ],
        )
        replaced(looked.mdstat, MIRROR)
        assert looked.until(4)[0] == "mdstat"
    assert looked.states()[0][1] == [
        "|md0 : active raid6 vdi[6] vdh[5] vdg[4] vdf[3] vde[2] vdc[0]",
        "|      1044480 blocks super 1.2 level 6, 64k chunk, algorithm 2 [6/5] [U_UUUU]",
        "|  recovery =",
    ]
    spans = {(each.name, each.trouble) for each in read_states(looked.log.read_bytes())}
    assert spans == {("drbd0", "resync"), ("drbd1", "connection"), ("md0", "degraded")}


def test_the_time_of_an_outage_is_that_of_the_host(looked):
    looked.mdstat.write_text(MIRROR)
    with looked:
        looked.until(1)
        before, since = time.time(), time.monotonic()
        replaced(looked.mdstat, FAILED)
        looked.until(2)
        replaced(looked.mdstat, MIRROR)
        looked.until(3)
        passed = time.monotonic() - since
    (span,) = read_states(looked.log.read_bytes())
    assert (span.name, span.trouble, span.whole) == ("md0", "degraded", True)
    assert 0.5 < span.seconds <= passed and before - 1 <= span.at <= time.time()


def test_it_ends_with_its_runner_even_where_that_is_killed(looked):
    looked.mdstat.write_text(MIRROR)
    with looked:
        looked.until(1)
        looked.runner.kill()
        looked.runner.wait()
        until(lambda: not Path(f"/proc/{looked.pid}").exists())
    assert looked.states()[-1][0] == "mdstat"


@pytest.mark.parametrize("shell", SHELLS[:2], ids=" ".join)  # BusyBox has a sleep of its own
def test_storage_that_never_rests_fills_no_disk(looked, monkeypatch):
    """Looks at a state that is another one each time, with a sleep that takes no time."""
    folder = folder_of(looked.log.parent, sleep="exec true")
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    looked.mdstat.write_text("")
    numbers = count()

    def ended():
        replaced(looked.mdstat, f"md{next(numbers)} : active\n" * 1000)
        return looked.log.read_text().endswith(" end\n")

    with looked:
        until(ended)
    assert looked.log.stat().st_size < 2**19


def test_nothing_to_look_at_takes_no_process(looked):
    with looked:
        children = ["pgrep", "--parent", str(looked.runner.pid), "--runstates", "DRST"]
        until(lambda: not subprocess.run(children, capture_output=True, check=False).stdout)
    assert looked.log.read_bytes() == b""


def test_it_takes_less_than_a_hundredth_of_a_cpu(tmp_path):
    """Twelve arrays and four volumes of DRBD, looked at for ten seconds."""
    looked = Looked(tmp_path, ["sh"])
    looked.mdstat.write_text("".join(MIRROR.replace("md0", f"md{n}") for n in range(12)))
    looked.drbd.write_text(CONNECTED_84 * 4)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    since = time.monotonic()
    with looked:
        until(lambda: time.monotonic() - since > 10)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    assert cpu_s < 0.01 * (time.monotonic() - since)


HOLD_UP = "echo begun; while [ ! -e {healed} ]; do sleep 0.1; done; "
FIO = "exec fio --name=x --rw=randwrite --size=1m --output-format=json --output=result.out"


@pytest.fixture
def drbd_host(tmp_path):
    """A host that has DRBD 9: its module, and a drbdsetup that prints the file `status`.

    In a mount namespace, for the module.
    """
    if os.geteuid() != 0:
        (pytest.fail if CI else pytest.skip)("root is missing: no module can be shown")
    need("sshd")
    need("fio")
    status = tmp_path / "status"
    status.write_text(THREE)
    programs = tmp_path / "bin"
    programs.mkdir()
    folder_of(programs, drbdsetup=f'[ "$*" = status ] && cat {status}')
    module = 'mount -t tmpfs none /sys/module && mkdir /sys/module/drbd && exec "$@"'
    enter = ("unshare", "--mount", "--propagation=slave", "sh", "-c", module, "sh")
    path = f"SetEnv PATH={programs}:/usr/sbin:/usr/bin:/sbin:/bin\n"
    with sshd(within=enter, more=path) as server:
        yield server, status


def states_of(server):
    """What was kept so far on the host."""
    return b"".join(each.read_bytes() for each in server.control.glob("*/*/states.log"))


def measuring(tmp_path, **fields):
    """A step that measures once the file `healed` is there."""
    script = HOLD_UP.format(healed=tmp_path / "healed") + FIO
    return sh(script, tool="fio", result="result.out", timeout_s=300, **fields)


@pytest.mark.django_db(transaction=True)
def test_a_link_lost_and_healed_while_the_worker_is_away_stands_against_the_run(
    drbd_host, tmp_path, background
):
    server, status = drbd_host
    made = job(measuring(tmp_path), on=target(server))
    turn = background(made)
    until(some_output(made))
    until(lambda: states_of(server))
    server.stop()  # from here on nobody but the host itself looks
    turn.join(60)
    until(in_state(made, S.UNREACHABLE))
    replaced(status, ONE_AWAY.format("Connecting"))
    until(lambda: b"connection:Connecting" in states_of(server))
    replaced(status, THREE)
    until(lambda: states_of(server).count(b"@ ") == 3)
    (tmp_path / "healed").touch()
    server.start()
    made = carried(made)
    assert (made.state, made.reason) == (S.DONE, "")
    (condition,) = (each for each in made.conditions if each["name"] == "storage_changed")
    assert (condition["when"], condition["blocking"]) == ("during", True)
    (doubt,) = Run.objects.get(artifact__steps__job=made).doubts.filter(kind="storage_changed")
    assert doubt.sentence == condition["sentence"]
    assert doubt.sentence.startswith("drbd lab node-b lost its connection for ")
    assert " s while the job ran. It began at 20" in doubt.sentence
    assert "at least" not in doubt.sentence and doubt.sentence.values  # translatable
    assert nothing_of(made) and server.left() == []


@pytest.mark.django_db(transaction=True)
def test_storage_that_stays_as_it_is_makes_no_doubt(drbd_host, tmp_path):
    server, _status = drbd_host
    (tmp_path / "healed").touch()
    made = carried(job(measuring(tmp_path), on=target(server)))
    assert (made.state, made.reason) == (S.DONE, "")
    assert not Run.objects.get(artifact__steps__job=made).doubts.filter(kind="storage_changed")


@pytest.mark.django_db(transaction=True)
def test_a_tool_that_hangs_holds_nothing_up_and_is_ended_with_the_job(
    drbd_host, tmp_path, background
):
    server, _status = drbd_host
    hanging = f"sleep {1_000_000 + os.getpid()}"  # no other process of this machine sleeps as long
    folder_of(tmp_path / "bin", drbdsetup=f"exec {hanging}")
    made = job(measuring(tmp_path), on=target(server))
    turn = background(made)
    until(some_output(made))
    launching.cancel(made, made.plan.launched_by)
    turn.join(60)
    made = carried(made)
    assert made.state == S.CANCELLED
    until(lambda: nothing_of(made))
    asked = ["pgrep", "-f", hanging]
    until(lambda: not subprocess.run(asked, capture_output=True, check=False).stdout)
    assert server.left() == []


@pytest.mark.django_db(transaction=True)
def test_steps_that_measure_nothing_are_not_looked_beside(drbd_host, tmp_path, background):
    server, _status = drbd_host
    made = job(sh(HOLD_UP.format(healed=tmp_path / "healed")), on=target(server))
    turn = background(made)
    until(some_output(made))
    assert not list(server.control.glob("*/*/states.log"))
    (tmp_path / "healed").touch()
    turn.join(60)
    assert carried(made).state == S.DONE


@pytest.mark.django_db(transaction=True)
def test_a_step_that_is_cancelled_tells_what_was_seen_until_then(drbd_host, tmp_path, background):
    server, status = drbd_host
    made = job(measuring(tmp_path), step("true", name="never"), on=target(server))
    turn = background(made)
    until(some_output(made))
    until(lambda: states_of(server))
    replaced(status, ONE_AWAY.format("Connecting"))
    until(lambda: b"connection:Connecting" in states_of(server))
    launching.cancel(made, made.plan.launched_by)
    turn.join(60)
    made = carried(made)
    (condition,) = (each for each in made.conditions if each["name"] == "storage_changed")
    assert "lost its connection for at least" in condition["sentence"]
    until(lambda: nothing_of(made))
