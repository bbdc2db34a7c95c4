"""What breaks on our own side: workers, messages, brokers. Nothing is lost and nothing runs twice."""

from __future__ import annotations

import signal
from contextlib import ExitStack
from functools import partial

import pytest
from django.utils import timezone
from redis import Redis

from benchdash.jobs import job_states, leases, logs, queueing
from benchdash.jobs.models import Job
from tests.conftest import need
from tests.workers.jobs_by_hand import carried, job, sh, target
from tests.workers.running import (
    COUNTING,
    PATIENCE_S,
    counted,
    in_state,
    some_output,
    until,
    worker,
)
from tools import servers

pytestmark = pytest.mark.django_db(transaction=True)
S = Job.State


def test_a_worker_that_is_killed_leaves_a_run_that_another_one_collects_whole(a_server):
    made = job(sh(COUNTING.format(lines=80)), on=target(a_server))
    with worker() as first:
        queueing.notify([made.pk])
        until(some_output(made))
        first.send_signal(signal.SIGKILL)
    assert Job.objects.get(pk=made.pk).state == S.RUNNING
    # as if the time of the dead worker's lease were over
    Job.objects.filter(pk=made.pk).update(lease_until=None, look_at=None)
    with worker():
        until(in_state(made, *job_states.ENDED))
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
    late = leases.claim(made.pk, job_states.ACTIVE)
    Job.objects.filter(pk=made.pk).update(lease_until=timezone.now())
    assert leases.claim(made.pk, job_states.ACTIVE).fence == late.fence + 1
    with pytest.raises(leases.LeaseLostError):
        job_states.move(late, S.PREPARING)
    with pytest.raises(leases.LeaseLostError):
        logs.store(late, made.steps.get(), "out", b"late")
    assert logs.whole(made.steps.get()) == b""


def test_a_job_that_no_message_was_sent_for_is_found(a_server):
    need("Redis")
    with servers.redis() as address, worker(REDIS_URL=address, CELERY_BROKER_URL=address):
        made = job(sh("echo through"), on=target(a_server))
        until(in_state(made, *job_states.ENDED))
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
                until(in_state(made, *job_states.ENDED))
            after = job(sh("echo through"), on=on)
            until(in_state(after, *job_states.ENDED))
            assert process.poll() is None
    assert [Job.objects.get(pk=each.pk).state for each in (made, after)] == [S.DONE, S.DONE]
    assert logs.whole(made.steps.get()) == counted(80)


REFUSING = {  # a server that is full, and one that became another's copy
    "OOM": ("CONFIG SET maxmemory 1", "CONFIG SET maxmemory 0"),
    "READONLY": ("REPLICAOF 127.0.0.1 1", "REPLICAOF NO ONE"),
}


@pytest.mark.parametrize("error", REFUSING)
@pytest.mark.parametrize("worker_starts", ["before", "meanwhile"])
def test_redis_that_refuses_writes_ends_no_worker_and_loses_no_job(a_server, error, worker_starts):
    need("Redis")
    refuse, allow = REFUSING[error]
    on = target(a_server)
    with servers.redis() as address, Redis.from_url(address) as redis, ExitStack() as running:
        start = partial(worker, REDIS_URL=address, CELERY_BROKER_URL=address)
        if worker_starts == "before":
            process = running.enter_context(start())
            through = job(sh("true"), on=on)
            until(in_state(through, *job_states.ENDED))
        redis.execute_command(refuse)
        if worker_starts == "meanwhile":
            process = running.enter_context(start())
        until(lambda: redis.info("errorstats").get(f"errorstat_{error}", {}).get("count", 0) > 5)
        assert process.poll() is None
        redis.execute_command(allow)
        after = job(sh("echo through"), on=on)
        until(in_state(after, *job_states.ENDED))
        assert process.poll() is None
    assert Job.objects.get(pk=after.pk).state == S.DONE
