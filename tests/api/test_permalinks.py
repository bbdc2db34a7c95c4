"""Permalinks for scripts."""

from __future__ import annotations

import pytest
from django.db import connection
from django.db.models.functions import Reverse
from django.test.utils import CaptureQueriesContext
from rest_framework.test import APIClient

from benchdash.api.permalinks import PermalinkSerializer
from benchdash.results.models import Permalink, Run
from tests.measured import a_configuration, a_run

pytestmark = pytest.mark.django_db

WRITE = "seq_write.throughput.mean"
ADDRESS = "/api/v1/permalinks/"


@pytest.fixture
def run():
    return a_run(a_configuration("local"), {WRITE: 1e8})


def make(client, query="tool=fio"):
    return client.post(ADDRESS, {"query": query}, format="json")


def test_a_link_is_made_and_read(contributor, run):
    made = make(contributor)
    assert made.status_code == 201
    body = made.json()
    assert body["url"] == f"http://testserver/c/{body['slug']}/"
    assert body["runs"] == [{"id": run.pk, "parser_version": 1, "digest": run.digest}]
    assert Permalink.objects.get().created_by == contributor.person
    a_run(run.configuration, {WRITE: 2e8})
    read = contributor.get(made["Location"]).json()
    assert read == body
    assert PermalinkSerializer(data=read).is_valid(raise_exception=True)


def test_it_says_what_changed_since(contributor, run):
    place = make(contributor)["Location"]
    run.measurements.update(value=2e8)
    Run.objects.filter(pk=run.pk).update(digest="0" * 64, parser_version=2)
    read = contributor.get(place).json()
    assert read["changed"] == [
        {
            "run": run.pk,
            "state": "counted",
            "shown_version": 1,
            "now_version": 2,
            "numbers": [{"measure": WRITE, "shown": 1e8, "now": 2e8}],
        }
    ]
    assert read["comparison"]["sections"][0]["figures"][0]["rows"][0]["median"] == 1e8


@pytest.mark.parametrize("query", ["tool=dbench", "family=speed"])
def test_nonsense_is_a_problem(contributor, run, query):
    answer = make(contributor, query)
    assert answer.status_code == 422
    assert answer.json()["detail"]


def test_viewers_read_and_make_none(contributor, signed_in, run):
    place = make(contributor)["Location"]
    viewer = signed_in("viewer")
    assert make(viewer).status_code == 403
    assert viewer.get(place).status_code == 200
    assert viewer.get(f"{ADDRESS}none/").status_code == 404


@pytest.mark.parametrize("public", [True, False])
def test_visitors_read_where_reading_is_public(contributor, settings, run, public):
    settings.PUBLIC_READ = public
    place = make(contributor)["Location"]
    assert APIClient().get(place).status_code == (200 if public else 401)


def test_the_number_of_queries_does_not_grow(contributor, run):
    def count_queries():
        place = make(contributor)["Location"]
        Run.objects.update(digest=Reverse("digest"))  # all are read again
        with CaptureQueriesContext(connection) as queries:
            assert contributor.get(place).status_code == 200
        return len(queries)

    few = count_queries()
    for index in range(20):
        a_run(a_configuration(f"c{index}"), {WRITE: 1e6})
    assert count_queries() == few


@pytest.mark.parametrize("kind", ["csv", "md"])
def test_it_is_taken_along_as_a_file_that_later_runs_do_not_change(contributor, run, kind):
    place = make(contributor)["Location"]
    before = contributor.get(f"{place}?format={kind}")
    assert before["Content-Disposition"] == f'attachment; filename="comparison.{kind}"'
    a_run(run.configuration, {WRITE: 2e8})
    assert contributor.get(f"{place}?format={kind}").content == before.content
    words = "100000000.0" if kind == "csv" else f"<http://testserver/c/{place.split('/')[-2]}/>"
    assert words in before.text
