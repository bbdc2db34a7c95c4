"""Chips name the records that an address has by number."""

from __future__ import annotations

import re

import pytest
from django.utils.html import strip_tags

from benchdash.inventory.records import record_environment
from benchdash.results.models import Study, Upload
from benchdash.results.run_names import names_of
from tests.measured import a_run
from tests.pages.compared import WRITE

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


def test_an_environment_without_a_name_is_named_by_its_hosts(contributor):
    environment = record_environment({"node-a": {"hostname": "store-1"}}, {})
    a_run(tool="fio", environment=environment)
    for page in ("/runs/", "/compare/"):
        (chip,) = chips(contributor, f"{page}?environment={environment.pk}")
        assert chip == f"Environment: store-1 #{environment.pk}"


def test_series_have_the_titles_of_their_studies(house, contributor):
    """In filters of either page and their chips; a study that is chosen has the word."""
    title = {"title": "emulated hosts", "words": ""}
    Study.objects.filter(pk=house.study.pk).update(
        series={"emulated-2026": title},
        translations={"ja": {"series": {"emulated-2026": {"title": "エミュレーション環境"}}}},
    )
    for slug, own in (("first", "A host"), ("second", "A host")):
        Study.objects.create(slug=slug, title=slug, series={"emulated-2026": {"title": own}})
    for settings in ({"series": "emulated-2026"}, {"series": "2026-11"}):
        a_run(house.mirror, {WRITE: 1e6}, study=house.study, settings=settings)
    chosen = "setting.series=emulated-2026&setting.series=2026-11"
    of_study = f"{chosen}&study={house.study.slug}"

    def facet(query):
        page = contributor.get(f"/runs/facets/?{query}")
        (found,) = (one for one in page.context["facets"] if one.name == "setting.series")
        return {link.value: link.text for link in found.shown}

    assert facet(chosen)["emulated-2026"] == "A host"
    named = {"emulated-2026": "emulated hosts", "2026-11": "ours, November 2026"}
    assert facet(of_study) == named | {"~": "not recorded"}
    assert "Series: A host" in chips(contributor, f"/runs/?{chosen}")
    for page in ("/runs/", "/compare/"):
        found = chips(contributor, f"{page}?{of_study}")
        assert {"Series: emulated hosts", "Series: ours, November 2026"} <= {*found}
        found = chips(contributor, f"{page}?{of_study}", **{"Accept-Language": "ja"})
        assert "系列：エミュレーション環境" in found
    boxes = contributor.get(f"/compare/?{of_study}").text
    assert re.search(r'value="emulated-2026" checked[^>]*>.{0,40}emulated hosts', boxes, re.DOTALL)
