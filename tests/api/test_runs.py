"""`/api/v1/runs/`: lists, numbers, raw bytes, and what people change."""

from __future__ import annotations

import pytest
from django.utils import timezone

from benchdash.results.ingest import ingest
from benchdash.results.models import Doubt, Run
from benchdash.results.readings import File
from tests.measured import a_configuration, a_run, an_environment
from tests.results.result_files import bonnie

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(contributor):
    return contributor


def ids(answer):
    return [run["id"] for run in answer.json()["results"]]


def post(client, act, **body):
    return client.post(f"/api/v1/runs/{act}/", body, format="json")


def test_runs_come_newest_first_a_page_at_a_time(client):
    runs = [a_run().pk for _ in range(5)]
    first = client.get("/api/v1/runs/?page_size=2")
    second = client.get(first.json()["next"])
    third = client.get(second.json()["next"])
    assert ids(first) + ids(second) + ids(third) == runs[::-1]
    assert third.json()["next"] is None


def test_a_list_costs_the_same_few_queries_however_long(client, django_assert_num_queries):
    client.get("/api/v1/runs/")
    configuration, environment = a_configuration("c"), an_environment("e")
    for _ in range(20):
        a_run(configuration, environment=environment, workload={"block_bytes": 4096})
    with django_assert_num_queries(4):
        answer = client.get("/api/v1/runs/")
    first = answer.json()["results"][0]
    assert first["configuration"] == {"id": configuration.pk, "name": "c"}
    assert first["environment"] == {"id": environment.pk, "name": "e"}
    assert first["workload"] == {"block_bytes": 4096}


@pytest.mark.parametrize(
    ("query", "expected"),
    [
        ("tool=dbench", {"dbench"}),
        ("label=GUEST", {"labelled"}),
        ("counted=false", {"aside"}),
        ("configuration={configuration}", {"configured"}),
        ("unassigned=true", {"dbench", "labelled", "aside"}),
        ("until=2001-01-01T00:00:00Z", set()),
        ("deleted=true", {"deleted"}),
    ],
)
def test_a_list_is_narrowed_by(client, query, expected):
    configuration = a_configuration("c")
    runs = {
        "configured": a_run(configuration),
        "dbench": a_run(tool="dbench"),
        "labelled": a_run(label="guest-3"),
        "aside": a_run(set_aside_reason="disk was full"),
        "deleted": a_run(deleted_at="2026-01-01T00:00:00Z"),
    }
    answer = client.get(f"/api/v1/runs/?{query.format(configuration=configuration.pk)}")
    assert {name for name, run in runs.items() if run.pk in ids(answer)} == expected


def test_a_filter_that_is_no_value_is_a_problem(client):
    answer = client.get("/api/v1/runs/?configuration=x")
    assert answer.status_code == 400
    assert answer.json()["field"] == "configuration"


def test_a_run_has_every_number_with_its_unit(client, django_assert_max_num_queries):
    (outcome,) = ingest([bonnie(write=90_000)])
    (run,) = outcome.runs
    with django_assert_max_num_queries(11):
        body = client.get(f"/api/v1/runs/{run.pk}/").json()
    assert {
        "operation": "seq_write",
        "metric": "throughput",
        "statistic": "mean",
        "unit": "B/s",
        "value": 90_000 * 1024.0,
    } in body["measurements"]
    assert body["workload"] == {"file_bytes": 16 * 2**30, "files": 16384}
    assert body["artifacts"][0]["sha256"] == outcome.sha256


def test_raw_bytes_come_back_as_a_download_that_no_browser_runs(client):
    data = b"<script>alert(1)</script>\n" + bonnie().data
    (outcome,) = ingest([File("<b>表.html", data)])
    address = client.get(f"/api/v1/runs/{outcome.runs[0].pk}/").json()["artifacts"][0]["url"]
    answer = client.get(address)
    assert answer.content == data
    assert answer["Content-Type"] == "application/octet-stream"
    assert answer["Content-Disposition"].startswith("attachment")
    assert answer["X-Content-Type-Options"] == "nosniff"


def test_the_artifact_of_another_run_is_not_found_here(client):
    one, other = ingest([bonnie(write=1), bonnie(write=2)])
    address = f"/api/v1/runs/{one.runs[0].pk}/artifacts/{other.upload.artifact_id}/"
    assert client.get(address).status_code == 404


def test_runs_are_assigned_by_name(client):
    a_configuration("mirror")
    runs = [a_run().pk, a_run().pk]
    assert post(client, "assign", runs=runs, configuration="mirror").json() == {"changed": 2}
    assert Run.objects.filter(configuration__name="mirror").count() == 2
    assert post(client, "assign", runs=runs, configuration="nowhere").status_code == 422


def test_a_run_set_aside_stays_visible_and_counts_no_more(client):
    run = a_run()
    post(client, "set-aside", runs=[run.pk], reason="array was resyncing")
    seen = client.get(f"/api/v1/runs/{run.pk}/").json()
    assert (seen["counted"], seen["set_aside_reason"]) == (False, "array was resyncing")
    post(client, "set-aside", runs=[run.pk], reason="")
    assert client.get(f"/api/v1/runs/{run.pk}/").json()["counted"] is True


def test_a_deleted_run_is_hidden_and_comes_back(client, signed_in):
    run, viewer = a_run(), signed_in("viewer")
    post(client, "delete", runs=[run.pk])
    assert ids(client.get("/api/v1/runs/")) == []
    assert viewer.get(f"/api/v1/runs/{run.pk}/").status_code == 404
    post(client, "restore", runs=[run.pk])
    assert ids(client.get("/api/v1/runs/")) == [run.pk]


def test_a_withdrawn_run_is_listed_where_one_asks_for_it(client):
    run, other = a_run(), a_run()
    Run.objects.filter(pk=run.pk).update(withdrawn_at=timezone.now(), counted=False)
    assert ids(client.get("/api/v1/runs/")) == [other.pk]
    assert ids(client.get("/api/v1/runs/?state=withdrawn")) == [run.pk]
    assert client.get(f"/api/v1/runs/{run.pk}/").status_code == 200


def test_a_person_may_say_that_equal_numbers_were_measured_again(client):
    ingest([bonnie(), File("b.csv", bonnie().data + b"\n")])
    copy = Run.objects.exclude(same_as=None).get()
    post(client, "repeats", runs=[copy.pk], repeats=True)
    copy.refresh_from_db()
    assert copy.counted


ACTS = {
    "assign": {"configuration": "mirror"},
    "set-aside": {"reason": "array was resyncing"},
    "repeats": {"repeats": True},
    "tag": {"tags": ["weekly"]},
    "untag": {"tags": ["weekly"]},
    "delete": {},
    "restore": {},
}


def small_writes():
    """Two runs that the filters below match, and one that they do not."""
    small = [a_run(workload={"pattern": "randwrite", "block_bytes": n}).pk for n in (4096, 8192)]
    return small, a_run(workload={"pattern": "randwrite", "block_bytes": 2**20}).pk


FILTERS = {"tool": "fio", "workload.block_bytes": ["4k", 8192]}


def test_acts_take_all_that_filters_match_and_no_others(client):
    small, large = small_writes()
    answer = post(client, "delete", filters=FILTERS, expected=2)
    assert answer.json() == {"changed": 2}
    assert set(Run.objects.exclude(deleted_at=None).values_list("pk", flat=True)) == {*small}
    answer = post(client, "restore", filters=FILTERS | {"deleted": True}, expected=2)
    assert answer.json() == {"changed": 2}
    Doubt.objects.bulk_create(
        Doubt(run_id=pk, kind="short_run", sentence="Short.") for pk in (*small, large)
    )
    body = {"filters": FILTERS, "expected": 2, "reason": "it had a long ramp"}
    answer = client.post("/api/v1/doubts/dismiss/", body, format="json")
    assert answer.json() == {"changed": 2}
    assert Doubt.objects.get(dismissed_at=None).run_id == large


@pytest.mark.parametrize("act", ACTS)
@pytest.mark.parametrize(
    ("chosen", "field", "sentence"),
    [
        ({"filters": FILTERS, "expected": 3}, "expected", "2 runs match"),
        ({"filters": FILTERS}, "expected", "2 runs match"),
        ({"filters": {}, "expected": 3}, "filters", "empty"),
        ({"filters": {"tool": ""}, "expected": 3}, "filters.tool", "has no value"),
        ({"filters": {"tool": []}, "expected": 3}, "filters.tool", "has no value"),
        ({"filters": {"tool": {"a": 1}}, "expected": 3}, "filters.tool", "takes text"),
        ({"filters": {"tol": "fio"}, "expected": 3}, "filters.tol", "“tool”"),
        ({"filters": {"since": "soon"}, "expected": 3}, "filters.since", "neither a day"),
        ({"filter": FILTERS, "expected": 2}, "filter", "“filters”"),
        ({"filters": FILTERS, "runs": [1], "expected": 2}, "runs", "either “runs” or “filters”"),
        ({"runs": [1], "expected": 1}, "expected", "can be given only with “filters”"),
        ({}, "runs", "either “runs” or “filters”"),
    ],
)
def test_less_of_a_filter_never_changes_more(client, act, chosen, field, sentence):
    small_writes()
    a_configuration("mirror")
    before = list(Run.objects.values())
    answer = post(client, act, **chosen, **ACTS[act])
    assert answer.status_code in (400, 422)
    assert answer.json()["field"] == field
    assert sentence in answer.json()["detail"]
    assert list(Run.objects.values()) == before
