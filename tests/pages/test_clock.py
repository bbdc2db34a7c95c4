"""Runs over each other: from the start of each, or by the clock; and the way there from a run."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from html import unescape

import pytest

from benchdash.results.comparison.curves import MOST_TRACES
from benchdash.results.ingest import ingest
from benchdash.results.models import Run
from benchdash.results.permalinks import make_permalink
from tests.measured import a_configuration, a_run, a_trace
from tests.results.result_files import fio, fio_job, fio_log

pytestmark = [pytest.mark.django_db, pytest.mark.once]
DAY = datetime(2026, 1, 1, 8, tzinfo=UTC)
MEASURE = "measure=rand_write.iops.mean"


@pytest.fixture(autouse=True)
def read_by_all(settings):
    settings.PUBLIC_READ = True


@pytest.fixture
def configuration():
    return a_configuration("DRBD C")


def measured(configuration, started_at, *, workload=None, **columns):
    run = a_run(
        configuration,
        {"rand_write.iops.mean": 1000.0},
        workload=workload or {"pattern": "randwrite"},
        started_at=started_at,
        **columns,
    )
    a_trace(run, "rand_write.iops", [1000.0, 2000.0])
    return run


def over_time(text):
    charts = re.findall(r'<script type="application/json">(.*?)</script>', text)
    return next(one for one in map(json.loads, charts) if one["measure"].endswith("over-time"))


def query_of(*runs):
    return "&".join([*(f"run={run.pk}" for run in runs), MEASURE])


def test_courses_have_the_unit_of_the_numbers_above_them(client, configuration):
    """By themselves points of 1000 to 2000 IOPS are in kIOPS, beside a median of 500 in IOPS."""
    slow, fast = measured(configuration, DAY), measured(configuration, DAY + timedelta(minutes=5))
    slow.measurements.update(value=500.0)
    text = client.get(f"/compare/?{query_of(slow, fast)}").text
    medians = next(
        json.loads(found)
        for found in re.findall(r'<script type="application/json">(.*?)</script>', text)
        if '"rand_write.iops.mean"' in found
    )
    assert over_time(text)["axis_title"] == medians["axis_title"] == "IOPS"


def test_courses_begin_at_zero_or_when_they_began(client, configuration):
    first = measured(configuration, DAY)
    second = measured(configuration, DAY + timedelta(minutes=5))
    query = query_of(first, second)
    chart = over_time(client.get(f"/compare/?{query}").text)
    assert not chart["by_wall"]
    assert [row["points"][0][0] for row in chart["rows"]] == [0.0, 0.0]
    chart = over_time(client.get(f"/compare/?{query}&clock=wall").text)
    assert chart["by_wall"]
    begin = DAY.timestamp()
    assert [[at for at, *_values in row["points"]] for row in chart["rows"]] == [
        [begin, begin + 1],
        [begin + 300, begin + 301],
    ]


def test_a_run_without_a_start_has_no_place_on_the_clock(client, configuration):
    dated, undated = measured(configuration, DAY), measured(configuration, None)
    text = client.get(f"/compare/?{query_of(dated, undated)}&clock=wall").text
    assert [row["run"] for row in over_time(text)["rows"]] == [dated.pk]
    assert "1 run has no start time" in text
    text = client.get(f"/compare/?{query_of(undated)}&clock=wall").text
    assert not over_time(text)["by_wall"]
    assert "None of these runs has a start time" in text


def test_the_api_says_when_each_course_began_and_refuses_another_clock(client, configuration):
    run = measured(configuration, DAY)
    answer = client.get(f"/api/v1/compare/?{query_of(run)}&clock=wall").json()
    (line,) = answer["sections"][0]["over_time"][0]["lines"]
    assert line["started"] == DAY.timestamp()
    refused = client.get(f"/api/v1/compare/?{query_of(run)}&clock=sundial")
    assert refused.status_code == 422
    assert "start, wall" in refused.json()["detail"]


def test_a_link_stands_still_with_its_clock(client, configuration):
    first, second = measured(configuration, DAY), measured(configuration, DAY)
    link = make_permalink(f"{query_of(first, second)}&clock=wall", None)
    text = client.get(f"/c/{link.slug}/").text
    assert over_time(text)["by_wall"]
    assert "By the clock" not in text


def way_over_others(client, run):
    text = unescape(client.get(f"/runs/{run.pk}/").text)
    found = re.search(r'href="/compare/\?([^"]*)#over-time-1-1"', text)
    return found and found[1]


def test_a_run_leads_to_its_course_over_those_of_its_workload(client, configuration):
    run = measured(configuration, DAY)
    assert way_over_others(client, run) is None
    measured(configuration, DAY, workload={"pattern": "randread"})
    measured(configuration, DAY, set_aside_reason="disk was full")
    assert way_over_others(client, run) is None
    others = [measured(a_configuration(f"c{n}"), DAY) for n in range(MOST_TRACES + 2)]
    query = way_over_others(client, run)
    chosen = re.findall(r"run=(\d+)", query)
    assert len(chosen) == MOST_TRACES
    assert {str(run.pk), str(others[-1].pk)} <= {*chosen}
    assert str(others[0].pk) not in chosen
    assert len(over_time(client.get(f"/compare/?{query}").text)["rows"]) == MOST_TRACES


def test_a_run_without_a_course_leads_nowhere(client, configuration):
    measured(configuration, DAY)
    bare = a_run(configuration, {"rand_write.iops.mean": 1.0}, workload={"pattern": "randwrite"})
    assert way_over_others(client, bare) is None


def test_logs_that_name_the_side_alone_lead_to_courses_of_what_the_run_did(client):
    for number in (1, 2):
        job = fio_job(f"job {number}", 1000 * number, rw="randwrite")
        ingest([fio(job), fio_log(points=4 + number), fio_log("b_bw.2.log", points=7 + number)])
    query = way_over_others(client, Run.objects.latest("pk"))
    assert "measure=rand_write.throughput.mean" in query
    rows = over_time(client.get(f"/compare/?{query}").text)["rows"]
    first, second = (run.pk for run in Run.objects.order_by("pk"))
    assert [row["label"] for row in rows] == [
        *(f"job 1 #{first}", f"job 1 #{first} (2)", f"job 2 #{second}", f"job 2 #{second} (2)")
    ]
