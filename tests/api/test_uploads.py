"""`POST /api/v1/uploads/` and the address of each outcome."""

from __future__ import annotations

import json
import resource
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from benchdash.api.run_json import BriefRunSerializer
from benchdash.api.uploads import OutcomeSerializer
from benchdash.results import uploads
from benchdash.results.artifacts import content_of
from benchdash.results.models import Artifact, Run, Upload
from benchdash.results.readings import File
from benchdash.results.run_names import run_name
from tests.measured import a_configuration, an_environment, named
from tests.results.result_files import bonnie, bonnie_row, fio, fio_job, fio_log, zipped

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/uploads/"


def send(client, *files, **form):
    sent = [SimpleUploadedFile(file.name, file.data) for file in files]
    return client.post(ADDRESS, {"file": sent, **form}, format="multipart")


def test_one_file_is_answered_with_the_runs_made(contributor):
    answer = send(contributor, bonnie("a.csv"))
    assert answer.status_code == 201
    run = Run.objects.get()
    assert answer.json() == {
        "id": Upload.objects.get().pk,
        "url": f"/api/v1/uploads/{Upload.objects.get().pk}/",
        "name": "a.csv",
        "archive": "",
        "sha256": run.artifact.sha256,
        "outcome": "stored",
        "sentence": "",
        "recognised": [
            {
                "tool": "bonnie++",
                "tool_version": run.tool_version,
                "format": run.format,
                "results": 1,
            }
        ],
        "runs": [
            {
                "id": run.pk,
                "url": f"/api/v1/runs/{run.pk}/",
                "name": run_name(named(run)),
                "tool": "bonnie++",
                "label": "host-a",
                "configuration": None,
                "environment": None,
                "study": None,
                "same_as": None,
                "set_aside_reason": "",
                "deleted_at": None,
            }
        ],
        "differs": [],
        "put_aside": None,
        "compare": f"/compare/?upload={Upload.objects.get().pk}",
    }
    assert run.created_by == contributor.person


def test_what_is_stated_by_name_is_where_the_runs_belong(contributor):
    configuration, environment = a_configuration("DRBD C"), an_environment("lab")
    answer = send(
        contributor,
        bonnie(),
        configuration="DRBD C",
        environment="lab",
        label="try 3",
        started_at="2026-10-01T12:00:00+09:00",
    )
    run = Run.objects.get()
    assert (run.configuration, run.environment, run.label) == (configuration, environment, "try 3")
    assert run.started_at.isoformat() == "2026-10-01T03:00:00+00:00"
    assert answer.json()["runs"][0]["environment"] == {"id": environment.pk, "name": "lab"}


def test_the_same_bytes_are_answered_with_those_same_runs(contributor):
    first = send(contributor, bonnie()).json()
    again = send(contributor, bonnie())
    assert again.status_code == 200
    assert again.json()["outcome"] == "known"
    assert again.json()["runs"] == first["runs"]
    assert Run.objects.count() == 1


def test_an_unreadable_file_is_a_problem_whose_bytes_are_kept(contributor):
    answer = send(contributor, File("a.txt", b"hello"))
    assert answer.status_code == 422
    assert answer["Content-Type"] == "application/problem+json"
    body = answer.json()
    assert body["detail"].startswith("a.txt: ") and body["outcome"] == "refused"
    assert content_of(Artifact.objects.get()) == b"hello"
    assert contributor.get(body["url"]).json()["outcome"] == "refused"


def test_several_files_have_one_outcome_each(contributor):
    answer = send(contributor, bonnie("a.csv"), bonnie("b.csv"), bonnie("c.csv", write=1))
    assert answer.status_code == 200
    assert [(each["name"], each["outcome"]) for each in answer.json()["outcomes"]] == [
        ("a.csv", "stored"),
        ("b.csv", "known"),
        ("c.csv", "stored"),
    ]


def test_paths_say_which_files_lay_side_by_side(contributor):
    files = [fio(fio_job()), fio_log("seq_bw.1.log"), fio_log("seq_bw.1.log", points=9)]
    answer = send(contributor, *files, path=["a/out.json", "b/seq_bw.1.log", "a/seq_bw.1.log"])
    assert [(each["name"], each["outcome"]) for each in answer.json()["outcomes"]] == [
        ("a/out.json", "stored"),
        ("b/seq_bw.1.log", "refused"),
        ("a/seq_bw.1.log", "stored"),
    ]
    assert send(contributor, *files, path=["a"]).json()["field"] == "path"


def test_an_archive_has_one_outcome_a_member(contributor):
    answer = send(contributor, zipped("a.zip", {"in/a.csv": bonnie_row().encode()}))
    assert answer.status_code == 200
    (member,) = answer.json()["outcomes"]
    assert (member["name"], member["archive"]) == ("a.zip/in/a.csv", "a.zip")
    archive = Upload.objects.get(archive=None)
    seen = contributor.get(f"{ADDRESS}{archive.pk}/").json()
    assert [each["name"] for each in seen["members"]] == ["a.zip/in/a.csv"]


def test_a_name_that_does_not_exist_is_reported_with_near_names(contributor):
    a_configuration("DRBD C")
    answer = send(contributor, bonnie(), configuration="DRBD B")
    assert answer.status_code == 422
    assert answer.json()["field"] == "configuration"
    assert "“DRBD C”" in answer.json()["detail"]
    assert not Artifact.objects.exists()


def test_a_request_without_a_file_says_what_is_missing(contributor):
    answer = contributor.post(ADDRESS, {}, format="multipart")
    assert answer.status_code == 400
    assert answer.json()["field"] == "file"


def test_too_many_files_at_once_are_a_problem_and_no_crash(contributor, settings):
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 2
    answer = send(contributor, *(bonnie(f"{n}.csv") for n in range(3)))
    assert answer.status_code == 413


def test_very_many_files_take_few_descriptors(contributor, settings):
    settings.FILE_UPLOAD_MAX_MEMORY_SIZE = 1000
    sent = [bonnie(f"{n}.csv", write=1000 + n) for n in range(200)]
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    in_use = len(list(Path("/proc/self/fd").iterdir()))
    resource.setrlimit(resource.RLIMIT_NOFILE, (in_use + 50, hard))
    try:
        answer = send(contributor, *sent)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert [each["outcome"] for each in answer.json()["outcomes"]] == ["stored"] * 200
    contents = {content_of(each) for each in Artifact.objects.all()}
    assert contents == {file.data for file in sent}


def test_a_known_file_is_reassigned_as_it_was_asked(contributor):
    mirror = a_configuration("mirror")
    a_configuration("local")
    send(contributor, bonnie(), configuration="local")
    known = send(contributor, bonnie(), configuration="mirror").json()
    assert known["differs"] == ["configuration"]
    answer = contributor.patch(known["url"], {}, format="json")
    assert answer.status_code == 200 and answer.json()["differs"] == []
    assert Run.objects.get().configuration == mirror


def test_an_archive_is_reassigned_whole(contributor):
    a_configuration("mirror")
    files = {"a.csv": bonnie_row().encode(), "b.csv": bonnie_row(write=1).encode()}
    send(contributor, zipped("a.zip", files))
    archive = Upload.objects.get(archive=None)
    contributor.patch(f"{ADDRESS}{archive.pk}/", {"configuration": "mirror"}, format="json")
    assert Run.objects.filter(configuration__name="mirror").count() == 2


def test_reassigning_to_nothing_is_refused_with_a_sentence(contributor):
    url = send(contributor, bonnie()).json()["url"]
    answer = contributor.patch(url, {}, format="json")
    assert answer.status_code == 422 and answer.json()["detail"].endswith(".")


def test_a_large_file_waits_for_a_worker(contributor, monkeypatch, settings):
    monkeypatch.setattr(uploads, "READ_AT_ONCE_BYTES", 10)
    answer = send(contributor, bonnie())
    assert answer.status_code == 202
    assert answer.json()["outcome"] == "waiting"
    assert contributor.get(answer["Location"]).json()["outcome"] == "waiting"
    uploads.read_kept([Upload.objects.get()])
    assert contributor.get(answer["Location"]).json()["outcome"] == "stored"


@pytest.mark.parametrize("name", ['<img src=x onerror="x">.csv', "a'; drop.csv", "表.csv"])
def test_any_file_name_comes_back_as_it_was(contributor, name):
    assert send(contributor, bonnie(name)).json()["name"] == name


def test_one_upload_costs_few_queries(contributor, django_assert_max_num_queries):
    send(contributor, bonnie(write=1))
    with django_assert_max_num_queries(13):
        send(contributor, bonnie(write=2))


def test_an_outcome_is_what_the_description_says(contributor):
    a_configuration("DRBD C"), an_environment("lab")
    answer = send(contributor, bonnie(), configuration="DRBD C", environment="lab").json()
    assert list(answer) == list(OutcomeSerializer().fields)
    run = named(Run.objects.get())
    run.environment_name = "lab"
    assert answer["runs"] == [json.loads(json.dumps(BriefRunSerializer(run).data))]


def test_no_file_is_turned_away_for_what_its_sender_would_rather_read(contributor):
    contributor.credentials(**contributor._credentials, HTTP_ACCEPT="text/plain")
    assert send(contributor, bonnie()).status_code == 201


def test_an_answer_leads_to_the_comparison_of_what_was_brought(contributor):
    one = send(contributor, bonnie("a.csv")).json()
    answer = send(contributor, bonnie("again.csv"), bonnie("b.csv", write=7), File("c", b"words"))
    query = answer.json()["compare"].removeprefix("/compare/")
    known, stored, refused = answer.json()["outcomes"]
    assert (known["outcome"], refused["compare"]) == ("known", None)
    assert query == f"?upload={known['id']}-{stored['id']}"
    both = {run["id"] for outcome in (known, stored) for run in outcome["runs"]}
    assert {run["id"] for run in contributor.get(f"/api/v1/runs/{query}").json()["results"]} == both
    compared = contributor.get(f"/api/v1/compare/{query}")
    assert compared.status_code == 200
    assert contributor.get(one["compare"]).status_code == 200
    assert contributor.get("/api/v1/runs/?upload=b").status_code == 400


def test_a_file_that_waits_says_already_where_it_will_be_compared(contributor, monkeypatch):
    monkeypatch.setattr(uploads, "READ_AT_ONCE_BYTES", 10)
    waiting = send(contributor, bonnie("a.csv")).json()
    assert waiting["outcome"] == "waiting"
    uploads.read_waiting(waiting["id"])
    (run,) = contributor.get(f"/api/v1/runs/?upload={waiting['id']}").json()["results"]
    assert waiting["compare"] == f"/compare/?upload={waiting['id']}"
    assert run["id"] == Run.objects.get().pk
