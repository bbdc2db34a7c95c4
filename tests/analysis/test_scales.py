from __future__ import annotations

import pytest

from benchdash.analysis.scales import spans_decades


def test_file_creation_on_gfs2_beside_ext3_needs_a_logarithmic_axis():
    assert spans_decades([75970.0, 62557.0, 125.0])


def test_throughput_of_one_disk_stays_on_a_linear_axis():
    assert not spans_decades([90184.0, 27162.0])


@pytest.mark.parametrize("values", [[], [0.0, 5.0, 5000.0], [0.0]])
def test_a_logarithmic_axis_has_no_place_for_zero_or_for_nothing(values):
    assert not spans_decades(values)
