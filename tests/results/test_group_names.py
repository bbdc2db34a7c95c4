"""Names of groups: what tells them apart, three words at most, and no other tool's axes."""

from __future__ import annotations

from itertools import product

import pytest

from benchdash.results.comparison import compare
from benchdash.results.comparison.names import short_names
from benchdash.results.comparison.values import Value
from benchdash.results.criteria import read_query
from benchdash.results.factors import Factor
from tests.measured import a_configuration, a_run

READ, WRITE = "rand_read.iops.mean", "seq_write.throughput.mean"
AXES = [Factor("workload", name) for name in ("pattern", "block_bytes", "queue_depth", "jobs")]


def compared(query):
    return compare(read_query(query)).view


def row(*texts):
    return [Value(text, text, (1, text)) for text in texts]


def test_a_name_of_four_words_keeps_the_three_that_part_most():
    rows = [
        row("randread", "4 KiB", str(depth), str(jobs)) for depth in (1, 8, 64) for jobs in (1, 4)
    ]
    names = short_names(rows, AXES)
    assert names[:2] == [
        "randread · Queue depth 1 · Jobs 1 · …",
        "randread · Queue depth 1 · Jobs 4 · …",
    ]
    assert len(set(names)) == 6


def test_names_that_are_alike_after_three_words_take_others_or_are_counted():
    same = ("randread", "4 KiB", "8", "4")
    rows = [row(*same, "a"), row(*same, "b")]
    assert short_names(rows, [*AXES, Factor("setting", "note")]) == [
        "randread · 4 KiB · a · …",
        "randread · 4 KiB · b · …",
    ]
    every = list(product(("x", "y"), repeat=4))
    names = short_names([row(*each) for each in every], AXES)
    assert len(set(names)) == 16
    assert all(name.count(" · ") == 3 for name in names)


def test_of_too_many_words_those_of_records_that_are_not_there_go_first():
    factors = [Factor("configuration"), *AXES[:3], Factor("environment")]
    nowhere = [Value("~", "no configuration", (2,))]
    without = [*nowhere, *row("randread", "4 KiB", "8"), Value("~", "no environment", (2,))]
    rows = [without, row("ext4", "randread", "4 KiB", "8", "store")]
    assert short_names(rows, factors) == [
        "randread · 4 KiB · Queue depth 8",
        "ext4 · randread · 4 KiB · …",
    ]


def test_the_scheduler_none_is_named():
    (none, other) = short_names([row("none"), row("bfq")], [Factor("layer", "disk.scheduler")])
    assert (none, other) == ("disk scheduler none", "bfq")


@pytest.mark.django_db
def test_the_whole_name_is_kept_where_it_was_cut():
    for pattern, block, depth, jobs in product(("read", "write"), (4096, 8192), (1, 4), (1, 2)):
        axes = {"pattern": pattern, "block_bytes": block, "queue_depth": depth, "jobs": jobs}
        a_run(None, {READ: 1.0 * depth}, workload=axes)
    groups = compared("tool=fio&like=0").groups
    assert len({group.label for group in groups}) == 16
    assert groups[0].label.endswith("…)") or "…" in groups[0].label
    assert groups[0].whole == "read · 4 KiB · Queue depth 1 · Jobs 1"


@pytest.mark.django_db
def test_a_tool_without_queue_depth_is_not_said_to_have_none_stated():
    for depth in (1, 8, 32):
        axes = {"pattern": "randread", "queue_depth": depth}
        a_run(None, {READ: 1000.0 * depth}, workload=axes)
    a_run(None, {WRITE: 9e7}, tool="bonnie++", workload={"file_bytes": 2**30})
    together = compared("tool=fio&tool=bonnie%2B%2B&like=0")
    labels = [group.label for group in together.groups]
    assert sorted(labels) == [
        "bonnie++",
        *(f"fio · Queue depth {depth}" for depth in (1, 32, 8)),
    ]
    grouped = compared("tool=fio&tool=bonnie%2B%2B&group=workload.queue_depth")
    assert [group.label for group in grouped.groups][-1] == "bonnie++"
    alike = compared("tool=fio&tool=bonnie%2B%2B&like=1")
    differing = {one.text for section in alike.sections for one in section.differs_by}
    assert "not stated" not in differing


@pytest.mark.django_db
def test_each_tools_first_family_is_drawn():
    axes = {"pattern": "randread", "queue_depth": 8}
    fio = {READ: 1e4, "rand_read.throughput.mean": 4e7, "rand_read.latency.mean": 1e-3}
    bonnie = {WRITE: 9e7, "seq_create.rate.mean": 800.0, "rand_seek.iops.mean": 200.0}
    configuration = a_configuration("array")
    a_run(configuration, fio, workload=axes)
    a_run(configuration, bonnie, tool="bonnie++")
    a_run(configuration, {"transaction.transactions.mean": 900.0}, tool="pgbench")
    drawn = {
        figure.family
        for section in compared("tool=fio&tool=bonnie%2B%2B&tool=pgbench").sections
        for figure in section.figures
    }
    assert {"throughput", "transactions"} <= drawn


def test_a_version_names_its_tool_and_one_that_is_not_known_is_not_named():
    factors = [Factor("workload", "pattern"), Factor("workload", "file_bytes"), Factor("version")]
    rows = [
        row("bonnie++", "15 GiB", "bonnie++ 1.97"),
        row("bonnie++", "16 GiB", "bonnie++ 1.97"),
        row("pgbench", "1 GiB", "pgbench "),
        row("randread", "1 GiB", "fio 3.36"),
    ]
    assert short_names(rows, factors) == [
        "15 GiB · bonnie++ version 1.97",
        "16 GiB · bonnie++ version 1.97",
        "1 GiB · pgbench",
        "randread · 1 GiB · fio version 3.36",
    ]
