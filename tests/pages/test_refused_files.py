"""A refused file asks for attention until somebody puts it aside; nothing of it is lost."""

from __future__ import annotations

import pytest

from benchdash.results.artifacts import content_of
from benchdash.results.ingest import ingest
from benchdash.results.models import Upload
from benchdash.results.readings import File

pytestmark = pytest.mark.django_db
ADDRESS = "/uploads/refused/"


def test_one_press_on_the_home_page_puts_a_file_aside(house, contributor):
    assert "notes/README" in contributor.get("/").text
    answer = contributor.post(ADDRESS, {"uploads": house.refused.pk, "next": "/"}, follow=True)
    assert answer.redirect_chain == [("/", 302)]
    assert "1 file put aside." in answer.text
    assert "notes/README" not in answer.text
    house.refused.refresh_from_db()
    assert house.refused.put_aside_by == contributor.person
    assert content_of(house.refused.artifact).startswith(b"Nothing was measured")


def test_who_when_and_why_are_kept_until_it_is_taken_back(house, contributor):
    page = f"/uploads/{house.refused.pk}/"
    fields = {
        "uploads": house.refused.pk,
        "act": "put-aside",
        "reason": "A <README>.",
        "next": page,
    }
    text = contributor.post(ADDRESS, fields, follow=True).text
    assert "contributor&nbsp;· A &lt;README&gt;." in text
    assert "A &lt;README&gt;." in contributor.get(f"{ADDRESS}?aside=1").text
    assert "notes/README" not in contributor.get(ADDRESS).text
    back = {"uploads": house.refused.pk, "act": "take-back", "next": page}
    assert "A &lt;README&gt;." not in contributor.post(ADDRESS, back, follow=True).text
    assert "notes/README" in contributor.get("/").text


def test_several_are_put_aside_with_one_reason_and_members_of_archives_too(house, contributor):
    ingest([File(f"{n}.txt", f"nothing {n}".encode()) for n in range(7)])
    page = contributor.get(ADDRESS)
    uploads = [upload.pk for upload in page.context["page"].rows]
    assert len(uploads) == 8
    contributor.post(ADDRESS, {"uploads": uploads, "act": "put-aside", "reason": "Notes."})
    assert set(Upload.objects.values_list("put_aside_reason", flat=True)) == {"", "Notes."}
    assert "No refused file needs" in contributor.get(ADDRESS).text


def test_what_was_stored_is_not_put_aside(house, contributor):
    answer = contributor.post(ADDRESS, {"uploads": house.upload.pk, "next": "/"}, follow=True)
    assert "0 files put aside." in answer.text
    house.upload.refresh_from_db()
    assert house.upload.put_aside_at is None


def test_nothing_ticked_is_stated_and_the_reason_stays_typed(house, contributor):
    text = contributor.post(ADDRESS, {"act": "put-aside", "reason": "Only notes."}).text
    assert "Tick the files first." in text
    assert 'value="Only notes."' in text


def test_a_file_that_is_read_after_all_is_put_aside_no_more(house, contributor):
    log = ingest([File("seq_bw.log", b"500, 1024, 1, 4096\n1000, 2048, 1, 4096\n")])[0].upload
    contributor.post(ADDRESS, {"uploads": log.pk})
    page = f"/uploads/{log.pk}/"
    assert "put aside" in contributor.get(page).text
    contributor.post(page, {"run": str(house.run.pk)})
    assert "put aside" not in contributor.get(page).text.lower()
