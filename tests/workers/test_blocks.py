"""What jobs of a block share: made once, found by the next ones, and always unmade in the end."""

from __future__ import annotations

import shutil

import pytest
from django.utils import timezone

from benchdash.dispatch import UNMAKE
from benchdash.jobs import (
    blocks,
    giving_up,
    job_states,
    launching,
    leases,
    logs,
    plan_changes,
)
from benchdash.jobs.models import HostLock, Job, JobNode, JobStep, Plan
from benchdash.jobs.more_rounds import add_rounds
from tests.workers.jobs_by_hand import carried, due_now, job, sh
from tests.workers.running import in_state, some_output, until, worker
from tests.workers.shelf import launched, log_of, shelves
from workers import blocks as worker_blocks
from workers import tasks

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
S = Job.State


def one_block(shelf_server, **fields):
    return launched(shelf_server, factors={"books": [1, 2, 3]}, **fields)


def by(made):
    return made.plan.launched_by


def swept():
    """As a sweep and the task that it sends."""
    for each in blocks.abandoned():
        tasks.unmake(each.pk)


def test_each_block_is_made_once_in_a_round_and_unmade_after_its_last_job(shelf_server):
    jobs = [carried(made) for made in launched(shelf_server, repeats=2)]
    assert {(made.state, made.reason) for made in jobs} == {(S.DONE, "")}
    log = log_of(shelf_server)
    assert [log[at : at + 5][0].split()[0] for at in range(0, 20, 5)] == ["make"] * 4
    assert [log[at + 4] for at in range(0, 20, 5)] == ["unmake"] * 4 and len(log) == 20
    for first, second, third in (jobs[at : at + 3] for at in range(0, 12, 3)):
        assert first.made_by is None and second.made_by == third.made_by == first
        assert first.block == second.block == third.block
        states = [[step.state for step in made.steps.all()] for made in (first, second, third)]
        assert states == [
            ["done", "done", "done", "done", "skipped"],
            ["skipped", "done", "done", "done", "skipped"],
            ["skipped", "done", "done", "done", "done"],
        ]
        assert second.steps.get(name="make").reason == f"Made by job {first}."
        assert first.steps.get(name="unmake").reason == f"Left to job {second}."
        assert logs.whole(third.steps.get(name="measure")).split() == [
            third.values["kind"].encode(), f"book-{third.values['books']}".encode(), b"kind",
        ]  # fmt: skip
    assert not JobNode.objects.filter(left_at__isnull=False).exists()
    assert shelves(shelf_server) == [] and list(blocks.standing()) == []


def test_between_two_jobs_of_a_block_nothing_of_a_job_stays_but_what_they_share(shelf_server):
    first, *_others = one_block(shelf_server)
    carried(first)
    assert [each.name for each in shelves(shelf_server)] == [first.block]
    assert list(shelf_server.control.iterdir()) == [] and HostLock.objects.count() == 0
    assert list(blocks.standing()) == [first] and list(blocks.abandoned()) == []
    swept()
    assert log_of(shelf_server) == ["make oak", f"look {first.values['books']}"]
    for made in _others:
        carried(made)


def test_a_job_of_another_plan_in_between_finds_the_host_as_it_was(shelf_server):
    first, second, third = one_block(shelf_server)
    carried(first)
    other = job(sh('ls "$PWD/../.."', name="measure"), on=first.nodes.get().target, priority=9)
    assert carried(other).state == S.DONE
    assert first.block.encode() not in logs.whole(other.steps.get())
    first.refresh_from_db()
    assert first.nodes.get().left_at is None
    assert [carried(made).state for made in (second, third)] == [S.DONE] * 2
    assert second.made_by is None and third.made_by == second
    assert [line.split()[0] for line in log_of(shelf_server)] == [
        "make", "look", "unmake", "make", "look", "look", "unmake",
    ]  # fmt: skip


def test_who_comes_first_in_the_queue_leaves_nothing_standing_for_others(shelf_server):
    first, second, third = one_block(shelf_server)
    other = job(sh("true"), on=first.nodes.get().target, priority=9)
    other_first = Job.objects.get(pk=other.pk)
    leases.claim(other_first.pk, job_states.ACTIVE)  # a worker has it, which is slow
    Job.objects.filter(pk=other.pk).update(priority=-9)
    held = carried(first, turns=1)
    assert held.state == S.DONE and shelves(shelf_server)
    Job.objects.filter(pk=other.pk).update(priority=9)
    assert carried(second, turns=1).state == S.QUEUED  # it is not its turn
    Job.objects.filter(pk=other.pk).update(lease_until=None)
    assert carried(other).state == S.DONE and shelves(shelf_server) == []
    # a job that ends while another one waits before its successor unmakes at once
    another = job(sh("true"), on=first.nodes.get().target, priority=-9)
    Job.objects.filter(pk=second.pk).update(priority=9)
    Job.objects.filter(pk=another.pk).update(priority=5)
    assert carried(second).state == S.DONE and shelves(shelf_server) == []
    assert [carried(made).state for made in (another, third)] == [S.DONE] * 2


def test_a_job_that_fails_unmakes_the_block_and_the_next_one_makes_it_again(shelf_server):
    first, second, third = one_block(shelf_server)
    JobStep.objects.filter(job=second, name="measure").update(command="sh -c 'exit 3'")
    assert [carried(made).state for made in (first, second)] == [S.DONE, S.FAILED]
    assert second.made_by == first and shelves(shelf_server) == []
    assert carried(third).state == S.DONE and third.made_by is None
    assert [line.split()[0] for line in log_of(shelf_server)] == [
        "make", "look", "unmake", "make", "look", "unmake",
    ]  # fmt: skip


def test_what_could_not_be_made_is_left_to_nobody(shelf_server):
    first, second, _third = one_block(shelf_server)
    JobStep.objects.filter(job=first, name="make").update(command="sh -c 'exit 3'")
    assert carried(first).state == S.FAILED
    assert carried(second).state == S.DONE and second.made_by is None
    carried(_third)


def test_a_job_that_cannot_tidy_up_behind_itself_unmakes_the_block(shelf_server):
    first, second, third = one_block(shelf_server)
    JobStep.objects.filter(job=first, name="empty").update(command="sh -c 'exit 3'")
    assert carried(first).state == S.DONE and shelves(shelf_server) == []
    assert [carried(made).state for made in (second, third)] == [S.DONE] * 2
    # at its next contact the first one is not cleaned up over what stands again
    assert (second.made_by, third.made_by) == (None, second)


def test_a_job_that_is_cancelled_while_it_measures_unmakes_the_block(shelf_server, background):
    first, second, third = one_block(shelf_server)
    carried(first)
    JobStep.objects.filter(job=second, name="measure").update(
        command="sh -c 'echo begun; sleep 99'"
    )
    turn = background(second)
    until(some_output(second))
    launching.cancel(second, by(second))
    turn.join(60)
    assert carried(second).state == S.CANCELLED and shelves(shelf_server) == []
    assert carried(third).state == S.DONE and third.made_by is None


def test_a_job_that_is_cancelled_before_its_turn_leaves_the_block_to_the_next_one(shelf_server):
    first, second, third = one_block(shelf_server)
    carried(first)
    launching.cancel(second, by(second))
    assert list(blocks.abandoned()) == []
    assert carried(third).state == S.DONE and third.made_by == first
    assert log_of(shelf_server)[0::3] == ["make oak", "unmake"]


def test_a_plan_that_is_cancelled_between_two_jobs_has_its_block_unmade_by_the_sweep(shelf_server):
    first, *_others = one_block(shelf_server)
    carried(first)
    plan_changes.cancel_jobs(first.plan, by(first))
    assert [each.pk for each in blocks.abandoned()] == [first.pk]
    swept()
    assert shelves(shelf_server) == [] and list(blocks.standing()) == []
    assert log_of(shelf_server)[-1] == "unmake"
    assert "was stopped and undone" in first.events.last().reason


def test_a_plan_that_is_paused_has_its_block_unmade_and_goes_on_with_a_new_one(
    shelf_server, background
):
    first, second, third = one_block(shelf_server)
    carried(first)
    plan_changes.pause(first.plan, by(first))
    swept()
    assert shelves(shelf_server) == []
    plan_changes.resume(first.plan)
    JobStep.objects.filter(job=second, name="measure").update(command="sh -c 'echo begun; sleep 2'")
    turn = background(second)
    until(some_output(second))
    plan_changes.pause(first.plan, by(first))  # while a job measures: it leaves nothing
    turn.join(60)
    assert carried(second).state == S.DONE and shelves(shelf_server) == []
    plan_changes.resume(first.plan)
    due_now(third)
    assert carried(third).state == S.DONE
    assert [made.made_by for made in (second, third)] == [None, None]


def test_while_a_block_is_unmade_the_next_job_waits(shelf_server):
    first, second, third = one_block(shelf_server)
    carried(first)
    sweeping = leases.claim(first.pk, job_states.ENDED)
    assert carried(second, turns=1).state == S.WAITING
    assert "Another worker is cleaning up what an earlier job left there." in second.reason
    assert HostLock.objects.count() == 0
    leases.release(sweeping)
    assert carried(second).state == S.DONE and second.made_by == first
    carried(third)


def test_what_stood_on_a_host_that_was_rebooted_is_unmade_and_made_anew(shelf_server):
    first, second, third = one_block(shelf_server)
    carried(first)
    make = first.steps.get(name="make")
    JobStep.objects.filter(pk=make.pk).update(identity=make.identity | {"boot": "another"})
    assert carried(second).state == S.DONE and second.made_by is None
    assert carried(third).made_by == second
    assert [line.split()[0] for line in log_of(shelf_server)] == [
        "make", "look", "unmake", "make", "look", "look", "unmake",
    ]  # fmt: skip


def test_a_job_that_was_cancelled_as_it_began_takes_nothing_over(shelf_server):
    first, second, third = one_block(shelf_server)
    carried(first)
    held = leases.claim(second.pk, job_states.ACTIVE)
    Job.objects.filter(pk=second.pk).update(state=S.CANCELLED, ended_at=timezone.now())
    leases.release(held)
    assert carried(second).made_by is None and list(blocks.standing()) == [first]
    assert carried(third).made_by == first


def test_a_job_that_is_run_again_alone_makes_its_block_and_unmakes_it(shelf_server):
    first, second, third = [carried(made) for made in one_block(shelf_server)]
    assert shelves(shelf_server) == []
    again = launching.retry(second, by(second))
    assert carried(again).state == S.DONE
    assert again.made_by is None and again.block == second.block
    assert log_of(shelf_server)[-3:] == ["make oak", f"look {second.values['books']}", "unmake"]
    assert add_rounds(Plan.objects.get(pk=first.plan_id), 1, by(first)) == 3
    later = [carried(made) for made in first.plan.jobs.filter(round=2).order_by("position")]
    assert {made.state for made in later} == {S.DONE} and third.block != later[0].block
    assert [made.made_by for made in later] == [None, later[0], later[0]]
    assert log_of(shelf_server).count("make oak") == 3


def test_what_is_lost_with_its_host_is_unmade_at_the_next_contact(shelf_server, background):
    first, second, third = one_block(shelf_server)
    carried(first)
    JobStep.objects.filter(job=second, name="measure").update(
        command="sh -c 'echo begun; sleep 99'"
    )
    turn = background(second)
    until(some_output(second))
    shelf_server.stop()
    until(in_state(second, S.UNREACHABLE))
    turn.join(60)
    giving_up.give_up(second, "It never returns.", by(second))
    shelf_server.start()
    assert carried(third).state == S.DONE and third.made_by is None
    assert shelves(shelf_server) == []


def test_a_worker_that_is_killed_between_two_jobs_leaves_nothing_unmade(shelf_server):
    jobs = one_block(shelf_server)
    with worker():
        until(in_state(jobs[0], S.DONE))
    # whatever of the others it had begun, another worker carries on, and one sweeps in the end
    with worker():
        until(lambda: not Job.objects.exclude(state=S.DONE).exists())
        until(lambda: not JobNode.objects.filter(left_at__isnull=False).exists())
    assert shelves(shelf_server) == [] and log_of(shelf_server)[0] == "make oak"
    assert log_of(shelf_server)[-1] == "unmake" and log_of(shelf_server).count("make oak") == 1


def test_the_sweep_of_a_real_worker_unmakes_what_nobody_comes_for(shelf_server):
    first, *_others = one_block(shelf_server)
    carried(first)
    plan_changes.cancel_jobs(first.plan, by(first))
    assert shelves(shelf_server)
    with worker():
        until(lambda: not JobNode.objects.filter(left_at__isnull=False).exists())
    assert shelves(shelf_server) == [] and log_of(shelf_server)[-1] == "unmake"


def test_unmaking_that_takes_long_is_gone_on_with_to_its_end(shelf_server, monkeypatch):
    monkeypatch.setattr(worker_blocks, "_UNMAKE_S", 0.5)
    first, second, third = one_block(shelf_server)
    JobStep.objects.filter(job=first, name="unmake").update(
        command=f"sh -c 'sleep 4; rm -r ../../{first.block}'"
    )
    carried(first)
    plan_changes.pause(first.plan, by(first))
    swept()
    assert first.steps.get(name="unmake").state == JobStep.State.RUNNING
    plan_changes.resume(first.plan)  # too late: it is no block any more
    until(lambda: (swept(), not list(blocks.abandoned()))[1])
    assert first.steps.get(name="unmake").state == JobStep.State.DONE
    assert [carried(made).made_by for made in (second, third)] == [None, second]


def test_a_host_that_does_not_answer_is_not_asked_at_every_sweep(shelf_server, monkeypatch):
    first, *_others = one_block(shelf_server)
    carried(first)
    plan_changes.cancel_jobs(first.plan, by(first))
    sent = []
    monkeypatch.setattr(tasks, "send", lambda task, pk: sent.append((task, pk)))
    shelf_server.stop()
    tasks.sweep()
    assert sent == [(UNMAKE, first.pk)]
    tasks.unmake(first.pk)
    tasks.sweep()
    assert len(sent) == 1 and [each.pk for each in blocks.abandoned()] == [first.pk]
    shelf_server.start()
    due_now(first)
    tasks.sweep()
    assert len(sent) == 2
    tasks.unmake(first.pk)
    assert shelves(shelf_server) == [] and list(blocks.abandoned()) == []


def test_a_link_in_place_of_what_they_share_is_not_followed(shelf_server, tmp_path):
    (tmp_path / "theirs").write_text("of somebody else")
    first, second, third = one_block(shelf_server)
    carried(first)
    place = shelf_server.folder / first.block
    shutil.rmtree(place)
    place.symlink_to(tmp_path)
    assert carried(second).state == S.FAILED and "is a symbolic link" in second.reason
    assert (tmp_path / "theirs").exists() and shelves(shelf_server) == []
    assert carried(third).state == S.DONE
