"""What a plan costs is known before it is launched, from earlier jobs where there are some."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from benchdash.inventory.records import record_configuration, record_environment
from benchdash.jobs import launching, planning
from benchdash.jobs.confirming import touched
from benchdash.jobs.costs import cost_of
from benchdash.jobs.models import Job, JobEvent, JobNode, Plan
from benchdash.jobs.wanted import Wanted
from benchdash.recipes import builtin
from benchdash.results.models import HostTrace
from benchdash.vocabulary.storage.notation import parse
from tests.jobs.records import a_job, a_plan, a_target
from tests.measured import a_run

pytestmark = [pytest.mark.django_db, pytest.mark.database]
RECIPES = {recipe.name: recipe for recipe in builtin()}


@pytest.fixture
def on():
    return a_target("store-a", user="root", allowed=["/dev/sdb", "/srv", "rbd:rbd/bench"])


@pytest.fixture
def planned(people, on):
    def make(**fields):
        known = {"factors": {"iodepth": [1, 8, 32]}, "repeats": 2}
        parameters = {"size": "1G", "runtime": "60s", "ramp_time": "0s"}
        parameters |= fields.pop("parameters", {})
        wanted = Wanted(RECIPES["fio"], {"node-a": on}, parameters, **(known | fields))
        return planning.plan(wanted, people("operator"))

    return make


def earlier_job(on, took_s, rates=None, **fields):
    """A job of the recipe that was done on a host; `rates` are its devices with what they wrote."""
    job = a_job("done", on, a_plan(recipe_name="fio"), **fields)
    end = timezone.now()
    Job.objects.filter(pk=job.pk).update(started_at=end - timedelta(seconds=took_s), ended_at=end)
    if rates:
        run = a_run()
        job.steps.filter(tool="fio").update(
            artifact=run.artifact, started_at=end - timedelta(seconds=60), ended_at=end
        )
        for position, (depth, name, written) in enumerate(rates):
            quantities = {"written": [0, written, 2 * written]}
            HostTrace.objects.create(
                run=run,
                role="node-a",
                position=position,
                part="device",
                name=name,
                depth=depth,
                points=1,
                quantities=quantities,
                series=b"",
            )
    return job


def test_without_earlier_jobs_the_recipe_speaks_and_it_is_stated(planned):
    found = cost_of(planned())
    assert (found.cells, found.jobs, found.expected_s) == (3, 6, 360)
    assert (found.earlier, found.traced, found.disks) == (0, 0, [])
    assert found.written_bytes == 6 * 2**30
    assert cost_of(planned(parameters={"device": "/dev/sdb"})).written_bytes is None
    image = {"pool": "rbd", "image": "bench"}
    assert cost_of(planned(parameters=image)).written_bytes is None


def test_a_folder_with_less_room_than_a_job_writes_is_named(planned, on):
    def too_small(**fields):
        return [
            (room.host, room.folder, room.free_bytes, room.needed_bytes)
            for room in cost_of(planned(**fields)).too_small
        ]

    assert too_small() == []  # no check has looked
    on.findings = {"free_bytes": 3 * 2**30}
    on.save()
    assert too_small() == []
    larger = {"numjobs": 4}
    assert too_small(parameters=larger) == [("store-a", on.folder, 3 * 2**30, 4 * 2**30)]
    # elsewhere nobody has looked
    assert too_small(parameters=larger | {"directory": "/srv"}) == []


def test_a_folder_that_is_still_to_be_made_is_named_with_its_filesystem(planned, on):
    def new_folders(**fields):
        return [
            (new.host, new.folder, new.filesystem) for new in cost_of(planned(**fields)).new_folders
        ]

    assert new_folders() == []  # no check has looked
    on.findings = {"folder_made_on": "/ (/dev/vda1)"}
    on.save()
    assert new_folders() == [("store-a", on.folder, "/ (/dev/vda1)")]
    assert new_folders(parameters={"directory": "/srv"}) == []  # it is not what is measured


def test_the_time_is_that_of_earlier_jobs_on_these_hosts(planned, on):
    for took_s in (66, 72, 500):
        earlier_job(on, took_s)  # each was to take 60 s
    earlier_job(a_target("another"), 6000)
    waited = earlier_job(on, 9000)
    Job.objects.filter(pk=waited.pk).update(quiet_by=timezone.now())
    began = timezone.now() - timedelta(seconds=72)
    JobEvent.objects.filter(job=waited, after=Job.State.RUNNING).update(at=began)
    found = cost_of(planned())
    assert (found.expected_s, found.earlier) == (pytest.approx(360 * 1.2, rel=0.01), 4)


def test_what_short_trials_took_besides_is_added_and_not_multiplied(planned, on):
    trial = earlier_job(on, 6)
    Job.objects.filter(pk=trial.pk).update(expected_s=2)
    assert cost_of(planned()).expected_s == pytest.approx(6 * (60 + 4))
    trial.steps.filter(tool="fio").update(estimated=True)
    assert cost_of(planned()).expected_s == pytest.approx(6 * 60 * 3)


def test_runs_of_one_step_share_its_time(planned, on):
    job = earlier_job(on, 66, [(0, "sda", 10e6)])
    first = HostTrace.objects.get()
    second = a_run()
    type(second).objects.filter(pk=second.pk).update(artifact=first.run.artifact, position=2)
    first.pk, first.run = None, second
    first.save()
    assert job.steps.get(tool="fio").artifact.runs.count() == 2
    assert cost_of(planned()).written_bytes == pytest.approx(6 * 60 * 10e6)


def test_the_page_of_a_plan_says_what_is_expected_until_it_is_launched_and_then_what_is_left(
    planned, on, people, client
):
    earlier_job(on, 90)
    plan, by = planned(), people("operator")
    client.force_login(by)
    headline = "<dt>Expected</dt><dd>9:00</dd>"
    before = client.get(f"/plans/{plan.pk}/").text
    assert headline in before and "≈ 9:00" in before
    launching.launch(plan, by)
    after = client.get(f"/plans/{plan.pk}/").text
    assert headline not in after and "9:00 left" in after


def test_bytes_and_wear_are_those_that_the_disks_counted(planned, on):
    """sda and sdb lie below the volume: what it wrote is what they wrote."""
    record_environment(
        {"node-a": {"hostname": "store-a", "disks": [{"device": "/dev/sda", "size_bytes": "12G"}]}},
        hosts={"node-a": on.host},
    )
    volume = [(0, "dm-0", 30e6), (1, "sda", 10e6), (1, "sdb", 20e6)]
    earlier_job(on, 66, volume)
    earlier_job(on, 66, [(0, "dm-0", 60e6), (1, "sda", 30e6), (1, "sdb", 30e6)])
    found = cost_of(planned())
    assert found.traced == 2
    of_a, of_b = found.disks
    assert (of_a.host, of_a.name, of_b.name) == ("store-a", "sda", "sdb")
    assert of_a.written_bytes == pytest.approx(6 * 60 * 20e6)
    assert of_a.share == pytest.approx(6 * 60 * 20e6 / (12 * 2**30), rel=0.1)
    assert of_b.share is None
    assert found.written_bytes == pytest.approx(6 * 60 * 45e6)


def test_a_job_that_writes_for_longer_writes_as_much_more(planned, on):
    earlier_job(on, 66, [(0, "sda", 10e6)])  # of 60 s
    found = cost_of(planned(parameters={"runtime": "600s"}))
    assert found.written_bytes == pytest.approx(6 * 600 * 10e6)
    assert found.expected_s == pytest.approx(6 * 606)


MIRROR = """ext4
drbd protocol=C connected={connected}
- disk size_bytes=12G
- disk @node-b size_bytes=6G
"""


@pytest.mark.parametrize(("made", "name"), [(False, ""), (True, "vg/bench")])
def test_what_a_mirror_writes_is_written_at_its_far_end_too(on, people, made, name):
    """The far end is not traced: it takes what the mirror took here, not its log of activity."""
    devices = {"disk": "/dev/vg/bench", "network": "10.0.0.0/24"}
    lists = {"allowed": ["/dev/vg/bench", "/srv"], "servers": ["10.0.0.1", "10.0.0.2"]}
    pair = {
        role: a_target(role, user="root", findings={"known_as": [address]}, **lists)
        for role, address in zip(("node-a", "node-b"), lists["servers"], strict=True)
    }
    parameters = {"local_directory": "/srv", "drbd_directory": "/srv"} | (devices if made else {})
    factors = {"condition": ["drbd-c"]}
    wanted = Wanted(RECIPES["drbd-on-two-pcs"], pair, parameters, factors, 2)
    plan = planning.plan(wanted, people("operator"))
    for connected in ("yes", "no"):
        stack = parse(MIRROR.format(connected=connected))
        job = earlier_job(
            pair["node-a"],
            66,
            [(0, "drbd0", 10e6), (1, "vdc", 11e6)],
            configuration=record_configuration(f"mirror {connected}", stack),
        )
        JobNode.objects.create(job=job, role="node-b", target=pair["node-b"], folder="/tmp/b")
        Plan.objects.filter(pk=job.plan_id).update(
            recipe_name="drbd-on-two-pcs", reaches=plan.reaches
        )
    found = cost_of(plan)
    assert found.traced == 2
    here, there = found.disks
    assert (here.host, here.name, there.host, there.name) == ("node-a", "vdc", "node-b", name)
    assert here.written_bytes == pytest.approx(2 * 60 * 11e6)
    assert there.written_bytes == pytest.approx(2 * 60 * 10e6 / 2)  # one of the jobs was alone
    assert there.share == pytest.approx(2 * 60 * 5e6 / (6 * 2**30))
    assert found.written_bytes == pytest.approx(here.written_bytes + there.written_bytes)


def test_what_a_diskless_client_writes_is_written_at_its_far_end_alone(people):
    pair = {role: a_target(role, user="root", allowed=["/mnt/r1"]) for role in ("node-a", "node-b")}
    wanted = Wanted(
        RECIPES["drbd9-files"], pair, {"client_directory": "/mnt/r1"}, {"place": ["client"]}, 2
    )
    plan = planning.plan(wanted, people("operator"))
    stack = parse("ext4\ndrbd diskless=yes\n- disk @node-b size_bytes=6G")
    configuration = record_configuration("client", stack)
    job = earlier_job(pair["node-a"], 66, [(0, "drbd1", 10e6)], configuration=configuration)
    JobNode.objects.create(job=job, role="node-b", target=pair["node-b"], folder="/tmp/b")
    job.steps.update(node="node-b")
    Plan.objects.filter(pk=job.plan_id).update(recipe_name="drbd9-files", reaches=plan.reaches)
    (disk,) = cost_of(plan).disks
    assert (disk.host, disk.name) == ("node-a", "")
    assert disk.share == pytest.approx(disk.written_bytes / (6 * 2**30))


def test_bytes_that_went_elsewhere_are_not_those_of_these_disks(planned, on):
    to_a_folder = {"parameters": {"directory": "/srv"}}
    job = earlier_job(on, 66, [(0, "sda", 10e6)])
    Plan.objects.filter(pk=job.plan_id).update(reaches=planned(**to_a_folder).reaches)
    found = cost_of(planned(parameters={"device": "/dev/sdb", "rw": "write"}))
    assert (found.earlier, found.traced, found.disks) == (1, 0, [])
    found = cost_of(planned(**to_a_folder))
    assert (found.traced, [each.name for each in found.disks]) == (1, ["sda"])


def test_what_others_wrote_says_nothing_of_reads_or_of_other_blocks(planned, on):
    alike = {"rw": "write", "bs": 4096}
    earlier_job(on, 66, [(0, "sda", 10e6)], values=alike)
    earlier_job(on, 66, [(0, "sda", 90e6)], values=alike | {"bs": 2**20})
    earlier_job(on, 66, [(0, "sda", 1e3)], values=alike | {"rw": "read"})
    found = cost_of(planned(parameters={"rw": "write", "bs": "4K"}))
    assert (found.traced, found.written_bytes) == (1, pytest.approx(6 * 60 * 10e6))
    assert cost_of(planned(parameters={"rw": "randread", "bs": "4K"})).traced == 0


def test_the_cost_takes_as_many_queries_for_many_as_for_few(planned, on):
    def queries():
        plan = planned()
        with CaptureQueriesContext(connection) as captured:
            cost_of(plan)
        return len(captured)

    earlier_job(on, 66, [(0, "sda", 1e6)])
    few = queries()
    for _more in range(5):
        earlier_job(on, 66, [(0, "sda", 1e6)])
    assert queries() == few <= 8


def test_destroyed_is_stated_only_where_it_is(planned):
    written = planned(parameters={"device": "/dev/sdb", "rw": "write"})
    assert [each.destroyed for each in touched(written)] == [True]
    read = planned(parameters={"device": "/dev/sdb", "rw": "randread"})
    assert [each.destroyed for each in touched(read)] == [False]
    mixed = planned(parameters={"device": "/dev/sdb"}, factors={"rw": ["read", "write"]})
    assert [each.destroyed for each in touched(mixed)] == [True]
    folder = planned(parameters={"directory": "/srv"})
    assert [(each.kind, each.destroyed) for each in touched(folder)] == [("path", False)]


def test_a_pool_keeps_what_is_there_and_an_image_that_is_only_read_too(people):
    on = a_target("ceph-client", user="root", allowed=["rados:bench", "rbd:bench/one"])

    def reached(recipe, parameters, **fields):
        wanted = Wanted(RECIPES[recipe], {"node-a": on}, parameters, **fields)
        return [
            (each.name, each.destroyed, each.is_pool)
            for each in touched(planning.plan(wanted, people("operator")))
        ]

    modes = {"mode": ["write", "seq"]}
    assert reached("rados", {"pool": "bench"}, factors=modes) == [("rados:bench", False, True)]
    image = {"pool": "bench", "image": "one"}
    name = "rbd:bench/one"
    assert reached("rbd", image | {"io_type": "read"}) == [(name, False, False)]
    assert reached("rbd", image | {"io_type": "rw"}) == [(name, True, False)]
    assert reached("rbd", image | {"io_type": "read", "fill": "4M"}) == [(name, True, False)]


def test_what_is_written_before_counts_and_what_is_only_read_does_not(people):
    on = a_target("ceph-client", user="root", allowed=["rbd:bench/one"])
    values = {"pool": "bench", "image": "one", "io_total": "10M"}

    def written(**changed):
        factors = {"io_type": ["write", "read", "rw"]}
        wanted = Wanted(RECIPES["rbd"], {"node-a": on}, values | changed, factors, 2)
        return cost_of(planning.plan(wanted, people("operator"))).written_bytes

    assert written() == 2 * 10 * 2**20
    assert written(fill="100M") == 2 * (10 + 3 * 100) * 2**20
