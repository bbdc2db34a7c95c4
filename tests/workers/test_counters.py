"""What a host does beside a measured step: counted there by its own shell, kept with the runs."""

from __future__ import annotations

import os
import resource
import subprocess
import time
from contextlib import ExitStack
from itertools import product
from pathlib import Path

import pytest

from benchdash.capture.counters import host_series, read_counters
from benchdash.jobs.models import Job
from benchdash.results.host_traces import host_traces, points_of
from benchdash.results.models import HostTrace, Run
from benchdash.results.traces import points_of as points_of_trace
from tests.capture.test_script import SHELLS, folder_of
from tests.conftest import need
from tests.workers.jobs_by_hand import carried, job, step, target
from tests.workers.running import nothing_of, until

pytestmark = pytest.mark.once
SCRIPTS = "".join(Path(f"workers/{name}.sh").read_text() for name in ("states", "counters"))
S = Job.State


@pytest.fixture(params=SHELLS, ids=" ".join)
def shell(request):
    if request.param[0] == "busybox":
        need("busybox")
    return request.param


class Counted:
    """counters.sh at work beside a runner; `paths` are what is measured."""

    def __init__(self, log, shell, *paths, measures="fio"):
        self.log, self._shell = log, shell
        runner = (
            f"measures='{measures}'\n{SCRIPTS}\nnote_counters {log} {' '.join(map(str, paths))} &"
        )
        self._runner = f"{runner}\necho $!; read -r _; kill $! 2>/dev/null; wait $!"

    def __enter__(self):
        pipe = subprocess.PIPE
        self.runner = subprocess.Popen(
            [*self._shell, "-c", self._runner], stdin=pipe, stdout=pipe, stderr=pipe
        )
        self.pid = int(self.runner.stdout.readline())
        until(self.log.exists)
        return self

    def __exit__(self, *_error):
        _out, self.said = self.runner.communicate(b"\n")

    def looks(self):
        return self.log.read_text().count("\n@ ")


def series_of(log):
    counters = read_counters(log)
    series = host_series(counters, counters.first_s, counters.last_s)
    return {(each.kind, each.name): each for each in series}


def disk_of(path):
    """The device that lies under a path, by another way than the script's."""
    number = Path(path).stat().st_dev
    link = Path(f"/sys/dev/block/{os.major(number)}:{os.minor(number)}")
    return link.resolve().name if link.exists() else None


def test_each_shell_counts_what_this_machine_does(shell, tmp_path):
    log = tmp_path / "log"
    with Counted(log, shell, tmp_path) as counted:
        until(lambda: counted.looks() >= 2)
        (tmp_path / "data").write_bytes(os.urandom(2**20))
        with (tmp_path / "data").open() as file:
            os.fsync(file.fileno())
    assert counted.said == b""
    found = series_of(log.read_bytes())
    cpu = found["cpu", ""].whole
    assert 0 <= cpu["user"].mean <= 1 and sum(cpu[name].mean for name in ("user", "system")) > 0
    assert found["memory", ""].whole["available"].highest > 2**20
    assert any(kind == "network" for kind, _name in found)
    if name := disk_of(tmp_path):
        assert found["device", name].whole["written"].mean > 0


def test_the_last_look_is_behind_the_end_of_the_tool(shell, tmp_path):
    log = tmp_path / "log"
    with Counted(log, shell, tmp_path) as counted:
        until(lambda: counted.looks() >= 1)
        up = float(Path("/proc/uptime").read_text().split()[0])
    assert read_counters(log.read_bytes()).last_s >= up


def test_it_ends_with_its_runner_even_where_that_is_killed(shell, tmp_path):
    with Counted(tmp_path / "log", shell, tmp_path) as counted:
        counted.runner.kill()
        counted.runner.wait()
        until(lambda: not Path(f"/proc/{counted.pid}").exists())


@pytest.mark.parametrize("shell", SHELLS[:2], ids=" ".join)  # BusyBox has a sleep of its own
def test_days_are_counted_in_some_mebibytes(shell, tmp_path, monkeypatch):
    """Days that pass at once: each sleep takes no time, and writes down how long it was to be."""
    slept = tmp_path / "slept"
    folder = folder_of(tmp_path, sleep=f"echo $1 >> {slept}")
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    monkeypatch.setattr(f"{__name__}.SCRIPTS", SCRIPTS.replace("1048576", "2048"))
    with Counted(tmp_path / "log", shell, tmp_path) as counted:
        until(lambda: not Path(f"/proc/{counted.pid}").exists() or _is_over(counted.pid))
    seconds = [int(line) for line in slept.read_text().split()]
    assert seconds == sorted(seconds) and {1, 2, 4, 1024} <= set(seconds)
    assert (tmp_path / "log").stat().st_size < 11 * 2048 * 2


def _is_over(pid):
    return Path(f"/proc/{pid}/stat").read_text().split(") ")[1][0] == "Z"


def test_what_is_missing_is_passed_over(shell, tmp_path, monkeypatch):
    """No path that is there, no device, no Ceph that answers."""
    folder = folder_of(tmp_path, ceph="exit 1")
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    log = tmp_path / "log"
    with Counted(log, shell, "/nowhere/at/all", "rbd:pool/image", measures="rados") as counted:
        # looks within one tick of the clock would find a CPU that counted nothing
        until(lambda: counted.looks() >= 2)
    assert counted.said.count(b"\n") <= 2  # df says that it is not there
    found = series_of(log.read_bytes())
    assert ("cpu", "") in found and not any(kind == "device" for kind, _name in found)


CEPH = """echo "began $* $PYTHONUNBUFFERED" >> {asked}
while read -r command; do
    echo "$command" >> {asked}
    case $command in health) echo HEALTH_OK ;; *) printf "{table}" ;; esac
done"""
TABLE = "osd  commit_latency(ms)  apply_latency(ms)\\n  2  8  9\\n  0  4  5\\n\\n"


def test_ceph_is_begun_once_and_asked_each_ten_seconds(tmp_path, monkeypatch):
    """In every shell, of both that measure Ceph: all at once, since they wait most of the time."""
    need("busybox")
    path, at_work = os.environ["PATH"], {}
    with ExitStack() as every:
        for shell, measures in product(SHELLS, ["rados rados:bench", "fio rbd:bench/one"]):
            place = tmp_path / f"{shell[0]}-{measures[:3]}"
            place.mkdir()
            ceph = CEPH.format(asked=place / "asked", table=TABLE)
            monkeypatch.setenv("PATH", f"{folder_of(place, ceph=ceph)}:{path}")
            counted = every.enter_context(Counted(place / "log", shell, measures=measures))
            at_work[place] = counted
        for counted in at_work.values():
            until(lambda counted=counted: counted.looks() >= 14)
    for place in at_work:
        asked = (place / "asked").read_text().splitlines()
        assert asked == ["began --connect-timeout 3 1", *["osd perf"] * 2]
        assert not (place / "log.osd.ask").exists()
        whole = series_of((place / "log").read_bytes())["ceph", ""].whole
        assert whole["commit_latency"] == (0.004, 0.006, 0.008)


def test_a_ceph_that_hangs_ends_with_the_step(shell, tmp_path, monkeypatch):
    pid = tmp_path / "pid"
    folder = folder_of(tmp_path, ceph=f"echo $$ > {pid}; exec sleep 600")
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    log = tmp_path / "log"
    with Counted(log, shell, measures="rados") as counted:
        until(lambda: counted.looks() >= 2 and pid.exists() and pid.read_text())
    process = pid.read_text().strip()
    until(lambda: not Path(f"/proc/{process}").exists() or _is_over(process))
    assert ("cpu", "") in series_of(log.read_bytes())


def test_ceph_is_not_asked_beside_a_folder_that_is_called_alike(shell, tmp_path, monkeypatch):
    asked = tmp_path / "asked"
    folder = folder_of(tmp_path, ceph=f"echo > {asked}", timeout='shift 3; exec "$@"')
    monkeypatch.setenv("PATH", f"{folder}:{os.environ['PATH']}")
    with Counted(tmp_path / "log", shell, measures="fio /mnt/drbd:one") as counted:
        until(lambda: counted.looks() >= 2)
    assert not asked.exists()


def test_it_takes_less_than_a_hundredth_of_a_cpu(tmp_path):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    since = time.monotonic()
    with Counted(tmp_path / "log", ["sh"], tmp_path, *map(str, Path("/dev").glob("loop[0-7]"))):
        until(lambda: time.monotonic() - since > 10)
    used = resource.getrusage(resource.RUSAGE_CHILDREN)
    cpu_s = used.ru_utime + used.ru_stime - before.ru_utime - before.ru_stime
    assert cpu_s < 0.01 * (time.monotonic() - since)


FIO = "fio --name=x --filename={file} --rw=randwrite --bs=4k --size=8m --direct=1 --fsync=1 --time_based"
REPORT = "--eta=always --eta-newline=1 --output-format=json --output=result.out"


@pytest.fixture
def fio_job(a_server, tmp_path):
    need("fio")

    def run(*options, tool="fio"):
        argv = [*FIO.format(file="data").split(), *options, *REPORT.split()]
        measuring = step(*argv, tool=tool, result="result.out", timeout_s=120)
        return carried(job(measuring, on=target(a_server)))

    return run


@pytest.mark.django_db(transaction=True)
def test_a_run_keeps_what_its_host_did_on_its_own_clock(fio_job, a_server):
    made = fio_job("--runtime=4")
    assert (made.state, made.reason) == (S.DONE, "")
    run = Run.objects.get(artifact__steps__job=made)
    traces = {(each.part, each.name): each for each in host_traces(run)}
    assert {each.role for each in traces.values()} == {"node-a"}
    assert sum(traces["cpu", ""].quantities[name][1] for name in ("user", "system")) > 0
    seconds = points_of(traces["cpu", ""]).seconds
    assert 3 <= len(seconds) <= 6 and 0 <= seconds[0] < 2 and 3 < seconds[-1] <= 4.1
    if name := disk_of(a_server.folder):
        disk = traces["device", name]
        assert disk.quantities["written"][1] > 0 and disk.quantities["writes"][1] > 0
        assert len(points_of(disk).by_quantity["busy"]) == len(seconds)
    assert nothing_of(made) and a_server.left() == []


@pytest.mark.django_db(transaction=True)
def test_what_fio_printed_while_it_ran_stays_as_traces_of_its_run(fio_job):
    made = fio_job("--runtime=4")
    run = Run.objects.get(artifact__steps__job=made)
    traces = {
        (each.measure.operation, each.measure.metric): each
        for each in run.traces.select_related("measure")
    }
    assert set(traces) == {("rand_write", "throughput"), ("rand_write", "iops")}
    seconds, values = points_of_trace(traces["rand_write", "iops"])
    assert list(seconds) == sorted(seconds) and 2 <= len(seconds) <= 5 and max(values) > 0
    assert {each.artifact for each in traces.values()} == {None}


@pytest.mark.django_db(transaction=True)
def test_of_jobs_one_after_the_other_each_has_its_own_time(fio_job):
    second = "--name=y --stonewall --filename=data --rw=randread --bs=4k --size=8m --time_based"
    made = fio_job("--runtime=3", *second.split(), "--runtime=4")
    first, second = Run.objects.filter(artifact__steps__job=made).order_by("position")
    lengths = [points_of(each.host_traces.get(part="cpu")).seconds[-1] for each in (first, second)]
    assert 2 < lengths[0] <= 3.1 and 3 < lengths[1] <= 4.1
    assert {each.measure.operation for each in second.traces.all()} == {"rand_read"}
    assert {each.measure.operation for each in first.traces.all()} == {"rand_write"}


@pytest.mark.django_db(transaction=True)
def test_runs_of_one_sample_share_what_their_host_did(fio_job):
    made = fio_job("--runtime=2", "--numjobs=3")
    runs = Run.objects.filter(artifact__steps__job=made)
    assert runs.count() == 3
    assert HostTrace.objects.filter(part="cpu").count() == 1
    assert [host_traces(run).filter(part="cpu").count() for run in runs] == [1, 1, 1]


@pytest.mark.django_db(transaction=True)
def test_hosts_that_measured_together_each_have_their_part_of_the_sample(a_server, own_server):
    need("fio")
    argv = [*FIO.format(file="data").split(), "--runtime=2", *REPORT.split()]
    fields = {"tool": "fio", "result": "result.out", "timeout_s": 120, "together": True}
    made = carried(
        job(
            step(*argv, **fields),
            step(*argv, node="node-b", **fields),
            on={"node-a": target(a_server), "node-b": target(own_server, "store-2")},
        )
    )
    assert (made.state, made.reason) == (S.DONE, "")
    runs = Run.objects.filter(artifact__steps__job=made)
    assert len({run.sample_id for run in runs}) == 1 < runs.count()
    for run in runs:
        parts = host_traces(run).filter(part="cpu")
        assert [each.role for each in parts] == ["node-a", "node-b"]
