"""Real storage, given by whoever has it: DRBD pairs, RAID hosts, Ceph clients. Opt-in.

    LAB_HOSTS=hosts.yaml .venv/bin/pytest tests/workers/test_lab.py

The file: `hosts` (name: address, port, user, key, host_key, folder) and `cells`, each with the
`nodes` (node-a: name …), a `path` to measure under, the layer `kinds` that are found there,
`tunables` (name, where, value, node), each set and put back, what `holds` of the found layers (key,
value), and the nodes whose `legs` below DRBD are found. `key` is the path of a private key. Where
storage can be disturbed: `disturb` and `heal`, commands of this machine, and the `disturbed` (drbd
r0, md0 …) that doubts are to name.
"""

from __future__ import annotations

import os
import subprocess
import time
from pathlib import Path

import pytest
import yaml

from benchdash.inventory.models import Host
from benchdash.jobs.credentials import sealed
from benchdash.jobs.models import Job, Target, TunableChange
from benchdash.results.models import Run
from tests.workers.jobs_by_hand import carried, job, step
from tests.workers.running import in_state, until

FILE = os.environ.get("LAB_HOSTS", "")
LAB = yaml.safe_load(Path(FILE).read_text()) if FILE else {"hosts": {}, "cells": {}}
pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif(not FILE, reason="LAB_HOSTS is not set: no real storage was measured"),
    pytest.mark.timeout(900),
]


def targets(cell):
    return {role: a_target(name) for role, name in cell["nodes"].items()}


def a_target(name):
    said = dict(LAB["hosts"][name])
    key = Path(said.pop("key")).read_text()
    host = Host.objects.get_or_create(name=name)[0]
    return Target.objects.create(host=host, secret=sealed({"key": key}), **said)


@pytest.fixture(params=sorted(LAB["cells"]) or ["none"])
def cell(request):
    return LAB["cells"][request.param]


def tool(cell, *argv, **fields):
    return step(*argv, timeout_s=600, **fields)


def test_every_layer_is_found_every_setting_holds_and_everything_is_put_back(cell):
    settings = [
        step(
            "tunable",
            name=f"set-{number}",
            phase="before",
            root=True,
            node=said.pop("node"),
            tunable=said,
        )
        for number, said in enumerate([dict(each) for each in cell.get("tunables", [])], 1)
    ]
    fio = [
        "fio",
        "--name=lab",
        "--rw=randwrite",
        "--bs=64k",
        "--size=8m",
        f"--directory={cell['path']}",
    ]
    fio += ["--output-format=json", "--fsync=8"]
    bonnie = ["bonnie++", "-d", cell["path"], "-s", "8m", "-r", "4m", "-n", "1", "-q", "-u", "root"]
    measuring = [
        tool(cell, *fio, name="fio", tool="fio"),
        tool(cell, *bonnie, name="bonnie", tool="bonnie++"),
    ]
    asked = job(*settings, *measuring, on=targets(cell), values={"directory": cell["path"]})
    made = carried(asked, turns=60)
    assert (made.state, made.reason) == (Job.State.DONE, "")
    kinds = set(made.configuration.stack.layers.values_list("kind", flat=True))
    assert set(cell["kinds"]) <= kinds
    for change in TunableChange.objects.filter(step__job=made):
        assert change.restored_at and change.read_back == change.old, change.trouble
    tools = Run.objects.filter(artifact__steps__job=made).values_list("tool", flat=True)
    assert sorted(tools) == ["bonnie++", "fio"]
    for said in cell.get("holds", []):  # a setting stands in the layers that were found
        facets = dict(made.configuration.stack.facets.values_list("key", "text"))
        assert facets[said["key"]] == str(said["value"])
    for node in cell.get("legs", []):  # DRBD's peer was asked as well
        legs = made.configuration.stack.layers.filter(node=node)
        assert all(leg.options for leg in legs) and legs


def test_storage_that_is_disturbed_and_heals_while_it_is_measured_is_doubted(cell, background):
    if "disturb" not in cell:
        pytest.skip("the cell names no way to disturb its storage")
    fio = ["fio", "--name=lab", "--rw=randwrite", "--bs=64k", "--size=8m", "--time_based"]
    fio += ["--runtime=120", f"--directory={cell['path']}", "--output-format=json"]
    made = job(
        tool(cell, *fio, name="fio", tool="fio"),
        on=targets(cell),
        values={"directory": cell["path"]},
    )
    turn = background(made)
    until(in_state(made, Job.State.RUNNING))
    for command in ("disturb", "heal"):
        time.sleep(15)  # an outage has to last
        subprocess.run(["sh", "-c", cell[command]], check=True)
    turn.join(120)
    made = carried(made, turns=60)
    assert (made.state, made.reason) == (Job.State.DONE, "")
    (run,) = Run.objects.filter(artifact__steps__job=made)
    doubts = [each.sentence for each in run.doubts.filter(kind="storage_changed")]
    for name in cell["disturbed"]:
        (sentence,) = (each for each in doubts if each.startswith(f"{name} "))
        assert "while the job ran. It began at " in sentence and "at least" not in sentence
