"""One unit for an axis, and the numbers beside it."""

from __future__ import annotations

import pytest

from benchdash.results.comparison.figures import unit_for
from benchdash.vocabulary.measures import METRICS
from benchdash.vocabulary.prefixes import shown_unit, unit_beside


@pytest.mark.parametrize(
    ("metric", "value", "text"),
    [
        ("rate", 95_510.0, "95.5 k/s"),
        ("rate", 122.0, "122 /s"),
        ("iops", 30_149_000.0, "30.1 MIOPS"),
        ("errors", 1_234.0, "1,234"),
        ("duration", 12_345.0, "12,345 s"),
    ],
)
def test_a_number_is_read_in_its_unit_and_by_thousands(metric, value, text):
    unit = shown_unit(METRICS[metric], [value])
    assert f"{unit.text(value)} {unit.name}".rstrip() == text


@pytest.mark.parametrize(
    ("metric", "values", "texts"),
    [
        ("throughput", [87.6e6, 3.5e9], ["87.6", "3,500", "MB/s"]),
        ("iops", [514.0, 5_671.0], ["514", "5,671", "IOPS"]),
        ("latency", [0.4e-3, 2e-3], ["400", "2,000", "µs"]),
        # nothing is below 1, the largest would have five digits, or there is nothing smaller
        ("throughput", [1.2e9, 3.5e9], ["1.20", "3.50", "GB/s"]),
        ("throughput", [87.6e6, 12e9], ["0.0876", "12.0", "GB/s"]),
        ("iops", [0.4, 2.0], ["0.400", "2.00", "IOPS"]),
        # what reads as 1.00, and what was not measured at all, are no reason
        ("iops", [999.7, 5_671.0], ["1.00", "5.67", "kIOPS"]),
        ("iops", [0.0, 5_671.0], ["0", "5.67", "kIOPS"]),
    ],
)
def test_no_number_is_below_1_where_the_largest_stays_readable(metric, values, texts):
    unit = shown_unit(METRICS[metric], values)
    assert [*map(unit.text, values), unit.name] == texts


def test_binary_units_keep_numbers_above_1_too():
    unit = shown_unit(METRICS["throughput"], [600 * 2.0**20, 3 * 2.0**30], binary=True)
    assert (unit.text(3 * 2.0**30), unit.name) == ("3,072", "MiB/s")


def test_the_unit_of_a_logarithmic_axis_suits_what_lies_between_its_ends():
    unit = unit_for(METRICS["latency"], [800e-9, 22.413312e-3], "log")
    assert [unit.text(value) for value in (800e-9, 22.413312e-3)] == ["0.800", "22,413"]
    assert unit.name == "µs"
    assert unit_for(METRICS["latency"], [800e-9, 22.4e-3], "linear").name == "ms"


@pytest.mark.parametrize(
    ("title", "unit", "shown"),
    [
        ("IOPS", "IOPS", ""),
        ("Random write · IOPS", "IOPS", ""),
        ("ランダムライト・IOPS", "IOPS", ""),
        ("Random write · IOPS", "kIOPS", "kIOPS"),
        ("Read · Latency", "ms", "ms"),
        ("CPU", "%", "%"),
    ],
)
def test_a_unit_that_its_title_says_is_not_said_again(title, unit, shown):
    assert unit_beside(title, unit) == shown
