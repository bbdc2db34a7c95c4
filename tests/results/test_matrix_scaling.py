"""How rates scale along a factor, as a matrix says it."""

from __future__ import annotations

import pytest

from tests.measured import a_configuration, a_run
from tests.results.test_matrices import compared, measured

pytestmark = pytest.mark.django_db


def guests(alpha, beta, counts=(1, 2, 4, 6, 8, 10)):
    configuration = a_configuration("ceph")
    cells = [(configuration, {"guests": n}, {"block_bytes": 4096}) for n in counts]

    def value(cell):
        n = cell[1]["guests"]
        return 1000.0 * n / (1 + alpha * (n - 1) + beta * n * (n - 1))

    return cells, value


def test_the_scaling_over_guests_has_its_peak():
    measured(*guests(0.03, 0.02))
    (matrix,) = compared("tool=fio").matrices
    (scaling,) = matrix.scalings
    (line,) = scaling.lines
    assert (scaling.along, line.law) == ("setting.guests", "usl")
    assert line.peak.low < (0.97 / 0.02) ** 0.5 < line.peak.high
    assert line.alpha.value == pytest.approx(0.03, abs=0.02)
    assert "peak of" in line.sentence and "knee at" in line.sentence
    assert [place.count for place in line.places] == [1, 2, 4, 6, 8, 10]
    assert [line.curve[end].count for end in (0, -1)] == pytest.approx([1, 10])


def test_a_measure_of_some_cells_names_those_and_is_reported_once():
    configuration = a_configuration("ceph")
    for number in range(3):
        for guests in (1, 2, 4, 8):
            for pattern in ("randread", "randwrite"):
                side = pattern.replace("rand", "rand_")
                iops = 1000.0 * guests + 10 * number
                a_run(
                    configuration,
                    {f"{side}.iops.mean": iops, f"{side}.throughput.mean": 4096 * iops},
                    settings={"guests": guests},
                    workload={"pattern": pattern, "block_bytes": 4096},
                )
    (matrix,) = compared("tool=fio&like=0").matrices
    assert [one.measure for one in matrix.effects] == [
        "rand_read.iops.mean",
        "rand_write.iops.mean",
    ]
    assert [one.leader.label for one in matrix.effects] == [
        "randread · Concurrent guests 8",
        "randwrite · Concurrent guests 8",
    ]


def test_few_places_have_no_law_and_say_so():
    measured(*guests(0.03, 0.02, counts=(1, 2, 4)))
    (line,) = compared("tool=fio").matrices[0].scalings[0].lines
    assert line.law == "" and line.curve == ()
    assert "3 points are too few" in line.sentence


def test_each_other_setting_has_a_line_of_its_own():
    cells, _value = guests(0.0, 0.0, counts=(1, 2, 4, 8))
    both = [
        (one, settings | {"caches": caches}, workload)
        for one, settings, workload in cells
        for caches in ("kept", "dropped")
    ]

    def value(cell):
        n = cell[1]["guests"]
        return 1000.0 * n / (1 + (0.3 if cell[1]["caches"] == "dropped" else 0.05) * (n - 1))

    measured(both, value)
    (matrix,) = compared("tool=fio").matrices
    (scaling,) = matrix.scalings
    lines = {line.label: line for line in scaling.lines}
    assert lines["dropped"].alpha.value > 4 * lines["kept"].alpha.value
    assert {line.law for line in scaling.lines} == {"amdahl"}
