"""Jobs on a real host, over a real sshd, with real tools."""

from __future__ import annotations

import pytest

from benchdash.jobs import launching, logs
from benchdash.jobs.job_events import numbers_so_far
from benchdash.jobs.logs import LogPosition, pieces_after, read_log
from benchdash.jobs.models import Job, JobStep
from benchdash.results.models import Run
from tests.conftest import need
from tests.workers.jobs_by_hand import carried, job, sh, step, target
from workers.connections import UnreachableError
from workers.remote_job import RemoteError, RemoteJob

pytestmark = pytest.mark.django_db(transaction=True)
S = Job.State


@pytest.fixture
def host(a_server):
    return target(a_server)


def states(made):
    return list(made.events.values_list("after", flat=True))


def test_a_step_runs_once_and_every_byte_of_it_arrives(host, a_server):
    made = carried(job(sh("seq 1 20000; echo oh >&2; echo $0 $1"), on=host))
    assert (made.state, made.reason) == (S.DONE, "")
    assert states(made) == [S.QUEUED, S.PREPARING, S.RUNNING, S.COLLECTING, S.DONE]
    ran = made.steps.get()
    printed = "".join(f"{number}\n" for number in range(1, 20001)) + "sh\n"
    assert logs.whole(ran).decode() == printed
    assert logs.whole(ran, "err") == b"oh\n"
    assert (ran.state, ran.exit_code) == (JobStep.State.DONE, 0)
    assert a_server.left() == []  # nothing is left on the host


@pytest.mark.once
def test_the_cpu_of_the_host_is_reported_beside_the_log_in_the_same_session(host):
    made = job(
        sh("echo begun; n=0; while [ $n -lt 1000000 ]; do n=$((n + 1)); done; sleep 8"), on=host
    )
    made.steps.update(tool="dbench")
    made = carried(made)
    lines = logs.whole(made.steps.get(), "cpu").decode().splitlines()
    assert len(lines) >= 2 and all(" cpu " in line for line in lines)
    points = [point for _step, point in numbers_so_far(made.pk).whole()]
    assert points and all(0 <= point.value <= 1 and point.seconds < 60 for point in points)
    assert {(point.operation, point.metric) for point in points} == {("host", "cpu")}
    assert read_log(made.pk, 0) == (b"begun\n", 6)
    assert [piece.data for piece in pieces_after(made.pk, LogPosition())] == [b"begun\n"]


def test_fio_becomes_a_run(host):
    need("fio")
    command = ["fio", "--name=x", "--rw=randwrite", "--size=1m", "--output=result.out"]
    command += ["--output-format=json+"]
    made = carried(job(step(*command, tool="fio", result="result.out"), on=host))
    assert (made.state, made.reason) == (S.DONE, "")
    run = Run.objects.get(artifact__steps__job=made)
    assert (run.tool, run.workload.pattern) == ("fio", "randwrite")


@pytest.mark.once
def test_bonnie_becomes_a_run(host):
    need("bonnie++")
    command = ["bonnie++", "-d", ".", "-s", "8m", "-r", "4m", "-n", "1", "-q", "-u", host.user]
    made = carried(job(step(*command, tool="bonnie++"), on=host))
    assert (made.state, made.reason) == (S.DONE, "")
    assert Run.objects.get(artifact__steps__job=made).tool == "bonnie++"


def test_a_tool_that_is_missing_is_named_with_its_package(host):
    made = carried(job(step("dbench-of-nobody", tool="dbench"), on=host))
    assert made.state == S.FAILED
    assert made.reason.startswith(
        "dbench-of-nobody is not on the host: install it (package dbench)"
    )


def test_a_tool_that_a_script_starts_is_named_where_it_is_missing(host):
    made = carried(job(sh("exec dbench-of-nobody", tool="dbench"), on=host))
    assert made.reason.startswith("dbench is not on the host: install it (package dbench)")
    made = carried(job(sh("exec dbench-of-nobody"), on=host))
    assert "ended with exit code 127" in made.reason and "dbench-of-nobody" in made.reason


def test_a_tool_that_a_step_before_the_measurement_lacks_is_named_with_its_package(host):
    script = "echo 'sh: 1: exec: sysbench: not found' >&2; exit 127"
    made = carried(job(sh(script, phase="prepare", name="files"), on=host))
    assert made.reason.startswith("sysbench is not on the host: install it (package sysbench)")


def test_what_was_killed_says_so_and_not_its_last_line_of_progress(host):
    made = carried(job(sh("echo 'Jobs: 1 (f=1): [w(1)][32.0%]'; kill -9 $$", tool="fio"), on=host))
    assert made.reason.startswith("measure was killed on the host (signal 9)")
    made = carried(job(sh("kill -15 $$", tool="fio"), on=host))
    assert made.reason == "measure was terminated on the host (signal 15)."


def test_numbers_of_a_tool_that_failed_are_kept_and_set_aside(host):
    need("fio")
    script = "fio --name=x --rw=write --size=1m --output-format=json"
    script += "; echo cannot open /srv/customers/a >&2; exit 3"
    made = carried(job(sh(script, tool="fio"), on=host))
    assert (made.state, made.steps.get().exit_code) == (S.FAILED, 3)
    reason = Run.objects.get(artifact__steps__job=made).set_aside_reason
    assert "/srv/customers" not in reason and "/srv/customers" in made.reason
    assert "exit code 3" in reason and 3 in reason.values.values()


def test_output_that_cannot_be_read_fails_the_job_and_stays(host):
    made = carried(job(sh("echo all is well", tool="fio"), on=host))
    assert made.state == S.FAILED
    ran = made.steps.get()
    assert ran.artifact.uploads.get().outcome == "refused"
    assert logs.whole(ran) == b"all is well\n"


def test_a_step_is_stopped_at_its_time_limit(host):
    made = carried(job(sh("sleep 60", timeout_s=1), on=host))
    assert made.state == S.FAILED
    assert "did not end within its time limit of 1 s" in made.reason


def test_what_no_database_takes_in_the_last_words_of_a_tool_ends_the_job_all_the_same(host):
    made = carried(job(sh(r"printf 'bad\000\377' >&2; exit 3"), on=host))
    assert made.state == S.FAILED
    assert "bad\ufffd\ufffd" in made.steps.get().reason


def test_a_result_that_breaks_off_halfway_is_fetched_again_whole(host, monkeypatch):
    whole, failures = RemoteJob.result, ["once"]

    def breaks_off(remote, step, offset, count):
        if offset and failures:
            raise RemoteError(failures.pop())
        return whole(remote, step, offset, 4096)

    monkeypatch.setattr(RemoteJob, "result", breaks_off)
    need("fio")
    command = "fio --name=x --rw=write --size=1m --output-format=json --output=result.out"
    made = job(sh(command, tool="fio", result="result.out"), on=host)
    first = carried(made, turns=1)
    assert (first.state, first.reason) == (S.COLLECTING, "once")
    assert not Run.objects.exists()
    assert carried(made).state == S.DONE
    assert Run.objects.get().counted and not failures


def test_what_could_not_be_read_is_not_forgotten_while_the_other_host_is_away(
    a_server, own_server, monkeypatch
):
    need("fio")
    fetched, failures = RemoteJob.counters, ["once"]

    def breaks_off(remote, step):
        if step.node == "node-b" and failures:
            raise UnreachableError(failures.pop())
        return fetched(remote, step)

    monkeypatch.setattr(RemoteJob, "counters", breaks_off)
    command = "fio --name=x --rw=write --size=1m --output-format=json"
    steps = [
        sh("echo all is well", tool="fio", together=True),
        sh(command, tool="fio", together=True, node="node-b"),
    ]
    on = {"node-a": target(a_server), "node-b": target(own_server, "store-2")}
    made = job(*steps, on=on)
    first = carried(made, turns=1)
    assert (first.state, first.reason, failures) == (S.UNREACHABLE, "once", [])
    assert carried(made).state == S.FAILED
    run = Run.objects.get(artifact__steps__job=made)
    assert not run.counted
    assert "store-1" in run.set_aside_reason


def test_a_failed_step_skips_the_next_ones_but_cleans_up(host):
    steps = [sh("exit 4", name="first"), sh("echo never", name="second")]
    steps.append(sh("echo tidy", name="tidy", phase="cleanup"))
    made = carried(job(*steps, on=host))
    assert made.state == S.FAILED
    states_of_steps = list(made.steps.values_list("state", flat=True))
    assert states_of_steps == ["failed", "skipped", "done"]


def test_a_job_that_waits_is_cancelled_at_once(host):
    made = job(sh("true"), on=host)
    launching.cancel(made, made.plan.launched_by)
    made.refresh_from_db()
    assert made.state == S.CANCELLED
    assert carried(made, turns=1).state == S.CANCELLED


def test_a_retry_is_a_new_attempt_beside_the_old_one(host):
    made = carried(job(sh("exit 1"), on=host))
    again = carried(launching.retry(made, made.plan.launched_by))
    assert (again.attempt, again.retry_of, again.state) == (2, made, S.FAILED)
    assert again.token != made.token


def test_files_are_put_beside_the_command(host):
    text = "it's $HOME `date`\n\\end"
    made = carried(job(step("cat", "job.fio", files={"job.fio": text}), on=host))
    assert logs.whole(made.steps.get()).decode() == text + "\n"


def test_two_jobs_never_run_on_one_host_at_a_time(host):
    first, second = (job(sh("echo hi"), on=host) for _each in range(2))
    assert carried(second, turns=1).state == S.QUEUED  # the first one has its turn first
    assert carried(first).state == S.DONE
    assert carried(second).state == S.DONE


def test_a_failure_quotes_the_error_and_not_the_usage_below_it(a_server):
    need("bonnie++")
    bonnie = step("bonnie++", "-d", "/tmp", "-s", "20", "-r", "16", "-u", "root", tool="bonnie++")
    made = carried(job(bonnie, on=target(a_server)))
    said = "Using uid:0, gid:0. / File size should be double RAM for good results, RAM is 16M."
    assert made.steps.get().reason == f"measure ended with exit code 1. It said: {said}"


@pytest.mark.parametrize(
    ("prints", "said"),
    [
        ("usage: x [-a]\n  [-b]\nx: error: no such file\n", "usage: x [-a] / [-b] / x: error: no such file"),
        ("a\nb\n\nc\nd\n", "b / c / d"),
    ],
)  # fmt: skip
def test_a_failure_quotes_the_last_lines(a_server, prints, said):
    made = carried(job(sh(f"printf '{prints}' >&2; exit 2"), on=target(a_server)))
    assert made.steps.get().reason.endswith(f"It said: {said}")
