"""`/api/v1/executions/` and the settings of runs."""

from __future__ import annotations

import pytest

from benchdash.results.models import Execution, Run, Sample
from benchdash.results.run_settings import matches
from tests.measured import a_run
from tests.results.result_files import bonnie_row

pytestmark = pytest.mark.django_db


@pytest.fixture
def client(contributor):
    return contributor


def upload(client, name="a.csv", rows=1, **fields):
    from django.core.files.uploadedfile import SimpleUploadedFile  # noqa: PLC0415

    text = "".join(bonnie_row(write=80_000 + row) for row in range(rows))
    body = {"file": SimpleUploadedFile(name, text.encode()), **fields}
    return client.post("/api/v1/uploads/", body, format="multipart")


def test_executions_have_their_samples_and_runs(client, django_assert_num_queries):
    upload(client, rows=3)
    sample = Sample.objects.create(beside="1 × randread")
    a_run(sample=sample, round=4, settings={"guests": 2})
    with django_assert_num_queries(3):
        found = client.get("/api/v1/executions/").json()["results"]
    assert [one["number"] for one in found] == [0, 2, 1, 0]
    run = Run.objects.get(sample=sample)
    assert found[0]["round"] == 4
    assert found[0]["settings"] == {"guests": 2}
    assert found[0]["samples"] == [{"id": sample.pk, "beside": "1 × randread", "runs": [run.pk]}]


def test_all_runs_of_an_execution_are_found(client):
    upload(client, rows=2)
    first, second = Execution.objects.order_by("pk")
    answer = client.get(f"/api/v1/runs/?execution={first.pk}").json()["results"]
    assert [run["execution"] for run in answer] == [first.pk]
    both = client.get(f"/api/v1/runs/?execution={first.pk},{second.pk}").json()["results"]
    assert len(both) == 2


def test_an_upload_says_what_was_set(client):
    answer = upload(client, **{"setting.guests": "4", "setting.Cached": "yes"})
    assert answer.status_code == 201
    assert Run.objects.get().settings == {"guests": 4, "cached": True}
    (run,) = client.get("/api/v1/runs/?setting.guests=4").json()["results"]
    assert run["settings"] == {"guests": 4, "cached": True}
    assert client.get("/api/v1/runs/?setting.guests=5").json()["results"] == []


def test_a_setting_that_cannot_be_is_refused(client):
    answer = upload(client, **{"setting.two words": "4"})
    assert answer.status_code == 422
    assert "cannot be the name of a setting" in answer.json()["detail"]
    assert not Run.objects.exists()


def test_settings_of_stored_runs_join_those_that_they_have(client):
    run = a_run(settings={"guests": 1, "zone": "a"})
    body = {"runs": [run.pk], "setting": {"guests": 2, "cached": False}}
    answer = client.post("/api/v1/runs/assign/", body, format="json")
    assert answer.json() == {"changed": 1}
    run.refresh_from_db()
    assert run.settings == {"guests": 2, "zone": "a", "cached": False}


@pytest.mark.parametrize(
    ("pattern", "found"),
    [
        ("{guests}vm-{cache}.csv", {"guests": 4, "cache": "cold"}),
        ("*-{cache}.csv", {"cache": "cold"}),
        ("{guests}vm*", {"guests": 4}),
        ("{guests}hosts*", {}),
        ("runs/{guests}vm-{cache}.*", {"guests": 4, "cache": "cold"}),
        ("{other}-label", {"other": "b"}),
    ],
)
def test_a_pattern_over_names_and_labels(client, pattern, found):
    upload(client, "runs/4vm-cold.csv", path=["runs/4vm-cold.csv"])
    Run.objects.update(label="b-label")
    (match,) = matches(Run.objects.values_list("pk", flat=True), pattern)
    assert match.settings == found


def test_settings_for_bytes_that_are_stored_are_offered_and_not_lost_in_silence(client):
    upload(client)
    answer = upload(client, **{"setting.guests": "4"}).json()
    assert answer["outcome"] == "known"
    assert answer["differs"] == ["settings"]
    assert "stays so until you reassign it" in answer["sentence"]
    changed = client.patch(answer["url"], {"setting": {"guests": 4}}, format="json").json()
    assert changed["differs"] == []
    assert Run.objects.get().settings == {"guests": 4}
