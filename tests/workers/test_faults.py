"""What breaks on the way: links, workers, brokers, hosts. Nothing is lost and nothing runs twice."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import pytest
from django.conf import settings
from django.db import connection
from django.utils import timezone

from benchdash.jobs import launching, leases, logs, progress
from benchdash.jobs.models import Job, JobStep
from benchdash.results.models import Run
from benchdash.workshop import servers
from benchdash.workshop.place import ROOT
from tests.another_process import another_process
from tests.conftest import need
from tests.workers.asked import carried, due_now, job, sh, step, target
from tests.workers.sshd import sshd
from workers import ssh
from workers.connections import UnreachableError
from workers.jobs import carry_on

pytestmark = pytest.mark.django_db(transaction=True)
S = Job.State
PATIENCE_S = 60
COUNTING = "i=0; while [ $i -lt {lines} ]; do i=$((i + 1)); echo line $i; sleep 0.05; done"

ASK_AT_ONCE = """
import threading
from contextlib import suppress
import workers.celery
from benchdash.jobs.models import Target
from workers import connections, ssh
together = threading.Barrier(8)
def ask():
    together.wait()
    with suppress(connections.UnreachableError):
        ssh.offered_key(Target(pk=1, address="127.0.0.1", port=1))
asking = [threading.Thread(target=ask) for _each in range(8)]
for each in asking:
    each.start()
for each in asking:
    each.join()
print(sum(each.name == "ssh" for each in threading.enumerate()))
"""


def counted(lines):
    return "".join(f"line {number}\n" for number in range(1, lines + 1)).encode()


@pytest.fixture
def background():
    """`background(made)`: a turn of the job in a thread, as a worker's task would take it."""
    threads = []

    def turn(made):
        thread = threading.Thread(target=_turn, args=(made.pk,))
        thread.start()
        threads.append(thread)
        return thread

    yield turn
    for thread in threads:
        thread.join(PATIENCE_S)


def _turn(pk):
    try:
        carry_on(pk)
    finally:
        connection.close()


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
    asked = ["pgrep", "-f", made.token], ["grep", "-ls", f"BENCHDASH_STEP={made.token}", *environs]
    found = [subprocess.run(each, capture_output=True, check=False).stdout for each in asked]
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


def test_a_worker_that_is_killed_leaves_a_run_that_another_one_collects_whole(a_server):
    made = job(sh(COUNTING.format(lines=80)), on=target(a_server))
    with worker() as first:
        launching.ring([made.pk])
        until(some_output(made))
        first.send_signal(signal.SIGKILL)
    assert Job.objects.get(pk=made.pk).state == S.RUNNING
    # as if the time of the dead worker's lease were over
    Job.objects.filter(pk=made.pk).update(lease_until=None, look_at=None)
    with worker():
        until(in_state(made, *progress.ENDED))
    made.refresh_from_db()
    assert (made.state, made.reason) == (S.DONE, "")
    assert logs.whole(made.steps.get()) == counted(80)


def test_the_same_message_twice_at_once_starts_one_run(a_server, background):
    made = job(sh("echo once"), on=target(a_server))
    for turn in [background(made) for _each in range(4)]:
        turn.join(PATIENCE_S)
    assert carried(made).state == S.DONE
    assert logs.whole(made.steps.get()) == b"once\n"
    assert made.events.filter(after=S.PREPARING).count() == 1


def test_a_worker_that_lost_its_lease_writes_nothing_more(a_server):
    made = job(sh("true"), on=target(a_server))
    late = leases.claim(made.pk, progress.ACTIVE)
    Job.objects.filter(pk=made.pk).update(lease_until=timezone.now())
    assert leases.claim(made.pk, progress.ACTIVE).fence == late.fence + 1
    with pytest.raises(leases.LeaseLostError):
        progress.move(late, S.PREPARING)
    with pytest.raises(leases.LeaseLostError):
        logs.store(late, made.steps.get(), "out", b"late")
    assert logs.whole(made.steps.get()) == b""


def test_an_sshd_that_restarts_costs_no_byte(own_server, background):
    made = job(sh(COUNTING.format(lines=100)), on=target(own_server))
    turn = background(made)
    until(some_output(made))
    own_server.stop()
    until(in_state(made, S.UNREACHABLE))
    turn.join(PATIENCE_S)
    assert "cannot be reached" in Job.objects.get(pk=made.pk).reason
    own_server.start()
    due_now(made)
    made = carried(made)
    assert (made.state, made.reason) == (S.DONE, "")
    assert logs.whole(made.steps.get()) == counted(100)
    told = list(made.events.values_list("after", flat=True))
    assert told[-5:] == [S.RUNNING, S.UNREACHABLE, S.RUNNING, S.COLLECTING, S.DONE]


def test_a_silent_link_is_no_lost_run(own_server, background):
    """The link is cut without a word: the server's processes stand still."""
    made = job(sh(COUNTING.format(lines=60)), on=target(own_server))
    background(made)
    until(some_output(made))
    ours = own_server.sessions()
    assert ours
    for pid in ours:
        os.kill(pid, signal.SIGSTOP)
    try:
        until(in_state(made, S.UNREACHABLE))
    finally:
        for pid in ours:
            os.kill(pid, signal.SIGCONT)
    due_now(made)
    made = carried(made)
    assert (made.state, logs.whole(made.steps.get())) == (S.DONE, counted(60))


def test_a_host_that_does_not_answer_is_waited_for(own_server):
    on = target(own_server)
    own_server.stop()
    made = carried(job(sh("echo there"), on=on), turns=1)
    assert (made.state, made.locks.count()) == (S.WAITING, 0)
    own_server.start()
    assert carried(made).state == S.DONE


def test_a_job_that_waits_for_one_of_its_hosts_has_left_nothing_on_the_others(a_server, own_server):
    on = {"node-a": target(a_server), "node-b": target(own_server, name="store-2")}
    own_server.stop()
    made = carried(job(sh("echo there"), on=on), turns=1)
    assert (made.state, made.locks.count()) == (S.WAITING, 0)
    assert list(a_server.folder.iterdir()) == []
    own_server.start()
    assert carried(made).state == S.DONE


def test_a_changed_host_key_stops_everything(own_server):
    on = target(own_server)
    own_server.stop()
    own_server.new_host_key()
    own_server.start()
    made = carried(job(sh("echo never"), on=on), turns=1)
    assert made.state == S.WAITING
    assert "shows another key than the approved one" in made.reason
    on.refresh_from_db()
    assert on.offered_key == own_server.host_key
    assert list(own_server.folder.iterdir()) == []


def test_a_host_whose_key_nobody_approved_is_not_logged_in_to(a_server):
    made = carried(job(sh("echo never"), on=target(a_server, host_key="")), turns=1)
    assert made.state == S.WAITING
    assert "approve its key" in made.reason


def test_a_user_who_is_not_let_in_is_named(a_server):
    made = carried(job(sh("echo never"), on=target(a_server, user="nobody-like-that")))
    assert made.state == S.FAILED
    assert "does not let nobody-like-that in" in made.reason


def test_cancelling_ends_every_process_within_five_seconds(a_server, background):
    need("fio")
    fio = ["fio", "--name=x", "--rw=randread", "--size=1m", "--numjobs=4", "--time_based"]
    made = job(step(*fio, "--runtime=60", tool="fio"), on=target(a_server))
    turn = background(made)
    until(some_output(made))
    asked = time.monotonic()
    launching.cancel(made, made.plan.launched_by)
    turn.join(PATIENCE_S)
    carried(made)
    took = time.monotonic() - asked
    assert Job.objects.get(pk=made.pk).state == S.CANCELLED
    until(lambda: nothing_of(made))
    assert took < PATIENCE_S  # five seconds are what a person feels; the load of a test is not
    assert list(a_server.folder.iterdir()) == []


def test_cancelling_while_the_link_is_down_holds_at_the_next_contact(own_server, background):
    made = job(sh("echo begun; sleep 300"), on=target(own_server))
    turn = background(made)
    until(some_output(made))
    own_server.stop()
    turn.join(PATIENCE_S)
    launching.cancel(made, made.plan.launched_by)
    made = carried(made, turns=1)
    assert made.state == S.CANCELLING
    own_server.start()
    made = carried(made)
    assert made.state == S.CANCELLED
    assert logs.whole(made.steps.get()) == b"begun\n"


def whole(step_folder):
    """What an orderly shutdown leaves: all that was written."""
    (step_folder / "identity").write_text("pid=1 born=1 boot=another\n")


def emptied(step_folder):
    """What a power failure leaves of files that were not on the disk yet, by their names."""
    for file in ("identity", "out.log", "exit", "../control.sh"):
        (step_folder / file).write_bytes(b"")


def nothing(step_folder):
    """What a power failure leaves of folders that were not on the disk yet."""
    shutil.rmtree(step_folder.parent)


@pytest.fixture
def rebooted(own_server, background):
    """`rebooted(made, leaves)`: the host of a job that runs goes away, and returns in another boot."""

    def reboot(made, leaves):
        turn = background(made)
        until(some_output(made))
        own_server.stop()
        turn.join(PATIENCE_S)
        subprocess.run(["pkill", "-f", made.token], check=False)
        running = made.steps.get(state=JobStep.State.RUNNING)
        running.identity["boot"] = "another"
        running.save()
        leaves(own_server.folder / made.token / running.folder)
        own_server.start()

    return reboot


@pytest.mark.parametrize("leaves", [whole, emptied, nothing])
def test_a_host_that_was_rebooted_fails_the_job_with_that_reason(own_server, rebooted, leaves):
    made = job(sh("echo begun; sleep 300", tool="fio"), on=target(own_server))
    rebooted(made, leaves)
    made = carried(made)
    assert (made.state, made.reason) == (S.FAILED, "The host was rebooted while measure ran.")
    assert logs.whole(made.steps.get()) == b"begun\n"
    assert list(own_server.folder.iterdir()) == []


def test_after_a_reboot_a_host_is_not_asked_what_it_need_not_have_been(own_server, rebooted):
    made = job(sh("echo begun; sleep 300", tool="fio"), on=target(own_server))
    rebooted(made, whole)
    made = carried(made)
    assert (made.environment, made.configuration) == (None, None)
    assert {condition["when"] for condition in made.conditions} <= {"before"}


def test_what_was_measured_before_a_reboot_has_its_machine_and_no_storage(own_server, rebooted):
    need("fio")
    fio = ["fio", "--name=x", "--rw=randread", "--size=1m", "--output-format=json"]
    measured = step(*fio, name="first", tool="fio")
    made = job(measured, sh("echo begun; sleep 300", tool="fio"), on=target(own_server))
    rebooted(made, whole)
    made = carried(made)
    run = Run.objects.get(artifact__steps__job=made, set_aside_reason="")
    assert run.environment == made.environment is not None
    assert run.configuration is None


def test_a_host_that_is_away_is_asked_again_by_the_next_sweep(own_server, background):
    made = job(sh("echo begun; sleep 300"), on=target(own_server))
    turn = background(made)
    until(some_output(made))
    own_server.stop()
    turn.join(PATIENCE_S)
    made.refresh_from_db()
    sweeping = settings.CELERY_BEAT_SCHEDULE["jobs that are due"]["schedule"]
    assert (made.look_at - made.state_at).total_seconds() < sweeping / 2


def test_what_a_reboot_left_on_a_filesystem_that_is_not_mounted_now_is_named(
    own_server, rebooted, tmp_path
):
    token = tmp_path.name
    own = tmp_path / f"benchdash-{token}"
    steps = (
        step("mkdir", str(own), phase="prepare", name="folder"),
        sh("echo begun; sleep 300"),
        step("rm", "-rf", str(own), phase="cleanup", name="remove-folder"),
    )
    made = job(*steps, on=target(own_server), token=token)

    def unmounted(step_folder):
        whole(step_folder)
        own.rename(tmp_path / "unmounted")

    rebooted(made, unmounted)
    made = carried(made)
    assert (made.state, made.reason) == (S.FAILED, "The host was rebooted while measure ran.")
    said = f"store-1 was rebooted, and {own} is not there now: remove it where its filesystem is mounted again."
    assert said in made.events.values_list("reason", flat=True)


def test_a_run_that_vanished_without_exit_code_is_lost(own_server, background):
    made = job(sh("echo begun; sleep 300"), on=target(own_server))
    turn = background(made)
    until(some_output(made))
    subprocess.run(["pkill", "-KILL", "-f", f"{made.token}/control.sh runner"], check=True)
    turn.join(PATIENCE_S)
    made = carried(made)
    assert made.state == S.LOST
    assert made.steps.get().state == JobStep.State.LOST


def test_a_run_whose_folder_was_removed_is_lost_and_ended(own_server, background):
    made = job(sh("echo begun; exec sleep 300"), on=target(own_server))
    turn = background(made)
    until(some_output(made))
    (identity,) = own_server.folder.glob("*/*/identity")
    shutil.rmtree(identity.parents[1])
    turn.join(PATIENCE_S)
    made = carried(made)
    assert made.state == S.LOST
    assert nothing_of(made)


def test_a_job_that_no_message_was_sent_for_is_found(a_server):
    need("Redis")
    with servers.redis() as address, worker(REDIS_URL=address, CELERY_BROKER_URL=address):
        made = job(sh("echo through"), on=target(a_server))
        until(in_state(made, *progress.ENDED))
    assert Job.objects.get(pk=made.pk).state == S.DONE


def test_redis_that_goes_away_and_comes_back_empty_ends_no_worker_and_loses_no_job(a_server):
    need("Redis")
    with servers.restartable_redis() as redis:
        address = redis.address
        with worker(REDIS_URL=address, CELERY_BROKER_URL=address) as process:
            on = target(a_server)
            made = job(sh(COUNTING.format(lines=80)), on=on)
            until(some_output(made))
            with redis.away():
                until(in_state(made, *progress.ENDED))
            after = job(sh("echo through"), on=on)
            until(in_state(after, *progress.ENDED))
            assert process.poll() is None
    assert [Job.objects.get(pk=each.pk).state for each in (made, after)] == [S.DONE, S.DONE]
    assert logs.whole(made.steps.get()) == counted(80)


def test_several_hosts_are_asked_at_the_same_time(a_server, tmp_path):
    """Each one waits for the other's question."""
    mine, other = tmp_path / "mine", tmp_path / "other"
    ask = "touch {} && until [ -e {} ]; do sleep 0.05; done; echo met"
    asked = [
        ssh.Question(target(a_server), ask.format(mine, other)),
        ssh.Question(target(a_server, name="store-2"), ask.format(other, mine)),
    ]
    assert [answer.out for answer in ssh.run_all(asked)] == [b"met\n", b"met\n"]


def test_where_one_host_does_not_answer_the_others_are_through_before_it_is_said(a_server):
    there, away = target(a_server), target(a_server, port=1)
    asked = [ssh.Question(away, "true"), ssh.Question(there, f"mkdir {there.folder}/through")]
    with pytest.raises(UnreachableError, match=":1 cannot be reached"):
        ssh.run_all(asked)
    (Path(there.folder) / "through").rmdir()


def test_a_connection_is_shared(a_server):
    on = target(a_server)
    first, second = (ssh.run(on, "echo $SSH_CONNECTION").out for _each in range(2))
    assert first == second != b"\n"


def test_jobs_that_a_fresh_worker_carries_on_at_once_share_one_loop():
    """In a process of its own, which has asked no host before."""
    counted = subprocess.run(
        [sys.executable, "-c", ASK_AT_ONCE], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert counted.stdout == "1\n"


@pytest.fixture
def tmpfs(tmp_path):
    """A small filesystem in memory. Needs root."""
    if os.geteuid() != 0:
        pytest.skip("root is missing: no tmpfs can be mounted")
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=256k", "none", str(tmp_path)], check=True)
    yield tmp_path
    subprocess.run(["umount", "-l", str(tmp_path)], check=True)


def test_a_full_disk_is_named_and_hides_no_exit_code(a_server, tmpfs):
    fill = "echo begun; dd if=/dev/zero of=fill bs=4k count=1000 || exit 1"
    made = carried(job(sh(fill), on=target(a_server, folder=str(tmpfs))))
    assert (made.state, made.steps.get().exit_code) == (S.FAILED, 1)
    assert made.reason.startswith("The disk is full")
    assert logs.whole(made.steps.get()) == b"begun\n"
    assert list(tmpfs.iterdir()) == []


def test_a_full_disk_is_named_where_the_tool_ends_well_and_has_written_nothing(a_server, tmpfs):
    fill = "dd if=/dev/zero of=fill bs=4k count=1000 2>/dev/null; : > result.out"
    on = target(a_server, folder=str(tmpfs))
    made = carried(job(sh(fill, tool="fio", result="result.out"), on=on))
    assert (made.state, made.steps.get().exit_code) == (S.FAILED, 0)
    assert made.reason == "The disk is full: measure printed no result."


def test_a_job_keeps_to_the_folder_that_it_was_planned_in(a_server, tmp_path):
    on = target(a_server)
    planned, later = on.folder, tmp_path / "later"
    made = job(sh("pwd"), on=on)
    on.folder = str(later)
    on.save()
    made = carried(made)
    again = carried(launching.retry(made, made.plan.launched_by))
    for each in (made, again):
        assert (each.state, each.reason) == (S.DONE, "")
        assert logs.whole(each.steps.get()).decode().startswith(planned)
    assert not later.exists()


def test_what_filled_the_disk_is_cleaned_up_all_the_same(a_server, tmpfs):
    scratch = tmpfs / "scratch"
    fill = sh(f"dd if=/dev/zero of={scratch} bs=4k; exit 1")
    made = carried(
        job(fill, sh(f"rm {scratch}", phase="cleanup"), on=target(a_server, folder=str(tmpfs)))
    )
    assert (made.state, scratch.exists()) == (S.FAILED, False)


def test_a_working_folder_that_is_full_before_the_start_is_named(a_server, tmpfs):
    (tmpfs / "all").write_bytes(bytes(2**18))
    made = carried(job(sh("echo never"), on=target(a_server, folder=str(tmpfs))))
    assert made.state == S.FAILED
    assert "cannot be made" in made.reason and "No space left" in made.reason
    assert [each.name for each in tmpfs.iterdir()] == ["all"]


@pytest.mark.filterwarnings("ignore:Diffie-Hellman over finite fields")
@pytest.mark.filterwarnings("ignore:.*TripleDES")
def test_old_algorithms_are_taken_only_where_they_are_allowed():
    need("sshd")
    old = "Ciphers aes128-cbc\nMACs hmac-sha1\nKexAlgorithms diffie-hellman-group14-sha1\n"
    with sshd(more=old) as server:
        on = target(server)
        # the server may be gone before what it knows is read
        with pytest.raises(UnreachableError, match=r"No matching|Connection lost"):
            ssh.run(on, "echo there")
        on.old_algorithms = True
        assert ssh.run(on, "echo there").out == b"there\n"
