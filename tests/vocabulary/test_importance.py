"""In which order differences are told."""

from __future__ import annotations

import pytest

from benchdash.vocabulary.importance import importance, is_of_machines
from benchdash.vocabulary.machines import FACTS, NETWORK, PARTS, TITLES
from benchdash.vocabulary.workloads import AXES


def test_the_stack_comes_before_hardware_that_before_versions_and_those_before_names():
    ordered = [
        *("host", "environment.hostname", "version", "environment.node-b.kernel"),
        *("environment.kernel", "environment.cpu_model", "environment.disks"),
        *("workload.block_bytes", "setting.guests", "layer.md.level"),
    ]
    assert sorted(ordered, key=importance) == [
        *("layer.md.level", "setting.guests", "workload.block_bytes", "environment.disks"),
        *("environment.cpu_model", "environment.kernel", "environment.node-b.kernel", "version"),
        *("environment.hostname", "host"),
    ]


@pytest.mark.parametrize(
    "factor",
    [
        *(f"environment.{name}" for name in (*FACTS, *PARTS, *TITLES, "roles")),
        *(f"environment.network.{name}" for name in NETWORK),
        *(f"environment.node-b.{name}" for name in FACTS),
        *(f"workload.{name}" for name in AXES),
        *("layer.x.y", "setting.x", "tool", "version", "options", "beside", "host", "study"),
    ],
)
def test_each_factor_has_its_place(factor):
    # what has none stands behind all others, and before nothing
    assert importance(factor) < importance("nothing")


def test_names_and_the_version_of_the_tool_are_no_facts_of_machines():
    assert is_of_machines("environment.node-b.versions.drbd")
    assert is_of_machines("environment.network.speed_bps")
    for name in ("environment.hostname", "host", "version", "layer.disk.model", "workload.jobs"):
        assert not is_of_machines(name)
