"""Plans whose factor is the set of hosts: local, near, far."""

from __future__ import annotations

import pytest

from benchdash.errors import Refused
from benchdash.jobs import making, queueing
from benchdash.jobs.confirming import touched
from benchdash.jobs.costs import cost_of
from benchdash.jobs.launching import launch
from benchdash.jobs.measuring import parameters_of
from benchdash.jobs.more_rounds import add_rounds
from benchdash.jobs.over_hosts import is_for_one_host
from benchdash.jobs.planning import plan
from benchdash.jobs.wanted import Wanted
from benchdash.recipes import builtin, load
from benchdash.recipes.settings import Setting
from benchdash.results.demonstration import demo_folders
from benchdash.results.demonstration import load as load_study
from tests.jobs.records import a_target, an_own_recipe

pytestmark = [pytest.mark.django_db, pytest.mark.database]
RECIPE = next(recipe for recipe in builtin() if recipe.name == "drbd-between-zones")
FOLDERS = {"local_directory": "/srv/local", "mirror_directory": "/srv/mirror"}
EVERY_COMMAND = """\
name: where
title: Where
parameters:
  zone: {kind: hosts, default: ""}
  disk: {kind: device, default: "", label: Disk}
measure:
  - name: fio
    tool: fio
    argv: [fio, "--name=fio", "--size=1M", {when: disk, argv: ["--filename={disk}"]}]
  - {name: beside, when: peers, node: peers, argv: [uptime]}
"""


@pytest.fixture
def operator(people):
    return people("operator")


def store(name, **columns):
    columns = {"allowed": [*FOLDERS.values()]} | columns
    return a_target(name, **columns)


@pytest.fixture
def zones():
    """Two pairs; the local volume is that of the first one's measured host."""
    one, two, three, four = (store(f"store-{n}") for n in (1, 2, 3, 4))
    return {
        "local": {"node-a": one},
        "near": {"node-a": one, "node-b": two},
        "far": {"node-a": three, "node-b": four},
    }


def wanted_plan(zones, **fields):
    fields = {"factors": {"bs": ["4K", "1M"]}, "repeats": 3, "parameters": FOLDERS} | fields
    return Wanted(RECIPE, {}, zones=zones, **fields)


def hosts_of(made):
    return [(node.role, node.target.host.name) for node in made.nodes]


def test_cells_are_zone_by_other_factors_and_each_has_the_hosts_of_its_zone(operator, zones):
    made = plan(wanted_plan(zones), operator)
    assert made.axes == [["zone", ["local", "near", "far"]], ["bs", [4096, 2**20]]]
    assert (made.cell_count, made.to_make) == (6, 0)
    jobs = list(making.upcoming(made, 18, 1))
    hosts = {one.job.values["zone"]: hosts_of(one) for one in jobs}
    assert hosts == {
        "local": [("node-a", "store-1")],
        "near": [("node-a", "store-1"), ("node-b", "store-2")],
        "far": [("node-a", "store-3"), ("node-b", "store-4")],
    }
    for number in (1, 2, 3):
        cells = [one.job.cell for one in jobs if one.job.round == number]
        assert sorted(cells) == [1, 2, 3, 4, 5, 6]
        assert cells != sorted(cells)  # zones in random order, and not one after the other


def test_a_zone_of_one_host_measures_the_local_volume_and_a_pair_the_mirror(operator, zones):
    made = plan(wanted_plan(zones, factors={}, repeats=1), operator)
    found = {
        one.job.values["zone"]: next(s.command for s in one.steps if s.name == "fio")
        for one in making.upcoming(made, 3, 1)
    }
    assert "--filename=/srv/local/" in found["local"]
    assert "--filename=/srv/mirror/" in found["near"]
    assert "--filename=/srv/mirror/" in found["far"]
    both = plan(
        wanted_plan({"near": zones["near"]}, factors={"condition": ["local", "mirror"]}), operator
    )
    files = [one.steps[1].command.split()[1] for one in making.upcoming(both, 2, 1)]
    assert {each.split("/")[2] for each in files} == {"local", "mirror"}


def test_a_mirror_is_looked_at_on_both_hosts_of_its_pair_where_its_resource_is_named(operator):
    root = {"user": "root"}
    pair = {"node-a": store("a", **root), "node-b": store("b", **root)}
    wanted = wanted_plan(
        {"near": pair}, factors={}, repeats=1, parameters=FOLDERS | {"resource": "r0"}
    )
    (only,) = making.upcoming(plan(wanted, operator), 1, 1)
    looked = [(step.node, step.argv[-2:]) for step in only.steps if step.name == "is-mirror"]
    assert looked == [("node-a", ["r0", "node-a"]), ("node-b", ["r0", "node-b"])]
    not_root = {"node-a": pair["node-a"], "node-b": store("c")}
    with pytest.raises(Refused, match="needs root on c"):
        plan(wanted_plan({"near": not_root}, parameters=FOLDERS | {"resource": "r0"}), operator)


def test_what_is_written_is_asked_of_the_hosts_of_each_zone(operator, zones):
    made = plan(wanted_plan(zones), operator)
    assert {(each.host, each.name) for each in touched(made)} == {
        ("store-1", "/srv/local"),
        ("store-1", "/srv/mirror"),
        ("store-3", "/srv/mirror"),
    }
    zones["far"]["node-a"].allowed = ["/srv/local"]
    with pytest.raises(Refused, match=r"/srv/mirror is not listed .* store-3"):
        plan(wanted_plan(zones), operator)


def test_a_job_takes_the_hosts_of_all_zones_so_that_they_are_measured_in_turn(operator, zones):
    made = plan(wanted_plan(zones, seed=3), operator)
    launch(made, operator, confirmed=[*FOLDERS.values()])
    first, second, *_rest = made.jobs.order_by("position")
    assert not queueing.take_hosts(second)
    assert queueing.take_hosts(first)
    assert first.locks.count() == 4
    others = plan(Wanted(RECIPE, {"node-a": zones["far"]["node-b"]}, FOLDERS, {}, 1), operator)
    launch(others, operator, confirmed=[*FOLDERS.values()])
    assert not queueing.take_hosts(others.jobs.get())


def test_no_later_job_on_one_of_their_hosts_goes_first(operator, zones):
    """They would wait for as long as such jobs come."""
    made = plan(wanted_plan(zones, seed=3), operator)
    launch(made, operator, confirmed=[*FOLDERS.values()])
    others = plan(Wanted(RECIPE, {"node-a": zones["far"]["node-b"]}, FOLDERS, {}, 1), operator)
    launch(others, operator, confirmed=[*FOLDERS.values()])
    made.jobs.exclude(nodes__target=zones["local"]["node-a"]).delete()
    assert not queueing.take_hosts(others.jobs.get())
    made.jobs.all().delete()
    assert queueing.take_hosts(others.jobs.get())


def test_later_rounds_have_the_same_hosts_and_the_cost_is_known(operator, zones):
    made = plan(wanted_plan(zones, repeats=1), operator)
    assert cost_of(made).jobs == 6
    add_rounds(made, 1, operator)
    jobs = made.jobs.prefetch_related("nodes__target__host")
    by_cell = {}
    for job in jobs:
        hosts = [node.target.host.name for node in job.nodes.all()]
        assert by_cell.setdefault(job.cell, hosts) == hosts
    assert jobs.count() == 12


def test_runs_keep_their_zone(operator, zones):
    made = plan(wanted_plan({"near": zones["near"]}, factors={}), operator)
    step = made.jobs.first().steps.get(tool="fio")
    assert parameters_of(step).settings["zone"] == Setting("near")


def test_any_recipe_can_have_zones(operator):
    recipe = load(an_own_recipe(EVERY_COMMAND).text)
    here, there = store("here", user="root", allowed=["/dev/sdz"]), store("there")
    third = store("third", user="root", allowed=["/dev/sdz"])
    zones = {"alone": {"node-a": here}, "beside": {"node-a": third, "node-b": there}}
    made = plan(Wanted(recipe, {}, {"disk": "/dev/sdz"}, zones=zones), operator)
    steps = {
        one.job.values["zone"]: [(s.name, s.node) for s in one.steps]
        for one in making.upcoming(made, 2, 1)
    }
    assert steps == {
        "alone": [("fio", "node-a")],
        "beside": [("fio", "node-a"), ("beside", "node-b")],
    }
    assert [each.host for each in touched(made)] == ["here", "third"]


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        (lambda zones: {"zones": {}}, "at least one host"),
        (lambda zones: {"zones": {"near": {}}}, "at least one host for near"),
        (lambda zones: {"zones": {" ": zones["near"]}}, "its own name"),
        (lambda zones: {"zones": {"a,b": zones["near"]}}, "takes a name such as near"),
        (
            lambda zones: {"zones": {"near": zones["near"], " near": zones["far"]}},
            "its own name",
        ),
        (
            lambda zones: {"zones": {"near": dict.fromkeys("ab", zones["far"]["node-a"])}},
            "its own host",
        ),
        (lambda zones: {"targets": zones["near"]}, "hosts, or zones"),
        (lambda zones: {"factors": {"zone": ["near", "moon"]}}, "Name the hosts of moon"),
        (lambda zones: {"parameters": FOLDERS | {"zone": "moon"}}, "Name the hosts of moon"),
        (lambda zones: {"recipe": next(iter(builtin()))}, "has no zones"),
        (lambda zones: {"zones": {f"z{n}": zones["near"] for n in range(21)}}, "at most 20"),
    ],
)
def test_zones_that_cannot_be_are_refused_with_a_sentence(operator, zones, change, sentence):
    fields = {"recipe": RECIPE, "targets": {}, "zones": zones, "parameters": FOLDERS} | change(
        zones
    )
    with pytest.raises(Refused, match=sentence):
        plan(Wanted(**fields), operator)


def test_a_study_says_how_many_hosts_a_zone_has(operator, zones):
    study = load_study(next(each for each in demo_folders() if each.name.startswith("2-")))
    assert plan(wanted_plan(zones, study=study), operator).study == study
    zones["far"].pop("node-b")
    with pytest.raises(Refused, match="measures far on another number of hosts: 2, not 1"):
        plan(wanted_plan(zones, study=study), operator)


def test_the_recipe_is_still_one_for_one_host():
    assert is_for_one_host(RECIPE)
