"""One box in the head of each page."""

from __future__ import annotations

import pytest

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


def test_a_question_that_is_too_long_is_said_beside_the_box(contributor):
    assert "errors" in contributor.get(f"/search/?q={'x' * 201}").text
