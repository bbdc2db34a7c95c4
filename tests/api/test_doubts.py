"""Doubts in JSON: with each run, left out on request, dismissed by their ids."""

from __future__ import annotations

import pytest

from benchdash.results.doubts import note_doubts
from benchdash.results.models import Doubt
from benchdash.vocabulary.doubts import Doubt as Found
from tests.measured import a_configuration, a_run

pytestmark = pytest.mark.django_db
LOAD = Found("load", "The one-minute load average is 9 on 2 CPUs.")
SHORT = Found(
    "short", "Sequential stat took only 10 ms, too short for a reliable rate.", ("seq_stat",)
)


@pytest.fixture
def doubted():
    run = a_run(a_configuration("c"), {"seq_write.throughput.mean": 1e8})
    note_doubts([run.pk], [LOAD, SHORT])
    return run


def dismiss(client, *doubts, reason="a backup"):
    body = {"doubts": [doubt.pk for doubt in doubts], "reason": reason}
    return client.post("/api/v1/doubts/dismiss/", body, format="json")


def test_a_run_carries_its_doubts(contributor, doubted):
    load, short = contributor.get(f"/api/v1/runs/{doubted.pk}/").json()["doubts"]
    assert (load["kind"], load["sentence"], load["operations"]) == ("load", LOAD.sentence, [])
    assert load["mend"] == "Measure again while nothing else runs on the machine."
    assert (load["dismissed_at"], load["dismissed_by"], load["dismissed_reason"]) == (
        None,
        None,
        "",
    )
    assert short["operations"] == ["seq_stat"]
    (listed,) = contributor.get("/api/v1/runs/").json()["results"]
    assert [each["kind"] for each in listed["doubts"]] == ["load", "short"]


def test_doubted_runs_are_left_out_on_request(contributor, doubted):
    sound = a_run()
    note_doubts([sound.pk], [SHORT])

    def ids(query):
        return [run["id"] for run in contributor.get(f"/api/v1/runs/?{query}").json()["results"]]

    assert ids("doubts=include") == ids("") == [sound.pk, doubted.pk]
    assert ids("doubts=exclude") == [sound.pk]
    assert contributor.get("/api/v1/runs/?doubts=maybe").status_code == 400


def test_a_dismissed_doubt_names_who_and_why_and_stands_no_more(contributor, doubted, signed_in):
    load = Doubt.objects.get(kind="load")
    assert dismiss(signed_in("viewer"), load).status_code == 403
    assert dismiss(contributor, load, reason=" ").status_code == 400
    assert dismiss(contributor, load).json() == {"changed": 1}
    assert dismiss(contributor, load).json() == {"changed": 0}
    found = contributor.get(f"/api/v1/runs/{doubted.pk}/").json()["doubts"][0]
    assert (found["dismissed_by"], found["dismissed_reason"]) == ("contributor", "a backup")
    excluded = contributor.get("/api/v1/runs/?doubts=exclude").json()["results"]
    assert [run["id"] for run in excluded] == [doubted.pk]


def test_visitors_see_no_names(contributor, doubted, client, settings):
    settings.PUBLIC_READ = True
    dismiss(contributor, *Doubt.objects.all())
    found = client.get(f"/api/v1/runs/{doubted.pk}/").json()["doubts"][0]
    assert (found["dismissed_by"], found["dismissed_reason"]) == (None, "a backup")


def test_a_comparison_leaves_doubted_runs_out_only_where_that_is_asked_for(contributor, doubted):
    local = doubted.configuration
    a_run(local, {"seq_write.throughput.mean": 2e8})
    address = f"/api/v1/compare/?configuration={local.pk}"
    assert contributor.get(address).json()["runs"] == 2
    left = contributor.get(f"{address}&doubts=exclude").json()
    assert (left["runs"], left["aside"]) == (1, {"doubted": 1})
    assert contributor.get(f"{address}&doubts=maybe").status_code == 422
