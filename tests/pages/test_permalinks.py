"""A comparison is linked to by a button, and opened by whoever may read."""

from __future__ import annotations

import re
from html import unescape

import pytest

from benchdash.results import permalinks
from benchdash.results.models import Permalink, Run

pytestmark = pytest.mark.django_db


def text_of(response):
    return unescape(re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", response.text)))


def test_the_button_makes_a_link_that_shows_the_same(house, contributor):
    page = contributor.get("/compare/", {"study": house.study.slug, "percent": 1})
    form = re.search(r'<form method="post" action="/c/">.*?</form>', page.text, re.S)[0]
    query = unescape(re.search(r'name="query" value="([^"]*)"', form)[1])
    answer = contributor.post("/c/", {"query": query})
    made = Permalink.objects.first()
    assert (answer.status_code, answer.url) == (302, f"/c/{made.slug}/")
    assert made.created_by == contributor.person
    assert made.query == f"study={house.study.slug}&percent=1"
    frozen = contributor.get(answer.url)
    figures = re.findall(r"<figure.*?</figure>", page.text, re.S)
    assert figures == re.findall(r"<figure.*?</figure>", frozen.text, re.S)


def test_viewers_see_no_button_and_open_the_link(house, signed_in):
    viewer = signed_in("viewer")
    assert 'action="/c/"' not in viewer.get(f"/compare/?study={house.study.slug}").text
    page = viewer.get(f"/c/{house.permalink.slug}/")
    assert page.status_code == 200
    assert "Numbers changed since" not in page.text
    assert f'href="/compare/?study={house.study.slug}"' in page.text


def test_changed_numbers_are_stated_with_both_values(house, signed_in):
    run = house.run
    measured = run.measurements.filter(measure__operation="seq_write", measure__metric="throughput")
    before = measured.get().value
    measured.update(value=before * 2)
    Run.objects.filter(pk=run.pk).update(parser_version=99, digest="0" * 64)
    text = text_of(signed_in("viewer").get(f"/c/{house.permalink.slug}/"))
    assert "Numbers changed since." in text
    row = re.search(
        r"Sequential write · Throughput ([\d.]+) MB/s ([\d.]+) MB/s reread by (.*?), shown",
        text,
    )
    assert float(row[1]) == pytest.approx(before / 1e6, rel=0.01)
    assert float(row[2]) == pytest.approx(before / 5e5, rel=0.01)
    assert row[3] == "parser version 99"


def test_withdrawn_and_removed_runs_are_stated_in_japanese_too(house, signed_in):
    Run.objects.filter(pk=house.run.pk).delete()
    viewer = signed_in("viewer")
    address = f"/c/{house.permalink.slug}/"
    page = viewer.get(address)
    assert "since removed, with its numbers" in page.text
    assert f'<th scope="row">#{house.run.pk}' in page.text
    japanese = viewer.get(address, headers={"accept-language": "ja"})
    assert "数値が変わりました" in japanese.text


def test_nothing_to_link_to_is_answered_with_a_sentence(house, contributor):
    answer = contributor.post("/c/", {"query": "tool=dbench"})
    assert answer.status_code == 422
    assert "nothing to link to" in answer.text
    assert contributor.post("/c/").status_code == 422


def test_rules_that_changed_since_are_stated_with_the_way_to_todays_reading(
    house, signed_in, monkeypatch
):
    viewer, address = signed_in("viewer"), f"/c/{house.permalink.slug}/"
    assert "The rules have changed since." not in viewer.get(address).text
    monkeypatch.setattr(permalinks, "RULES", permalinks.RULES + 1)
    banner = re.search(r'<div class="notice warning">.*?</div>', viewer.get(address).text, re.S)[0]
    assert "The rules have changed since." in banner
    today = unescape(re.search(r'href="([^"]*)"', banner)[1])
    assert viewer.get(today).status_code == 200
    japanese = viewer.get(address, headers={"accept-language": "ja"})
    assert "判定の規則が変わりました" in japanese.text


def test_an_address_that_no_longer_makes_sense_still_shows_what_it_showed(house, contributor):
    address = f"/c/{house.permalink.slug}/"
    before = re.findall(r"<figure.*?</figure>", contributor.get(address).text, re.S)
    Permalink.objects.update(query="gone=1")
    page = contributor.get(address)
    assert before == re.findall(r"<figure.*?</figure>", page.text, re.S)
