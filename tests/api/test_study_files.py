"""A study as a file over the API."""

from __future__ import annotations

import pytest

from benchdash.results.models import Study
from tests.measured import a_configuration, a_run
from tests.results.test_study_files import TEXT

pytestmark = pytest.mark.django_db


def post(client, **body):
    return client.post("/api/v1/studies/import/", body, format="json")


def test_a_file_goes_in_and_comes_out_the_same(contributor, settings, client):
    made = post(contributor, text=TEXT)
    assert made.status_code == 201
    assert made.json()["published_as"] == "author, 2008"
    assert made.json()["measured_by"]["roles"] == ["client", "guest[1..10]"]
    answer = contributor.get(f"{made.json()['url']}file/")
    assert answer["Content-Type"].startswith("application/yaml")
    assert answer.content.decode() == TEXT
    settings.PUBLIC_READ = True
    assert client.get(f"{made.json()['url']}file/").status_code == 200
    settings.PUBLIC_READ = False
    assert client.get(f"{made.json()['url']}file/").status_code in (401, 403)


def test_a_mistake_is_a_problem_with_its_line(contributor):
    answer = post(contributor, text=TEXT.replace("delta: 2.5", "delta: much"))
    assert answer.status_code == 422
    assert answer.json()["field"] == "text"
    assert answer.json()["detail"].startswith("Line 20 (delta): ")
    assert not Study.objects.exists()


def test_a_study_is_replaced_where_that_is_stated(contributor):
    assert post(contributor, text=TEXT).status_code == 201
    assert post(contributor, text=TEXT).status_code == 422
    assert post(contributor, text=TEXT, replace=True).status_code == 201
    assert Study.objects.count() == 1


def test_viewers_import_nothing(signed_in):
    assert post(signed_in("viewer"), text=TEXT).status_code == 403


def test_a_study_is_made_of_runs(contributor, signed_in):
    configurations = [a_configuration(name) for name in ("fast", "slow")]
    runs = [a_run(each, {"seq_write.throughput.mean": 1.0}) for each in configurations]
    chosen = {"runs": [run.pk for run in runs]}
    answer = contributor.post("/api/v1/studies/of-runs/", chosen, format="json")
    assert answer.status_code == 201
    assert answer.json()["title"] == "Configuration: fast, slow"
    assert [one["configuration"]["name"] for one in answer.json()["conditions"]] == ["fast", "slow"]
    others = {"filters": {"tool": "fio"}, "expected": 2}
    again = contributor.post("/api/v1/studies/of-runs/", others, format="json").json()
    assert again["charts"] == [f"run={runs[0].pk}&run={runs[1].pk}"]
    denied = signed_in("viewer").post("/api/v1/studies/of-runs/", chosen, format="json")
    assert denied.status_code == 403
