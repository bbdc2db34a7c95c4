"""The table before the charts."""

from __future__ import annotations

import pytest

from benchdash.inventory.models import Configuration
from benchdash.results.comparison import compare
from benchdash.results.comparison.export import as_markdown
from benchdash.results.comparison.overview import cell_notes, cell_texts, operation_titles
from benchdash.results.comparison.sentences import percent_text, share_alone, share_text
from benchdash.results.criteria import read_query
from benchdash.results.models import Doubt
from tests.measured import a_configuration, a_run

pytestmark = pytest.mark.django_db
NAMES = ("rand_read.iops.mean", "rand_read.throughput.mean", "rand_read.completion_latency.p99")


def overview(query):
    return compare(read_query(query)).view.overview


def values(row):
    return [[one.value for one in cell.values] for cell in row.cells]


def test_a_group_has_its_headline_numbers_as_values_and_as_shares_of_the_baseline():
    slow, quick = a_configuration("slow"), a_configuration("quick")
    for step in range(5):
        a_run(slow, dict(zip(NAMES, (100.0 + step, 4e5, 0.02), strict=True)))
        a_run(quick, dict(zip(NAMES, (200.0 + 2 * step, 8e5, 0.01), strict=True)))
    found = overview(f"tool=fio&baseline={slow.pk}")
    assert [column.title for column in found.columns] == [
        "Random read · Throughput",
        "Random read · IOPS",
        "Random read · Completion latency, p99",
    ]
    assert [column.best for column in found.columns] == [8e5, 204.0, 0.01]
    rows = {row.label: row for row in found.rows}
    assert values(rows["quick"]) == [[8e5], [204.0], [0.01]]
    shares = [cell.values[0].share for cell in rows["quick"].cells]
    assert shares == pytest.approx([2.0, 2.0, 0.5])
    assert (rows["quick"].n, rows["quick"].doubted) == (5, 0)


def test_rows_that_each_did_something_else_share_a_column():
    for operation in ("rand_read", "rand_write", "seq_read"):
        a_run(None, {f"{operation}.iops.mean": 100.0}, workload={"pattern": operation})
    found = overview("tool=fio")
    (column,) = found.columns
    assert column.title == "IOPS"
    assert [cell.values[0].measure for row in found.rows for cell in row.cells] == [
        *("rand_read.iops.mean", "rand_write.iops.mean", "seq_read.iops.mean")
    ]


def test_cpu_is_what_a_byte_costs():
    one = a_configuration("one")
    cpu = {"run.cpu_user.mean": 0.1, "run.cpu_system.mean": 0.3}
    a_run(one, {"rand_read.throughput.mean": 2e8, **cpu})
    found = overview("tool=fio")
    assert [column.title for column in found.columns] == [
        "Random read · Throughput",
        "CPU per byte",
    ]
    assert values(found.rows[0]) == [[2e8], [pytest.approx(2e-9)]]


def test_what_both_sides_did_is_not_counted_again_in_their_sum():
    done = {f"{side}.throughput.mean": 1e8 for side in ("mixed_read", "mixed_write")}
    cpu = {"run.cpu_user.mean": 0.1, "run.cpu_system.mean": 0.3}
    a_run(a_configuration("both"), done | {"mixed.throughput.mean": 2e8} | cpu)
    assert values(overview("tool=fio").rows[0])[-1] == [pytest.approx(2e-9)]


def test_a_cpu_share_too_small_to_be_printed_is_no_cost():
    for name, share in (("idle", 0.0), ("busy", 0.4)):
        cpu = {"run.cpu_user.mean": 0.0, "run.cpu_system.mean": share}
        a_run(a_configuration(name), {"rand_read.throughput.mean": 2e8, **cpu})
    cells = {row.label: row.cells[-1].values for row in overview("tool=fio").rows}
    assert cells["idle"] == ()
    assert [one.value for one in cells["busy"]] == [pytest.approx(2e-9)]


def test_the_overview_takes_no_further_query(django_assert_num_queries):
    for name in ("a", "b", "c"):
        a_run(a_configuration(name), dict.fromkeys(NAMES, 1.0))
    with django_assert_num_queries(9):
        overview("tool=fio&family=throughput")


def test_values_that_are_far_apart_have_each_its_unit():
    for name, value in (("floppy", 2.5), ("memory", 5e6)):
        a_run(a_configuration(name), {"rand_read.iops.mean": value})
    (column,) = overview("tool=fio").columns
    assert (column.title, column.shown) == ("Random read · IOPS", None)


def test_a_few_mixed_ones_do_not_part_the_column_of_all_others():
    for operation in ("rand_read", "rand_write", "seq_read"):
        a_run(None, {f"{operation}.iops.mean": 100.0}, workload={"pattern": operation})
    both = {"rand_read.iops.mean": 70.0, "rand_write.iops.mean": 30.0}
    a_run(None, both, workload={"pattern": "randrw"})
    found = overview("tool=fio")
    assert len(found.columns) == 1
    assert sorted(len(row.cells[0].values) for row in found.rows) == [1, 1, 1, 2]


def test_markdown_has_the_overview_with_shares_n_and_doubts():
    slow, quick = a_configuration("slow *disk*"), a_configuration("quick")
    for step in range(2):
        a_run(slow, dict(zip(NAMES, (1000.0 + step, 4e6, 0.02), strict=True)))
        doubted = a_run(quick, dict(zip(NAMES, (2000.0 + step, 8e6, 0.01), strict=True)))
    Doubt.objects.create(run=doubted, kind="interference", operations=["rand_read"])
    view = compare(read_query(f"tool=fio&baseline={slow.pk}")).view
    lines = as_markdown(view, address="x").splitlines()
    at = lines.index("## Overview")
    assert lines[at + 2 : at + 6] == [
        (
            "|  | n | Random read · Throughput MB/s | Random read · IOPS kIOPS "
            "| Random read · Completion latency, p99 ms |"
        ),
        "| --- | ---: | ---: | ---: | ---: |",
        "| quick | 2 (1 doubted) | 8.00 (200.0 %) ○ | 2.00 (200.0 %) ○ | 10.0 (50.0 %) ○ |",
        "| slow \\*disk\\* (baseline) | 2 | 4.00 | 1.00 | 20.0 |",
    ]
    assert "○ doubted" in lines


def shares_of_best(row):
    return [one.of_best for cell in row.cells for one in cell.values]


def test_without_a_baseline_shares_are_of_the_best_value_among_like_runs():
    slow, quick = a_configuration("slow"), a_configuration("quick")
    for depth in (1, 8):
        shared = {"workload": {"queue_depth": depth}}
        a_run(slow, dict(zip(NAMES, (100.0 * depth, 4e5 * depth, 0.02), strict=True)), **shared)
        a_run(quick, dict(zip(NAMES, (200.0 * depth, 8e5 * depth, 0.01), strict=True)), **shared)
    rows = overview("tool=fio&like=1").rows
    assert [(row.label, shares_of_best(row)) for row in rows] == [
        *[("quick", [1.0, 1.0, 1.0]), ("slow", [0.5, 0.5, 2.0])] * 2
    ]
    rows = overview(f"tool=fio&like=1&baseline={slow.pk}").rows
    assert {one for row in rows for one in shares_of_best(row)} == {None}


def test_what_nothing_else_was_measured_beside_is_no_share():
    a_run(a_configuration("read"), {"rand_read.iops.mean": 100.0})
    a_run(a_configuration("write"), {"rand_write.iops.mean": 100.0})
    assert [shares_of_best(row) for row in overview("tool=fio").rows] == [[None], [None]]


def test_what_was_too_fast_to_measure_is_not_called_unmeasured():
    fast = [{"operation": "seq_create", "metric": "rate", "note": "too fast to measure"}]
    read, rate = {"seq_read.throughput.mean": 2e8}, {"seq_create.rate.mean": 9e4}
    quick, slow = a_configuration("quick"), a_configuration("slow")
    for _ in range(2):
        a_run(quick, read, tool="bonnie++", notes=fast)
        a_run(slow, read | rate, tool="bonnie++")
    a_run(slow, read, tool="bonnie++", notes=fast)
    # without any headline number, it is still one of the groups
    quickest = a_configuration("quickest")
    a_run(quickest, {"seq_read_per_character.throughput.mean": 2e6}, tool="bonnie++", notes=fast)
    found = overview("tool=bonnie%2B%2B")
    assert {row.label: cell_notes(row.cells[-1], row.n) for row in found.rows} == {
        "quick": "too fast to measure (2)",
        "quickest": "too fast to measure",
        "slow": "too fast to measure (1)",
    }
    assert "too fast to measure (2)" in as_markdown(
        compare(read_query("tool=bonnie%2B%2B")).view, address="x"
    )


def test_a_group_that_was_too_fast_for_all_that_others_measured_has_a_column_of_its_own():
    fast = [
        {"operation": name, "metric": "throughput", "note": "too fast to measure"}
        for name in ("seq_write", "seq_read")
    ]
    a_run(
        a_configuration("files"),
        {"seq_read_char.throughput.mean": 2e6},
        tool="bonnie++",
        notes=fast,
    )
    a_run(a_configuration("disk"), {"rand_write.iops.mean": 100.0})
    found = overview("tool=fio&tool=bonnie%2B%2B")
    assert [column.title for column in found.columns] == [
        *("Random write · IOPS", "Sequential read · Throughput")
    ]
    notes = {row.label: [cell_notes(cell, row.n) for cell in row.cells] for row in found.rows}
    assert sorted(notes.values()) == [["", ""], ["", "too fast to measure"]]


@pytest.mark.parametrize(
    ("share", "alone", "percent", "of"),
    [
        (0.364, "36.4 %", "36.4", "36.4 % of local"),
        (12.5, "12.5×", "1,250", "12 times local"),
        (8.92e-7, "1/1,121,076", "0.0000892", "1/1,121,076 of local"),
        (0.00165, "0.165 %", "0.165", "1/606 of local"),
        (64995.0, "64,995×", "6,499,500", "64,995 times local"),
    ],
)
def test_shares_are_never_printed_with_an_exponent(share, alone, percent, of):
    assert (share_alone(share), percent_text(share), share_text(share, "local")) == (
        *(alone, percent, of),
    )


def test_a_group_that_was_too_fast_more_often_than_not_is_not_the_slowest():
    fast = [{"operation": "seq_create", "metric": "rate", "note": "too fast to measure"}]
    quick, slow = a_configuration("quick"), a_configuration("slow")
    for number in range(3):
        rate = {"seq_create.rate.mean": 500.0 if number == 2 else 0.0}
        known = {name: value for name, value in rate.items() if value}
        read = {"seq_read.throughput.mean": 2e8}
        a_run(quick, read | known, tool="bonnie++", notes=[] if known else fast)
        a_run(slow, read | {"seq_create.rate.mean": 1500.0}, tool="bonnie++")
    view = compare(read_query("tool=bonnie%2B%2B&family=metadata")).view
    assert {row.label: cell_notes(row.cells[-1], row.n) for row in view.overview.rows} == {
        "quick": "too fast to measure (2)",
        "slow": "",
    }
    (figure,) = view.sections[0].figures
    assert {row.label: row.median for row in figure.rows} == {"quick": None, "slow": 1500.0}
    assert "lowest" not in figure.sentence


def test_what_a_byte_costs_is_held_against_what_did_the_same():
    cpu = {"run.cpu_user.mean": 0.1, "run.cpu_system.mean": 0.3}
    for name, operation, rate in (
        *(("reader", "rand_read", 2e8), ("faster reader", "rand_read", 4e8)),
        ("writer", "seq_write", 8e8),
    ):
        a_run(a_configuration(name), {f"{operation}.throughput.mean": rate} | cpu)
    cells = {row.label: row.cells[-1].values[0].of_best for row in overview("tool=fio").rows}
    assert cells == {"reader": pytest.approx(2), "faster reader": pytest.approx(1), "writer": None}
    # each says what its bytes were, and a baseline is one of those that did the same
    reader = Configuration.objects.get(name="reader")
    found = overview(f"tool=fio&baseline={reader.pk}")
    (column,) = (one for one in found.columns if one.measures == ("run.cpu.per_byte",))
    texts = {
        row.label: cell_texts(row, row.cells[-1], column, operation_titles(found)[-1])[0]
        for row in found.rows
    }
    assert {label: (one[0], one[2]) for label, one in texts.items()} == {
        "reader": ("Random read", ""),
        "faster reader": ("Random read", "50.0 %"),
        "writer": ("Sequential write", ""),
    }


def test_a_number_of_fewer_samples_than_its_row_says_of_how_many():
    one = a_configuration("one")
    a_run(one, dict(zip(NAMES, (100.0, 4e5, 0.02), strict=True)))
    a_run(one, dict(zip(NAMES[:2], (100.0, 4e5), strict=True)))
    (row,) = overview("tool=fio").rows
    assert [cell_notes(cell, row.n) for cell in row.cells] == ["", "", "n = 1"]
