"""What nobody should send: refused in a sentence, never a fault of ours."""

from __future__ import annotations

import json

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from benchdash.results.models import Study
from tests.api.test_problems import is_problem

pytestmark = pytest.mark.django_db
BEYOND = 2**63
DEEP = "[" * 5000 + "]" * 5000


@pytest.fixture
def admin(signed_in):
    return signed_in("admin")


@pytest.mark.parametrize(
    "query",
    [
        f"runs/?configuration={BEYOND}",
        f"runs/?environment={10**40}",
        "runs/?configuration=1.5",
        f"jobs/?plan={BEYOND}",
        "runs/?since=0001-01-01T00:00:00%2B14:00",
        "runs/?until=9999-12-31T23:59:59-14:00",
        "runs/?counted=perhaps",
        "runs/?deleted=2",
        "runs/?page_size=0",
        "runs/?page_size=many",
    ],
)
def test_a_filter_that_cannot_be_read_narrows_nothing_in_silence(admin, query):
    answer = admin.get(f"/api/v1/{query}")
    assert is_problem(answer, 400)
    assert answer.json()["field"] == query.partition("?")[2].partition("=")[0]


@pytest.mark.parametrize(
    ("act", "further"),
    [
        ("assign", {}),
        ("set-aside", {"reason": "x"}),
        ("repeats", {"repeats": True}),
        ("delete", {}),
        ("restore", {}),
        ("tag", {"tags": ["x"]}),
        ("untag", {"tags": ["x"]}),
    ],
)
def test_a_run_that_no_database_counts_to(admin, act, further):
    sent = {"runs": [10**28], **further}
    assert is_problem(admin.post(f"/api/v1/runs/{act}/", sent, format="json"), 400)


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        (DEEP, "nested too deeply"),
        (r'{"name": "\ud800"}', "half a character"),
        (r'{"layers": {"kind": "\udfff"}}', "half a character"),
    ],
)
@pytest.mark.parametrize("address", ["configurations/", "environments/", "plans/", "hosts/"])
def test_a_body_that_cannot_be_answered(admin, address, body, sentence):
    answer = admin.generic("POST", f"/api/v1/{address}", body.encode(), "application/json")
    assert is_problem(answer, 400)
    assert sentence in answer.json()["detail"]


def test_a_target_that_no_database_counts_to(admin):
    sent = {"recipe": "fio", "targets": {"node-a": 10**30}}
    assert is_problem(admin.post("/api/v1/plans/", sent, format="json"), 400)


def test_a_condition_without_configuration_in_a_change(admin):
    study = Study.objects.create(slug="one", title="One")
    answer = admin.patch(f"/api/v1/studies/{study.slug}/", {"conditions": [{}]}, format="json")
    assert is_problem(answer, 400)
    assert answer.json()["field"] == "conditions.0.configuration"


@pytest.mark.parametrize("version", ["%00", "x%0d%0ay"])
def test_the_description_takes_no_version_from_an_address(admin, version):
    answer = admin.get(f"/api/schema/?version={version}")
    assert answer.status_code == 200
    assert "\0" not in answer["Content-Disposition"]


@pytest.mark.parametrize("address", ["schema/", "v1/runs/", "v1/compare/"])
def test_a_format_that_there_is_not_is_answered_with_those_that_there_are(admin, address):
    answer = admin.get(f"/api/{address}?format=zz")
    assert is_problem(answer, 404)
    assert "json" in answer.json()["detail"]


def test_a_sentence_quotes_what_was_sent_only_so_far(admin):
    answer = admin.get("/api/v1/compare/", {"group": "x" * 190, "measure": "y" * 10_000})
    assert answer.status_code >= 400
    assert len(answer.json()["detail"]) <= 1000
    sent = {"runs": [1], "configuration": "x" * 100_000}
    answer = admin.post("/api/v1/runs/assign/", sent, format="json")
    assert answer.status_code == 422
    assert len(json.dumps(answer.json())) < 2000
    sent = {"name": "n", "machines": {"x" * 100_000: 5}}
    answer = admin.post("/api/v1/environments/", sent, format="json")
    assert answer.status_code == 400
    assert len(json.dumps(answer.json())) < 3000


def test_another_host_is_refused_as_scripts_expect_it(admin, settings):
    settings.ALLOWED_HOSTS = ["benchdash.example"]
    answer = admin.get("/api/v1/runs/", HTTP_HOST="evil.example")
    assert is_problem(answer, 400)
    assert "ALLOWED_HOSTS" in answer.json()["detail"]


def test_too_many_files_are_counted_for_who_sent_them(admin, settings):
    settings.DATA_UPLOAD_MAX_NUMBER_FILES = 1
    sent = {"file": [SimpleUploadedFile("a", b"x"), SimpleUploadedFile("b", b"y")]}
    answer = admin.post("/api/v1/uploads/", sent)
    assert is_problem(answer, 413)
    assert "at most 1 files" in answer.json()["detail"]


def test_too_many_fields_are_counted_too(admin, settings):
    settings.DATA_UPLOAD_MAX_NUMBER_FIELDS = 3
    sent = {"file": [SimpleUploadedFile("a", b"x")], "path": ["a"] * 10}
    for answer in (
        admin.post("/api/v1/uploads/", sent),
        admin.post("/api/v1/runs/delete/", {"runs": [1] * 10}),
    ):
        assert is_problem(answer, 413)
        assert "at most 3 fields" in answer.json()["detail"]


def test_a_nul_is_called_one(admin):
    answer = admin.get("/api/v1/compare/?axis=%00")
    assert is_problem(answer, 422)
    assert "NUL" in answer.json()["detail"]
