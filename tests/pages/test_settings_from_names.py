"""Settings of stored runs out of the names of their files."""

from __future__ import annotations

import pytest
from django.urls import reverse

from benchdash.results.ingest import ingest
from benchdash.results.models import Run
from tests.results.result_files import bonnie

pytestmark = pytest.mark.django_db


@pytest.fixture
def runs():
    ingest([bonnie("1vm-cold.csv", write=80_000), bonnie("4vm-<b>.csv", write=81_000)])
    return list(Run.objects.order_by("pk").values_list("pk", flat=True))


def send(client, runs, **fields):
    return client.post(reverse("settings_from_names"), {"runs": runs, **fields})


def test_a_look_changes_nothing_and_shows_what_is_found(contributor, runs):
    page = send(contributor, runs, pattern="{guests}vm-*.csv").text
    assert "guests=1" in page and "guests=4" in page
    assert "4vm-&lt;b&gt;.csv" in page
    assert not Run.objects.exclude(settings={}).exists()


def test_applied_it_is_with_the_runs(contributor, runs):
    answer = send(contributor, runs, pattern="{guests}vm-{cache}.csv", apply="1")
    assert answer.status_code == 302
    found = [Run.objects.get(pk=pk).settings for pk in runs]
    assert sorted(found, key=lambda one: one["guests"]) == [
        {"cache": "cold", "guests": 1},
        {"cache": "<b>", "guests": 4},
    ]


@pytest.mark.parametrize(
    ("pattern", "sentence"),
    [
        ("plain", "names no setting"),
        ("{a}{b}", "write the text that separates them"),
        ("{a}-{a}", "names a setting twice"),
        ("{Two Words}", "cannot be the name of a setting"),
    ],
)
def test_a_pattern_that_makes_no_sense_is_refused_beside_its_field(
    contributor, runs, pattern, sentence
):
    page = send(contributor, runs, pattern=pattern, apply="1").text
    assert sentence in page
    assert not Run.objects.exclude(settings={}).exists()


def test_only_contributors_change_settings(signed_in, runs):
    assert send(signed_in("viewer"), runs, pattern="{guests}vm*", apply="1").status_code == 403
