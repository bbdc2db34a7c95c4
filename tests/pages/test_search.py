"""One box in the head of each page."""

from __future__ import annotations

import re

import pytest

from tests.measured import a_run

pytestmark = pytest.mark.django_db


def test_the_box_stands_in_the_head_of_each_page_and_works_without_scripts(house, contributor):
    assert '<form class="search" method="get" action="/search/"' in contributor.get("/").text
    text = contributor.get("/search/?q=drbd+C").text
    assert f'href="/configurations/{house.mirror.pk}/"' in text
    assert 'value="drbd C"' in text


def test_nothing_found_says_what_can_be_searched(house, contributor):
    text = contributor.get("/search/?q=xyzzy").text
    assert "Nothing matches “xyzzy”" in text
    assert "protocol=A" in text
    assert "Search everything from one box" in contributor.get("/search/").text


def test_a_question_that_is_too_long_is_stated_beside_the_box(contributor):
    assert "errors" in contributor.get(f"/search/?q={'x' * 201}").text


def test_filters_stand_in_the_address_can_be_taken_away_and_stay_with_other_words(contributor):
    small = a_run(label="nightly", workload={"block_bytes": 4096})
    large = a_run(label="nightly", workload={"block_bytes": 2**20})
    text = contributor.get("/search/?q=nightly&workload.block_bytes=4k").text
    assert f'href="/runs/{small.pk}/"' in text
    assert f'href="/runs/{large.pk}/"' not in text
    assert "Block size: 4 KiB" in text
    assert 'href="/search/?q=nightly&amp;"' in text
    assert '<input type="hidden" name="workload.block_bytes" value="4096">' in text
    assert 'href="/runs/?workload.block_bytes=4096"' in text
    assert "No run matches" in contributor.get("/search/?workload.block_bytes=8k").text
    refused = contributor.get("/search/?q=nightly&tol=fio").text
    assert "Did you mean “tool”" in refused


def test_the_rest_of_a_kind_is_counted_and_led_to(house, contributor):
    runs = [a_run(label="nightly") for _ in range(12)]
    text = contributor.get("/search/?q=nightly").text
    # older ones than the newest 500 are not looked for then
    assert re.search("The newest 8 of (at least )?12 matches.", text)
    assert 'href="/search/?q=nightly&amp;kind=runs"' in text
    more = contributor.get("/search/?q=nightly&kind=runs")
    assert [group.kind for group in more.context["groups"]] == ["runs"]
    assert more.context["groups"][0].rows == runs[::-1]
    assert "Show more" not in more.text and 'href="/search/?q=nightly&amp;"' in more.text


def test_more_of_a_kind_within_a_filter_and_of_a_kind_that_is_none(house, contributor):
    for _ in range(9):
        a_run(label="nightly", tool="dbench")
    a_run(label="nightly")
    text = contributor.get("/search/?q=nightly&tool=dbench").text
    assert re.search("The newest 8 of (at least )?9 matches.", text)
    assert 'href="/search/?q=nightly&amp;tool=dbench&amp;kind=runs"' in text
    more = contributor.get("/search/?q=nightly&tool=dbench&kind=runs")
    assert len(more.context["groups"][0].rows) == 9
    assert contributor.get("/search/?q=nightly&kind=nonsense").context["groups"] == []


def test_what_is_too_many_is_not_counted(db, contributor, monkeypatch):
    monkeypatch.setattr("benchdash.results.search.MOST", 10)
    for _ in range(11):
        a_run(label="nightly")
    assert "The newest 8 of at least 10 matches." in contributor.get("/search/?q=nightly").text
    text = contributor.get("/search/?q=nightly&kind=runs").text
    assert "The newest 10 matches; add a word" in text
