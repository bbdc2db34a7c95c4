"""What a job knows of the runs it made: settings, commands, and what was started together."""

from __future__ import annotations

import re

import pytest

from benchdash.inventory.models import Configuration
from benchdash.inventory.records import record_configuration
from benchdash.jobs.measuring import command_to, parameters_of, started_together
from benchdash.jobs.models import Job, Plan
from benchdash.jobs.planning import plan
from benchdash.jobs.wanted import Wanted
from benchdash.recipes import builtin
from tests.jobs.records import a_target

pytestmark = pytest.mark.django_db
RECIPES = {recipe.name: recipe for recipe in builtin()}


@pytest.fixture
def by(people):
    return people("operator")


def planned(by, recipe, on=None, **fields):
    on = on or {"node-a": a_target(user="root", allowed=["/mnt/raid"])}
    return plan(Wanted(RECIPES[recipe], on, **fields), by)


def a_configuration() -> Configuration:
    return record_configuration("raid", {"kind": "system", "below": [{"kind": "disk"}]})


def settings_of(job: Job, step: str) -> dict[str, object]:
    found = parameters_of(job.steps.get(name=step)).settings
    return {name: setting.value for name, setting in found.items()}


def test_each_cell_keeps_what_it_was_given(by):
    guests = {f"guest-{n}": a_target(f"guest-{n}", user="root") for n in (1, 2)}
    factors = {"guests": [1, 2], "drop_caches": [True, False], "rw": ["read"]}
    made = planned(by, "ceph-rbd-under-kvm", guests, factors=factors)
    run_settings = [settings_of(job, "fio") for job in made.jobs.filter(steps__name="fio").distinct()
            if job.values["guests"] == 1]  # fmt: skip
    assert sorted(run_settings, key=str) == [
        {"drop_caches": dropped, "guests": 1, "measured": "first", "offset_increment": ""}
        | {"time_based": False}
        for dropped in (False, True)
    ]


def test_layers_are_settings_until_a_configuration_was_captured(by):
    given = {"mount_point": "/mnt/raid", "disks": "/dev/sda", "mount_options": ""}
    levels = {"scheduler": ["noop", "deadline"]}
    made = planned(by, "ext4-lvm-raid6", parameters=given, factors=levels)
    job = made.jobs.get(cell=1)
    run_settings = {"ram": "", "fast": False}
    layers = {"scheduler": "noop", "mount_options": "", "make_array": False}
    assert settings_of(job, "bonnie") == run_settings | layers
    Job.objects.filter(plan=made).update(configuration=a_configuration())
    assert settings_of(made.jobs.get(cell=1), "bonnie") == run_settings
    # a configuration that a person chose for all cells tells none of them apart
    Plan.objects.filter(pk=made.pk).update(configuration=a_configuration())
    assert settings_of(Job.objects.get(plan=made, cell=1), "bonnie")["scheduler"] == "noop"


def test_plans_of_an_older_version_are_read_as_the_present_recipe(by):
    made = planned(by, "fio", factors={"bs": ["4K", "64K"], "drop_caches": [False, True]})
    text = re.sub(r"(?m)^    (axis|effect): .*\n", "", made.recipe)
    assert text != made.recipe
    Plan.objects.filter(pk=made.pk).update(recipe=text)
    one = parameters_of(Job.objects.get(plan=made, cell=2).steps.get(name="fio"))
    assert one.settings["drop_caches"].value is True and "bs" not in one.settings
    assert one.workload["block_bytes"] == 4096


def test_a_recipe_that_cannot_be_read_any_more_still_tells_its_cells_apart(by):
    made = planned(by, "fio", factors={"bs": ["4K", "64K"], "rw": ["read"]})
    Plan.objects.filter(pk=made.pk).update(recipe="parameters: [", recipe_name="old")
    run_settings = [settings_of(job, "fio") for job in Job.objects.filter(plan=made)]
    assert sorted(run_settings, key=str) == [{"bs": "cell 1"}, {"bs": "cell 2"}]


def test_the_command_is_the_tools_own(by):
    made = planned(by, "sysbench", parameters={"mode": "rndwr"})
    step = made.jobs.get().steps.get(name="sysbench")
    assert step.argv[0] == "sh"
    command = command_to(step)
    assert command.argv[:3] == ("sysbench", "fileio", "--file-test-mode=rndwr")
    assert "--file-test-mode=rndwr" in command.argv


def test_the_command_has_the_files_beside_it(by):
    made = planned(by, "fio-job-file", parameters={"job_file": "[a]\nrw=read\nsize=1M\n"})
    command = command_to(made.jobs.get().steps.get(name="fio"))
    assert (command.argv[0], command.argv[-1]) == ("fio", "./jobs.fio")
    assert command.files["jobs.fio"].endswith("[a]\nrw=read\nsize=1M\n\n")


def measured_together(job: Job) -> list[list[str]]:
    """The nodes of each group of several that measures."""
    groups = started_together(job.steps.all())
    return [[step.node for step in group] for group in groups if group[1:] and group[0].tool]


def test_hosts_that_start_together_are_one_group_and_one_alone_is_none(by):
    guests = {f"guest-{n}": a_target(f"guest-{n}", user="root") for n in (1, 2, 3)}
    factors = {"guests": [1, 3], "rw": ["read"], "measured": ["all"]}
    made = planned(by, "ceph-rbd-under-kvm", guests, factors=factors, repeats=2)
    jobs = made.jobs.order_by("round", "cell")
    assert [measured_together(job) for job in jobs] == [[], [[*guests]], [], [[*guests]]]


def test_one_is_measured_while_the_others_are_under_load(by):
    guests = {f"guest-{n}": a_target(f"guest-{n}", user="root") for n in (1, 2, 3)}
    factors = {"guests": [3], "rw": ["read"]}
    job = planned(by, "ceph-rbd-under-kvm", guests, factors=factors).jobs.get()
    *_before, at_once = [group for group in started_together(job.steps.all()) if group[1:]]
    assert [(step.node, step.tool) for step in at_once] == [
        ("guest-1", "fio"),
        ("guest-2", ""),
        ("guest-3", ""),
    ]
    assert ["--rw=randrw" in step.argv for step in at_once] == [False, True, True]
    assert parameters_of(at_once[0]).settings["guests"].value == 3


def test_what_one_host_measures_in_turn_is_no_group(by):
    made = planned(by, "ext4-lvm-raid6", parameters={"mount_point": "/mnt/raid"}, factors={})
    assert measured_together(made.jobs.get()) == []
