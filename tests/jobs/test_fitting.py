"""Names of before become those of the kernel that is there, and the plan says so."""

from __future__ import annotations

import pytest

from benchdash.errors import Refused
from benchdash.jobs import planning
from benchdash.jobs.fitting import schedulers_of
from benchdash.jobs.wanted import Wanted
from benchdash.recipes import builtin
from tests.jobs.records import a_target

pytestmark = [pytest.mark.django_db, pytest.mark.database]
RECIPES = {recipe.name: recipe for recipe in builtin()}
TODAY = ["mq-deadline", "kyber", "bfq", "none"]
GIVEN = {"mount_point": "/mnt/raid", "array": "/dev/md0", "disks": "/dev/sda /dev/sdb"}
STRIPES = {"stripe_cache_size": [256, 768]}


def target(schedulers=TODAY, kernel="6.1.0-18-amd64", loadable=()):
    found = {"sda": schedulers, "sdb": schedulers, "md0": ["none"]}
    checked = {"state": "ok", "sentence": "Ready.", "lines": [], "kernel": kernel}
    checked |= {"schedulers": found, "loadable_schedulers": list(loadable)}
    return a_target(user="root", allowed=["/mnt/raid"], findings=checked)


@pytest.fixture
def planned(people):
    def make(on, parameters=GIVEN, factors=None):
        wanted = Wanted(RECIPES["ext4-lvm-raid6"], {"node-a": on}, parameters, factors, 1)
        return planning.plan(wanted, people("operator"))

    return make


def test_the_published_levels_become_those_of_today(planned):
    plan = planned(target())
    assert plan.factors["scheduler"] == ["bfq", "mq-deadline", "none"]
    assert plan.factors["mount_options"] == [
        "barrier=1,data=ordered",
        "barrier=0,data=ordered",
        "barrier=1,data=writeback",
        "barrier=0,data=writeback",
        "barrier=1,data=journal",
        "barrier=0,data=journal",
    ]
    assert plan.cell_count == 3 * 5 * 6
    remarks = plan.remarks
    assert remarks[0] == ("cfq is measured as bfq: store-a has mq-deadline, kyber, bfq, none.")
    assert "nobh" in remarks[-1] and len(remarks) == 5


def test_an_old_kernel_keeps_its_names_and_has_new_ones_mapped_back(planned):
    old = target(["noop", "deadline", "cfq"], "2.6.18-194.el5")
    plan = planned(old)
    assert plan.remarks == [] and plan.cell_count == 120
    plan = planned(old, factors=STRIPES | {"scheduler": ["none", "noop", "mq-deadline"]})
    assert plan.factors["scheduler"] == ["noop", "deadline"]


def test_what_has_nothing_alike_is_left_out_and_named_and_nothing_at_all_is_refused(planned):
    plan = planned(target(["none"]), factors=STRIPES | {"scheduler": ["noop", "kyber"]})
    assert plan.factors["scheduler"] == ["none"]
    assert "kyber is left out, with no substitute: store-a has none." in plan.remarks
    with pytest.raises(Refused, match="store-a has none") as refused:
        planned(target(["none"]), factors=STRIPES | {"scheduler": ["kyber", "bfq"]})
    assert refused.value.field == "scheduler"


def test_a_single_value_is_mapped_as_well(planned):
    plan = planned(target(), GIVEN | {"scheduler": "deadline"}, STRIPES)
    assert plan.parameters["scheduler"] == "mq-deadline"
    assert {job.values["scheduler"] for job in plan.jobs.all()} == {"mq-deadline"}


def test_a_module_that_is_not_loaded_yet_counts_and_what_one_disk_lacks_does_not():
    on = target(["mq-deadline", "none"], loadable=["bfq"])
    assert schedulers_of(on, ["/dev/sda"]) == ["mq-deadline", "none", "bfq"]
    on.findings["schedulers"]["sdb"] = ["none"]
    assert schedulers_of(on, ["/dev/sda", "/dev/sdb"]) == ["none", "bfq"]


def test_a_host_that_was_not_asked_keeps_what_was_requested(planned):
    unasked = a_target(user="root", allowed=["/mnt/raid"])
    plan = planned(unasked)
    assert plan.factors["scheduler"] == ["cfq", "deadline", "noop"] and plan.remarks == []


@pytest.mark.parametrize(
    ("missing", "field", "words"),
    [
        (("disks",), "scheduler", "would change nothing: name Disks (disks)"),
        (("array",), "stripe_cache_size", "name md array (array) or Create the array (make_array)"),
    ],
)
def test_a_factor_that_would_change_nothing_refuses_the_plan(planned, missing, field, words):
    given = {name: value for name, value in GIVEN.items() if name not in missing}
    with pytest.raises(Refused) as refused:
        planned(target(), given)
    assert refused.value.field == field
    assert words in refused.value.sentence
