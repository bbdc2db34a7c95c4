"""One box in the head of each page."""

from __future__ import annotations

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
