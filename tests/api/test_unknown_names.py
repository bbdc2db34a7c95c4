"""A filter that a list does not have is refused, with the nearest name: never ignored."""

from __future__ import annotations

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from benchdash.results.models import Upload

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize(
    ("address", "meant"),
    [
        ("runs/?confguration=1", "configuration"),
        ("executions/?artefact=x", "artifact"),
        ("configurations/?facets=x", "facet"),
        ("environments/?hots=x", "host"),
        ("jobs/?stat=done", "state"),
        ("plans/?pagesize=2", "page_size"),
        ("hosts/?pagesize=2", "page_size"),
        ("hosts/1/?fromat=json", "format"),
    ],
)
def test_an_unknown_filter_is_refused_with_the_nearest(signed_in, address, meant):
    answer = signed_in("operator").get(f"/api/v1/{address}")
    assert answer.status_code == 400
    assert f"“{meant}”" in answer.json()["detail"]


def test_what_every_list_has_is_no_filter(signed_in):
    operator = signed_in("operator")
    for name in ("runs", "executions", "jobs"):
        answer = operator.get(f"/api/v1/{name}/?page_size=2&format=json")
        assert answer.status_code == 200


@pytest.mark.parametrize(
    ("address", "body", "field", "meant"),
    [
        ("runs/assign/", {"runs": [1], "confguration": "x"}, "confguration", "configuration"),
        ("runs/tag/", {"runs": [1], "tag": ["x"]}, "tag", "tags"),
        ("studies/", {"title": "t", "conditions": [{"lable": "x"}]}, "conditions.0.lable", "label"),
        ("hosts/", {"name": "h", "targets": [{"adress": "x"}]}, "targets.0.adress", "address"),
        ("plans/", {"recipe": "fio", "target": {}}, "target", "targets"),
        ("configurations/", {"name": "c", "stak": ""}, "stak", ""),
        ("permalinks/", {"qery": "x"}, "qery", "query"),
        ("runs/delete/", {"filters.tool": "fio", "runs": [1]}, "filters.tool", "filters"),
        ("runs/assign/", {"runs": [1], "setting.guests": 4}, "setting.guests", "setting"),
    ],
)
def test_a_field_that_a_body_does_not_have_is_refused_with_the_nearest(
    signed_in, address, body, field, meant
):
    answer = signed_in("admin").post(f"/api/v1/{address}", body, content_type="application/json")
    assert answer.status_code == 422
    assert answer.json()["field"] == field
    assert f"“{meant}" in answer.json()["detail"]


def test_a_field_that_an_upload_does_not_have_is_refused(signed_in):
    sent = {"file": SimpleUploadedFile("a.txt", b"x"), "setings.guests": "4"}
    contributor = signed_in("contributor")
    answer = contributor.post("/api/v1/uploads/", sent)
    assert answer.status_code == 422
    assert "“setting”" in answer.json()["detail"]
    assert not Upload.objects.exists()
    for name in ("setting", "setting."):
        sent = {"file": SimpleUploadedFile("a.txt", b"x"), name: "4"}
        assert "needs the name" in contributor.post("/api/v1/uploads/", sent).text
    assert not Upload.objects.exists()
    sent = {"file": SimpleUploadedFile("a.txt", b"x"), "setting.guests": "4"}
    assert "no field" not in contributor.post("/api/v1/uploads/", sent).text


@pytest.mark.parametrize(
    ("address", "meant"),
    [
        ("search/?qq=x", "q"),
        ("jobs/1/log?ofset=3", "offset"),
        ("recipes/?fromat=json", "format"),
        ("recipes/fio-sweep/?fromat=json", "format"),
    ],
)
def test_a_query_that_an_address_does_not_have_is_refused(signed_in, address, meant):
    answer = signed_in("viewer").get(f"/api/v1/{address}")
    assert answer.status_code == 400
    assert f"“{meant}”" in answer.json()["detail"]
