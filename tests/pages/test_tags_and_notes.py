"""Tags and notes: given on the pages of records, shown with who and when, asked for in lists."""

from __future__ import annotations

import pytest
from django.db import IntegrityError, transaction
from django.test import Client

from benchdash.results.annotations import set_tags, used_tags
from benchdash.results.comparison.choose import choose_runs
from benchdash.results.criteria import read_query
from benchdash.results.models import Note, Run, Tag
from benchdash.results.run_filters import RunQuery
from benchdash.results.run_names import names_of
from benchdash.results.search import SearchQuery, search
from tests.measured import a_run

pytestmark = pytest.mark.django_db


def addresses(house):
    return {
        "study": (house.study.pk, f"/studies/{house.study.slug}/"),
        "configuration": (house.local.pk, f"/configurations/{house.local.pk}/"),
        "run": (house.run.pk, f"/runs/{house.run.pk}/"),
    }


@pytest.mark.parametrize("kind", ["study", "configuration", "run"])
def test_a_record_is_tagged_and_found_by_its_tags(house, contributor, kind):
    pk, address = addresses(house)[kind]
    answer = contributor.post(f"/tags/{kind}/{pk}/", {"tags": "slow switch,  ext3 , ext3"})
    assert answer.url == f"{address}#notes"
    text = contributor.get(address).text
    assert "?tag=slow%20switch" in text
    assert 'value="ext3, slow switch"' in contributor.get(f"/tags/{kind}/{pk}/").text
    (rows,) = [
        g.rows for g in search(SearchQuery("switch slow", RunQuery({})), 3) if g.kind != "uploads"
    ]
    assert [row.pk for row in rows] == [pk]
    contributor.post(f"/tags/{kind}/{pk}/", {"tags": "ext3"})
    assert "slow switch" not in {tag.name for tag in used_tags()}


@pytest.mark.parametrize("kind", ["study", "configuration", "run"])
def test_the_forms_are_fetched_once_they_are_opened_and_are_links_without_scripts(
    house, contributor, client, kind
):
    pk, address = addresses(house)[kind]
    page = contributor.get(address).text
    for form, field in ((f"/tags/{kind}/{pk}/", "id_tags"), (f"/notes/{kind}/{pk}/", "id_text")):
        assert (
            f'hx-get="{form}"' in page
            and f'<a class="button small unscripted" href="{form}"' in page
        )
        assert f'id="{field}"' not in page
        alone, fetched = (
            contributor.get(form, headers=headers).text for headers in ({}, {"HX-Request": "true"})
        )
        assert "<!doctype html>" in alone and "<!doctype html>" not in fetched
        for each in (alone, fetched):
            assert f'id="{field}"' in each and f'method="post" action="{form}"' in each
        assert form not in client.get(address).text  # visitors write nothing


def test_a_tag_on_a_study_or_configuration_holds_for_its_runs(house, contributor):
    other = a_run()
    mirrored = Run.objects.get(configuration=house.mirror)

    def found(tag):
        page = {run.pk for run in contributor.get("/runs/", {"tag": tag}).context["page"].rows}
        answer = contributor.get("/api/v1/runs/", {"tag": tag}).json()["results"]
        compared = {run.id for run in choose_runs(read_query(f"tag={tag}")).runs}
        assert page == compared == {run["id"] for run in answer}
        return page

    contributor.post(f"/tags/study/{house.study.pk}/", {"tags": "whole"})
    contributor.post(f"/tags/configuration/{house.mirror.pk}/", {"tags": "mirrors"})
    contributor.post(f"/tags/run/{other.pk}/", {"tags": "mirrors"})
    assert found("whole") == {house.run.pk, mirrored.pk}
    assert found("mirrors") == {mirrored.pk, other.pk}


def test_ticked_runs_are_tagged_and_lose_tags_at_once(house, contributor):
    runs = list(Run.objects.values_list("pk", flat=True))
    contributor.post("/runs/", {"act": "tag", "runs": runs, "tags": "night, lab"})
    assert Tag.objects.get(name="night").runs.count() == len(runs)
    contributor.post("/runs/", {"act": "untag", "runs": runs[:1], "tags": "night"})
    assert Tag.objects.get(name="night").runs.count() == len(runs) - 1
    text = contributor.post("/runs/", {"act": "tag", "runs": runs, "tags": " , "}).text
    assert "Enter a tag." in text


def test_a_tag_that_is_too_long_is_refused_with_its_bound(house, contributor):
    address = f"/tags/run/{house.run.pk}/"
    text = contributor.post(address, {"tags": "x" * 51}, follow=True).text
    assert "A tag has at most 50 characters." in text
    assert [tag.name for tag in house.run.tags.all()] == ["baseline of 2008"]


@pytest.mark.parametrize("kind", ["study", "configuration", "run"])
def test_a_note_says_who_wrote_and_changed_it_and_goes(house, contributor, signed_in, kind):
    pk, address = addresses(house)[kind]
    contributor.post(f"/notes/{kind}/{pk}/", {"text": "The **array** was hot."})
    note = Note.objects.latest("pk")
    text = contributor.get(address).text
    assert "<strong>array</strong>" in text
    assert contributor.person.username in text
    operator = signed_in("operator")
    operator.post(f"/notes/{note.pk}/", {"text": "It was cold."})
    note.refresh_from_db()
    assert (note.created_by, note.changed_by) == (contributor.person, operator.person)
    assert "It was cold." in contributor.get(address).text
    assert contributor.post(f"/notes/{note.pk}/", {"act": "remove"}).url == f"{address}#notes"
    assert not Note.objects.filter(pk=note.pk).exists()


def test_a_note_needs_words(house, contributor):
    answer = contributor.post(f"/notes/run/{house.run.pk}/", {"text": "  "})
    assert answer.status_code == 422
    assert "errors" in answer.text
    assert contributor.post("/notes/host/1/", {"text": "a"}).status_code == 404
    assert contributor.post("/tags/host/1/", {"tags": "a"}).status_code == 404


def test_visitors_read_notes_but_not_who_wrote_them(house, contributor, settings):
    settings.PUBLIC_READ = True
    contributor.post(f"/notes/run/{house.run.pk}/", {"text": "The array was hot."})
    text = Client().get(f"/runs/{house.run.pk}/").text
    assert "The array was hot." in text
    assert "contributor" not in text


def test_a_note_is_about_one_record(house):
    for about in ({}, {"run": house.run, "study": house.study}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Note.objects.create(text="lost", **about)


def test_the_compare_page_offers_tags_with_how_many_configurations_they_leave(house, contributor):
    set_tags(house.study, ["published"])
    set_tags(house.local, ["published", "plain disk"])
    page = contributor.get(f"/compare/?study={house.study.slug}&tag=plain+disk")
    (found,) = [found for name, _title, found in page.context["choosers"] if name == "tag"]
    assert [(one.text, one.count, one.chosen) for one in found] == [
        ("baseline of 2008", 1, False),
        ("plain disk", 1, True),
        ("published", 2, False),
    ]
    assert page.context["comparison"].view.runs == 1


def test_tags_that_cannot_be_read_take_none_away(house, contributor):
    contributor.post(f"/tags/run/{house.run.pk}/", {"tags": "ext3"})
    answer = contributor.post(f"/tags/run/{house.run.pk}/", {"tags": "a, " * 400}, follow=True)
    assert "at most 1000 characters" in answer.text
    assert [tag.name for tag in house.run.tags.all()] == ["ext3"]


def test_forms_with_a_page_of_their_own_can_be_left(house, contributor):
    back = f'href="/runs/{house.run.pk}/#notes">Cancel</a>'
    for address in (f"/tags/run/{house.run.pk}/", f"/notes/run/{house.run.pk}/"):
        assert back in contributor.get(address).text
        within = contributor.get(address, headers={"hx-request": "true"}).text
        assert "Cancel" not in within


def test_the_page_of_a_note_calls_its_run_by_its_name(house, contributor):
    name = names_of([house.run.pk])[house.run.pk]
    for address in (f"/notes/{house.note.pk}/", f"/tags/run/{house.run.pk}/"):
        assert name in contributor.get(address).text
