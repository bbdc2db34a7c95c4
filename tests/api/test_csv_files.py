"""Percentiles and points over time as CSV, of a run, of a comparison and of one that stands still."""

from __future__ import annotations

import csv
import io
import tracemalloc

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchdash.results.comparison.export import CSV_COLUMNS, PERCENTILE_COLUMNS, TRACE_COLUMNS
from tests.measured import a_configuration, a_run, a_trace

pytestmark = pytest.mark.django_db
P50, P99 = "rand_read.latency.p50", "rand_read.latency.p99.9"
RATE = "rand_read.iops.mean"


@pytest.fixture
def viewer(signed_in):
    return signed_in("viewer")


@pytest.fixture
def configuration(db):
    found = a_configuration("=local")
    for n in range(2):
        run = a_run(found, {P50: 1e-4 * (n + 1), P99: 0.0123, RATE: 1000.0})
        a_trace(run, "rand_read.iops", [1000.0, 0.1, 990.0])
    return found


def rows(answer):
    assert answer.status_code == 200, answer.content
    assert answer["Content-Type"] == "text/csv; charset=utf-8"
    return list(csv.DictReader(io.StringIO(answer.getvalue().decode())))


def test_a_run_has_every_percentile_and_every_point(viewer, configuration):
    run = configuration.runs.earliest("pk")
    answer = viewer.get(f"/api/v1/runs/{run.pk}/percentiles.csv")
    assert f'filename="run-{run.pk}-percentiles.csv"' in answer["Content-Disposition"]
    assert [(row["percent"], row["value"], row["unit"]) for row in rows(answer)] == [
        ("50.0", "0.0001", "s"),
        ("99.9", "0.0123", "s"),
    ]
    points = rows(viewer.get(f"/api/v1/runs/{run.pk}/traces.csv"))
    assert [(row["seconds"], row["value"]) for row in points] == [
        ("0.0", "1000.0"),
        ("1.0", "0.1"),
        ("2.0", "990.0"),
    ]
    assert {row["trace"] for row in points} == {str(run.traces.get().pk)}


def test_a_comparison_has_its_curves_with_n_and_no_formula(viewer, configuration):
    answer = viewer.get(f"/api/v1/compare/percentiles.csv?measure={P50}&tool=fio")
    first, last = rows(answer)
    assert tuple(first) == PERCENTILE_COLUMNS
    assert (first["group"], first["n"], first["percent"]) == ("'=local", "2", "50.0")
    assert float(first["value"]) == pytest.approx(1.5e-4)
    assert (last["operation"], last["metric"], last["unit"]) == ("rand_read", "latency", "s")


def test_a_comparison_has_its_courses_by_run(viewer, configuration):
    found = rows(viewer.get("/api/v1/compare/traces.csv?tool=fio&family=iops"))
    assert tuple(found[0]) == TRACE_COLUMNS
    runs = [str(run.pk) for run in configuration.runs.order_by("pk")]
    assert sorted({row["run"] for row in found}) == sorted(runs)
    own = [row for row in found if row["run"] == runs[0]]
    assert [row["mean"] for row in own] == ["1000.0", "0.1", "990.0"]
    assert {row["line"] for row in found} == {"1", "2"}


def test_the_table_of_groups_keeps_its_columns(viewer, configuration):
    answer = viewer.get("/api/v1/compare/?tool=fio&format=csv")
    assert tuple(rows(answer)[0]) == CSV_COLUMNS


def test_the_table_of_groups_has_every_run_of_a_sample(viewer, configuration):
    first = a_run(configuration, {RATE: 1000.0})
    second = a_run(configuration, {RATE: 500.0}, sample=first.sample)
    found = rows(viewer.get(f"/api/v1/compare/?tool=fio&measure={RATE}&format=csv"))
    every = [str(run.pk) for run in configuration.runs.order_by("pk")]
    assert every[-2:] == [str(first.pk), str(second.pk)]
    own = [row["runs"] for row in found if row["measure"] == RATE]
    assert f"{first.pk} {second.pk}" in own
    assert sorted(" ".join(own).split(), key=int) == every


def test_a_permalink_keeps_both(contributor, configuration):
    def frozen_csv(part):
        return contributor.get(f"{place}{part}.csv").content

    count_queries = {"query": f"tool=fio&measure={RATE}&measure={P50}"}
    place = contributor.post("/api/v1/permalinks/", count_queries)["Location"]
    curves, courses = frozen_csv("percentiles"), frozen_csv("traces")
    assert b"99.9" in curves
    assert b"990.0" in courses
    a_trace(a_run(configuration, {P50: 9.0, P99: 9.0, RATE: 1.0}), "rand_read.iops", [7.0])
    assert (frozen_csv("percentiles"), frozen_csv("traces")) == (curves, courses)


def test_what_has_neither_is_a_line_of_names(viewer, configuration):
    run = a_run(configuration, {RATE: 1.0})
    assert rows(viewer.get(f"/api/v1/runs/{run.pk}/traces.csv")) == []


def test_very_many_points_are_sent_in_parts_and_never_in_memory_as_a_whole(viewer, configuration):
    run, count = a_run(configuration, {RATE: 1.0}), 100_000
    for _ in range(2):
        a_trace(run, "rand_read.iops", [float(n % 977) for n in range(count)])
    address = f"/api/v1/runs/{run.pk}/traces.csv"
    rows(viewer.get(f"/api/v1/runs/{configuration.runs.earliest('pk').pk}/traces.csv"))
    tracemalloc.start()
    try:
        lines = sum(part.count(b"\n") for part in viewer.get(address))
        _now, most = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert lines == 1 + 2 * count
    assert most < 4e6, f"{most / 1e6:.1f} MB in memory at once"


def test_nonsense_is_a_problem(viewer):
    answer = viewer.get("/api/v1/compare/traces.csv?family=speed")
    assert answer.status_code == 422
    assert answer.json()["field"] == "family"


@pytest.mark.parametrize("public", [True, False])
def test_visitors_read_them_where_reading_is_public(client, settings, configuration, public):
    settings.PUBLIC_READ = public
    run = configuration.runs.earliest("pk")
    for place in (f"runs/{run.pk}/traces.csv", "compare/percentiles.csv?tool=fio"):
        assert client.get(f"/api/v1/{place}").status_code == (200 if public else 401)


def test_a_deleted_run_is_nothing_to_a_viewer(viewer, configuration):
    run = configuration.runs.earliest("pk")
    viewer.get(f"/api/v1/runs/{run.pk}/traces.csv")
    type(run).objects.update(deleted_at=run.created_at)
    assert viewer.get(f"/api/v1/runs/{run.pk}/traces.csv").status_code == 404


def test_the_number_of_queries_does_not_grow(viewer, configuration):
    def count_queries():
        counts = []
        run = configuration.runs.earliest("pk")
        for place in (
            f"runs/{run.pk}/percentiles.csv",
            f"runs/{run.pk}/traces.csv",
            f"compare/percentiles.csv?tool=fio&measure={P50}",
            "compare/traces.csv?tool=fio&family=iops",
        ):
            with CaptureQueriesContext(connection) as queries:
                assert viewer.get(f"/api/v1/{place}").status_code == 200
            counts.append(len(queries))
        return counts

    viewer.get("/api/v1/runs/")  # notes the use of the token
    few = count_queries()
    assert few[:2] == [5, 5]
    for n in range(10):
        run = a_run(configuration, {P50: 1e-3, P99: n + 1.0, RATE: 5.0})
        a_trace(run, "rand_read.iops", [5.0] * 50)
    assert count_queries() == few
