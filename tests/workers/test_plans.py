"""From a recipe to runs: planned, launched, carried on over a real sshd with real tools."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from benchdash.accounts.models import User
from benchdash.jobs import launching, planning
from benchdash.jobs.measuring import command_to, parameters_of, started_together
from benchdash.jobs.models import Job, Plan
from benchdash.jobs.more_rounds import add_rounds
from benchdash.jobs.wanted import Wanted
from benchdash.recipes import Recipe, builtin, load
from benchdash.results.comparison.plans import Look, looks_of
from benchdash.results.models import Run
from tests.conftest import need
from tests.devices import sh
from tests.workers.jobs_by_hand import carried, target

pytestmark = pytest.mark.django_db(transaction=True)
RECIPES = {recipe.name: recipe for recipe in builtin()}


def launched(recipe: str | Recipe, on, confirmed=(), **fields) -> list[Job]:
    """Every job of a plan, as it ended, in the order of the cells."""
    person = User.objects.get_or_create(username="ann")[0]
    chosen = RECIPES[recipe] if isinstance(recipe, str) else recipe
    plan = planning.plan(Wanted(chosen, {"node-a": on}, **fields), person)
    jobs = launching.launch(plan, person, confirmed=confirmed, whatever_conditions=True)
    return sorted(map(carried, jobs), key=lambda job: (job.round, job.cell))


def test_a_matrix_of_fio_becomes_runs_and_leaves_nothing_behind(a_server):
    need("fio")
    before = set(a_server.folder.glob("*"))
    given = {"size": "1M", "runtime": "1s", "ramp_time": "0", "ioengine": "psync"}
    factors = {"rw": ["write", "randread"]}
    jobs = launched("fio", target(a_server), parameters=given, factors=factors)
    assert [(job.state, job.reason) for job in jobs] == [("done", "")] * 2
    patterns = [Run.objects.get(artifact__steps__job=job).workload.pattern for job in jobs]
    assert patterns == ["write", "randread"]
    assert set(a_server.folder.glob("*")) == before


def test_a_folder_that_is_not_there_fails_three_jobs_and_not_a_night(a_server):
    need("fio")
    given = {"directory": f"{a_server.folder}/nowhere", "size": "1M", "runtime": "1s"}
    factors = {"iodepth": [1, 2, 4, 8, 16, 32]}
    jobs = launched("fio", target(a_server), parameters=given, factors=factors)
    states = sorted(job.state for job in jobs)
    assert states == ["failed"] * 3 + ["queued"] * 3
    plan = Plan.objects.get(pk=jobs[0].plan_id)
    assert plan.has_paused_itself
    assert "nowhere" in plan.paused_reason


def test_rounds_that_were_added_run_as_those_before_and_are_a_second_look(a_server):
    need("fio")
    given = {"size": "1M", "runtime": "1s", "ramp_time": "0", "ioengine": "psync"}
    (first,) = launched("fio", target(a_server), parameters=given, factors={"rw": ["randread"]})
    assert add_rounds(first.plan, 1, first.plan.created_by) == 1
    second = carried(first.plan.jobs.get(round=2))
    assert [(job.state, job.reason) for job in (first, second)] == [("done", "")] * 2
    before, after = (Run.objects.get(artifact__steps__job=job) for job in (first, second))
    assert before.workload == after.workload and before.settings == after.settings
    assert [run.execution.round for run in (before, after)] == [1, 2]
    assert looks_of([before.pk, after.pk]) == {
        before.pk: Look(first.plan_id, 1, True, 2),
        after.pk: Look(first.plan_id, 2, True, 2),
    }


@pytest.mark.once
def test_sysbench_prepares_its_files_and_leaves_none_behind(a_server):
    need("sysbench")
    before = set(a_server.folder.glob("*"))
    given = {"size": "2M", "files": 2, "duration": "1s", "direct": False}
    jobs = launched(
        "sysbench", target(a_server), parameters=given, factors={"mode": ["seqwr", "rndrd"]}
    )
    assert [(job.state, job.reason) for job in jobs] == [("done", "")] * 2
    runs = [Run.objects.get(artifact__steps__job=job) for job in jobs]
    assert [(run.tool, run.workload.pattern) for run in runs] == [
        ("sysbench", "seqwr"), ("sysbench", "rndrd"),
    ]  # fmt: skip
    assert set(a_server.folder.glob("*")) == before


@pytest.mark.once
def test_a_study_sets_mount_options_measures_and_puts_them_back(a_server, mounted):
    need("bonnie++")
    need("dbench")
    _device, folder = mounted
    on = target(a_server, allowed=[folder])
    given = {
        "mount_point": folder, "size": "8M", "ram": "4M", "clients": 1, "duration": "1s",
        "mount_options": "nobarrier,data=writeback",
    }  # fmt: skip
    (job,) = launched("ext4-lvm-raid6", on, confirmed=[folder], parameters=given, factors={})
    assert (job.state, job.reason) == ("done", "")
    tools = Run.objects.filter(artifact__steps__job=job).values_list("tool", flat=True)
    assert sorted(tools) == ["bonnie++", "dbench"]
    (change,) = [step.change for step in job.steps.filter(change__isnull=False)]
    assert (change.old, change.new) == ("barrier=1,data=ordered", "barrier=0,data=writeback")
    assert change.restored_at and change.read_back == "barrier=1,data=ordered"
    assert list(Path(folder).iterdir()) == [Path(folder, "lost+found")]


@pytest.mark.skipif(os.geteuid() != 0, reason="root is missing: a loop device cannot be made")
def test_an_empty_device_is_written_to_and_one_with_a_filesystem_is_not(
    a_server,
    loop_device,
):
    need("fio")
    on = target(a_server, allowed=[loop_device])
    given = {
        "device": loop_device, "rw": "write", "size": "1M", "runtime": "1s", "ramp_time": "0",
        "ioengine": "psync", "direct": False, "time_based": False,
    }  # fmt: skip
    (job,) = launched("fio", on, confirmed=[loop_device], parameters=given)
    assert (job.state, job.reason) == ("done", "")
    sh("mkfs.ext4", "-q", "-F", loop_device)
    (job,) = launched("fio", on, confirmed=[loop_device], parameters=given)
    assert job.state == "failed" and f"{loop_device} has the ext4 signature" in job.reason
    (node,) = job.nodes.select_related("target__host")
    assert f"written to {loop_device} ({node.target.host.name}): " in job.reason
    assert sh("blkid", "-p", loop_device).stdout.count("ext4") == 1


OWN_FILESYSTEM = """
name: own-filesystem
title: A filesystem of its own
parameters:
  device: {kind: device, example: /dev/sdb}
prepare:
  - {name: mkfs, argv: [mkfs.ext4, "-q", "{device}"], root: true}
measure:
  - {name: look, argv: [dumpe2fs, "-h", "{device}"], root: true}
cleanup:
  - {name: wipe, argv: [wipefs, "-a", "{device}"], root: true}
"""


@pytest.mark.skipif(os.geteuid() != 0, reason="root is missing: a loop device cannot be made")
def test_what_a_job_made_on_a_device_is_its_own_and_goes_with_it(
    a_server,
    loop_device,
):
    on = target(a_server, allowed=[loop_device])
    own = load(OWN_FILESYSTEM)
    given = {"device": loop_device}
    jobs = launched(own, on, confirmed=[loop_device], parameters=given, repeats=2)
    assert [(job.state, job.reason) for job in jobs] == [("done", "")] * 2
    assert sh("blkid", "-p", loop_device).stdout == ""
    sh("mkfs.ext4", "-q", loop_device)
    (job,) = launched(own, on, confirmed=[loop_device], parameters=given)
    assert job.state == "failed" and "has the ext4 signature" in job.reason
    assert "ext4" in sh("blkid", "-p", loop_device).stdout  # neither made anew nor wiped


@pytest.fixture
def shared_folder() -> Iterator[str]:
    """A folder that every account may enter."""
    with TemporaryDirectory(dir="/var/tmp") as place:
        Path(place).chmod(0o755)
        yield place


@pytest.mark.once
def test_transactions_are_measured_on_a_postgresql_of_their_own_at_each_place(
    a_server, shared_folder
):
    need("PostgreSQL")
    hosts = {
        role: target(a_server, name=role, allowed=[shared_folder]) for role in ("node-a", "node-b")
    }
    given = {"scale": 1, "duration": "1s", "clients": 2}
    given |= {f"{place}_directory": shared_folder for place in ("local", "cluster", "client")}
    person = User.objects.get_or_create(username="ann")[0]
    factors = {"place": ["local", "client"]}
    wanted = Wanted(
        RECIPES["drbd9-transactions"], hosts, parameters=given, factors=factors, repeats=1
    )
    jobs = launching.launch(
        planning.plan(wanted, person), person, confirmed=[shared_folder], whatever_conditions=True
    )
    jobs = sorted(map(carried, jobs), key=lambda job: job.cell)
    assert [(job.state, job.reason) for job in jobs] == [("done", "")] * 2
    for job, node in zip(jobs, ("node-a", "node-b"), strict=True):
        run = Run.objects.get(artifact__steps__job=job)
        assert (run.tool, run.workload.clients, run.workload.scale) == ("pgbench", 2, 1)
        assert {step.node for step in job.steps.all()} == {node}
    assert [*Path(shared_folder).iterdir()] == []
    assert shared_folder not in sh("ps", "-eo", "args").stdout


def test_a_folder_that_postgresql_cannot_enter_is_stated(a_server, tmp_path):
    need("PostgreSQL")
    tmp_path.chmod(0o700)
    place = str(tmp_path)
    hosts = {"node-a": target(a_server, allowed=[place])}
    given = {"scale": 1, "duration": "1s", "local_directory": place}
    person = User.objects.get_or_create(username="ann")[0]
    wanted = Wanted(
        RECIPES["drbd9-transactions"],
        hosts,
        parameters=given,
        factors={"place": ["local"]},
        repeats=1,
    )
    (job,) = launching.launch(
        planning.plan(wanted, person), person, confirmed=[place], whatever_conditions=True
    )
    job = carried(job)
    assert job.state == "failed" and "postgres cannot enter" in job.reason
    assert [*tmp_path.iterdir()] == []


def on_guests(a_server, measured: str) -> list[Job]:
    """The jobs of one guest and of two at the same time, carried out."""
    need("fio")
    guests = {f"guest-{n}": target(a_server, name=f"guest-{n}") for n in (1, 2)}
    given = {"size": "1M", "runtime": "1s", "numjobs": 1, "drop_caches": False}
    given |= {"measured": measured}
    factors = {"guests": [1, 2], "rw": ["write"]}
    person = User.objects.get_or_create(username="ann")[0]
    plan = planning.plan(
        Wanted(RECIPES["ceph-rbd-under-kvm"], guests, parameters=given, factors=factors), person
    )
    launched_jobs = launching.launch(plan, person, whatever_conditions=True)
    jobs = sorted(map(carried, launched_jobs), key=lambda job: job.cell)
    assert [(job.state, job.reason) for job in jobs] == [("done", "")] * 2
    return jobs


@pytest.mark.once
def test_one_guest_is_measured_while_the_other_is_under_load(a_server):
    alone, loaded = on_guests(a_server, "first")
    measured, load = loaded.steps.filter(name="fio")
    assert (measured.node, measured.tool, load.node, load.tool) == ("guest-1", "fio", "guest-2", "")
    assert measured.started_at < load.ended_at and load.started_at < measured.ended_at
    for job in (alone, loaded):
        (run,) = Run.objects.filter(artifact__steps__job=job)
        assert run.workload.pattern == "write"


@pytest.mark.once
def test_guests_that_start_together_are_one_sample_and_their_cell_is_known(a_server):
    _alone, both = on_guests(a_server, "all")
    measuring = both.steps.filter(tool="fio")
    assert [*measuring] in started_together(both.steps.all())
    first, second = measuring
    assert first.started_at < second.ended_at and second.started_at < first.ended_at
    runs = Run.objects.filter(artifact__steps__job=both)
    assert runs.count() == 2 and runs.values("sample").distinct().count() == 1
    for step in measuring:
        assert parameters_of(step).settings["guests"].value == 2
        command = command_to(step)
        assert command.argv[0] == "fio" and "--rw=write" in command.argv
        assert f"/{step.node}/fio_testfile" in " ".join(command.argv)
