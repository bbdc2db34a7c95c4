"""A span of runs over time, in stretches as fine as a chart can show."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchdash.results.trace_spans import MOST_STRETCHES, MOST_TRACES
from tests.measured import a_run, a_trace

pytestmark = pytest.mark.django_db

PLACE = "/api/v1/runs/over-time/"
IOPS = "rand_read.iops"


@pytest.fixture
def viewer(signed_in):
    return signed_in("viewer")


def traced(values, **columns):
    run = a_run(None, {f"{IOPS}.mean": 1.0}, **columns)
    a_trace(run, IOPS, values)
    return run


def lines_of(client, run, **query):
    response = client.get(PLACE, {"run": run, "measure": IOPS, **query})
    assert response.status_code == 200, response.content
    return response.json()["lines"]


def test_a_short_span_has_the_points_themselves_and_one_on_either_side(viewer):
    run = traced([float(nth) for nth in range(1000)])
    (line,) = lines_of(viewer, run.pk, from_s=500, until_s=503)
    assert line["measured"] == 6
    assert [each[0] for each in line["stretches"]] == [499, 500, 501, 502, 503, 504]
    assert line["stretches"][1] == [500, 500, 500, 500]


def test_a_long_one_is_bounded_and_loses_no_peak(viewer):
    run = traced([9000.0 if nth == 20_001 else 1000.0 for nth in range(50_000)])
    (line,) = lines_of(viewer, run.pk, from_s=0, until_s=50_000)
    assert len(line["stretches"]) == MOST_STRETCHES
    assert max(highest for *_rest, highest in line["stretches"]) == 9000.0


def test_by_the_wall_clock_a_run_has_its_own_part_and_one_without_a_start_has_none(viewer):
    noon = datetime(2026, 1, 31, 12, tzinfo=UTC)
    first = traced([1.0, 2.0, 3.0, 4.0, 5.0], started_at=noon)
    undated = traced([1.0, 2.0])
    at = noon.timestamp()
    lines = lines_of(
        viewer, f"{first.pk},{undated.pk}", clock="wall", from_s=at + 2, until_s=at + 2.5
    )
    assert [line["run"] for line in lines] == [first.pk]
    assert [each[0] for each in lines[0]["stretches"]] == [1, 2, 3]


def test_a_span_beyond_the_end_is_the_last_point(viewer):
    run = traced([1.0, 2.0])
    (line,) = lines_of(viewer, run.pk, from_s=90, until_s=99)
    assert [each[0] for each in line["stretches"]] == [1]


def test_runs_and_queries_are_bounded_and_deleted_runs_left_out(viewer):
    runs = [traced([1.0, 2.0, 3.0]) for _ in range(MOST_TRACES + 2)]
    runs[0].deleted_at = datetime(2026, 1, 31, tzinfo=UTC)
    runs[0].save()
    every = ",".join(str(run.pk) for run in runs)
    lines_of(viewer, every, from_s=0, until_s=9)
    with CaptureQueriesContext(connection) as several:
        lines = lines_of(viewer, every, from_s=0, until_s=9)
    assert len(lines) == MOST_TRACES
    assert runs[0].pk not in {line["run"] for line in lines}
    with CaptureQueriesContext(connection) as one:
        lines_of(viewer, runs[1].pk, from_s=0, until_s=9)
    assert len(several) == len(one)


@pytest.mark.parametrize(
    ("query", "field"),
    [
        ({"measure": "speed"}, "speed"),
        ({"run": "x"}, "run"),
        ({"from_s": "noon"}, "from_s"),
        ({"clock": "sun"}, "clock"),
        ({"form_s": "1"}, "from_s"),
    ],
)
def test_what_makes_no_sense_is_refused(viewer, query, field):
    parameters = {"run": "1", "measure": IOPS, "from_s": "0", "until_s": "1"} | query
    answer = viewer.get(PLACE, parameters)
    assert answer.status_code == 400
    assert field in answer.content.decode()
