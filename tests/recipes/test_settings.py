"""What stays with a run of what its cell was run with: settings, and the workload's axes."""

from __future__ import annotations

import pytest

from benchdash.errors import Refused
from benchdash.recipes import builtin, load
from benchdash.recipes.settings import Setting, setting_labels, step_parameters
from benchdash.vocabulary.workloads import AXES
from tests.recipes.expanded import expand
from tests.recipes.rendered import given

RECIPES = {recipe.name: recipe for recipe in builtin()}
# with the recipe's defaults and its own factors, of the last cell
SETTINGS = {
    ("fio", "fio"): {
        "drop_caches": False, "filename": "", "offset_increment": "", "time_based": True,
    },
    ("fio-job-file", "fio"): {},
    ("bonnie++", "bonnie"): {"fast": False, "no_buffering": False, "ram": ""},
    ("dbench", "dbench"): {"loadfile": "", "sync_directories": False},
    ("pgbench", "pgbench"): {"protocol": "simple"},
    ("sysbench", "sysbench"): {"drop_caches": False},
    ("rados", "rados"): {},
    ("rbd", "rbd"): {"fill": "", "io_total": 2**30},
    ("drbd-on-two-pcs", "bonnie"): {"condition": "drbd-c", "fast": False, "ram": ""},
    ("drbd-between-zones", "fio"): {},
    ("ext4-lvm-raid6", "bonnie"): {"fast": False, "ram": ""},
    ("ext4-lvm-raid6", "dbench"): {},
    ("ceph-rbd-under-kvm", "fio"): {
        "drop_caches": True, "guests": 10, "measured": "first", "offset_increment": "",
        "time_based": False,
    },
    ("drbd9-files", "fio"): {},
    ("drbd9-transactions", "pgbench"): {},
    ("custom", "command"): {},
}  # fmt: skip


def of(name, step=None, values=None, factors=None, *, layers_known=True):
    """What the one cell of these values was run with."""
    recipe = RECIPES[name] if isinstance(name, str) else name
    cell = expand(recipe, given(recipe) | (values or {}), {}, 1)[0]
    measuring = step or next(one.name for one in recipe.steps if one.phase == "measure")
    return step_parameters(recipe, cell.values, measuring, factors or {}, layers_known=layers_known)


def plain(settings):
    return {name: setting.value for name, setting in settings.items()}


def test_settings_of_every_recipe_are_what_was_reviewed():
    found = {}
    for recipe in builtin():
        cell = expand(recipe, given(recipe), None, 1)[-1]
        for step in recipe.steps:
            if step.phase == "measure":
                one = step_parameters(
                    recipe, cell.values, step.name, recipe.factors, layers_known=True
                )
                found[recipe.name, step.name] = plain(one.settings)
    assert found == SETTINGS


def test_no_parameter_is_an_axis_and_a_setting():
    for recipe in builtin():
        for name, parameter in recipe.parameters.items():
            assert not (parameter.axis and parameter.is_setting), (recipe.name, name)
            assert not (parameter.is_place and parameter.axis in {*AXES} - {"script"}), name


def test_what_the_tool_was_given_has_the_axes_of_the_workload_in_their_units():
    values = {"rw": "randrw", "rwmixread": 70, "bs": "4K", "size": "1G", "runtime": "2m"}
    values |= {"iodepth": 8, "numjobs": 4, "ramp_time": "0", "fsync": 32, "direct": False}
    assert of("fio", values=values).workload == {
        "pattern": "randrw", "block_bytes": 4096, "queue_depth": 8, "jobs": 4,
        "read_fraction": 0.7, "file_bytes": 2**30, "duration_s": 120.0, "engine": "libaio",
        "direct": False, "fsync_every": 32,
    }  # fmt: skip
    assert of("bonnie++", values={"files": 16}).workload == {"files": 16384}
    # two parameters make one pattern, and a script has the name that pgbench prints
    assert "pattern" not in of("rbd").workload
    assert "script" not in of("pgbench").workload


def test_a_factor_stays_with_its_cell_whatever_it_is():
    levels = {"clientname": ["admin", "bench"]}
    values = {"ioengine": "rbd", "pool": "p", "image": "i", "clientname": "bench"}
    assert "clientname" not in of("fio", values=values).settings
    assert of("fio", values=values, factors=levels).settings["clientname"] == Setting("bench")
    one = of("fio", values={"bs": "64K"}, factors={"bs": ["4K", "64K"]})
    assert "bs" not in one.settings and one.workload["block_bytes"] == 65536


def test_a_factor_of_places_or_job_files_is_identified_by_its_level_alone():
    levels = {"directory": ["/srv/secret", "/mnt/b"], "device": ["", "/dev/sdb"]}
    settings = of("fio", values={"directory": "/mnt/b"}, factors=levels).settings
    assert settings["directory"] == Setting("2 of 2")
    assert settings["device"] == Setting("1 of 2")
    text = "[a]\nrw=read\n"
    files = {"job_file": ["[b]\nrw=write\n", text, "[c]\nrw=randread\n"]}
    settings = of("fio-job-file", values={"job_file": text}, factors=files).settings
    assert settings == {"job_file": Setting("2 of 3")}
    loads = of("dbench", values={"loadfile": "/home/ann/client.txt"}).settings
    assert loads["loadfile"] == Setting("client.txt")


def test_numbers_have_their_unit():
    settings = of("fio", values={"offset_increment": "1M"}).settings
    assert settings["offset_increment"] == Setting(2**20, "B")
    assert settings["time_based"] == Setting(value=True)


def test_what_a_recipe_sets_on_a_layer_is_a_setting_where_no_configuration_shows_it():
    values = {"disks": "/dev/sda", "scheduler": "noop", "array": ""}
    assert "scheduler" not in of("ext4-lvm-raid6", "bonnie", values).settings
    unseen = of("ext4-lvm-raid6", "bonnie", values, layers_known=False).settings
    assert unseen["scheduler"] == Setting("noop")
    assert "stripe_cache_size" not in unseen  # no array was named, so nothing was set
    zones = of("drbd-between-zones", values={"condition": "local"}, layers_known=False)
    assert zones.settings == {"condition": Setting("local")}


def test_what_only_another_step_was_given_is_no_setting_of_this_one():
    values = {"ram": "1G"}
    assert "ram" in of("ext4-lvm-raid6", "bonnie", values).settings
    assert "ram" not in of("ext4-lvm-raid6", "dbench", values).settings


OWN = """name: x
title: X
parameters:
  depth: {kind: integer, default: 1, axis: queue_depth}
  think: {kind: duration, default: 2ms}
  note: {kind: text, default: a, effect: incidental}
  load: {kind: path, default: /a/b.load, reads: true, effect: tuning}
  disk: {kind: device, default: ""}
  unused: {kind: integer, default: 3}
measure:
  - name: fio
    tool: fio
    argv: [fio, "--iodepth={depth}", "--thinktime={think}", "--description={note}",
           "--read_iolog={load}", {when: disk, argv: ["--filename={disk}"]}]
"""


def test_a_recipe_of_ones_own_says_what_its_parameters_are():
    one = of(load(OWN))
    assert one.settings == {"load": Setting("b.load"), "think": Setting(0.002, "s")}
    assert one.workload == {"queue_depth": 1}


@pytest.mark.parametrize(
    ("before", "after", "sentence"),
    [
        ("axis: queue_depth", "axis: queue_dept",
         r"Line 4 \(parameters.depth.axis\): there is no axis “queue_dept”. Did you mean"),
        ("effect: incidental", "effect: none",
         "Line 6 \\(parameters.note.effect\\): “effect” must be one of tuning, incidental"),
        ("axis: queue_depth", "axis: queue_depth, effect: tuning",
         r"Line 4 .*a parameter with “axis” cannot have “effect”"),
        ("effect: incidental", "lies_on: drdb",
         r"Line 6 \(parameters.note.lies_on\): there is no kind of layer “drdb”. Did you mean “drbd”"),
        ("effect: incidental", "lies_on: drbd diskles=yes",
         r"Line 6 \(parameters.note.lies_on\): .*diskles.* Did you mean “diskless”"),
        ("effect: incidental", "lies_on: drbd on disk",
         r"Line 6 \(parameters.note.lies_on\): “lies_on” names one layer"),
        ("effect: incidental", "lies_on: drbd", r"“lies_on” is for a path"),
    ],
)  # fmt: skip
def test_a_wrong_mark_is_refused_with_its_line(before, after, sentence):
    with pytest.raises(Refused, match=sentence):
        load(OWN.replace(before, after))


def test_a_setting_is_called_as_all_recipes_call_it():
    labels = setting_labels()
    assert labels["drop_caches"] == {"en": "Drop caches first", "ja": "事前にキャッシュを破棄"}
    assert labels["wait_for_sync"]["en"] == "Wait for the initial sync"
    # two label it differently; an axis of the workload; only says where
    assert not {"fill", "protocol", "bs", "network"} & {*labels}
