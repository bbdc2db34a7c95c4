"""Filters of the runs list at one press."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from benchdash.pages import runs
from benchdash.results.models import SavedFilter

pytestmark = pytest.mark.django_db


def save(client, name="Mine", query="tool=bonnie%2B%2B&before=7&text="):
    return client.post("/runs/filters/", {"name": name, "query": query}, follow=True)


def test_a_filter_is_kept_under_a_name_without_the_page_and_empty_fields(house, contributor):
    text = save(contributor).text
    assert SavedFilter.objects.get().query == "tool=bonnie%2B%2B"
    assert 'href="/runs/?tool=bonnie%2B%2B" aria-current="true">Mine</a>' in text
    save(contributor, query="state=same")
    assert SavedFilter.objects.get().query == "state=same"
    answer = contributor.post("/runs/filters/forget/", {"name": "Mine"}, follow=True)
    assert not SavedFilter.objects.exists()
    assert answer.redirect_chain == [("/runs/?state=same", 302)]
    assert "The filter “Mine” was deleted" in answer.text and "Save this filter" in answer.text


def test_a_saved_filter_keeps_columns_and_order(house, contributor):
    text = save(contributor, query="sort=-when&tool=fio&column=workload.jobs&after=3").text
    assert SavedFilter.objects.get().query == "tool=fio&column=workload.jobs&sort=-when"
    assert re.search(r'href="[^"]*sort=-when" aria-current="true">Mine</a>', text)


def test_a_query_that_is_no_text_is_refused_with_a_sentence(house, contributor):
    fields = {"name": "Mine", "query": "tool=fio\0"}
    answer = contributor.post("/runs/filters/", fields, follow=True)
    assert answer.status_code == 200
    assert not SavedFilter.objects.exists()


def test_filters_are_the_persons_own(house, contributor, signed_in):
    save(contributor)
    other = signed_in("viewer")
    assert "Mine" not in other.get("/runs/").text
    other.post("/runs/filters/forget/", {"name": "Mine"})
    assert SavedFilter.objects.count() == 1
    save(other)
    assert SavedFilter.objects.count() == 2


@pytest.mark.parametrize(("name", "query"), [("", "tool=fio"), ("Mine", "before=7"), ("Mine", "")])
def test_a_filter_needs_a_name_and_something_to_narrow_by(house, contributor, name, query):
    assert "needs a name and something" in save(contributor, name, query).text
    assert not SavedFilter.objects.exists()


def test_a_filter_by_too_many_runs_says_what_to_do_and_stays_at_hand(house, contributor):
    runs = ",".join(map(str, range(100_000, 100_150)))
    page = save(contributor, query=f"tool=fio&runs={runs}")
    assert "too long to be saved" in page.text
    assert "Give these runs a tag" in page.text
    assert page.request["QUERY_STRING"].startswith("tool=fio&run=100000&run=100001")
    assert not SavedFilter.objects.exists()


def test_a_filter_by_a_long_text_is_to_be_shortened(house, contributor):
    page = save(contributor, query=f"text={'速' * 200}")
    assert "Shorten its text" in page.text
    assert "Give these runs" not in page.text


@pytest.mark.parametrize("name", ["", "x" * 61])
def test_a_name_that_cannot_be_kept_loses_no_filter(house, contributor, name):
    page = save(contributor, name, "tool=fio")
    assert page.request["QUERY_STRING"] == "tool=fio"
    assert ("at most 60 characters" in page.text) == bool(name)


def test_filters_are_bounded(house, contributor, monkeypatch):
    monkeypatch.setattr(runs, "MOST_FILTERS", 1)
    save(contributor)
    assert "You have 1 saved filters" in save(contributor, "More").text
    assert SavedFilter.objects.get().name == "Mine"


def test_quick_filters_are_pressed_and_let_go(house, contributor):
    context = contributor.get("/runs/?state=same&text=a&after=3").context
    by_text = {str(chip.text): (chip.query, chip.current) for chip in context["quick"]}
    assert by_text["same result as another"] == ("text=a", True)
    assert by_text["set aside"] == ("text=a&state=set-aside", False)
    assert by_text["leave out doubted"][0] == "text=a&doubts=exclude&state=same"


def test_visitors_have_quick_filters_and_nothing_to_save(house, settings):
    settings.PUBLIC_READ = True
    text = Client().get("/runs/?tool=fio").text
    assert "leave out doubted</a>" in text
    assert "Save this filter" not in text
