"""Chips name the records that an address has by number."""

from __future__ import annotations

import re

import pytest
from django.utils.html import strip_tags

from benchdash.inventory.records import record_environment
from benchdash.results.models import Upload
from benchdash.results.run_names import names_of
from tests.measured import a_run

pytestmark = pytest.mark.django_db


def chips(client, address, **headers):
    page = client.get(address, headers=headers).text
    return [
        re.sub(r"\s+", " ", strip_tags(one)).strip(" ×")
        for one in re.findall(r'<li class="chip">(.*?)</li>', page, re.DOTALL)
    ]


def uploads(*names, **columns):
    artifact = a_run(tool="fio").artifact
    return [Upload.objects.create(artifact=artifact, name=name, **columns) for name in names]


@pytest.mark.parametrize("page", ["/runs/", "/compare/"])
def test_uploads_are_named_by_their_files_and_when_they_came(contributor, client, page):
    first, *_others, last = uploads("night/a.json", "night/b.json", "c.txt", "d.txt")
    address = f"{page}?upload={first.pk}-{last.pk}"
    time = r"\d+ [A-Z][a-z]+ \d\d:\d\d"
    (chip,) = chips(contributor, address)
    assert re.fullmatch(rf"Upload: a\.json, b\.json and 2 more · {time}", chip)
    (chip,) = chips(contributor, address, **{"Accept-Language": "ja"})
    assert re.fullmatch(r"アップロード：a\.json、b\.json.*2.*月.*", chip)
    (chip,) = chips(contributor, f"{page}?upload={last.pk}")
    assert re.fullmatch(rf"Upload: d\.txt · {time}", chip)
    # visitors are not told the names of files
    (chip,) = chips(client, address)
    assert re.fullmatch(rf"Upload: 4 files · {time}", chip)


def test_an_archive_is_named_and_not_what_lies_in_it(contributor):
    (archive,) = uploads("results.zip")
    inside = uploads("results.zip/a.json", "results.zip/b.json", archive=archive)
    (chip,) = chips(contributor, f"/runs/?upload={archive.pk}-{inside[-1].pk}")
    assert chip.startswith("Upload: results.zip · ")
    (chip,) = chips(contributor, f"/runs/?upload={inside[0].pk}")
    assert chip.startswith("Upload: a.json · ")


def test_environments_and_runs_are_named_too(contributor):
    environment = record_environment({"node-a": {"kernel": "6.1"}}, {}, name="Rack 7")
    run = a_run(tool="fio", environment=environment)
    for page in ("/runs/", "/compare/"):
        found = chips(contributor, f"{page}?environment={environment.pk}&run={run.pk}")
        assert sorted(found) == ["Environment: Rack 7", f"Run: {names_of([run.pk])[run.pk]}"]
