"""Doubts in JSON: with each run, left out on request, dismissed by their ids."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from benchdash.results.doubts import judge_capture, note_doubts
from benchdash.results.models import Doubt
from benchdash.vocabulary.doubts import Doubt as Found
from tests.measured import a_configuration, a_run, an_environment

pytestmark = pytest.mark.django_db
UNREAD = "Hardware could not be read: Permission denied."
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


def take_back(client, **body):
    return client.post("/api/v1/doubts/take-back/", body, format="json")


def test_a_dismissal_is_taken_back_and_stays_as_a_past_one(contributor, doubted, signed_in):
    load = Doubt.objects.get(kind="load")
    dismiss(contributor, load)
    assert take_back(signed_in("viewer"), doubts=[load.pk]).status_code == 403
    assert take_back(signed_in("operator"), doubts=[load.pk]).json() == {"changed": 1}
    assert take_back(contributor, doubts=[load.pk]).json() == {"changed": 0}
    found = contributor.get(f"/api/v1/runs/{doubted.pk}/").json()["doubts"][0]
    assert (found["dismissed_at"], found["dismissed_by"], found["dismissed_reason"]) == (
        None,
        None,
        "",
    )
    (past,) = found["past_dismissals"]
    assert past["dismissed_at"] < past["taken_back_at"]
    assert (past["dismissed_by"], past["dismissed_reason"], past["taken_back_by"]) == (
        "contributor",
        "a backup",
        "operator",
    )
    assert contributor.get("/api/v1/runs/?doubts=exclude").json()["results"] == []


def test_doubts_of_runs_are_dismissed_together_of_one_kind_or_all(contributor, doubted):
    other, left = a_run(), a_run()
    note_doubts([other.pk, left.pk], [LOAD, SHORT])

    def act(name, **body):
        body = {"runs": [doubted.pk, other.pk]} | body
        return contributor.post(f"/api/v1/doubts/{name}/", body, format="json")

    assert act("dismiss", kind="load", reason="a backup").json() == {"changed": 2}
    assert act("dismiss", reason="all of it").json() == {"changed": 2}
    assert act("take-back", kind="short").json() == {"changed": 2}
    undismissed = Doubt.objects.filter(dismissed_at=None).values_list("run", "kind")
    assert set(undismissed) == {
        *((run.pk, "short") for run in (doubted, other, left)),
        (left.pk, "load"),
    }


def test_what_makes_no_sense_is_refused_with_a_sentence(contributor, doubted):
    load = Doubt.objects.get(kind="load")
    address = "/api/v1/doubts/dismiss/"
    for body, detail in (
        ({}, "Give either “doubts”, or “runs” or “filters”."),
        (
            {"runs": [doubted.pk], "doubts": [load.pk]},
            "Give either “doubts”, or “runs” or “filters”.",
        ),
        (
            {"doubts": [load.pk], "kind": "load"},
            "“kind” can be given only with “runs” or “filters”.",
        ),
        ({"runs": [doubted.pk], "kind": "lode"}, "lode"),
    ):
        answer = contributor.post(address, body | {"reason": "because"}, format="json")
        assert answer.status_code == 400
        assert detail in str(answer.json())


def test_lists_ask_as_often_whatever_doubts_there_are(contributor, doubted):
    def queries():
        with CaptureQueriesContext(connection) as found:
            contributor.get("/api/v1/runs/")
        return len(found)

    queries()  # the first one looks up who asks
    few = queries()
    for _ in range(5):
        run = a_run()
        note_doubts([run.pk], [LOAD, SHORT])
        dismiss(contributor, *run.doubts.all())
        take_back(contributor, runs=[run.pk])
    assert queries() == few


def test_visitors_see_no_names(contributor, doubted, client, settings):
    settings.PUBLIC_READ = True
    dismiss(contributor, *Doubt.objects.all())
    take_back(contributor, runs=[doubted.pk])
    dismiss(contributor, *Doubt.objects.all())
    found = client.get(f"/api/v1/runs/{doubted.pk}/").json()["doubts"][0]
    assert (found["dismissed_by"], found["dismissed_reason"]) == (None, "a backup")
    (past,) = found["past_dismissals"]
    assert (past["dismissed_by"], past["taken_back_by"]) == (None, None)
    assert past["dismissed_reason"] == "a backup"


def test_a_comparison_leaves_doubted_runs_out_only_where_that_is_requested(contributor, doubted):
    local = doubted.configuration
    a_run(local, {"seq_write.throughput.mean": 2e8})
    address = f"/api/v1/compare/?configuration={local.pk}"
    assert contributor.get(address).json()["runs"] == 2
    left = contributor.get(f"{address}&doubts=exclude").json()
    assert (left["runs"], left["aside"]) == (1, {"doubted": 1})
    assert contributor.get(f"{address}&doubts=maybe").status_code == 422


@pytest.fixture
def unread(db):
    environment = an_environment("lab")
    judge_capture(environment.pk, {"node-a": [UNREAD]}, {})
    return environment


def test_the_api_has_it_and_filters_by_it(unread, contributor):
    sound = an_environment("sound")

    def ids(query=""):
        answer = contributor.get(f"/api/v1/environments/{query}").json()
        return [each["id"] for each in answer["results"]]

    (doubt,) = contributor.get(f"/api/v1/environments/{unread.pk}/").json()["doubts"]
    assert (doubt["kind"], doubt["sentence"]) == ("unread", f"node-a: {UNREAD}")
    assert ids() == ids("?doubts=include") == [sound.pk, unread.pk]
    assert (ids("?doubts=only"), ids("?doubts=exclude")) == ([unread.pk], [sound.pk])
    assert contributor.get("/api/v1/environments/?doubts=maybe").status_code == 400
    body = {"doubts": [doubt["id"]], "reason": "a guest"}
    assert contributor.post("/api/v1/doubts/dismiss/", body, format="json").json() == {"changed": 1}
    assert ids("?doubts=only") == []
    with CaptureQueriesContext(connection) as few:
        ids()
    for number in range(4):
        judge_capture(an_environment(f"lab {number}").pk, {"node-a": [UNREAD]}, {})
    with CaptureQueriesContext(connection) as many:
        ids()
    assert len(many) == len(few)
