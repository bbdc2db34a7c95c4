"""A recipe laid over hosts and factors is a plan: every command, before anything runs."""

from __future__ import annotations

import re

import pytest
from django.contrib.auth.models import Group

from benchdash.accounts.models import User
from benchdash.errors import Refused
from benchdash.inventory.models import Host
from benchdash.jobs import launching, planning
from benchdash.jobs.confirming import touched
from benchdash.jobs.matrix import cell_counts, progress_of
from benchdash.jobs.models import Job, JobStep, Plan, Target
from benchdash.jobs.wanted import Wanted
from benchdash.recipes import builtin

pytestmark = pytest.mark.django_db
RECIPES = {recipe.name: recipe for recipe in builtin()}


def person(group: str) -> User:
    one = User.objects.create_user(f"a-{group}")
    one.groups.add(Group.objects.get_or_create(name=group)[0])
    return one


@pytest.fixture
def operator():
    return person("operator")


def target(name="store-1", **fields) -> Target:
    host = Host.objects.create(name=name)
    known = {"address": "192.0.2.1", "user": "bench", "folder": "/srv/bench/"}
    return Target.objects.create(host=host, **(known | fields))


def planned(by, recipe="fio", on=None, **fields) -> Plan:
    targets = on if isinstance(on, dict) else {"node-a": target() if on is None else on}
    return planning.plan(Wanted(RECIPES[recipe], targets, **fields), by)


def test_a_plan_holds_every_command_character_for_character(operator):
    found = {"name": "fio", "ok": True, "text": "fio-2.1.3", "mend": ""}
    on = target(findings={"state": "ok", "lines": [{"name": "user", "ok": True}, found]})
    plan = planned(operator, on=on, parameters={"rw": "write", "runtime": "10s"})
    job = plan.jobs.get()
    assert (plan.recipe_name, plan.created_by) == ("fio", operator)
    assert plan.recipe.startswith("name: fio\n")
    assert (job.state, job.expected_s, job.values["runtime"]) == ("planned", 15.0, 10.0)
    assert [(event.after, event.by) for event in job.events.all()] == [("planned", operator)]
    folder = f"/srv/bench/benchdash-{job.token}"
    assert [(step.position, step.phase, step.folder) for step in job.steps.all()] == [
        (1, "prepare", "1-folder"),
        (2, "measure", "2-fio"),
        (3, "cleanup", "3-remove-folder"),
    ]
    fio = job.steps.get(position=2)
    assert fio.command == (
        "fio --name=fio --rw=write --bs=4K --size=1G --runtime=10 --time_based --ramp_time=5 "
        f"--iodepth=1 --numjobs=1 --ioengine=libaio --direct=1 --directory={folder} "
        "--group_reporting --output=./result.out --output-format=json "
        "--eta=always --eta-newline=1"
    )
    assert (fio.tool, fio.result, fio.root, fio.estimated) == ("fio", "result.out", False, False)
    assert not JobStep.objects.exclude(state="waiting").exists()


def test_a_study_of_120_cells_is_planned_in_few_queries(operator, django_assert_max_num_queries):
    on = target(user="root", allowed=["/mnt/raid"])
    given = {"mount_point": "/mnt/raid", "disks": "/dev/sda /dev/sdb", "array": "/dev/md2"}
    with django_assert_max_num_queries(60):
        plan = planned(operator, "ext4-lvm-raid6", on, parameters=given)
    assert plan.jobs.count() == 120
    assert len(set(plan.jobs.values_list("token", flat=True))) == 120
    last = plan.jobs.get(cell=120)
    assert last.values["stripe_cache_size"] == 32768
    assert [step.tunable for step in last.steps.filter(tunable__isnull=False)] == [
        {"name": "scheduler", "where": "/dev/sda", "value": "noop"},
        {"name": "scheduler", "where": "/dev/sdb", "value": "noop"},
        {"name": "stripe_cache_size", "where": "/dev/md2", "value": "32768"},
        {"name": "mount_options", "where": "/mnt/raid", "value": "barrier=0,data=journal"},
    ]
    assert plan.factors["stripe_cache_size"] == [256, 768, 2048, 8192, 32768]


def test_rounds_measure_every_cell_once_in_an_order_that_its_seed_repeats(operator):
    factors = {"bs": ["4K", "64K", "1M"], "iodepth": [1, 8, 32]}
    on = target()

    def order(**fields):
        plan = planned(operator, on=on, factors=factors, **fields)
        return plan, list(plan.jobs.order_by("position").values_list("round", "cell", "title"))

    plan, jobs = order(repeats=3)
    assert plan.rounds_planned == 3 and plan.seed is not None
    rounds = [[cell for number, cell, _title in jobs if number == n] for n in (1, 2, 3)]
    assert [number for number, _cell, _title in jobs] == [1] * 9 + [2] * 9 + [3] * 9
    assert [sorted(cells) for cells in rounds] == [list(range(1, 10))] * 3
    assert len(set(map(tuple, rounds))) > 1  # each round has an order of its own
    assert len({(cell, title) for _number, cell, title in jobs}) == 9
    assert order(repeats=3, seed=plan.seed)[1] == jobs
    assert order(repeats=2, seed=plan.seed)[1] == jobs[:18]  # more rounds come after the same
    assert len({plan.seed, *(order()[0].seed for _again in range(3))}) > 1


def test_an_order_is_the_same_on_every_machine(operator):
    plan = planned(operator, factors={"iodepth": [1, 2, 4, 8]}, repeats=2, seed=1)
    cells = list(plan.jobs.order_by("position").values_list("cell", flat=True))
    assert cells == [1, 4, 3, 2, 2, 1, 3, 4]


def test_a_retry_stays_in_its_cell_and_round(operator):
    plan = planned(operator, factors={"bs": ["4K", "64K"]}, repeats=2)
    job = launching.launch(plan, operator)[-1]
    launching.cancel(job, operator)
    again = launching.retry(job, operator)
    assert (again.round, again.cell) == (job.round, job.cell) == (2, job.cell)


def test_a_plan_is_over_once_nothing_of_any_round_is_to_come(operator):
    plan = planned(operator, repeats=2)
    assert not plan.is_over
    first, second = launching.launch(plan, operator)
    plan.refresh_from_db()
    launching.cancel(first, operator)
    assert not plan.is_over
    launching.cancel(second, operator)
    assert plan.is_over
    launching.retry(first, operator)
    assert not plan.is_over


def test_a_matrix_says_which_round_it_is_in(operator):
    plan = planned(operator, factors={"iodepth": [1, 2, 4, 8]}, repeats=2, seed=1)
    jobs = launching.launch(plan, operator)
    for job in jobs[:5]:
        launching.cancel(job, operator)
    assert progress_of(plan).round_now == 2
    assert {n: each.failed for n, each in cell_counts(plan).items()} == {1: 1, 2: 2, 3: 1, 4: 1}
    for job in jobs[5:]:
        launching.cancel(job, operator)
    assert progress_of(plan).round_now is None


def test_several_hosts_have_their_own_folders_and_commands(operator):
    on = {
        "guest-1": target("guest-1", user="root", folder="/one"),
        "guest-2": target("guest-2", user="root", folder="/two"),
    }
    factors = {"guests": [2], "rw": ["read"], "measured": ["all"]}
    plan = planned(operator, "ceph-rbd-under-kvm", on, factors=factors)
    job = plan.jobs.get()
    fio = job.steps.filter(name="fio")
    assert [(step.node, step.together) for step in fio] == [("guest-1", True), ("guest-2", True)]
    assert f"--filename=/two/benchdash-{job.token}/guest-2/fio_testfile" in fio[1].argv
    # both at the same time: the file, then the runtime
    assert job.expected_s == pytest.approx(2 * 2**30 / 100e6 + 20, rel=0.1)
    assert set(job.nodes.values_list("role", "target__host__name")) == {
        ("guest-1", "guest-1"),
        ("guest-2", "guest-2"),
    }


def test_images_in_the_place_of_guests_need_one_host_and_each_its_place_on_the_list(operator):
    names = [f"rbd:bench/g{number}" for number in (1, 2, 3)]
    on = {"guest-1": target("compute", user="root", allowed=names)}
    given = {"pool": "bench", "images": "g1 g2 g3"}
    factors = {"guests": [1, 3], "measured": ["first", "all"], "rw": ["read"]}
    plan = planned(operator, "ceph-rbd-under-kvm", on, parameters=given, factors=factors)
    measured = {job.cell: job.steps.filter(name="fio").count() for job in plan.jobs.all()}
    assert measured == {1: 1, 2: 1, 3: 3, 4: 1}
    assert sorted(each["name"] for each in plan.reaches) == names
    with pytest.raises(Refused, match="4 needed, 3 given"):
        planned(operator, "ceph-rbd-under-kvm", on, parameters=given, factors={"guests": [4]})
    with pytest.raises(Refused, match="Hosts needed: 3, chosen: 1"):
        planned(operator, "ceph-rbd-under-kvm", on, factors={"guests": [3]})


def test_what_is_not_on_the_list_is_refused_and_nothing_is_stored(operator):
    given = {"device": "/dev/sdb", "rw": "write"}
    on = target(user="root", allowed=["/dev/sdc"])
    with pytest.raises(Refused, match=r"/dev/sdb is not listed as .* on store-1: ask an admin"):
        planned(operator, on=on, parameters=given)
    assert not Plan.objects.exists() and not Job.objects.exists()


def test_all_that_is_on_no_list_is_stated_at_once(operator):
    given = {
        "condition": "drbd-c", "disk": "/dev/sdb", "drbd_directory": "/made",
        "local_directory": "/made", "network": "10.0.0.0/24",
    }  # fmt: skip
    here, there = ({"known_as": [f"store-{n}", f"10.0.0.{n}"]} for n in (1, 2))
    on = {
        "node-a": target(user="root", findings=here),
        "node-b": target("store-2", user="root", findings=there),
    }
    (recipe,) = (one for one in builtin() if one.name == "drbd-on-two-pcs")
    with pytest.raises(Refused) as refused:
        planning.plan(Wanted(recipe, on, given, {}, 1), operator)
    sentence = str(refused.value)
    for host, names in (("store-1", "/made, /dev/sdb"), ("store-2", "/dev/sdb")):
        isnt = "are not" if "," in names else "is not"
        assert sentence.count(f"{names} {isnt} listed as writable on {host}") == 1
        peer = "10.0.0.2" if host == "store-1" else "10.0.0.1"
        servers = f"{peer} is not listed as a server that {host} may connect to"
        assert sentence.count(servers) == 1


def test_a_plan_that_writes_to_a_device_is_launched_when_its_name_was_typed(operator):
    on = target(user="root", allowed=["/dev/sdb"])
    plan = planned(operator, on=on, parameters={"device": "/dev/sdb", "rw": "write"})
    (one,) = touched(plan)
    assert (one.kind, one.name, one.host, one.confirmed) == ("device", "/dev/sdb", "store-1", False)
    for typed in ([], ["/dev/sdc"], ["yes"]):
        with pytest.raises(Refused, match="writes to /dev/sdb: type the name") as caught:
            launching.launch(plan, operator, confirmed=typed)
        assert caught.value.field == "confirmed"
    assert not Job.objects.exclude(state="planned").exists()
    launching.launch(plan, operator, confirmed=[" /dev/sdb "])
    plan.refresh_from_db()
    assert plan.confirmed == ["/dev/sdb"] and plan.jobs.get().state == "queued"


def test_a_plan_inside_its_own_folders_needs_no_confirmation(operator):
    plan = planned(operator)
    assert touched(plan) == []
    assert [job.state for job in launching.launch(plan, operator)] == ["queued"]


def test_a_retry_writes_nowhere_but_into_its_own_folders(operator):
    plan = planned(operator)
    (job,) = launching.launch(plan, operator)
    launching.cancel(job, operator)
    again = launching.retry(job, operator)
    old = " ".join(job.steps.values_list("command", flat=True))
    new = " ".join(again.steps.values_list("command", flat=True))
    assert new == old.replace(job.token, again.token) and job.token not in new


def test_own_commands_are_for_admins(operator):
    given = {"command": "fio --version"}
    with pytest.raises(Refused, match="Only an admin"):
        planned(operator, "custom", parameters=given)
    plan = planned(person("admin"), "custom", target("store-2"), parameters=given)
    assert JobStep.objects.get(job__plan=plan).argv == ["fio", "--version"]


def test_a_step_that_needs_root_needs_a_way_to_it(operator):
    with pytest.raises(Refused, match="drop-caches needs root on store-1: allow sudo for bench"):
        planned(operator, parameters={"drop_caches": True})
    plan = planned(operator, on=target("store-2", sudo=True), parameters={"drop_caches": True})
    assert JobStep.objects.get(job__plan=plan, root=True).name == "drop-caches"


def test_a_plan_has_bounds(operator, monkeypatch):
    levels = range(1, 151)
    with pytest.raises(Refused, match="makes 22,500 cells"):
        planned(operator, factors={"iodepth": levels, "numjobs": levels})
    on = {f"guest-{n}": target(f"guest-{n}", user="root") for n in range(1, 31)}
    factors = {"guests": [30], "numjobs": range(1, 21)}
    monkeypatch.setattr(planning, "MOST_STEPS", 2_000)  # as 200,000 are, in a hundredth of the time
    with pytest.raises(Refused, match="at most 2,000 steps"):
        planned(operator, "ceph-rbd-under-kvm", on, factors=factors)
    assert not Plan.objects.exists()


def test_hosts_are_needed_and_each_plays_one_part(operator):
    with pytest.raises(Refused, match="at least one host"):
        planned(operator, on={})
    on = target()
    with pytest.raises(Refused, match="its own host"):
        planned(operator, on={"node-a": on, "node-b": on})
    with pytest.raises(Refused, match="Working folder"):
        planned(operator, on=target("store-2", folder="/srv/a:b"))


SECRET = "/home/x/.secret"


@pytest.mark.parametrize(
    ("recipe", "given", "sentence"),
    [
        ("pgbench", {"script_file": SECRET}, f"{SECRET} is not listed as a file"),
        ("pgbench", {"host": "db.example"}, "db.example is not listed as a server"),
        ("dbench", {"loadfile": SECRET}, f"{SECRET} is not listed as a file"),
    ],
)
def test_what_a_recipe_reads_and_asks_has_to_be_on_the_lists_of_its_target(
    operator, recipe, given, sentence
):
    on = target()
    with pytest.raises(Refused, match=re.escape(sentence)) as refused:
        planned(operator, recipe, on, parameters=given)
    assert refused.value.field == "targets"
    on.readable, on.servers = [SECRET], ["db.example"]
    on.save()
    plan = planned(operator, recipe, on, parameters=given)
    assert touched(plan) == []  # nothing to confirm: it is not written to


@pytest.mark.parametrize(
    ("recipe", "given", "name"),
    [
        ("rados", {"pool": "bench", "mode": "rand"}, "rados:bench"),
        ("rbd", {"pool": "bench", "image": "one", "io_type": "read"}, "rbd:bench/one"),
    ],
)
def test_a_pool_or_an_image_of_ceph_is_listed_and_its_name_typed(operator, recipe, given, name):
    on = target()
    with pytest.raises(Refused, match=f"{name} is not listed as writable"):
        planned(operator, recipe, on, parameters=given)
    on.allowed = [name]
    on.save()
    plan = planned(operator, recipe, on, parameters=given)
    assert [(each.name, each.confirmed) for each in touched(plan)] == [(name, False)]


def test_a_folder_in_one_that_is_listed_is_refused_with_the_one_to_name(operator):
    on = target(allowed=["/data"])
    given = {"directory": "/data/b/c"}
    with pytest.raises(Refused) as refused:
        planned(operator, "fio", on, parameters=given)
    assert str(refused.value.sentence).endswith(
        "That /data is listed does not include what lies in it."
    )
    on.allowed = ["/other"]
    on.save()
    with pytest.raises(Refused, match=r"to the target \S+\.$"):
        planned(operator, "fio", on, parameters=given)


@pytest.mark.parametrize("host", ["", "localhost", "127.0.0.1", "::1", "/var/run/postgresql"])
def test_a_server_of_the_host_itself_needs_no_list(operator, host):
    plan = planned(operator, "pgbench", target(), parameters={"host": host})
    assert not JobStep.objects.filter(job__plan=plan).exclude(touches=[]).exists()
