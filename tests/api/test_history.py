"""`/api/v1/history/`."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from benchdash.results.models import Doubt
from tests.measured import a_configuration, a_run, an_environment

pytestmark = pytest.mark.django_db
DAY = datetime(2026, 1, 1, tzinfo=UTC)


@pytest.fixture
def client(contributor):
    return contributor


@pytest.fixture
def runs():
    """One workload on one host whose kernel was changed, and another one."""
    configuration = a_configuration("DRBD C")
    places = [an_environment(kernel, host="store-a", kernel=kernel) for kernel in ("5.10", "6.1")]
    return [
        a_run(
            configuration,
            {"rand_read.iops.mean": value, "rand_read.latency.mean": 1 / value},
            workload={"pattern": "randread", "block_bytes": block},
            environment=place,
            tool_version="3.28",
            started_at=DAY + timedelta(days=day),
        )
        for day, (value, block, place) in enumerate(
            [(100.0, 4096, places[0]), (90.0, 4096, places[1]), (80.0, 8192, places[1])]
        )
    ]


def test_a_history_has_points_and_changes(client, runs):
    first, second, _other = runs
    Doubt.objects.create(run=first, kind="load", sentence="busy", operations=[])
    found = client.get("/api/v1/history/?host=store-a").json()
    assert [(one["name"], one["samples"]) for one in found["series"]] == [
        ("randread 4 KiB", 2),
        ("randread 8 KiB", 1),
    ]
    figure = found["figures"][0]
    assert figure["series"] == found["series"][0]["key"]
    assert (figure["measure"], figure["unit"]) == ("rand_read.iops.mean", "1/s")
    (line,) = figure["lines"]
    assert line["points"][0] == {
        "run": first.pk,
        "runs": [first.pk],
        "at": "2026-01-01T00:00:00Z",
        "stored": False,
        "value": 100.0,
        "version": "3.28",
        "environment": first.environment_id,
        "doubts": [{"kind": "load", "sentence": "busy"}],
    }
    assert figure["changes"] == [
        {
            "run": second.pk,
            "since": "2026-01-01T00:00:00Z",
            "at": "2026-01-02T00:00:00Z",
            "host": "store-a",
            "environments": [first.environment_id, second.environment_id],
            "what": [{"title": "Kernel", "before": "5.10", "after": "6.1"}],
        }
    ]
    assert found["measures"] == ["rand_read.iops.mean", "rand_read.latency.mean"]
    assert (found["not_counted"], found["older"]) == ({}, False)


def test_series_and_measure_are_chosen(client, runs):
    query = f"configuration={runs[0].configuration_id}"
    series = client.get(f"/api/v1/history/?{query}").json()["series"]
    chosen = f"series={series[1]['key']}&measure=rand_read.latency.mean"
    (figure,) = client.get(f"/api/v1/history/?{query}&{chosen}").json()["figures"]
    assert figure["measure"] == "rand_read.latency.mean"
    assert [point["value"] for point in figure["lines"][0]["points"]] == [1 / 80]


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ("hots=store-a", "host"),
        ("measure=speed", "“speed” is not a measure"),
        ("series=fio-0", "fio-0"),
        ("configuration=first", "first"),
    ],
)
def test_what_makes_no_sense_is_refused(client, runs, query, sentence):
    answer = client.get(f"/api/v1/history/?{query}")
    assert answer.status_code == 400
    assert sentence in answer.json()["detail"]


def test_visitors_read_it_where_they_may(client, runs, settings):
    client.credentials()
    settings.PUBLIC_READ = False
    assert client.get("/api/v1/history/?host=store-a").status_code in (401, 403)
    settings.PUBLIC_READ = True
    assert client.get("/api/v1/history/?host=store-a").status_code == 200
