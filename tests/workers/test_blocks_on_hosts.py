"""What jobs of a block share on several hosts, and on a device."""

from __future__ import annotations

import os

import pytest

from benchdash.accounts.models import User
from benchdash.jobs import launching, planning
from benchdash.jobs.models import Job
from benchdash.jobs.wanted import Wanted
from benchdash.recipes import load
from tests.devices import sh as run
from tests.workers.jobs_by_hand import carried, job, sh, target
from tests.workers.shelf import launched, log_of, shelves

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.once]
S = Job.State
TWO_HOSTS = """
name: two-shelves
title: A folder on each of two hosts
nodes: 2
parameters:
  books: {kind: integer, default: 1}
prepare:
  - name: make
    shared: true
    node: all
    argv: [sh, "-c", 'mkdir "$1-$2" && echo "make $2" >> "${{1%/*}}/log"', sh, "{work}", "{node}"]
measure:
  - {name: measure, argv: [ls, "{block}-{node}", "{work}", "/proc/{books}"]}
cleanup:
  - name: unmake
    shared: true
    node: all
    argv: [sh, "-c", 'echo "unmake $2" >> "${{1%/*}}/log"; rm -r "$1-$2"', sh, "{work}", "{node}"]
"""


def test_a_block_of_two_hosts_that_was_unmade_on_one_is_made_anew_on_both(shelf_server):
    hosts = {role: target(shelf_server, name=role) for role in ("node-a", "node-b")}
    person = User.objects.get_or_create(username="ann")[0]
    wanted = Wanted(load(TWO_HOSTS), hosts, factors={"books": [1, 2, 3]}, seed=3)
    plan = planning.plan(wanted, person)
    first, second, third = launching.launch(plan, person, whatever_conditions=True)
    assert carried(first).state == S.DONE and len(shelves(shelf_server)) == 2
    assert carried(job(sh("true"), on=hosts["node-b"], priority=9)).state == S.DONE
    assert [each.name for each in shelves(shelf_server)] == [f"{first.block}-node-a"]
    assert [carried(made).state for made in (second, third)] == [S.DONE] * 2
    assert (second.made_by, third.made_by) == (None, second)
    assert shelves(shelf_server) == []
    assert sorted(log_of(shelf_server)) == sorted(
        f"{act} {node}" for act in ("make", "unmake") for node in hosts for _time in range(2)
    )


FILESYSTEM = """
name: filesystem
title: A filesystem that cells share
parameters:
  device: {kind: device, example: /dev/sdb}
  books: {kind: integer, default: 1}
prepare:
  - {name: mkfs, shared: true, argv: [mkfs.ext4, "-q", "{device}"], root: true}
measure:
  - {name: look, argv: [sh, "-c", 'dumpe2fs -h "$1"', sh, "{device}", "{books}"], root: true}
cleanup:
  - {name: wipe, shared: true, argv: [wipefs, "-a", "{device}"], root: true}
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="root is missing: a loop device cannot be made")
def test_what_a_block_made_on_a_device_is_its_own_for_each_of_its_jobs_and_no_others(
    shelf_server, loop_device
):
    on = target(shelf_server, allowed=[loop_device])
    given = {
        "text": FILESYSTEM,
        "parameters": {"device": loop_device},
        "confirmed": [loop_device],
        "factors": {"books": [1, 2]},
    }
    first, second = launched(shelf_server, on, **given)
    assert carried(first).state == S.DONE
    assert run("blkid", "-p", loop_device).stdout.count("ext4") == 1
    assert (carried(second).state, second.reason) == (S.DONE, "")
    assert run("blkid", "-p", loop_device).stdout == ""
    # another plan's block is another one, and what somebody else put there is left alone
    run("mkfs.ext4", "-q", loop_device)
    for made in launched(shelf_server, on, **given):
        assert carried(made).state == S.FAILED
        assert "has the ext4 signature" in made.reason
    assert "ext4" in run("blkid", "-p", loop_device).stdout
