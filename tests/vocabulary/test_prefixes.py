"""One unit for an axis, and the numbers beside it."""

from __future__ import annotations

import pytest

from benchdash.results.comparison.figures import unit_for
from benchdash.vocabulary.measures import METRICS
from benchdash.vocabulary.prefixes import shown_unit


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


def test_the_unit_of_a_logarithmic_axis_suits_what_lies_between_its_ends():
    unit = unit_for(METRICS["latency"], [800e-9, 22.413312e-3], "log")
    assert [unit.text(value) for value in (800e-9, 22.413312e-3)] == ["0.800", "22,413"]
    assert unit.name == "µs"
    assert unit_for(METRICS["latency"], [800e-9, 22.4e-3], "linear").name == "ms"
